# Cross-compiles the library for Windows, with Vulkan's headers and without a loader: static and as a DLL, an engine
# that finds the package, murminimal and murbench.   mingw.sh SOURCE WORK VOLK_FOLDER Shaders come from the build in
# COMPILED. tests/windows runs the programs.
# SPDX-License-Identifier: MIT
source=$1 work=$2/mingw volk=$3
rm -rf "$work"
. "$source/tests/support/check.sh"
. "$source/tests/package/run.sh"
tools=x86_64-w64-mingw32
export MINGW_ROOT="$work/root"

check "mingw: the compiler is there (gcc-mingw-w64-x86-64)" command -v $tools-gcc || finish

# Creates a root that has only these headers, so that this machine's other headers are not found.
headers() {
    vulkan=$(dirname "$(echo '#include <vulkan/vulkan.h>' | cc -I"$volk" -M -x c - |
        grep -o '[^ ]*/vulkan/vulkan\.h')")
    mkdir -p "$MINGW_ROOT/include" "$MINGW_ROOT/lib"
    cp -R "$vulkan" "$vulkan/../vk_video" "$volk/volk.h" "$volk/volk.c" "$MINGW_ROOT/include"
}

# build KIND OPTION...
build() {
    kind=$1
    shift
    cmake -S "$source" -B "$work/$kind" -G Ninja -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_TOOLCHAIN_FILE="$source/tests/package/mingw.cmake" -DMURMURATION_BUILD_TESTS=OFF \
        -DMURMURATION_PLAIN_SHADERS=ON -DMURMURATION_GLSLANG="$source/tests/package/compiled.sh" \
        -DMURMURATION_WARNINGS_AS_ERRORS=ON -DCMAKE_INSTALL_PREFIX="$MINGW_ROOT/$kind" "$@" &&
        cmake --build "$work/$kind" -j 2 && cmake --install "$work/$kind"
}

# Creates an import library of the loader from the functions that Vulkan's header declares, because Debian has none
# for Windows.
loader() {
    {
        echo 'LIBRARY vulkan-1.dll'
        echo EXPORTS
        sed -n 's/^VKAPI_ATTR .* VKAPI_CALL \(vk[A-Za-z0-9]*\)(.*/\1/p' \
            "$MINGW_ROOT/include/vulkan/vulkan_core.h" | sort -u
    } >"$work/vulkan-1.def"
    $tools-dlltool -d "$work/vulkan-1.def" -l "$MINGW_ROOT/lib/libvulkan-1.dll.a"
}

consumer() {
    cmake -S "$source/tests/package/headers" -B "$work/consumer_$1" -G Ninja \
        -DCMAKE_TOOLCHAIN_FILE="$source/tests/package/mingw.cmake" -DCMAKE_PREFIX_PATH="/$1" \
        -DCMAKE_DISABLE_FIND_PACKAGE_Vulkan=ON && cmake --build "$work/consumer_$1" -j 2
}

exports() {
    $tools-objdump -p "$MINGW_ROOT/shared/bin/libmurmuration.dll" |
        awk '/^\[Ordinal\/Name Pointer\]/ { on = 1; next } on && NF == 0 { exit } on { print $NF }' |
        sort >"$work/exports"
    # The database is a library of its own, which needs SQLite.
    mkdir "$work/headers" && cp "$source"/include/murmuration/*.h "$work/headers" &&
        rm "$work/headers/database.h"
    declared_functions "$work/headers" >"$work/declared"
    diff "$work/declared" "$work/exports"
}

defines_only_mur() {
    $tools-nm -g --defined-only "$MINGW_ROOT/static/lib/libmurmuration.a" |
        awk 'NF == 3 && $3 !~ /^\./ {print $3}' >"$work/static_names"
    [ -s "$work/static_names" ] && ! grep -v '^mur' "$work/static_names"
}

# needs_only FILE LIBRARY...: requires that the file imports only these system libraries.
needs_only() {
    file=$1
    shift
    $tools-objdump -p "$file" | sed -n 's/^.*DLL Name: //p' | sort >"$work/needed"
    printf '%s\n' "$@" | sort >"$work/allowed"
    cat "$work/needed"
    [ -s "$work/needed" ] && [ -z "$(comm -23 "$work/needed" "$work/allowed")" ]
}

check "mingw: headers" headers || finish
check "mingw: the static library builds without a loader" build static -DMURMURATION_BUILD_DEMOS=OFF \
    -DCMAKE_DISABLE_FIND_PACKAGE_Vulkan=ON || finish
check "mingw: it defines only mur*" defines_only_mur
check "mingw: an engine finds it and links" consumer static
check "mingw: the loader's import library" loader || finish
check "mingw: the DLL, murminimal and murbench build" build shared -DBUILD_SHARED_LIBS=ON \
    -DMURMURATION_BUILD_DEMOS=ON "-DMURMURATION_DEMOS=minimal;bench" || finish
check "mingw: the DLL exports exactly the declared functions" exports
check "mingw: the DLL needs nothing but the system" \
    needs_only "$MINGW_ROOT/shared/bin/libmurmuration.dll" KERNEL32.dll msvcrt.dll
check "mingw: murminimal needs the DLL and the loader" needs_only \
    "$work/shared/bin/murminimal.exe" KERNEL32.dll msvcrt.dll libmurmuration.dll vulkan-1.dll
check "mingw: murbench needs the DLL, and finds the loader itself" needs_only \
    "$work/shared/bin/murbench.exe" KERNEL32.dll msvcrt.dll libmurmuration.dll
check "mingw: an engine finds the DLL and links" consumer shared
finish
