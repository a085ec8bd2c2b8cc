# Checks the names that the built libraries define.   symbols.sh SOURCE WORK COMPILER
# SPDX-License-Identifier: MIT
source=$1 all=$2 compiler=$3
work=$2/symbols
rm -rf "$work"
. "$source/tests/support/check.sh"
. "$source/tests/package/run.sh"

archive=$(find "$all/static" -name libmurmuration.a)
shared=$(find "$all/shared" -name libmurmuration.so)
database=$(find "$all/shared" -name libmurmuration_database.so)

declared_functions "$all/static/include/murmuration" >"$work/declared"
grep -h -c '^MUR_API' "$all"/static/include/murmuration/*.h |
    awk '{n += $1} END {print n}' >"$work/count"

nm -g --defined-only "$archive" "${archive%.a}_database.a" | awk 'NF == 3 {print $3}' | sort -u >"$work/archive"
nm -D --defined-only "$shared" "$database" | awk 'NF == 3 {print $3}' | sort -u >"$work/dynamic"

# only FILE PATTERN: requires that the file has lines, and that every line matches.
only() {
    [ -s "$1" ] || {
        echo "no symbols in $1"
        return 1
    }
    ! grep -v "$2" "$1"
}

defines() {
    comm -13 "$work/archive" "$work/declared" >"$work/missing"
    cat "$work/missing"
    [ ! -s "$work/missing" ]
}

# Checks names by the linker, independently of nm: if the library had a volk, every name of volk would be defined
# twice.
links_twice() {
    printf 'int main(void) { return 0; }\n' >"$work/main.c"
    volk=$(find /usr/include /usr/local/include "${VULKAN_SDK:-/usr/include}/include" -maxdepth 2 \
        -name volk.c 2>/dev/null | head -n 1)
    "$compiler" -w -c -DVK_NO_PROTOTYPES -I"$(dirname "$volk")" "$volk" -o "$work/volk.o" &&
        "$compiler" "$work/main.c" "$work/volk.o" -Wl,--whole-archive "$archive" \
            -Wl,--no-whole-archive -ldl -o "$work/main"
}

check "symbols: every MUR_API declaration was read" \
    same functions "$(cat "$work/count")" "$(wc -l <"$work/declared" | tr -d ' ')"
check "symbols: the static libraries define only mur*" only "$work/archive" '^mur'
check "symbols: nothing in it is named vk* or volk*" refused grep -E '^(vk|volk)' "$work/archive"
check "symbols: they define every declared function" defines
check "symbols: the whole of it links beside another volk" links_twice
check "symbols: the shared libraries export exactly the declared functions" \
    diff "$work/declared" "$work/dynamic"
check "symbols: it needs no libvulkan" \
    refused sh -c "readelf -d '$shared' | grep NEEDED | grep vulkan"
check "symbols: the library needs no SQLite" refused sh -c "readelf -d '$shared' | grep NEEDED | grep sqlite"
check "symbols: murmuration_database needs it" sh -c "readelf -d '$database' | grep NEEDED | grep sqlite"
finish
