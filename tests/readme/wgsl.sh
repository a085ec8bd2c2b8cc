# Runs recipes of the manual in WGSL: the growth of shaders/languages.md, and the pass with reserved slots of
# caches.md. Replaces uniform buffers by storage buffers, as the program requires.
#   wgsl.sh SOURCE WORK PROGRAM, with NAGA, a folder that has naga
# SPDX-License-Identifier: MIT
source=$1 work=$2 program=$3
rm -rf "$work"
. "$source/tests/support/check.sh"
mkdir -p "$work"
cd "$work" && ln -s "$source"/shaders/murmuration*.wgsl . || exit 1

# translate PAGE WORD NAME FILE...: translates the page's last WGSL block with this word, after the files.
translate() {
    block=$(awk -v folder="$work" -f "$source/tests/readme/extract.awk" "$source/$1" |
        awk -v word="$2" '$3 == "wgsl" && $4 == word { block = $1 } END { print block }')
    sed 's/var<uniform>/var<storage, read>/' "$block" >"$3.wgsl"
    name=$3
    shift 3
    node "$source/tests/languages/translate.mjs" "$name.spv" murmuration.wgsl murmuration_write.wgsl "$@" "$name.wgsl"
}

sh -c "$(grep '^ *sed .*>old.wgsl$' "$source/shaders/languages.md")" # the page's command
check "manual: the growth recipe is translated" translate shaders/languages.md grow manual_grow old.wgsl
check "manual: the pass with reserved slots is translated" translate include/caches.md write manual_reserved
export MUR_TEST_SHADERS="$work"
check "manual: the growth recipe runs" env MUR_TEST_CASE='growth_recipe*' "$program"
check "manual: the pass with reserved slots runs" env MUR_TEST_CASE='reserved_slots*' "$program"
finish
