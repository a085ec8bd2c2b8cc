#!/bin/sh
# In place of glslangValidator where it is not shaders that are tested: hands out the SPIR-V of the build
# that the tests belong to, in COMPILED_SHADERS, and compiles what is not there. With COMPILED_DEPENDS it
# names the files that are included, too.
# SPDX-License-Identifier: MIT
output= depends= options= last=
for argument in "$@"; do
    case $last in
    -o) output=$argument ;;
    --depfile) depends=$argument ;;
    esac
    case $argument in
    -[DI]?*) options="$options $argument" ;;
    esac
    last=$argument
done
compiled=$COMPILED_SHADERS/$(basename "$output")
[ -f "$compiled" ] || exec glslangValidator "$@"
included=$last
if [ -n "${COMPILED_DEPENDS:-}" ]; then
    # shellcheck disable=SC2086
    included="$last $(glslangValidator -E -S comp $options "$last" |
        sed -n 's/^#line [0-9]* "\(.*\)"$/\1/p' | sort -u | tr '\n' ' ')"
fi
cp "$compiled" "$output" && echo "$output: $included" >"$depends"
