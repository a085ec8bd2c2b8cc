#!/bin/sh
# Breaks a copy of the project in one place after another and runs the tests that must detect it:
#   mutants.sh TREE BUILD LIST SHARE [REGEX]
# TREE is a copy that may be changed, BUILD its complete build. BUILD "-" only checks that the text of each mutant
# of LIST is in TREE. README.md describes LIST. SHARE is the percentage that must be caught; 100 also means that all
# must compile. REGEX selects mutants by file and promise. With $NAGA, the folder of naga-wasm, WGSL is translated;
# without it, mutants of WGSL are skipped.
# SPDX-License-Identifier: MIT
set -eu
tree=$1 build=$2 list=$3 share=$4 regex=${5:-.}
work=$build/mutants
[ "$build" != - ] || work=$(mktemp -d)
mkdir -p "$work"
separator=$(printf '\037')
spirv=tests/languages/trace_

# Prints one mutant per line: file, promise, tests, old text, new text.
mutants() {
    awk -v OFS="$separator" -v regex="$regex" -v wgsl="${NAGA:-$([ "$build" != - ] || echo -)}" '
        /^#/ || /^$/ { next }
        /^[^ ]+$/ { file = $0; next }
        /^[^ ]/ { promise = tests = $0; sub(/: .*/, "", promise); sub(/^[^:]*: /, "", tests) }
        /^  - / { old = substr($0, 5); next }
        /^  / {
            new = substr($0, 5)
            at = index($0, " => ")
            if (!/^  [+]/ && at) { old = substr($0, 3, at - 3); new = substr($0, at + 4) }
            if (file " " promise ~ regex && (wgsl || file !~ /wgsl$/)) print file, promise, tests, old, new
        }' "$list"
}

# Prints the file $1 with $3 in the only place of $2. White space does not count.
apply() {
    OLD=$2 NEW=$3 LC_ALL=C awk '
        { text = text $0 "\n" }
        END {
            old = ENVIRON["OLD"]
            dense = text
            gsub(/[ \t\n]/, "", old)
            gsub(/[ \t\n]/, "", dense)
            first = index(dense, old)
            if (!first || index(substr(dense, first + 1), old)) exit 1
            while (seen < first + length(old) - 1) {
                c = substr(text, ++at, 1)
                if (c !~ /[ \t\n]/ && ++seen == first) begin = at
                if (begin && c == "\n") lines = lines c # keeps __LINE__
            }
            printf "%s%s%s%s", substr(text, 1, begin - 1), ENVIRON["NEW"], lines, substr(text, at + 1)
        }' "$1"
}

# restore [-p]: repairs the tree, also after a run that was killed. With -p, files keep their times.
restore() {
    [ -f "$work/saved" ] || return 0
    for variant in read write; do
        cmp -s "$work/$variant.spv" "$tree/$spirv$variant.spv" ||
            cp "$@" "$work/$variant.spv" "$tree/$spirv$variant.spv"
    done
    cp "$@" "$work/saved" "$tree/$(cat "$work/file")"
    rm "$work/saved"
}

# undo: repairs the tree and copies the outputs of the broken file back from the unbroken build. This is faster than a
# new build.
undo() {
    (cd "$build" && find . -path ./mutants -prune -o -type f ! -name '.ninja*' -newer mutants/saved.time -print) |
        while read -r output; do
            cp -p "$build.base/$output" "$build/$output" 2>/dev/null || rm "$build/$output"
        done
    restore -p
}

# break FILE: applies the mutant, and translates WGSL to the SPIR-V that the tests use.
break_file() {
    cp "$work/new" "$tree/$1"
    case $1 in *.wgsl) ;; *) return 0 ;; esac
    for variant in read write; do
        sh "$tree/tests/languages/translate.sh" "$tree/shaders" "$tree/tests/languages" $variant \
            "$tree/$spirv$variant.spv" >"$work/log" 2>&1 </dev/null || return 1
    done
}

make() {
    target=$1
    ninja -C "$build" -t query "$1" >/dev/null 2>&1 || target=all # a test that is a script
    ninja -C "$build" "$target" >"$work/log" 2>&1 </dev/null
}

programs() {
    cut -d "$separator" -f 3 "$work/list" | sed 's/; /\n/g' | cut -d ' ' -f 1 | sort -u
}

sum() {
    if [ -f "$build/bin/$1" ]; then
        cksum <"$build/bin/$1"
    else # a script, or the library
        cat "$build"/runtime/*.a "$tree"/include/murmuration/*.hpp | cksum
    fi
}

# notices PROGRAM [CASE...]: a program without cases may fail in any way. A case must report a failure; a crash or a
# hang is not enough.
notices() {
    program=$1
    shift
    [ $# -gt 0 ] || set -- '*'
    for case in "$@"; do
        status=0
        MUR_TEST_CASE=$case ctest --test-dir "$build" -R "^(voxels_)?$program\$" -V --timeout 900 \
            >"$work/log" 2>&1 || status=$?
        ! grep -q 'No tests were found' "$work/log" || { echo "there is no test $program"; exit 1; }
        [ $status -ne 0 ] || return 1
        [ "$case" = '*' ] || grep -q "\[  FAILED  \] $case\$" "$work/log" || return 1
    done
}

# verdict TESTS: builds and runs the tests until one fails. Skips programs that the mutant does not change.
verdict() {
    result="changes no code"
    echo "$1" | sed 's/; /\n/g' >"$work/tests"
    while read -r test; do
        program=${test%% *}
        make "$program" || { result="does not compile"; return; }
        own=$(sum "$program")
        ! grep -qx "$program $own" "$work/sums" || continue
        result=survives
        # shellcheck disable=SC2086 # a program and its cases are words
        if notices $test </dev/null; then
            result="caught by $program"
            return
        fi
    done <"$work/tests"
}

restore
trap restore EXIT
trap 'exit 1' INT TERM
mutants | LC_ALL=C sort -s -t "$separator" -k 1,1 >"$work/list"
count=$(wc -l <"$work/list")
if [ "$build" != - ]; then
    for variant in read write; do cp -p "$tree/$spirv$variant.spv" "$work/$variant.spv"; done
    for program in $(programs); do
        make "$program" || { cat "$work/log"; exit 1; }
        echo "$program $(sum "$program")"
    done >"$work/sums"
    rm -rf "$build.base"
    cp -a "$build" "$build.base"
fi
at=0 caught=0 survived=0
while IFS=$separator read -r file promise tests old new; do
    at=$((at + 1))
    if ! apply "$tree/$file" "$old" "$new" >"$work/new"; then
        result="has no single place"
        survived=$((survived + 1))
    elif [ "$build" = - ]; then
        continue
    else
        echo "$file" >"$work/file"
        cp -p "$tree/$file" "$work/saved"
        touch "$work/saved.time"
        if break_file "$file"; then verdict "$tests"; else result="does not compile"; fi
        undo
    fi
    case $result in
    caught*) caught=$((caught + 1)) ;;
    survives) survived=$((survived + 1)) ;;
    esac
    echo "$at/$count $file: $promise: $result"
    case $result in caught*) ;; *) printf '  - %s\n  + %s\n' "$old" "$new" ;; esac
done <"$work/list"
if [ "$build" = - ]; then
    for program in $(programs) $(sed '/^#/d; s/^[^ ]* *//' "$tree/tests/mutants/programs.txt"); do
        grep -rqw --include=CMakeLists.txt "$program" "$tree/tests" "$tree"/demo/*/tests ||
            { echo "there is no test $program"; survived=$((survived + 1)); }
    done
    rm -r "$work"
    [ "$survived" = 0 ] && echo "[       OK ] each of $count mutants has its place and its tests" && exit 0
    echo "[  FAILED  ] mutants without a place or a test"
    exit 1
fi
echo "$count mutants, $caught caught, $survived survived"
[ "$share" != 100 ] || [ "$caught" = "$count" ] || exit 1
[ "$caught" -gt 0 ] && [ $((100 * caught)) -ge $((share * (caught + survived))) ]
