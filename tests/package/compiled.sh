#!/bin/sh
# Replaces glslangValidator (and the C compiler, if called with objects) in tests that are not about compilation. Copies
# outputs of the main build (COMPILED: the library's build folder), and compiles only missing files.
# SPDX-License-Identifier: MIT
output= depends= last= shared=
for argument in "$@"; do
    case $last in
    -o) output=$argument ;;
    --depfile) depends=$argument ;;
    esac
    [ "$argument" != -Dmurmuration_EXPORTS ] || shared=1
    last=$argument
done
case $shared$output in
1*/families/family_* | 1*/murmuration.shaders/*) compiled=$COMPILED/CMakeFiles/murmuration.dir/${output#*murmuration.dir/} ;;
1*) compiled= ;; # functions are exported
*/embedded_family_* | */embedded_type_* | */embedded_kernels_*)
    compiled=$COMPILED/CMakeFiles/murmuration.dir/families/${output#*/embedded_}
    ;;
*/embedded_*) compiled=$COMPILED/CMakeFiles/murmuration.dir/murmuration.shaders/${output#*/embedded_} ;;
*murmuration.dir/*) compiled=$COMPILED/CMakeFiles/murmuration.dir/${output#*murmuration.dir/} ;;
*) compiled=$COMPILED/murmuration.shaders/${output##*/} ;;
esac
case $1 in -*) set -- glslangValidator "$@" ;; esac
[ -f "$compiled" ] || exec "$@"
cp "$compiled" "$output"
[ -z "$depends" ] || echo "$output: $last" >"$depends"
