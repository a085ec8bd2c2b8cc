# Installs the library, and moves the installed files, so that later tests show that moving works.
#   install.sh SOURCE WORK KIND BUILD                             from the folder of a build
#   install.sh SOURCE WORK KIND - GENERATOR COMPILER [OPTION...]  builds it alone before
# WORK/KIND is then the installed tree. KIND is static or shared.
# SPDX-License-Identifier: MIT
source=$1 kind=$3 build=$4
work=$2/$kind-install
prefix=$2/$kind
shift 4
rm -rf "$work" "$prefix"
. "$source/tests/support/check.sh"
. "$source/tests/package/links.sh"

shared=OFF
[ "$kind" = shared ] && shared=ON

# configure GENERATOR COMPILER [OPTION...]
configure() {
    generator=$1 compiler=$2
    shift 2
    cmake -S "$source" -B "$build" -G "$generator" -DCMAKE_C_COMPILER="$compiler" \
        -DBUILD_SHARED_LIBS=$shared -DMURMURATION_BUILD_TESTS=OFF -DMURMURATION_BUILD_DEMOS=OFF \
        -DMURMURATION_WARNINGS_AS_ERRORS=ON "$@"
}

if [ "$build" = - ]; then
    build=$work/build
    with="$1 and $(basename "$2")"
    check "$kind: configures with $with" configure "$@" || finish
    check "$kind: builds with $with" cmake --build "$build" -j 2 || finish
    check "$kind: the build wants no Vulkan library" \
        refused grep -i libvulkan "$build/CMakeCache.txt"
fi
check "$kind: installs" cmake --install "$build" --prefix "$work/staged" || finish
# Paths of the building machine would not work on other machines, and would reveal it.
check "$kind: no file but the library names a folder of the build" \
    refused grep -rlI -e "$build" -e "$source" "$work/staged"
check "$kind: the licence is installed" \
    cmp "$source/LICENSE" "$work/staged/share/doc/murmuration/LICENSE"
check "$kind: contains the manual" contains_manual "$source" "$work/staged/share/doc/murmuration"
check "$kind: every link of its documents leads to a file" follows_links "$work/staged"
check "$kind: the package needs no shader compiler" \
    refused grep -rE '^[^#]*(glslang|spirv)' --include=*.cmake --include=*.pc "$work/staged"
check "$kind: moves" mv "$work/staged" "$prefix"
finish
