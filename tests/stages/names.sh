# The include declares nothing but mur_*, Mur* and MUR_*, and its version can be asked for.
#   names.sh SOURCE WORK
# SPDX-License-Identifier: MIT
source=$1 work=$2
rm -rf "$work"
. "$source/tests/support/check.sh"
here=$source/tests/stages
. "$here/compile.sh"

# options ACCESS MODE: macros that select them.
options() {
    case $1 in
    buffer) echo -DMUR_BUFFER_BINDING=1 ;;
    array) echo -DMUR_BUFFER_BINDING=1 -DMUR_BUFFER_COUNT=2 -DMUR_VALUES_64=1 -DMUR_SETS=1 -DMUR_MULTI=1 ;;
    formats) echo -DMUR_VALUES_64=1 -DMUR_SETS=1 -DMUR_MULTI=1 -DMUR_PAGER=1 ;;
    esac
    case $2 in
    'read-only') echo -DMUR_READ_ONLY=1 ;;
    '64-bit') echo -DMUR_INT64_ATOMICS=1 ;;
    esac
}

scan() {
    awk -v only="$1" -f "$source/tests/support/declarations.awk"
}

scan_sees_all() {
    sed 's://.*::' "$here/sample.glsl" | scan "" | diff "$here/sample.expected" -
}

# own_names OPTION...
own_names() {
    glslangValidator -E -S comp -I"$source/shaders" "$@" "$here/names.comp" |
        scan '/shaders/murmuration' >"$work/names"
    [ "$(grep -c '^function mur_' "$work/names")" -ge 10 ] &&
        ! grep -v -E ' (mur_|Mur|MUR_)[A-Za-z0-9_]*$' "$work/names"
}

# own_hlsl_names OPTION...
own_hlsl_names() {
    printf '#include "murmuration.hlsli"\n#include "murmuration/spatial.h"\n' >"$work/names.hlsl"
    glslangValidator -D -E -S comp -I"$source/shaders" "$@" "$work/names.hlsl" |
        scan '/shaders/murmuration' >"$work/names"
    [ "$(grep -c '^function mur_' "$work/names")" -ge 10 ] &&
        ! grep -v -E ' (mur_|Mur|MUR_)[A-Za-z0-9_]*$' "$work/names"
}

# Under whatever condition.
own_macros() {
    find "$source"/shaders/murmuration* -type f -exec cat {} + |
        sed -n 's/^ *# *define *\([A-Za-z0-9_]*\).*/\1/p' | sort -u >"$work/macros"
    [ "$(wc -l <"$work/macros")" -ge 20 ] && ! grep -v '^MUR_' "$work/macros"
}

version() {
    sed -n "s/^#define MUR_VERSION_$1 \([0-9]*\)$/\1/p" "$source/shaders/murmuration/layout.h"
}
number=$((10000 * $(version MAJOR) + 100 * $(version MINOR) + $(version PATCH)))

check "names: the scan of declarations sees every kind" scan_sees_all
check "names: every macro begins with MUR_" own_macros
for options in '' -DMUR_READ_ONLY '-DMUR_KEYS_64 -DMUR_SETS'; do
    # shellcheck disable=SC2086
    check "names: all that is declared is ours, HLSL $options" own_hlsl_names $options
done
turn=0 combination=0
for access in address buffer array formats; do
    for mode in read-only 32-bit 64-bit; do
        # shellcheck disable=SC2046
        check "names: all that is declared is ours, $access, $mode" \
            own_names $(options $access $mode)
        # Each compiler meets either order with each access and with each mode; in the normal tier a
        # combination has one compiler and one order.
        compilers='glslang glslc'
        [ -n "${MUR_TEST_FULL:-}" ] || {
            compilers=$(echo "$compilers" | cut -d ' ' -f $((combination % 2 + 1)))
            turn=$((combination / 2))
        }
        combination=$((combination + 1))
        for compiler in $compilers; do
            case $((turn % 2)) in
            0) order=before macro=-DNAMES_BEFORE=1 ;;
            1) order=after macro= ;;
            esac
            # shellcheck disable=SC2046,SC2086
            check "names: beside a user's names, declared $order, $access, $mode, $compiler" \
                compile comp "$here/names.comp" "$work/names.spv" $macro $(options $access $mode)
            turn=$((turn + 1))
        done
        turn=$((turn + 1))
    done
done
for compiler in glslang glslc; do
    check "names: the version in #if, $compiler" \
        compile comp "$here/version.comp" "$work/version.spv" -DEXPECTED=$number
    check "names: another version is noticed, $compiler" \
        refused compile comp "$here/version.comp" "$work/version.spv" -DEXPECTED=$((number + 1))
done
finish
