# For tests that are shell scripts: each check prints what a cmocka case prints, so that one count
# covers both. A script sets $work to a folder of its own, sources this, calls check, ends with
# finish.
#
# SPDX-License-Identifier: MIT

failures=0
ulimit -t 900 # each program's own time on a processor: a hang is a failure, never a wait
mkdir -p "$work" || exit 1

# check NAME COMMAND...: passes if the command does; its output is shown if it does not. The command
# runs in a subshell, so that its variables are its own.
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

# same WHAT EXPECTED GOT
same() {
    [ "$2" = "$3" ] || {
        echo "$1: expected '$2', got '$3'"
        return 1
    }
}

# The script's exit status. A step that later ones need is: check ... || finish
finish() {
    [ "$failures" -eq 0 ]
    exit
}
