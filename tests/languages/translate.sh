# The trace's WGSL as SPIR-V:   translate.sh SHADERS TESTS/LANGUAGES read|write OUTPUT
# $NAGA: the folder into which npm has installed naga-wasm. SPDX-License-Identifier: MIT
set -eu
shaders=$1 here=$2 variant=$3 output=$4
awk -f "$shaders/wgsl_constants.awk" "$here/trace.h" >"$output.constants"
node "$here/translate.mjs" "$output" "$shaders/murmuration.wgsl" \
    "$shaders/murmuration_$variant.wgsl" "$output.constants" "$here/trace_$variant.wgsl" \
    "$here/trace.wgsl"
rm "$output.constants"
spirv-val --target-env vulkan1.1 "$output"
spirv-opt --strip-debug "$output" -o "$output"
