# Tests on SwiftShader: no 64-bit integers, subgroups of 4.   swiftshader.sh SOURCE WORK PROGRAMS DEVICE
# DEVICE is where fetch.sh has put its files.
# SPDX-License-Identifier: MIT
source=$1 work=$2 programs=$3 device=$4
. "$source/tests/support/check.sh"
export VK_DRIVER_FILES="$device/usr/lib/chromium/vk_swiftshader_icd.json"
export VK_ICD_FILENAMES="$VK_DRIVER_FILES"

# runs PROGRAM CASES COUNT: on that device; so many pass, at least, and the others, which need 64-bit
# atomics or more shared memory, are skipped by the answer that is documented for that.
runs() {
    MUR_TEST_CASE=$2 "$programs/$1" >"$work/$1.log" 2>&1
    status=$?
    cat "$work/$1.log"
    [ $status = 0 ] && grep -q '^device: SwiftShader' "$work/$1.log" &&
        [ "$(grep -c '\[       OK \]' "$work/$1.log")" -ge "$3" ]
}

while read -r program count; do
    check "swiftshader: $program" runs $program '*' $count
done <<'TEXT'
smoke_test 2
picture_test 1
api_test 78
helpers_test 2
erase_where_test 2
growth_test 14
order_test 2
rehash_test 13
merge_test 2
reclaim_test 4
reclaim_edges_test 3
age_test 5
age_shader_test 2
multi_test 35
TEXT
for language in hlsl wgsl; do
    check "swiftshader: trace and storms, $language" runs language_test "*_${language}*" 4
done
finish
