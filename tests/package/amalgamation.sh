# Tests the library in single files.   amalgamation.sh SOURCE WORK BUILD
# SPDX-License-Identifier: MIT
source=$1 build=$3
work=$2/amalgamation
rm -rf "$work"
. "$source/tests/support/check.sh"
. "$source/tests/package/run.sh"
single=$work/amalgamation # the folder of an engine

# amalgamate NAMES: runs the command of the build's target, with these types and kernel sets.
amalgamate() {
    ninja -C "$build" -t commands amalgamation | tail -n 1 |
        sed -e "s|-DKERNELS=[^ ]*|'-DKERNELS=$1'|" -e "s|-DBUILD=[^ \"]*|-DBUILD=$work|" >"$work/command.sh"
    sh "$work/command.sh"
}

rejects_unknown() {
    refused amalgamate "K64V32;Nonsense" && refused sh "$work/command.sh" 2>&1 | grep "contains Nonsense, expected"
}

# Writes and compiles programs of an engine that include the single files.
write_engine() {
    cp "$source/tests/package/consumer.c" "$single/engine.c" && cp "$source/tests/package/consumer.comp" \
        "$source"/demo/minimal/plumbing.[ch] "$single" &&
        sed -i 's|<murmuration/[a-z]*[.]h>|"murmuration.h"|' "$single/engine.c" "$single/plumbing.c" && cd "$single" &&
        glslangValidator --quiet --target-env vulkan1.2 consumer.comp -o glslang.spv &&
        glslc --target-env=vulkan1.2 consumer.comp -o glslc.spv
}

strict="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
# compiles COMPILER OPTION...: compiles murmuration.c without warnings.
compiles() {
    # shellcheck disable=SC2086
    "$@" -std=c11 -O0 $strict "$single/murmuration.c"
}

# links OUTPUT COMPILER OPTION...: links the engine, and removes unused code.
links() {
    output=$work/$1
    shift
    # shellcheck disable=SC2086
    "$@" -Wall -Wextra -Werror -Wno-missing-field-initializers "$single/engine.c" -x none "$work/gcc.o" -Wl,--gc-sections -o "$output" -lvulkan -ldl -lpthread
}

compiles_shaders() {
    cd "$single" && printf '%s\n' '#include "murmuration.hlsli"' '[numthreads(64, 1, 1)]' \
        'void main(uint3 id : SV_DispatchThreadID) {}' >engine.comp.hlsl &&
        glslangValidator --quiet -D -e main -S comp --target-env vulkan1.1 engine.comp.hlsl -o hlsl.spv &&
        cat >rows.comp <<'END'
#version 450
#extension GL_GOOGLE_include_directive : require
#define MUR_ROW_COUNT 8u
#define MUR_ROW_HASH(row) (row)
#define MUR_ROW_EQUAL(a, b) ((a) == (b))
#include "murmuration.glsl"
void main() {}
END
    glslangValidator --quiet --target-env vulkan1.2 rows.comp -o rows.spv &&
        grep -c 'fn mur_' murmuration.wgsl murmuration_read.wgsl
}

contains_nothing_of() {
    ! grep "mur_spv_$1" "$single/murmuration.c"
}

equals() {
    for file in "$1"/*; do
        cmp "$file" "$single/${file##*/}" || return 1
    done
}

check "amalgamation: an unknown name is rejected" rejects_unknown
check "amalgamation: it is written for one map" amalgamate K32V32 || finish
check "amalgamation: it omits types that are not named" contains_nothing_of find_k64v32
check "amalgamation: it omits kernel sets that are not named" contains_nothing_of build_slices
check "amalgamation: it contains no other project's include but Vulkan's" \
    refused grep '^#include "' "$single/murmuration.h" "$single/murmuration.glsl" "$single/murmuration.hlsli"
check "amalgamation: it contains each header once" \
    refused sh -c 'grep "^#ifndef MUR[A-Z_]*_H$" "$1/murmuration.h" | sort | uniq -d | grep .' - "$single"
check "amalgamation: shaders compile" write_engine || finish
check "amalgamation: gcc compiles it without warnings" compiles gcc -c -o "$work/gcc.o" || finish
check "amalgamation: clang compiles it without warnings" compiles clang -fsyntax-only
check "amalgamation: an engine in C builds" links engine gcc -std=c11
check "amalgamation: it runs" run_consumer "$work/engine" "$single"
check "amalgamation: an engine in C++20 builds" links engine_cxx g++ -std=c++20 -x c++
check "amalgamation: it runs as C++" run_consumer "$work/engine_cxx" "$single"
check "amalgamation: other shader files compile" compiles_shaders
check "amalgamation: it is written with all code" amalgamate "" || finish
check "amalgamation: it is the same in the archive" equals "$build/amalgamation"
check "amalgamation: all code compiles without warnings" compiles gcc -fsyntax-only
finish
