# Sourced by demo/run and tests/run: packages and the build. SPDX-License-Identifier: MIT

root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build

# need PACKAGE...: installs missing packages through apt, without questions.
need() {
    missing=
    for package in "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
            missing="$missing $package"
    done
    [ -z "$missing" ] && return 0
    echo "Installing packages:$missing"
    as_root=
    [ "$(id -u)" = 0 ] || as_root="sudo"
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq update &&
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends \
            -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=120 install $missing >/dev/null || {
        echo "$0: apt could not install:$missing" >&2
        exit 1
    }
}

# Packages to build the library, and a Vulkan device for machines without a GPU.
build_packages="cmake ninja-build pkg-config libvulkan-dev libvulkan-volk-dev libsqlite3-dev libzstd-dev
    glslang-tools spirv-tools mesa-vulkan-drivers"
# Additional packages of the demo programs: pictures, a window, a font.
demo_packages="libpng-dev libglfw3-dev libstb-dev fonts-dejavu-core"
command -v cc >/dev/null || build_packages="gcc libc6-dev $build_packages"

# configure_and_build FOLDER [CMAKE ARGUMENT...]: prints one line unless it fails.
configure_and_build() {
    into=$1
    shift
    mkdir -p "$into"
    echo "Building, which takes minutes the first time; the log is $into/build.log"
    {
        cmake -S "$root" -B "$into" -G Ninja "$@" && cmake --build "$into"
    } >"$into/build.log" 2>&1 || {
        tail -n 40 "$into/build.log" >&2
        echo "$0: the build failed; the whole log is $into/build.log" >&2
        exit 1
    }
}
