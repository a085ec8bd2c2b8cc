# Runs a program with its option --validation, unless MUR_TEST_NO_VALIDATION is set.
#   validated.sh PROGRAM ARGUMENT...
# SPDX-License-Identifier: MIT
program=$1
shift
[ "${MUR_TEST_NO_VALIDATION:-0}" != 0 ] || set -- --validation "$@"
# LeakSanitizer cannot name leaks of drivers after the drivers are unloaded.
ASAN_OPTIONS=detect_leaks=0 exec "$program" "$@"
