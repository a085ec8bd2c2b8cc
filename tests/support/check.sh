# For tests that are shell scripts: each check prints the lines of a cmocka case, so that one count covers both. A
# script sets $work to its own folder, sources this file, calls check, and ends with finish.
#
# SPDX-License-Identifier: MIT

failures=0
ulimit -S -t 900 # seconds of processor time per program; a hang is a failure
mkdir -p "$work" || exit 1

# check NAME COMMAND...: passes if the command succeeds; otherwise prints its output. The command runs in a
# subshell, so its variables are local.
check() {
    check_name=$1
    shift
    echo "[ RUN      ] $check_name"
    if ("$@") >"$work/check.log" 2>&1; then
        echo "[       OK ] $check_name"
    else
        echo "    failed: $*"
        sed 's/^/    /' "$work/check.log"
        echo "[  FAILED  ] $check_name"
        failures=$((failures + 1))
        return 1
    fi
}

# refused COMMAND...: passes if the command fails.
refused() {
    ! "$@"
}

# same WHAT EXPECTED GOT: fails with a message unless both values are equal.
same() {
    [ "$2" = "$3" ] || {
        echo "$1: expected '$2', got '$3'"
        return 1
    }
}

# Ends the script. If a later step needs a check to succeed: check ... || finish
finish() {
    [ "$failures" -eq 0 ]
    exit
}
