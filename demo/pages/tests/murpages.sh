# murpages is run, and what it says is read.   murpages.sh PROGRAM WORK CHECK
# SPDX-License-Identifier: MIT
program=$1 work=$2 validated=${3%/*}/validated.sh
rm -rf "$work"
. "$3"

# ran OPTION...: a run that checks each answer; what it said is in $work/out.
ran() {
    sh "$validated" "$program" "$@" >"$work/out" 2>&1 || { cat "$work/out" && false; }
}

# share FRAME: of its lookups, in hundredths of a percent.
share() {
    awk -v frame="$1:" '$1 == "frame" && $2 == frame { printf "%d\n", 100 * $3 }' "$work/out"
}

# count WHAT: as the last line says it.
count() {
    sed -n "s/^pages:.* \([0-9]*\) $1.*/\1/p" "$work/out"
}

answers_rise() {
    ran --frames 21 "$work/last.png" && cat "$work/out"
    [ "$(share 0)" -lt 5000 ] && [ "$(share 20)" -ge 9500 ] && [ "$(count hits)" -gt 0 ]
}

budget_bounds_what_comes() {
    ran --frames 3 --budget 2 && cat "$work/out"
    same "pages in" 27 "$(count in)" && [ "$(count deferred)" -gt 0 ] # 21 pinned, then 2 a frame
}

pool_refuses_what_has_no_room() {
    ran --frames 8 --pool 64 && cat "$work/out"
    [ "$(count refused)" -gt 0 ] && same resident 64 "$(sed -n 's/.*; \([0-9]*\) of .*/\1/p' "$work/out")"
}

pool_follows_the_camera() {
    ran --frames 26 --pool 300 && cat "$work/out"
    [ "$(count evictions)" -gt 0 ] && same refused 0 "$(count refused)" && [ "$(share 25)" -ge 9500 ]
}

picture_is_there() {
    same signature PNG "$(head -c 4 "$work/last.png" | tail -c 3)" &&
        [ "$(wc -c <"$work/last.png")" -gt 20000 ]
}

# wrong PATTERN ARGUMENT...: one line that says it, and failure.
wrong() {
    pattern=$1
    shift
    refused "$program" "$@" >"$work/out" 2>&1 && cat "$work/out" &&
        same lines 1 "$(wc -l <"$work/out")" && grep -q "^murpages: .*$pattern" "$work/out"
}

check "answers: right, and more of them at once with each frame" answers_rise
check "picture: there" picture_is_there
check "budget: bounds what comes in a frame" budget_bounds_what_comes
check "pool: refuses what has no room, with right answers" pool_refuses_what_has_no_room
check "pool: what the camera has left goes, with right answers" pool_follows_the_camera
check "options: unknown" wrong '--fast is no option' --fast
check "options: no value" wrong '--frames is no option' --frames
check "options: out of range" wrong '32 to 5461' --pool 12
check "options: not a number" wrong 'from 1 on' --frames x
check "picture: nowhere" wrong 'can be written' "$work/none/a.png"
finish
