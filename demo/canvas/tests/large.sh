# Tests paintings that are larger than host memory (large.c).
#   large.sh WORK CHECK PROGRAM TILES POOL HOST CELLS OPERATIONS MURCANVAS
# The program paints a third of the operations, is killed while it paints another third, continues, and meets a full
# disk. Each start compares all tiles with the reference.
# SPDX-License-Identifier: MIT
work=$1 validated=${2%/*}/validated.sh program=$3 operations=$8 murcanvas=$9
set -- "$1" "$2" --tiles "$4" --pool "$5" --host "$6" --cells "$7"
rm -rf "$work"
. "$2"
shift 2

# Paints up to operation $1; further options follow.
paint() {
    count=$1
    shift
    sh "$validated" "$program" "$@" "$work/painting.db" "$count"
}

# Kills the program as soon as it has saved, which it does by itself when host memory is full of changes.
killed() {
    count=$1
    shift
    saves() { stat -c %y "$work/painting.db-wal" "$work/painting.db" 2>/dev/null; }
    before=$(saves)
    sh "$validated" "$program" "$@" "$work/painting.db" "$count" & # becomes the program
    while kill -0 $! && [ "$(saves)" = "$before" ]; do
        sleep 0.2
    done
    kill -KILL $! || return 1
    ! wait $!
}

check "painting: larger than host memory" paint $((operations / 3)) "$@" || finish
check "painting: killed" killed $((operations * 2 / 3)) "$@" || finish
full=$((operations * 5 / 6))
check "painting: continues from the last save, on a full disk" paint "$operations" "$@" --full $full || finish

# A picture does not depend on the size of host memory.
pictures() {
    for mib in 64 8192; do
        sh "$validated" "$murcanvas" "$work/painting.db" --pool 256 --host-memory $mib --view 600,600,3 --size 200x150 \
            --screenshot "$work/$mib.png" || return 1
    done
    cmp "$work/64.png" "$work/8192.png"
}
check "painting: equal pictures with different host memory" pictures
finish
