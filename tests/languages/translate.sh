# The tests' WGSL as SPIR-V:   translate.sh SHADERS TESTS/LANGUAGES read|write|picture OUTPUT
# $NAGA: the folder into which npm has installed naga-wasm. SPDX-License-Identifier: MIT
set -eu
shaders=$1 here=$2 variant=$3 output=$4
if [ "$variant" = picture ]; then
    texts="$shaders/murmuration_read.wgsl $here/picture.wgsl"
else
    awk -f "$shaders/wgsl_constants.awk" "$here/trace.h" >"$output.constants"
    texts="$shaders/murmuration_$variant.wgsl $output.constants $here/trace_$variant.wgsl
        $here/trace.wgsl"
fi
# shellcheck disable=SC2086 # paths without spaces
node "$here/translate.mjs" "$output" "$shaders/murmuration.wgsl" $texts
rm -f "$output.constants"
spirv-val --target-env vulkan1.1 "$output"
