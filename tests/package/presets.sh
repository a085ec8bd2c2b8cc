# Checks that the presets configure, and match their names.   presets.sh SOURCE WORK
# SPDX-License-Identifier: MIT
source=$1
work=$2/presets
rm -rf "$work"
. "$source/tests/support/check.sh"
cd "$source" || exit 1

# configures PRESET TYPE SANITIZERS
configures() {
    cmake --preset "$1" -B "$work/$1" -G Ninja -DMURMURATION_BUILD_TESTS=OFF \
        -DMURMURATION_BUILD_DEMOS=OFF || return 1
    cache=$work/$1/CMakeCache.txt
    same "build type" "$2" "$(sed -n 's/^CMAKE_BUILD_TYPE:[A-Z]*=//p' "$cache")" &&
        same "sanitizers" "$3" "$(sed -n 's/^MURMURATION_SANITIZE:[A-Z]*=//p' "$cache")" &&
        same "warnings are errors" ON \
            "$(sed -n 's/^MURMURATION_WARNINGS_AS_ERRORS:[A-Z]*=//p' "$cache")"
}

# listed PRESET: requires a build preset and a test preset with this name.
listed() {
    cmake --build --list-presets | grep -q "\"$1\"" && ctest --list-presets | grep -q "\"$1\""
}

# demos NAMES: configures the project with only these demos, and without libraries that other demos require.
demos() {
    cmake -S "$source" -B "$work/demos" -G Ninja -DMURMURATION_BUILD_TESTS=OFF \
        -DMURMURATION_DEMOS="$1" -DCMAKE_DISABLE_FIND_PACKAGE_PNG=ON \
        -DCMAKE_DISABLE_FIND_PACKAGE_glfw3=ON
}

demo_is_there() {
    cmake --build "$work/demos" --target help | grep -q "^$1: "
}

check "presets: dev" configures dev Debug ""
check "presets: release" configures release Release ""
check "presets: asan" configures asan Debug address,undefined
for preset in dev release asan; do
    check "presets: $preset has a build and a test preset" listed $preset
done
check "demos: minimal, grid and bench need neither libpng nor GLFW" demos "minimal;grid;bench"
check "demos: they are there" demo_is_there murbench
check "demos: minimal alone" demos minimal
check "demos: it is there" demo_is_there murminimal
check "demos: others are not" refused demo_is_there murgrid
check "demos: others need more" refused demos "minimal;cache"
check "demos: one that does not exist is refused" refused demos "minimal;nothing"
finish
