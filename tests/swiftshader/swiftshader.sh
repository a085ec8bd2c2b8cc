# Tests on SwiftShader: no 64-bit integers, subgroups of 4.   swiftshader.sh SOURCE WORK PROGRAMS DEVICE
# DEVICE is where fetch.sh has put its files.
# SPDX-License-Identifier: MIT
source=$1 work=$2 programs=$3 device=$4
. "$source/tests/support/check.sh"
export VK_DRIVER_FILES="$device/usr/lib/chromium/vk_swiftshader_icd.json"
export VK_ICD_FILENAMES="$VK_DRIVER_FILES"

# runs PROGRAM CASES: on that device.
runs() {
    MUR_TEST_CASE=$2 "$programs/$1" >"$work/$1.log" 2>&1
    status=$?
    cat "$work/$1.log"
    [ $status = 0 ] && grep -q '^device: SwiftShader' "$work/$1.log" &&
        grep -q '\[       OK \]' "$work/$1.log"
}

check "swiftshader: commands, 32-bit keys" runs smoke_test round_trip_with_32_bit_atomics
check "swiftshader: commands, 64-bit keys" \
    runs smoke_test round_trip_of_64_bit_keys_with_32_bit_atomics
check "swiftshader: pictures in every language" runs picture_test '*'
for language in hlsl wgsl; do
    check "swiftshader: trace and storms, $language" runs language_test "*_${language}*"
done
finish
