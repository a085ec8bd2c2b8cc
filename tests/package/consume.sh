# Builds a consumer project and runs its programs.
#   consume.sh SOURCE WORK NAME PROJECT PROGRAMS [OPTION...]
# PROJECT is a folder next to this file, PROGRAMS a list of its executables.
# SPDX-License-Identifier: MIT
source=$1 work=$2/$3 name=$3 project=$4 programs=$5
shift 5
rm -rf "$work"
. "$source/tests/support/check.sh"
. "$source/tests/package/run.sh"

configure() {
    cmake -S "$source/tests/package/$project" -B "$work/build" -G Ninja "$@"
}

undocumented_options() {
    grep -o '^MURMURATION_[A-Z_]*:[BFPS]' "$work/build/CMakeCache.txt" | cut -d : -f 1 | while read -r option; do
        grep "^|.*\`$option\`.*|.*|.*|$" "$source/include/embed.md" >/dev/null || echo "$option"
    done | grep .
}

lacks_headers() {
    refused configure "$@" -B "$work/none" -DCMAKE_IGNORE_PATH="/usr/include;/usr/local/include" \
        >"$work/none.log" 2>&1 && grep -B 3 Vulkan_INCLUDE_DIR "$work/none.log"
}

check "$name: configures" configure "$@" || finish
# In the normal tier, dist.sh builds all targets from the archive, and install.sh builds all kernels.
part=all
[ "$name" != subdirectory ] || [ -n "${MUR_TEST_FULL:-}" ] || {
    programs=
    part=murmuration/runtime/murmuration.shaders/core.c
}
check "$name: builds $part" cmake --build "$work/build" -j 2 --target "$part" || finish
for program in $programs; do
    check "$name: $program runs, both shader compilers" run_consumer "$work/build/$program" "$work/build"
done

case $name in
*-find) check "$name: an engine keeps pages in a database" "$work/build/database" "$work/world.db" ;;
esac
case $name in
static-find) # The static library is linked, not loaded at run time.
    check "$name: needs no shared murmuration" \
        refused needs_library "$work/build/consumer" libmurmuration
    check "$name: a program with its own volk needs no libvulkan to link" \
        refused needs_library "$work/build/consumer_volk" libvulkan
    ;;
static-headers)
    check "$name: without a Vulkan library" \
        refused grep -i libvulkan "$work/build/CMakeCache.txt"
    check "$name: without headers it is not found, and says why" lacks_headers "$@"
    ;;
shared-find)
    check "$name: needs the shared library" needs_library "$work/build/consumer" libmurmuration
    ;;
subdirectory)
    cache=$work/build/CMakeCache.txt
    check "$name: BUILD_SHARED_LIBS stays the engine's" refused grep '^BUILD_SHARED_LIBS' "$cache"
    for option in BUILD_TESTS BUILD_DEMOS INSTALL; do
        check "$name: MURMURATION_$option is off by default" \
            grep -q "^MURMURATION_$option:BOOL=OFF$" "$cache"
    done
    check "$name: the manual lists every option" refused undocumented_options
    check "$name: adds no test to the engine's" no_tests "$work/build"
    check "$name: the engine's sources are not compiled with the library's warnings" \
        refused warned_as_library "$work/build/compile_commands.json"
    ;;
esac
finish
