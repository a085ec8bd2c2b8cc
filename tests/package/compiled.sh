#!/bin/sh
# In place of glslangValidator where it is not shaders that are tested: hands out the SPIR-V of the build
# that the tests belong to, in COMPILED_SHADERS, and compiles what is not there.
# SPDX-License-Identifier: MIT
output= depends= last=
for argument in "$@"; do
    case $last in
    -o) output=$argument ;;
    --depfile) depends=$argument ;;
    esac
    last=$argument
done
compiled=$COMPILED_SHADERS/$(basename "$output")
[ -f "$compiled" ] || exec glslangValidator "$@"
cp "$compiled" "$output" && echo "$output: $last" >"$depends"
