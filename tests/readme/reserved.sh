# Runs the pass with reserved slots of caches.md in WGSL. Replaces uniform buffers by storage buffers.
#   reserved.sh SOURCE WORK PROGRAM, with NAGA, a folder that has naga
# SPDX-License-Identifier: MIT
source=$1 work=$2 program=$3
rm -rf "$work"
. "$source/tests/support/check.sh"
mkdir -p "$work"

translate() {
    block=$(awk -v folder="$work" -f "$source/tests/readme/extract.awk" "$source/include/caches.md" |
        awk '$3 == "wgsl" { print $1 }')
    sed 's/var<uniform>/var<storage, read>/' "$work/$block" >"$work/pass.wgsl"
    node "$source/tests/languages/translate.mjs" "$work/pass.spv" "$source/shaders/murmuration.wgsl" \
        "$source/shaders/murmuration_write.wgsl" "$work/pass.wgsl"
}

check "reserved: the page's module is translated" translate || finish
check "reserved: it runs" env MUR_TEST_RECIPE="$work/pass.spv" MUR_TEST_CASE='reserved_slots*' "$program"
finish
