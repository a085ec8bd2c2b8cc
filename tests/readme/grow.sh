# Runs the growth recipe of a page. Replaces uniform buffers by storage buffers, as the program requires.
#   grow.sh SOURCE WORK PAGE PROGRAM, with NAGA, a folder that has naga
# SPDX-License-Identifier: MIT
source=$1 work=$2 page=$3 program=$4
rm -rf "$work"
. "$source/tests/support/check.sh"
mkdir -p "$work"

translate() {
    cd "$source/shaders" || return 1
    block=$(awk -v folder="$work" -f "$source/tests/readme/extract.awk" "$page" |
        awk '$3 == "wgsl" && $4 == "grow" { print $1 }')
    sed 's/var<uniform>/var<storage, read>/' "$work/$block" >"$work/grow.wgsl"
    # The page's command creates old.wgsl.
    (cd "$work" && ln -s "$source"/shaders/murmuration*.wgsl . &&
        sh -c "$(grep '^ *sed .*>old.wgsl$' "$page")") || return 1
    node "$source/tests/languages/translate.mjs" "$work/grow.spv" murmuration.wgsl \
        murmuration_write.wgsl "$work/old.wgsl" "$work/grow.wgsl"
}

check "grow: the page's module is translated" translate || finish
check "grow: it runs" "$program" "$work/grow.spv"
finish
