# Runs murcache, which checks each frame itself, and checks its output and pictures.
#   murcache.sh PROGRAM WORK CHECK PICTURES
# SPDX-License-Identifier: MIT
program=$1 work=$2 validated=${3%/*}/validated.sh pictures=$4
rm -rf "$work"
. "$3"

# count LANGUAGE NAME [FRAME]: prints a number of a frame, by default of the last one.
count() {
    sed -n "s/^frame ${3:-23}:.* \([0-9]*\) $2.*/\1/p" "$work/$1.txt"
}

# runs LANGUAGE OPTION...: 24 frames, three with a rebuilt filter; cells are inserted and evicted.
runs() {
    language=$1
    shift
    sh "$validated" "$program" "$@" 24 "$work/$language.png" >"$work/$language.txt" 2>&1
    status=$?
    cat "$work/$language.txt" && [ $status = 0 ] && [ "$(count "$language" live)" -gt 12000 ] &&
        [ "$(count "$language" new)" -gt 100 ] && [ "$(count "$language" evicted)" -gt 100 ]
}

# The languages differ by up to 2%, because they round and race differently.
counts_agree() {
    for what in live new evicted samples; do
        glsl=$(count glsl $what) hlsl=$(count hlsl $what)
        echo "$what: $glsl, $hlsl"
        [ $((50 * glsl)) -le $((51 * hlsl)) ] && [ $((50 * hlsl)) -le $((51 * glsl)) ] || return 1
    done
}

# reserves LANGUAGE OPTION...: fewer entries live if half of each bucket is reserved.
reserves() {
    language=$1
    shift
    "$program" "$@" --reserve 8 12 >"$work/$language,8.txt" || return 1
    all=$(count "$language" live 11) half=$(count "$language,8" live 11)
    echo "live: $all, $half"
    [ $((10 * half)) -lt $((9 * all)) ] && [ "$half" -gt 1000 ]
}

# wrong PATTERN ARGUMENT...: the program fails with one line that matches the pattern.
wrong() {
    pattern=$1
    shift
    refused "$program" "$@" >"$work/out" 2>&1 && cat "$work/out" &&
        same lines 1 "$(wc -l <"$work/out")" && grep -q "^murcache: .*$pattern" "$work/out"
}

check "GLSL: counts of frames are consistent" runs glsl || finish
check "HLSL: counts of frames are consistent" runs hlsl --hlsl || finish
check "GLSL and HLSL: counts agree" counts_agree
check "GLSL and HLSL: pictures agree and are as expected" "$pictures" "$work/glsl.png" "$work/hlsl.png"
check "GLSL: reserved slots evict early" reserves glsl
[ -z "${MUR_TEST_FULL:-}" ] || check "HLSL: reserved slots evict early" reserves hlsl --hlsl
check "options: unknown" wrong 'is --fast, expected an option' --fast
check "options: too many reserved slots" wrong 'is --reserve, expected an option' --reserve 9
check "options: no frame" wrong 'is 0, expected an option' 0
check "picture: nowhere" wrong 'or a new .png' "$work/none/a.png"
finish
