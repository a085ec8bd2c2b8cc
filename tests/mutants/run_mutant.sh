#!/bin/sh
# Builds one mutant and runs the tests that must notice it: run_mutant.sh CONFIGURATION NAME
#
# NAME is an entry of mutants.txt, or "none": no change, and the tests of all entries must pass. The
# changed shaders and runtime files are compiled and linked before everything else, in place of the
# originals, which come from the build's own objects and libraries. Caught means that each named
# case reports a failure: a crash, a hang or a failed build is not enough.
#
# SPDX-License-Identifier: MIT
set -eu
. "$1"
name=$2

fail() {
    echo "mutant $name: $*"
    echo "[  FAILED  ] mutant.$name"
    exit 1
}

# Of the mutant $1 its file, tests or expression, as $2 says.
entry() {
    awk -v name="$1:" -v what="$2" '
        /^[a-z][^ ]*$/ { file = $0 }
        $1 == name && what == "file" { print file }
        $1 == name && what == "tests" { sub(/^[^ ]* /, ""); print }
        expression { sub(/^  /, ""); print; exit }
        $1 == name && what == "expression" { expression = 1 }' "$LIST"
}

if [ "$name" = none ]; then
    file=
    tests=$(sed -n 's/^[a-z0-9_]*: //p' "$LIST")
else
    file=$(entry "$name" file)
    tests=$(entry "$name" tests)
    [ -n "$tests" ] || fail "no such entry in $LIST"
fi

work=$WORK/$name
rm -rf "$work"
mkdir -p "$work/objects"
cp -R "$SOURCE/shaders" "$SOURCE/runtime" "$work"

if [ -n "$file" ]; then
    sed -i -e "$(entry "$name" expression)" "$work/$file"
    places=$(diff "$SOURCE/$file" "$work/$file" | grep -c '^[0-9]' || true)
    [ "$places" = 1 ] || fail "changes $places places of $file instead of one"
fi

runs() {
    echo "$tests" | grep -q "^$1 "
}

in_buckets() {
    echo "$tests" | grep -q '_of_buckets_'
}

# needed SYMBOL SOURCE OPTIONS: does a test that is to run use this shader? Of the library's, what all
# shaders include is tested in the direct commands. Those of calls are named after the layout of the
# tables, as the cases are.
needed() {
    case $1 in
    # A few of many that are alike.
    pass_k32v32_32 | pass_k64_* | calls_*_address | paged_calls_k32v32 | paged_calls_k64v32_64) ;;
    mur_stages_fragment_*_writing_* | failures_combined_spv) ;;
    calls_*_array) [ "${file##*/}" = access_buffer.glsl ] || return 1 ;;
    pass_* | calls_* | paged_* | mur_stages_* | failures_*) return 1 ;;
    esac
    case $3 in
    *MUR_COUNT_READS*) runs rehash_reads_test || return 1 ;;
    *MUR_ERASE_RACE*) runs erase_where_test || return 1 ;;
    *) ! runs rehash_reads_test && ! runs erase_where_test || return 1 ;;
    esac
    case $2 in
    shaders/kernels/*)
        case $file in shaders/murmuration/*) ;; *) return 0 ;; esac
        case $1 in
        mur_spv_find_k32v32 | mur_spv_insert_k32v32_* | mur_spv_erase_k32v32_*) return 0 ;;
        mur_spv_multi_*) runs multi_test ;;
        mur_spv_*_r32) runs rows_test ;;
        mur_spv_filter | mur_spv_*_buckets_k32v32* | mur_spv_*_buckets_k64_32) runs passes_test || in_buckets ;;
        mur_spv_*_buckets_*) in_buckets ;;
        mur_spv_pager_*) runs 'pager_[a-z]*test' ;;
        *) return 1 ;;
        esac
        return
        ;;
    tests/concurrent/update_race.comp) programs=update_race_test kind= ;;
    tests/buckets/*) programs=passes_test kind= ;;
    tests/support/calls.comp)
        programs='[a-z]*_shader_test'
        kind=${1#*_}
        kind=${kind%_address}
        kind=_${kind%_array}
        ;;
    *)
        programs=${2#tests/}
        programs=${programs%%/*}
        programs="${programs%s}[a-z_]*_test" kind=
        ;;
    esac
    echo "$tests" | grep -q -E "^$programs .*$kind( |\$)"
}

# The shaders whose code the change alters. SHADERS: see CMakeLists.txt.
echo "$SHADERS" | while IFS='|' read -r symbol original source language options; do
    case $file in shaders/*) ;; *) break ;; esac
    source=${source#"$SOURCE"/}
    [ -n "$symbol" ] && needed "$symbol" "$source" "$options" || continue
    case $file:$source in
    *.wgsl:*.wgsl) ;;
    *.wgsl:* | *:*.wgsl) continue ;;
    esac
    includes=${original%.spv}.d
    [ ! -f "$includes" ] || grep -q "${file##*/}" "$includes" || continue
    case $source in shaders/*) source=$work/$source ;; *) source=$SOURCE/$source ;; esac
    spirv=$work/objects/$symbol.spv
    case $source in
    *.wgsl)
        NAGA=$NAGA sh "$SOURCE/tests/languages/translate.sh" "$work/shaders" \
            "$SOURCE/tests/languages" "$options" "$spirv" || fail "$source does not compile"
        ;;
    *)
        # shellcheck disable=SC2086 # options are words
        "$GLSLANG" --quiet $language $options -I"$work/shaders" \
            -I"$SOURCE/tests/concurrent" -I"$SOURCE/tests/support" -I"$SOURCE/tests/languages" \
            -I"$SOURCE/tests/buckets" -o "$spirv" "$source" || fail "$source does not compile"
        ;;
    esac
    if ! cmp -s "$spirv" "$original"; then
        "$CMAKE" -DSPIRV="$spirv" -DOUTPUT="$work/objects/$symbol.c" -DSYMBOLS="$symbol" \
            -P "$SOURCE/shaders/embed.cmake"
        "$CC" -c -o "$work/objects/$symbol.o" "$work/objects/$symbol.c"
    fi
done
# The file that is compiled, and changes with it: of kernels.def the tests', what kernels declare.
compiled=$work/$file
[ "${file%.def}" = "$file" ] || compiled=$SOURCE/tests/plan/touched.c
case $file in
runtime/*)
    # shellcheck disable=SC2086
    "$CC" $CFLAGS -DMUR_BUILDING -I"$work/runtime" -I"$SOURCE/include" -I"$work/shaders" $INCLUDES \
        -c -o "$work/objects/runtime.o" "$compiled" || fail "$file does not compile"
    ;;
esac
objects=$(find "$work/objects" -name '*.o')
[ -z "$file" ] || [ -n "$objects" ] || fail "the change of $file alters no code"

# What has changed comes first, and the first of several definitions is taken: programs have files of the
# library, and its shaders, themselves.
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_odr_violation=0"
run() {
    program=$1
    shift
    own=$(echo "$PROGRAMS" | sed -n "s/^$program //p")
    [ -n "$own" ] || fail "unknown program $program"
    # shellcheck disable=SC2086
    [ -x "$work/$program" ] || "$CC" $CFLAGS -Wl,-z,muldefs -o "$work/$program" $objects $own $LIBRARIES
    for case in "$@"; do
        status=0
        MUR_TEST_CASE=$case "$work/$program" >"$work/$case.log" 2>&1 || status=$?
        if ! grep -q "\[ RUN      \] $case\$" "$work/$case.log"; then
            fail "$program has no case $case"
        elif [ "$name" = none ]; then
            [ $status = 0 ] || { cat "$work/$case.log"; fail "$case fails on unchanged code"; }
        elif [ $status = 0 ]; then
            fail "$case does not notice"
        elif [ $status -gt 125 ] || ! grep -q "\[  FAILED  \] $case\$" "$work/$case.log"; then
            cat "$work/$case.log"
            fail "$case ends with status $status without reporting a failure"
        else
            echo "mutant $name: $case notices"
        fi
    done
}

# Each case once, however many lines name it.
echo "$tests" | awk '{ for (i = 2; i <= NF; ++i) print $1, $i }' | sort -u | while read -r line; do
    # shellcheck disable=SC2086 # a program and its cases are words
    run $line
done
rm -rf "$work"
echo "[       OK ] mutant.$name" # as cmocka says it, for tests/run to count
