# murcache is run, which checks each frame itself, and what it says and draws is looked at.
#   murcache.sh PROGRAM WORK CHECK PICTURES
# SPDX-License-Identifier: MIT
program=$1 work=$2 validated=${3%/*}/validated.sh pictures=$4
rm -rf "$work"
. "$3"

# count LANGUAGE WHAT: of the frame that was told of.
count() {
    sed -n "s/^frame 23:.* \([0-9]*\) $2.*/\1/p" "$work/$1.txt"
}

# runs LANGUAGE OPTION...: 24 frames, three with a new filter; cells come, and go at last.
runs() {
    language=$1
    shift
    sh "$validated" "$program" "$@" 24 "$work/$language.png" >"$work/$language.txt" 2>&1
    status=$?
    cat "$work/$language.txt" && [ $status = 0 ] && [ "$(count "$language" live)" -gt 12000 ] &&
        [ "$(count "$language" came)" -gt 100 ] && [ "$(count "$language" went)" -gt 100 ]
}

# 2% are between the two, which round and race differently.
counts_agree() {
    for what in live came went samples; do
        glsl=$(count glsl $what) hlsl=$(count hlsl $what)
        echo "$what: $glsl, $hlsl"
        [ $((50 * glsl)) -le $((51 * hlsl)) ] && [ $((50 * hlsl)) -le $((51 * glsl)) ] || return 1
    done
}

# wrong PATTERN ARGUMENT...: one line that says it, and failure.
wrong() {
    pattern=$1
    shift
    refused "$program" "$@" >"$work/out" 2>&1 && cat "$work/out" &&
        same lines 1 "$(wc -l <"$work/out")" && grep -q "^murcache: .*$pattern" "$work/out"
}

check "GLSL: what comes and goes adds up" runs glsl || finish
check "HLSL: what comes and goes adds up" runs hlsl --hlsl || finish
check "GLSL and HLSL: counts agree" counts_agree
check "GLSL and HLSL: pictures agree, and show what they should" "$pictures" "$work/glsl.png" "$work/hlsl.png"
check "options: unknown" wrong '--fast is no option' --fast
check "options: no frame" wrong '0 is no option' 0
check "picture: nowhere" wrong 'nor a new .png' "$work/none/a.png"
finish
