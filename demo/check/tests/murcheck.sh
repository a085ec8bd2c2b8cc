# murcheck reports no fault of the library, and every fault of a faulty one.
#   murcheck.sh SOURCE WORK BIN
# SPDX-License-Identifier: MIT
source=$1 work=$2/murcheck bin=$3
. "$source/tests/support/check.sh"

# hold LINES [OPTION...]: passes if at least LINES promises hold, and all that are checked.
hold() {
    least=$1
    shift
    sh "$source/tests/support/validated.sh" "$bin/murcheck" "$@" >"$work/lines" || return 1
    ! grep '^WRONG' "$work/lines" && [ "$(grep -c '^ok ' "$work/lines")" -ge "$least" ] &&
        grep "^$(grep -c '^ok ' "$work/lines") promises hold, 0 do not$" "$work/lines"
}

# detects CALL PROMISE: with a fault in the call, each line of the promise says WRONG.
detects() {
    ! MURCHECK_WRONG=$1 "$bin/murcheck-wrong" --only "$2, 32-bit keys and values, 32" >"$work/lines" 2>&1 &&
        grep "^WRONG  $2, " "$work/lines" && ! grep "^ok     $2, " "$work/lines"
}

# The normal tier checks one type of table, because each type has pipelines of its own.
if [ -n "${MUR_TEST_FULL:-}" ]; then
    check "murcheck: all promises hold" hold 40
    check "murcheck: a missing erase is detected" detects murCmdErase batches
else
    check "murcheck: all promises hold" hold 8 --only '32-bit keys and values, 32'
fi
check "murcheck: a missing insert is detected" detects murCmdInsert batches
check "murcheck: a missing lookup is detected" detects murCmdFind "sorted batches"
check "murcheck: a missing item of a build is detected" detects murCmdBuild build
check "murcheck: a lost entry of a rehash is detected" detects murCmdRehash rehash
check "murcheck: a missing call in a shader is detected" detects gpuDispatch "competing calls"
check "murcheck: an unknown option is rejected" refused "$bin/murcheck" --frobnicate
finish
