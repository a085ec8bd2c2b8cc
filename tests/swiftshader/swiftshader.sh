# Tests on SwiftShader: no 64-bit integers, subgroups of 4.   swiftshader.sh SOURCE WORK PROGRAMS
# Takes the device from Debian's chromium-common, which it downloads and does not install.
# SPDX-License-Identifier: MIT
source=$1 work=$2 programs=$3
. "$source/tests/support/check.sh"
files=$work/usr/lib/chromium
export VK_DRIVER_FILES="$files/vk_swiftshader_icd.json" VK_ICD_FILENAMES="$files/vk_swiftshader_icd.json"

fetch() {
    [ -f "$VK_DRIVER_FILES" ] || {
        cd "$work" && apt-get download chromium-common && dpkg-deb -x chromium-common_*.deb . &&
            rm chromium-common_*.deb && [ -f "$VK_DRIVER_FILES" ]
    }
}

# runs PROGRAM CASES: on that device.
runs() {
    MUR_TEST_CASE=$2 "$programs/$1" >"$work/$1.log" 2>&1
    status=$?
    cat "$work/$1.log"
    [ $status = 0 ] && grep -q '^device: SwiftShader' "$work/$1.log" &&
        grep -q '\[       OK \]' "$work/$1.log"
}

check "swiftshader: the device is to be had" fetch || finish
check "swiftshader: commands, 32-bit keys" runs smoke_test round_trip_with_32_bit_atomics
check "swiftshader: commands, 64-bit keys" \
    runs smoke_test round_trip_of_64_bit_keys_with_32_bit_atomics
check "swiftshader: pictures in every language" runs picture_test '*'
for language in hlsl wgsl; do
    check "swiftshader: the trace, $language" runs language_trace_test trace_$language
    check "swiftshader: storms, $language" runs language_storm_test "storm_${language}_*"
done
finish
