# Checks that the include declares only mur_*, Mur* and MUR_* names, and that #if can test its version.
#   names.sh SOURCE WORK
# SPDX-License-Identifier: MIT
source=$1 work=$2
rm -rf "$work"
. "$source/tests/support/check.sh"
here=$source/tests/stages
. "$here/compile.sh"

# only_own_names: requires that all words at file scope of the include, in the preprocessed text on standard input, are
# own names, or keywords.
only_own_names() {
    awk -v only=/shaders/murmuration -f "$source/tests/support/declarations.awk" | sort -u >"$work/names"
    words='bool|buffer|coherent|const|layout|readonly|writeonly|struct|void|u?int[234]?|float3|uvec[234]'
    [ "$(grep -c '^mur_' "$work/names")" -ge 10 ] &&
        ! grep -v -E "^((mur_|Mur|MUR_)[A-Za-z0-9_]*|$words)\$" "$work/names"
}

own_names() {
    glslangValidator -E -S comp -I"$source/shaders" "$@" "$here/names.comp" | only_own_names
}

own_hlsl_names() {
    printf '#include "murmuration.hlsli"\n#include "murmuration/spatial.h"\n' >"$work/names.hlsl"
    glslangValidator -D -E -S comp -I"$source/shaders" "$@" "$work/names.hlsl" | only_own_names
}

# Requires that all macros begin with MUR_, in all conditional branches.
own_macros() {
    find "$source"/shaders/murmuration* -type f -exec cat {} + |
        sed -n 's/^ *# *define *\([A-Za-z0-9_]*\).*/\1/p' | sort -u >"$work/macros"
    [ "$(wc -l <"$work/macros")" -ge 20 ] && ! grep -v '^MUR_' "$work/macros"
}

# Requires that buffer macros are expanded only at global scope.
buffer_macros_are_global() {
    ! grep -h 'MUR_BUFFER_\(BINDING\|SET\|COUNT\)' "$source"/shaders/murmuration/*.glsl |
        grep -v '^\(layout\|#\|//\)'
}

# macros_see_names OPTION...: compiles hooks.comp with the local names of all features.
macros_see_names() {
    printf '%s\n' '#version 460' '#extension GL_GOOGLE_include_directive : require' \
        '#include "murmuration.glsl"' '#include "murmuration/rows.glsl"' >"$work/all.comp"
    glslangValidator -E -S comp -I"$source/shaders" $all -DMUR_COMBINE=true -DMUR_ROW_COUNT=1u \
        '-DMUR_ROW_HASH(row)=row' '-DMUR_ROW_EQUAL(a,b)=true' "$work/all.comp" |
        awk -f "$here/inside.awk" >"$work/inside.h"
    [ "$(grep -o 'DO(' "$work/inside.h" | wc -l)" -ge 150 ] &&
        compile comp "$here/hooks.comp" "$work/hooks.spv" -I"$work" "$@"
}
all='-DMUR_VALUES_64=1 -DMUR_SETS=1 -DMUR_MULTI=1 -DMUR_PAGED=1 -DMUR_BUCKETS=2 -DMUR_INT64_ATOMICS=1'

# rejects_buckets VALUE: requires that the include's message is printed (glslang), and that there is no SPIR-V.
rejects_buckets() {
    ! glslangValidator --target-env vulkan1.2 -I"$source/shaders" -DMUR_BUCKETS="$1" -DEXPECTED="$number" \
        "$here/version.comp" -o "$work/buckets.spv" >"$work/log" &&
        grep -q 'MUR_BUCKETS needs a value: MUR_BUCKETS_ALL, ' "$work/log"
}

version() {
    sed -n "s/^#define MUR_VERSION_$1 \([0-9]*\)$/\1/p" "$source/shaders/murmuration/layout.h"
}
number=$((10000 * $(version MAJOR) + 100 * $(version MINOR) + $(version PATCH)))

check "names: every macro begins with MUR_" own_macros
for options in '' -DMUR_READ_ONLY '-DMUR_KEYS_64 -DMUR_SETS'; do
    # shellcheck disable=SC2086
    check "names: all that is declared is ours, HLSL $options" own_hlsl_names $options
done
for value in '' 0 3 5; do
    check "names: MUR_BUCKETS '$value' is rejected" rejects_buckets "$value"
done
check "names: buffer macros are expanded at global scope" buffer_macros_are_global
for compiler in glslang glslc; do
    check "names: macros of the engine mean its own names, $compiler" macros_see_names
    # shellcheck disable=SC2086
    check "names: macros of the engine mean its own names, everything, $compiler" macros_see_names $all
done
# In the normal tier, each compiler has one order of declarations.
runs='glslang-before glslc-after'
[ -z "${MUR_TEST_FULL:-}" ] || runs="$runs glslang-after glslc-before"
for access in address buffer array formats; do
    for mode in read-only 32-bit 64-bit; do
        # shellcheck disable=SC2046
        check "names: all that is declared is ours, $access, $mode" \
            own_names $(options $access $mode)
        for run in $runs; do
            compiler=${run%-*} macro=
            [ "${run#*-}" = after ] || macro=-DNAMES_BEFORE=1
            # shellcheck disable=SC2046,SC2086
            check "names: beside a user's names, $access, $mode, $run" \
                compile comp "$here/names.comp" "$work/names.spv" $macro $(options $access $mode)
        done
    done
done
for compiler in glslang glslc; do
    check "names: the version in #if, $compiler" \
        compile comp "$here/version.comp" "$work/version.spv" -DEXPECTED=$number
    check "names: another version is noticed, $compiler" \
        refused compile comp "$here/version.comp" "$work/version.spv" -DEXPECTED=$((number + 1))
done
finish
