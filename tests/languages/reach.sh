# Checks that the table of languages and devices names only existing tests:   reach.sh SOURCE WORK BUILD
# SPDX-License-Identifier: MIT
source=$1 work=$2 build=$3
rm -rf "$work"
. "$source/tests/support/check.sh"

# Prints "STATE/NAME" for each cell of the table; NAME is empty if no test runs.
cells() {
    sed -n '/^| language, compiler |/,/^$/p' "$source/tests/languages/README.md" | sed 1,2d >"$work/rows"
    tr -d '`' <"$work/rows" | awk -F ' *[|] *' '
        { for (i = 3; i < NF; ++i) {
              split($i, part, ": ")
              print part[1] "/" (part[1] ~ /^not/ ? "" : part[2]) } }'
}

names() {
    # Does not call ctest, which would overwrite the log of the run that contains this test.
    find "$build" -name CTestTestfile.cmake -exec sed -n 's/^add_test([=[]*\([^]" ]*\).*/\1/p' {} + >"$work/tests"
    cells >"$work/cells"
    [ "$(wc -l <"$work/rows")" -ge 7 ] && grep -q '^run/' "$work/cells" || return 1
    while IFS=/ read -r state name; do
        case $state in
        run | compiled) grep -qx "$name" "$work/tests" || { echo "$state: no test $name"; return 1; } ;;
        'not run here') ;;
        *) echo "not a state: $state"; return 1 ;;
        esac
    done <"$work/cells"
}

check "reach: each cell names a test, or says that there is none" names
finish
