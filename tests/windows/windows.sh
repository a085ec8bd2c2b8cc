# Runs under Wine: the tests of host.h and of snapshots, with the static library for Windows; murminimal and
# murbench, with the DLL, on the machine's own Vulkan device.   windows.sh SOURCE WORK MINGW
# SPDX-License-Identifier: MIT
source=$1 work=$2 mingw=$3
rm -rf "$work"
. "$source/tests/support/check.sh"
. "$source/tests/windows/wine.sh"
here=$source/tests/windows

# program NAME FILE...: builds a program of unchanged tests that Windows can run. Links threads.
program() {
    name=$1
    shift
    (cd "$source/tests" && x86_64-w64-mingw32-gcc-posix -std=c11 -O1 -Wall -Wextra -Wno-unused-parameter -Werror -fcommon \
        -static -isystem "$here/include" -I. -Ihost -Isnapshot -I"$source/include" \
        -I"$source/shaders" -I"$source/runtime" -isystem "$mingw/root/include" -o "$work/$name.exe" \
        "$@" "$mingw/root/static/lib/libmurmuration.a")
}

# runs NAME CASES: runs a program in an empty folder. At least CASES cases must pass, and none may fail.
runs() {
    mkdir "$work/$1" && cd "$work/$1" && wine "$work/$1.exe" >"$work/$1.log" 2>&1
    status=$?
    cat "$work/$1.log"
    [ $status = 0 ] && [ "$(grep -c '\[       OK \]' "$work/$1.log")" -ge "$2" ]
}

# demo PROGRAM LINE ARGUMENT...: runs a program, which must print LINE. Wine's Vulkan requires a display. Wine's server
# keeps the display of the last program, so the server must end before.
demo() {
    name=$1 line=$2
    shift 2
    wine_ends
    cd "$mingw/shared/bin" && xvfb-run -a sh -c '. "$0"; wine "$@"' "$here/wine.sh" "$name.exe" "$@" \
        >"$work/$name.log" 2>&1
    status=$?
    cat "$work/$name.log"
    [ $status = 0 ] && grep -q -- "$line" "$work/$name.log"
}
export work

check "windows: Wine runs" wine_is_there || finish
check "windows: tests of host.h build" program host_test support/image.c \
    host/image_tests.c host/sequence_tests.c host/edge_tests.c host/move_tests.c host/thread_tests.c \
    oracle/bulk.c oracle/memory.c oracle/oracle.c property/sequence.c \
    support/kinds.c support/ways.c support/cases.c support/main.c || finish
check "windows: tests of host.h" runs host_test 23
check "windows: tests of snapshots build" program snapshot_test snapshot/snapshot_test.c \
    snapshot/load_tests.c snapshot/damage_tests.c windows/snapshot_files.c \
    support/image.c support/kinds.c support/cases.c support/main.c || finish
check "windows: snapshots" runs snapshot_test 18
check "windows: murbench says what it can" \
    demo murbench '--quick' --help
check "windows: murbench measures, and its results are right" \
    demo murbench '^repeat .*pairs' --quick --suite repeat
check "windows: murminimal" \
    demo murminimal '^10000 points fell into 1024 cells; 1024 payloads'
finish
