# Runs the trace's WGSL by Dawn, a second compiler and runtime, on SwiftShader, because Dawn rejects lavapipe for
# missing features.   dawn.sh SOURCE WORK PROGRAMS DAWN SWIFTSHADER
# DAWN is a folder for npm, SWIFTSHADER the folder with the files of tests/swiftshader.
# SPDX-License-Identifier: MIT
source=$1 work=$2 programs=$3 dawn=$4 swiftshader=$5
rm -rf "$work"
. "$source/tests/support/check.sh"
. "$source/tests/swiftshader/driver.sh"
here=$source/tests/languages

install_dawn() {
    mkdir -p "$dawn" && npm install --silent --no-audit --no-fund --prefix "$dawn" webgpu@0.6.2
}

record() {
    MUR_TEST_CASE=trace_wgsl MUR_TEST_RECORD=$work/record "$programs/language_test" && [ -s "$work/record" ]
}

# text VARIANT [SED]: writes the module's text, changed by SED
text() {
    sh "$here/texts.sh" "$source/shaders" "$here" "$1" "$work/constants" |
        xargs cat | sed "${2:-}" >"$work/$1.wgsl"
}

runs() {
    use_swiftshader "$swiftshader"
    DAWN=$dawn node "$here/dawn.mjs" "$work/record" "$work/read.wgsl" "$work/write.wgsl" >"$work/log" 2>&1
    status=$?
    cat "$work/log"
    grep -q '^device: SwiftShader' "$work/log" && return $status
}

# noticed VARIANT SED WHAT: with this change of the text, the program must fail and print WHAT.
noticed() {
    text "$1" "$2" && ! runs && grep "$3" "$work/log"
}

check "dawn: can be installed" install_dawn || finish
check "dawn: the trace is recorded" record || finish
text read && text write || exit 1
check "dawn: every answer and word of the trace" runs
check "dawn: a carry that is forgotten is noticed" noticed read 's/ + (other >> 16u);/;/' 'instead of'
text read
check "dawn: a text that is not WGSL is refused" noticed write '$s/}/} }/' 'write.wgsl:'
finish
