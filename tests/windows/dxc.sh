# Compiles the HLSL by DXC. DXC's library is part of Dawn for Windows, without a program and without SPIR-V, so it
# compiles to DXIL, which does not run here.   dxc.sh SOURCE WORK DAWN
# SPDX-License-Identifier: MIT
source=$1 work=$2 dawn=$3
rm -rf "$work"
. "$source/tests/support/check.sh"
. "$source/tests/windows/wine.sh"

install_dxc() {
    mkdir -p "$dawn" && npm install --silent --no-audit --no-fund --prefix "$dawn" webgpu@0.6.2 &&
        cp "$dawn/node_modules/webgpu/dist/win32-x64/dxcompiler.dll" "$work"
}

build() {
    x86_64-w64-mingw32-gcc -std=c11 -Wall -Wextra -Werror -municode -o "$work/dxc.exe" \
        "$source/tests/windows/dxc.c"
}

# compiles FILE PROFILE OPTION...: compiles to DXIL, which ignores attributes of Vulkan. Wine's Z: is the machine's
# root.
compiles() {
    file=$1 profile=$2
    shift 2
    rm -f "$work/code"
    wine "$work/dxc.exe" "$work/code" "Z:$file" -T "$profile" -E main -WX -Wno-ignored-attributes \
        -I "Z:$source/shaders" -I "Z:$source/tests/languages" "$@" 2>&1 && [ -s "$work/code" ]
}

wrong() {
    sed 's/mur_find(table, push.table, key, /mur_find(table, push.table, /' \
        "$source/tests/languages/picture.frag.hlsl" >"$work/wrong.hlsl"
    compiles "$work/wrong.hlsl" ps_6_0 | grep -a 'no matching function'
}

check "dxc: Wine runs" wine_is_there || finish
check "dxc: can be installed" install_dxc || finish
check "dxc: its program builds" build || finish
here=$source/tests/languages
check "dxc: a fragment shader" compiles "$here/picture.frag.hlsl" ps_6_0
check "dxc: a wrong one is refused" wrong
for version in 2018 2021; do
    for format in 0 1 2 4 5 6 7; do
        check "dxc: the trace, format $format, lookups, HLSL $version" \
            compiles "$here/trace.comp.hlsl" cs_6_0 -HV $version -D FORMAT=$format -D MUR_READ_ONLY
        check "dxc: the trace, format $format, HLSL $version" \
            compiles "$here/trace.comp.hlsl" cs_6_0 -HV $version -D FORMAT=$format
    done
done
finish
