# Builds the library by itself, installs it, and moves what was installed: whoever uses it
# afterwards shows that it can be moved.
#   install.sh SOURCE WORK KIND GENERATOR COMPILER [OPTION...]
# WORK/KIND is the installed tree then. KIND is static or shared.
# SPDX-License-Identifier: MIT
source=$1 kind=$3 generator=$4 compiler=$5
work=$2/$kind-install
prefix=$2/$kind
shift 5
rm -rf "$work" "$prefix"
. "$source/tests/support/check.sh"

shared=OFF
[ "$kind" = shared ] && shared=ON

configure() {
    cmake -S "$source" -B "$work/build" -G "$generator" -DCMAKE_C_COMPILER="$compiler" \
        -DBUILD_SHARED_LIBS=$shared -DMURMURATION_BUILD_TESTS=OFF -DMURMURATION_BUILD_DEMOS=OFF \
        -DMURMURATION_WARNINGS_AS_ERRORS=ON -DCMAKE_INSTALL_PREFIX="$work/staged" "$@"
}

with="$generator and $(basename "$compiler")"
check "$kind: configures with $with" configure "$@" || finish
check "$kind: builds with $with" cmake --build "$work/build" -j 2 || finish
check "$kind: installs" cmake --install "$work/build" || finish
# A path of the machine that built it would break when moved, or give that machine away.
check "$kind: no file but the library names a folder of the build" \
    refused grep -rlI -e "$work" -e "$source" "$work/staged"
check "$kind: the build wants no Vulkan library" refused grep -i libvulkan "$work/build/CMakeCache.txt"
check "$kind: the licence is installed" \
    cmp "$source/LICENSE" "$work/staged/share/doc/murmuration/LICENSE"
check "$kind: the package needs no shader compiler" \
    refused grep -rE '^[^#]*(glslang|spirv)' --include=*.cmake --include=*.pc "$work/staged"
check "$kind: moves" mv "$work/staged" "$prefix"
finish
