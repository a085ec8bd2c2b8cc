# Translates the tests' WGSL to SPIR-V:   translate.sh SHADERS TESTS/LANGUAGES read|write|picture OUTPUT
# $NAGA: the folder in which npm installed naga-wasm. SPDX-License-Identifier: MIT
set -eu
shaders=$1 here=$2 variant=$3 output=$4
# shellcheck disable=SC2046 # paths without spaces
node "$here/translate.mjs" "$output" $(sh "$here/texts.sh" "$shaders" "$here" "$variant" "$output.constants")
rm -f "$output.constants"
spirv-val --target-env vulkan1.1 "$output"
