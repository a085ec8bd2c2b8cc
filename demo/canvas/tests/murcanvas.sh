# Tests murcanvas: compares its canvas with a painter on the CPU (check.c), and runs the program.
#   murcanvas.sh PROGRAM WORK CHECK COMPARER
# SPDX-License-Identifier: MIT
program=$1 work=$2 validated=${3%/*}/validated.sh comparer=$4
rm -rf "$work"
. "$3"
# Leaks of drivers cannot be suppressed by name, because drivers are unloaded before the report.
export ASAN_OPTIONS=detect_leaks=0

# compare OPTION...: runs check.c with the replay on standard input. 1024 tiles are painted 16 at a time.
compare() {
    cat >"$work/replay" && sh "$validated" "$comparer" --tiles 1024 --budget 4000 "$@" "$work/replay"
}

# Tests the order of strokes, two layers, the eraser, mips, views, undo, redo, and strokes after an undo.
check "strokes: as on the CPU" compare --tiles 512 <<'TEXT' || finish
reference 524288 524288 512
eraser
stroke 524400 524400 524600 524500
untouched                         # an eraser makes no tiles
undo
brush 40 50 50
color ff2010
stroke 524400 524400 524600 524500 524700 524700
brush 12 90 100
layer 1
color 2010ff                      # over the first stroke, twice
stroke 524388 524600 524600 524400 524650 524450
check
layer 0
eraser
brush 20 0 100
stroke 524388 524500 524600 524500
check
undo 2
redo
random 3 1 524288 524288 512 61
undo 4
redo 2
color 00ff00
stroke 524500 524500              # drops the undone strokes
redo 3
undo 100
check
redo 100
check
TEXT

# Each frame paints only seven pairs of a dab and a tile.
check "strokes: little at a time" compare --budget 7 <<'TEXT'
reference 524288 524288 512
random 3 2 524288 524288 512 60
undo 2
random 1 3 524288 524288 512 60
undo
redo
taken 0 524350 524350 524500 524700
check
brush 40 0 1                      # tiles that the first dab only grazes have no texel
stroke 524376.8 524352.5 524430 524352.5
undo
redo
check
TEXT

# Paints wide strokes over each other in a small pool. A picture that has more tiles than its share
# of the pool is rejected.
wide_in_a_small_pool() {
    compare --tiles 2048 --pool 256 <<'TEXT' || return 1
reference 524288 524288 1024
brush 300 30 60
stroke 524788 524778
color ff8020
stroke 524828 524828
check
TEXT
    wrong 'no more than the GPU has room for' --tiles 2048 --pool 256 --screenshot "$work/a.png" --view 524988,524988,1 --size 640x640
}

# The log, and the list of the ends of strokes in the log, are ring buffers, which must wrap.
check "history goes round" compare <<'TEXT'
past 4093 4294967200 0
reference 524288 524288 512
random 4 6 524288 524288 512 40
undo 4
redo 4
undo 2
random 3 8 524288 524288 512 40
undo 4
redo 3
check
TEXT

check "history: most strokes" compare <<'TEXT'
past 4094 0 4094
reference 524288 524288 512
random 4 6 524288 524288 512 40
kept 4095
undo 3
check
redo 3
check
TEXT

check "history: a full log drops the oldest stroke alone" compare --tiles 512 <<'TEXT'
past 9 65500 9
reference 524288 524288 512
random 3 6 524288 524288 512 40
kept 11
undo 3
check
TEXT

# A tile that is completely erased becomes free, however often.
erased_tiles_are_free() {
    {
        echo "reference 524288 524288 512"
        for i in 1 2 3 4 5 6 7; do
            echo "color 4080c0
brush 100 100 100
stroke 524500 524500 524600 524600
eraser
brush 110 100 100
stroke 524490 524490 524610 524610"
        done
        echo "check"
    } | compare --tiles 352
}

# One dab covers 7 x 7 tiles; a frame paints only five tiles.
check "a wide dab takes many frames" compare --tiles 512 --budget 5 <<'TEXT'
reference 524288 524288 1024
brush 400 20 80
color 808000
stroke 524790 524750
frames 10
taken 3 524790 524750 526790 524750   # in the middle of a dab
redo
brush 30 50 50
color 000080
stroke 524500 524500 524600 524700
check
TEXT

# A stroke leaves a square of 4 x 4 tiles, so that its last dab covers fewer tiles of it than the others.
check "strokes leave squares of tiles" compare --tiles 1024 <<'TEXT'
reference 524288 524288 1024
brush 200 20 80
stroke 524550 524550 524850 524550
check
TEXT

# Strokes beyond the canvas's corners paint only the part inside, completely.
edges_are_equal() {
    compare <<'TEXT'
reference 0 0 512
brush 100 20 60
color 00ff00
stroke -90 -60 200 200 400 -300 400 50
layer 3
stroke -100000 -100 -10000 -100
brush 0.5 0 100
stroke 10.5 10.5 20 11
check
TEXT
    {
        echo "reference 1048064 1048064 512
brush 100 100 60
stroke 1048300 1048300 1048700 1048700
brush 0.5 0 100"
        printf stroke # more dabs in one square of tiles than a batch can have
        for i in 10 11 12 13 14 15 16 17 18 19; do
            printf ' 1048070 1048%u0 1048310 1048%u3 1048310 1048%u6 1048070 1048%u9' $i $i $i $i
        done
        printf '\ncheck\n'
    } | compare --budget 16384
}

# If no tile is free, the oldest strokes can no longer be undone; the last strokes still can.
little_room() {
    {
        echo "reference 524288 524288 512"
        for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
            echo "color 0${i%?}f04$((i % 10))
brush 120 $((5 * i)) 90
stroke 5244$((10 + i)) 524500 5246$((10 + i)) 524600"
        done
        echo "undo 2
check
redo
kept 9
undo 99                           # dropped strokes stay painted
found
check"
    } >"$work/room" && compare --tiles 352 <"$work/room" || return 1
    {
        echo "reference 524288 524288 512"
        for i in $(seq 10 39); do
            echo "stroke 5244$i 524400" # each stroke has 14 new tiles and a frame
        done
        echo "kept 25
check"
    } | compare --tiles 352 --budget 1
}

# The pool holds a tenth of the tiles, so pages are evicted and loaded while frames paint and draw.
check "pages come and go: as on the CPU" compare --tiles 2560 --pool 256 --file "$work/pages" <<'TEXT'
reference 524288 524288 1024
watch
random 10 7 524288 524288 1024 60
undo 4
redo 3
random 2 8 524288 524288 1024 120
check
paged
save
reopen                            # the next verbs wait for tiles
watch
undo 3
random 1 9 524288 524288 1024 60
check
TEXT

# A painting larger than host memory is saved while it is painted. On a full disk, strokes wait for the next save.
larger_than_host_memory() {
    compare --tiles 2560 --pool 256 --host 512 --file "$work/large" <<'TEXT' || return 1
reference 524288 524288 1024
random 20 7 524288 524288 1024 60
undo 4
redo 3
check
paged
reopen
found
random 20 9 524288 524288 1024 60
fail 100
save
check
reopen
check
TEXT
    for mib in 64 8192; do # the same picture
        sh "$validated" "$program" "$work/large" --pool 256 --host-memory $mib --view 524800,524800,3 --size 200x150 \
            --screenshot "$work/$mib.png" || return 1
    done
    cmp "$work/64.png" "$work/8192.png"
}
check "pages: larger than host memory" larger_than_host_memory

# A stroke for which only some tiles are free can be undone. A stroke without any free tile paints nothing, and its
# undo does nothing.
check "full paintings are said" compare --tiles 352 <<'TEXT'
brush 1100 50 50
color ff0000
stroke 524288 524288
lost 1
same 524288 524288 30
undo
stroke 524288 524288
stroke 528288 524288
undo
lost 2
same 524288 524288 30
TEXT

# A long thin stroke takes all tiles, but removes at most two of five older strokes from the history.
long_strokes_keep_history() {
    i=0 first='' all=''
    for color in ff0000 00c000 0000ff 808000 008080; do
        all="${all}color $color\nstroke 524288 $((524280 + 2 * i))\n"
        i=$((i + 1))
        [ $i -gt 2 ] || first=$all
    done
    thin='brush 1 50 100\nstroke 500000 510000 600000 590000\n'
    printf "${first}" >"$work/replay"
    "$program" --tiles 352 --replay "$work/replay" --screenshot "$work/two.png" --size 99x99 || return 1
    rm -f "$work/painting"
    printf "${all}${thin}undo 99\nsave\n" >"$work/replay"
    refused "$program" "$work/painting" --tiles 352 --replay "$work/replay" --screenshot "$work/a.png" 2>"$work/out" &&
        grep -q 'painting is full: [0-9]* dabs were not painted' "$work/out" &&
        "$program" "$work/painting" --screenshot "$work/kept.png" --size 99x99 && cmp "$work/two.png" "$work/kept.png"
}

# After a save, the open file alone contains the painting, unless another program reads it.
check "files: a saved one needs no log" compare --file "$work/alone" <<'TEXT'
reference 524288 524288 512
random 3 3 524288 524288 512 40
save
alone 1
reader
random 1 4 524288 524288 512 40
save
alone 0
reader
save
alone 1
TEXT

# Pictures are the same on every device and in every version.
check "pictures: the same" compare <<'TEXT'
brush 300 100 100
color ff0000
stroke 524288 524288
color 2040a0
brush 0.5 50 100
stroke 524250 524270 524300 524271
brush 9 30 60
stroke 524255 524282 524290 524300 524310 524285 524333.3 524311.7
picture 524288 524288 0.05 1841120
picture 524288.3 524288.6 1 6962934
picture 524288 524288 22 14903378
brush 60 50 100                   # from outside of the canvas
stroke -30 40 -10 -20
picture 48 32 1 2844069
color c02020                      # flow: dabs add up where a stroke crosses itself
brush 40 50 60 10
stroke 600 600 700 600 610 600 700 640
picture 650 620 2 354903
TEXT

# Opening restores the saved strokes, undo and redo. Painting continues after that.
check "files keep strokes, undo and redo" compare --file "$work/kept" <<'TEXT'
reference 524288 524288 512
reopen                            # an empty painting
check
random 3 3 524288 524288 512 40
undo
save
reopen
check
redo
undo 3
redo 2
layer 2
color 123456
stroke 524500 524500 524600 524600
save
undo 2
save
reopen
redo
check
color 654321
stroke 524400 524500 524600 524600
version 5                         # is opened, too
reopen
undo 4
redo 4
check
TEXT

# strokes COUNT LINE: prints COUNT strokes in 16 squares, each followed by LINE.
strokes() {
    for i in $(seq "$1"); do
        printf 'random 1 %u %u %u 256 60\n%s\n' "$i" $((524288 + i % 4 * 256)) $((524288 + i / 4 % 4 * 256)) "$2"
    done
}

# killed LINE AFTER OPTION...: paints strokes, each followed by LINE, and kills the program when it has saved some of
# them. The file then has the complete state of the last save, which is compared after the line AFTER. The painting may
# be opened with more tiles.
killed() {
    line=$1 after=$2
    shift 2
    rm -f "$work/painting" "$work/lines" && mkfifo "$work/lines"
    "$comparer" --tiles 2048 --pool 512 "$@" --file "$work/painting" "$work/lines" &
    killed=$! waited=0
    exec 9>"$work/lines" && strokes 96 "$line" >&9 # the program waits for more
    until [ "$(cat "$work/painting" "$work/painting-wal" 2>/dev/null | wc -c)" -gt 3000000 ]; do
        [ $((waited += 1)) -le 3000 ] && sleep 0.02 || return 1 # kill -0 finds a program that has ended
    done
    "$program" "$work/painting" --screenshot "$work/b.png" --size 9x9 || return 1 # looks at the last save
    echo save >"$work/replay.save"
    refused "$program" "$work/painting" --replay "$work/replay.save" --screenshot "$work/b.png" || return 1
    kill -9 $killed && ! wait $killed || return 1
    { echo "reference 524288 524288 1024" && strokes 96 '' && printf 'reopen\nfound\n%s\ncheck\n' "$after"; } |
        compare --tiles 4096 --file "$work/painting"
}

# The limit on the size of files kills the program after it has created the database: at 30 KB if the pages are
# compressed, otherwise at 1 MB.
new_paintings_survive_a_kill() {
    killed=0
    for blocks in 60 2000; do
        rm -f "$work"/new*
        (ulimit -f $blocks && "$program" "$work/new" --tiles 256 --screenshot "$work/a.png") && continue
        [ -s "$work/new" ] && [ -e "$work/new-wal" ] && killed=$((killed + 1))
        "$program" "$work/new" --tiles 256 --size 9x9 --screenshot "$work/a.png" || return 1
    done
    [ $killed -ge 1 ]
}

# The next save contains the data of a failed save. A failed save keeps the data of earlier saves.
check "full disks lose nothing" compare --tiles 1024 --file "$work/disk" <<'TEXT'
reference 524288 524288 512
random 3 3 524288 524288 512 40
fail 100
save
random 3 4 524288 524288 512 40
undo
fail 100
save
random 2 5 524288 524288 512 40
fail 100
undo 2
reopen
check
random 1 6 524288 524288 512 40
fail 100
elsewhere                         # another file system may have room
undo
save
reopen
check
TEXT

# The program rejects a damaged file with one line, or draws the right picture; it never draws a wrong one.
damage_is_said() {
    rm -f "$work/painting"
    echo "brush 120 50 50
color ff0000
stroke 524288 524288
save" >"$work/replay"
    "$program" "$work/painting" --tiles 512 --replay "$work/replay" --screenshot "$work/whole.png" --size 99x99 || return 1
    size=$(wc -c <"$work/painting") said=0
    for part in 1 3 5 7; do
        cp "$work/painting" "$work/damaged"
        printf 'damage, which is no texel' | dd of="$work/damaged" bs=1 seek=$((size / 8 * part)) conv=notrunc 2>"$work/dd"
        if "$program" "$work/damaged" --screenshot "$work/part.png" --size 99x99 2>"$work/out"; then
            cmp "$work/whole.png" "$work/part.png" || return 1
        else
            cat "$work/out" && same lines 1 "$(wc -l <"$work/out")" || return 1
            said=$((said + 1))
        fi
    done
    [ $said -gt 1 ]
}

files_that_are_none_are_said() {
    echo "this is no painting, but it is long enough to be one, is it not" >"$work/none.txt"
    cp "$work/none.txt" "$work/copy.txt"
    wrong 'none.txt' "$work/none.txt" --tiles 256 --screenshot "$work/a.png" &&
        cmp "$work/none.txt" "$work/copy.txt" &&
        compare --file "$work/version" <<'TEXT' &&
version 3
TEXT
        wrong 'version 3, expected 5 or 6: use the program' "$work/version" --screenshot "$work/a.png" &&
        wrong 'none/painting' "$work/none/painting" --tiles 256 --screenshot "$work/a.png" &&
        wrong 'name has 1100 bytes, expected under 1100' "$(printf '%1100d' 0)" --screenshot "$work/a.png"
}

# wrong PATTERN ARGUMENT...: checks that the program fails, with a line that contains PATTERN.
wrong() {
    pattern=$1
    shift
    refused "$program" "$@" >"$work/out" 2>&1 && cat "$work/out" &&
        grep -q "^murcanvas: .*$pattern" "$work/out"
}

no_display() {
    unset DISPLAY WAYLAND_DISPLAY
    wrong 'no display to open a window on' --tiles 256
}

# wrong_line LINE PATTERN
wrong_line() {
    echo "$1" >"$work/replay"
    wrong "$2" --tiles 256 --replay "$work/replay" --screenshot "$work/a.png" &&
        grep -q "replay: line 1" "$work/out"
}

check "strokes: wide ones in a small pool" wide_in_a_small_pool
check "tiles that are erased are free" erased_tiles_are_free
check "edges: as on the CPU" edges_are_equal
check "little room: history gives way" little_room
check "little room: a long stroke keeps history" long_strokes_keep_history
check "a program that is killed leaves what was saved" killed save ''
# It may save a part of the last stroke, which the undo removes.
check "a program that is killed leaves what it saved by itself" killed 'frames 0' undo --host 512 --budget 262144
check "a new painting survives a kill" new_paintings_survive_a_kill
check "damage is said" damage_is_said
check "files that are none are said" files_that_are_none_are_said
check "options: unknown" wrong 'unknown option "--fast"' --fast
check "options: no value" wrong '--replay wants a value' --replay
check "options: out of range" wrong '--budget wants a number from 1 to' --budget 0
check "options: a pool that is too small" wrong '--tiles wants a number from 256' --tiles 12 --screenshot "$work/a.png"
check "options: no number" wrong '--budget wants a number from 1 to' --budget 12x
check "options: a device that is not there" wrong 'device' --device 999 --screenshot "$work/a.png"
check "options: an argument too many" wrong 'unexpected argument "b"' "$work/a" b --screenshot "$work/a.png"
check "replay: nowhere" wrong 'cannot be read' --tiles 256 --replay "$work/none" --screenshot "$work/a.png"
check "replay: unknown" wrong_line 'blur 3' 'blur is nothing'
check "replay: wrong lines are rejected" compare <<'TEXT'
wrong brush 3 | brush takes 3
wrong stroke 3 x | x is no number
wrong stroke 3 nan | nan is no number
wrong view 3 4 | view takes 3
wrong brush 3000 1 1 | 3000 is no number from 0.5 to 2048
wrong brush 3 1 0 | 0 is no number from 1 to 100
wrong layer 4 | 4 is no number from 0 to 3
wrong save | no file to save into
TEXT
check "no display is said" no_display
check "picture: a full disk" wrong 'cannot be written' --tiles 256 --size 9x9 --screenshot /dev/full
check "picture: nowhere" wrong 'cannot be written' --tiles 256 --screenshot "$work/none/a.png"
if [ "${MUR_TEST_FULL:-0}" != 0 ]; then
    cat >"$work/long" <<'TEXT'
reference 524288 524288 4096
random 4000 5 524288 524288 4096 60
check
paged
undo 9
redo 4
check
TEXT
    ulimit -S -t 7200
    check "4000 strokes in a pool of a tenth: as on the CPU" "$comparer" --tiles 16384 --pool 1638 "$work/long"
fi
finish
