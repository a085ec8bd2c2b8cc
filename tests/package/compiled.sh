#!/bin/sh
# In place of glslangValidator, and before the C compiler's name, where it is not the library's build that
# is tested: hands out what the build has made that the tests belong to (COMPILED: its folder of the
# library), and compiles what is not there.
# SPDX-License-Identifier: MIT
output= depends= last=
for argument in "$@"; do
    case $last in
    -o) output=$argument ;;
    --depfile) depends=$argument ;;
    esac
    last=$argument
done
case $output in
*murmuration.dir/*) compiled=$COMPILED/CMakeFiles/murmuration.dir/${output#*murmuration.dir/} ;;
*) compiled=$COMPILED/murmuration.shaders/$(basename "$output") ;;
esac
case $1 in -*) set -- glslangValidator "$@" ;; esac
[ -f "$compiled" ] || exec "$@"
cp "$compiled" "$output"
[ -z "$depends" ] || echo "$output: $last" >"$depends"
