# Prints the files that form a module of the tests' WGSL, in this order:
#   texts.sh SHADERS TESTS/LANGUAGES read|write|picture CONSTANTS
# It writes the file CONSTANTS. SPDX-License-Identifier: MIT
shaders=$1 here=$2 variant=$3 constants=$4
echo "$shaders/murmuration.wgsl $shaders/murmuration_spatial.wgsl"
if [ "$variant" = picture ]; then
    echo "$shaders/murmuration_read.wgsl $here/picture.wgsl"
else
    awk -f "$shaders/wgsl_constants.awk" "$here/trace.h" >"$constants"
    echo "$shaders/murmuration_$variant.wgsl $constants $here/trace_$variant.wgsl $here/trace.wgsl"
fi
