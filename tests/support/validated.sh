# A program with its option --validation, unless MUR_TEST_NO_VALIDATION is set.
#   validated.sh PROGRAM ARGUMENT...
# SPDX-License-Identifier: MIT
program=$1
shift
[ "${MUR_TEST_NO_VALIDATION:-0}" != 0 ] || set -- --validation "$@"
exec "$program" "$@"
