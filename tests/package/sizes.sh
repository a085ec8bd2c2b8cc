#!/bin/sh
# Checks the table of sizes in embed.md against the embedded code: for each row, the SPIR-V of the families that the
# named functions link, and of the type that every program links.   sizes.sh SOURCE WORK BUILD
# SPDX-License-Identifier: MIT
runtime=$3/runtime
failed=0

# families_of FUNCTION: prints the families that the function's file names. The file is one of the library, or one
# that kernels.cmake generated.
families_of() {
    grep -lE "^(VkResult|MUR_API .*|Mur[A-Za-z]* )[ *]*$1\(" \
        $(find "$source/runtime" "$runtime/families" -name '*.c') | xargs grep -ohE 'mur_family_[a-z0-9_]+'
}

bytes_of() { # FAMILY...: prints the bytes of their SPIR-V
    for family in "$@"; do
        grep -ohE 'mur_spv_[a-z0-9_]+\[\]' "$runtime/families/family_${family#mur_family_}.c"
    done | sort -u | tr -d '[]' | while read -r symbol; do
        cat "$runtime/murmuration.shaders/$symbol.spv"
    done | wc -c
}

source=$1
rows=$(sed -n '/^| A program links /,/^$/s/^| .* | \(.*\) | \([0-9]*\) KB |$/\2 \1/p' "$source/include/embed.md")
[ "$(echo "$rows" | wc -l)" -ge 7 ] || { echo "no table of sizes in embed.md"; exit 1; }
while read -r stated functions; do
    families=$(families_of murTypeK32V32)
    for function in $(echo "$functions" | grep -oE 'mur[A-Za-z0-9]+'); do
        found=$(families_of "$function")
        [ "$found" ] || { echo "$function links nothing"; failed=1; }
        families="$families $found"
    done
    kilobytes=$(($(bytes_of $(echo "$families" | tr ' ' '\n' | sort -u)) / 1000))
    if [ $((100 * kilobytes)) -gt $((103 * stated)) ] || [ $((100 * kilobytes)) -lt $((97 * stated)) ]; then
        echo "embed.md states $stated KB for ${functions:-every program}, the build embeds $kilobytes"
        failed=1
    fi
done <<EOF
$rows
EOF
exit $failed
