# Uses the source archive without shader tools: by CMake, and by a C compiler alone.
#   dist.sh SOURCE WORK BUILD COMPILER [OPTION...]
# SPDX-License-Identifier: MIT
source=$1 all=$2 build=$3 compiler=$4
shift 4
work=$all/dist
rm -rf "$work"
. "$source/tests/support/check.sh"
. "$source/tests/package/run.sh"
. "$source/tests/package/links.sh"

make_archive() {
    rm -f "$build"/murmuration-*.tar.gz # also of other versions
    cmake --build "$build" --target dist && cp "$build"/murmuration-*.tar.gz "$work/first.tar.gz"
}

# Runs only the last command of the target. amalgamation.sh writes the archive's amalgamation again.
makes_it_again() {
    ninja -C "$build" -t commands dist | tail -n 1 >"$work/command.sh" && sh "$work/command.sh" &&
        cmp "$work/first.tar.gz" "$build"/murmuration-*.tar.gz
}

# Sets PATH to all programs except those that compile or examine shaders.
hide_tools() {
    mkdir "$work/bin"
    for folder in $(echo "$PATH" | tr : ' '); do
        ln -s "$folder"/* "$work/bin" 2>/dev/null
    done
    rm -f "$work"/bin/glsl* "$work"/bin/spirv-* "$work/bin/naga"
    PATH=$work/bin
}

lacks_tools() {
    ! command -v glslangValidator && ! command -v spirv-opt && ! command -v spirv-val
}

# by_cmake OPTION...: builds by CMake, for an engine in C++ that enables no other language and makes unity builds. Reuses
# objects of identical C files, because by_recipe compiles all files.
by_cmake() {
    hide_tools && lacks_tools || return 1
    cat >"$work/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.22)
project(engine LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_UNITY_BUILD ON)
add_subdirectory($tree murmuration)
add_executable(consumer "$source/tests/package/cxx/consumer.cpp")
target_include_directories(consumer PRIVATE "$source/demo/minimal")
target_link_libraries(consumer murmuration::murmuration vulkan)
END
    cmake -S "$work" -B "$work/build" -G Ninja "$@" &&
        cmake --build "$work/build" -j 2 && ! grep -i -E '^[^/].*(glslang|spirv)' "$work/build/CMakeCache.txt"
}

# Builds by the recipe printed in embed.md, with this build's compiler as cc. To save time, it compiles without
# optimization and, in the normal tier, all files as one.
by_recipe() {
    lacks_tools || return 1
    cd "$tree" || return 1
    awk '/^```sh$/ {on = 1; block = ""; next} /^```$/ && on {if (block ~ /sources[.]txt/) printf "%s", block; on = 0}
        on {block = block $0 "\n"}' "$source/include/embed.md" >"$work/recipe.sh"
    sed 's/.*/#include "&"/' sources.txt >all.c
    sed 's/[$](cat sources[.]txt)/all.c/' "$work/recipe.sh" >"$work/short.sh"
    grep -q ' all[.]c$' "$work/short.sh" || return 1
    [ -z "${MUR_TEST_FULL:-}" ] || cp "$work/recipe.sh" "$work/short.sh"
    # bin/cc is a link to the system's compiler.
    rm -f "$work/bin/cc" && printf '#!/bin/sh\nexec "%s" "$@" -O0\n' "$(command -v "$compiler")" >"$work/bin/cc" &&
        chmod +x "$work/bin/cc" && sh -e "$work/short.sh" &&
        cc -std=c11 -Iinclude -Ishaders -I"$source/demo/minimal" "$source/tests/package/consumer.c" libmurmuration.a \
            -o "$work/consumer" -lvulkan -ldl -lpthread
}

# Requires that the archive has the headers and shaders of an installation. Headers that an installation has in include/
# may be in shaders/.
holds_what_is_installed() {
    cd "$all/static" || return 1
    files=$(find include share -type f ! -name "*.md")
    [ "$(echo "$files" | wc -l)" -gt 40 ] || return 1
    for file in $files; do
        name=$(echo "$file" | sed 's:^share/\(doc/\)*murmuration/::')
        cmp "$file" "$tree/$name" || cmp "$file" "$tree/shaders/${name#include/}" || return 1
    done
}

names_licence() {
    [ -s "$tree/LICENSE" ] && ! grep -rL 'SPDX-License-Identifier: MIT' "$tree" |
        grep -v -e '/LICENSE$' -e '[.]md$' -e '/sources[.]txt$'
}

check "dist: the archive is made" make_archive || finish
check "dist: it is the same when it is made again" makes_it_again
check "dist: it unpacks" tar xzf "$work/first.tar.gz" -C "$work" || finish
tree=$(echo "$work"/murmuration-*)
check "dist: it has what is installed" holds_what_is_installed
check "dist: every file of it names its licence" names_licence
check "dist: it contains the manual" contains_manual "$source" "$tree"
check "dist: every link of its documents leads to a file" follows_links "$tree"
check "dist: an engine adds it by CMake" by_cmake "$@"
PATH=$work/bin
check "dist: the recipe without CMake builds it" by_recipe
shaders=$all/static-find/build # with the engine's compiled shaders
check "dist: the engine of CMake runs" run_consumer "$work/build/consumer" "$shaders"
check "dist: the engine of the compiler runs" run_consumer "$work/consumer" "$shaders"
finish
