# Checks that programs link only the kernels of the types and kernel sets that they name.
#   linked.sh SOURCE WORK COMPILER MURMINIMAL
# SPDX-License-Identifier: MIT
source=$1 all=$2 compiler=$3 minimal=$4
work=$2/linked
rm -rf "$work"
. "$source/tests/support/check.sh"
. "$source/tests/package/run.sh"

archive=$(find "$all/static" -name libmurmuration.a)
volk=$(find /usr/include /usr/local/include "${VULKAN_SDK:-/usr/include}/include" -maxdepth 2 \
    -name volk.h 2>/dev/null | head -n 1)

# program NAME: links standard input as a program, and lists its modules in NAME.modules.
program() {
    cat >"$work/$1.c"
    "$compiler" -std=c11 -I"$all/static/include" -idirafter "$(dirname "$volk")" "$work/$1.c" "$archive" \
        -lpthread -ldl -o "$work/$1" && nm "$work/$1" | sed -n 's/.* mur_spv_\(.*\)_size$/\1/p' >"$work/$1.modules"
}

host_program() {
    program host <<'END' && "$work/host" && ! cat "$work/host.modules" | grep .
#include <murmuration/host_multi.h>
#include <murmuration/rows.h>
#include <murmuration/snapshot.h>
static _Alignas(64) char image[1 << 16], file[1 << 17];
int main(void) {
    const MurTableCreateInfo info = {.capacity = 1000, .type = murHostTypeBucketsK64(), .flags = MUR_TABLE_AGES};
    const MurTableCreateInfo rows = {.capacity = 1000, .type = murHostTypeRows()};
    MurHostTable table;
    MurSnapshotInfo saved;
    uint64_t size;
    return !(murHostGetImageSize(&rows, &size) == VK_SUCCESS &&
             murHostCreate(&info, image, sizeof image, &table) == VK_SUCCESS &&
             murHostInsert(&table, MUR_MODE_ASSIGN, 7, 0).status == MUR_INSERTED &&
             murWriteSnapshot(&table, file, sizeof file) == VK_SUCCESS &&
             murReadSnapshotInfoFromMemory(file, murGetSnapshotSize(&table), &saved) == VK_SUCCESS &&
             saved.createInfo.type == info.type && saved.createInfo.flags == MUR_TABLE_AGES &&
             murHostTypeOf(table.ref.flags) == info.type && !murHostTypeOf(15u << MUR_TABLE_FORMAT_SHIFT));
}
END
}

plain='(extract|insert|erase)_k32v32_(32|64)|(stats|find)_k32v32|clear|reset'

# table_program NAME HEADER PATTERN INFO: links a program that creates a table, and requires that it has modules, and
# that all match.
table_program() {
    program "$1" <<END || return 1
#include <murmuration/$2.h>
int main(void) {
    const MurTableCreateInfo info = {.capacity = 1000, $4};
    MurTable table;
    return murCreateTable(VK_NULL_HANDLE, &info, &table) == VK_SUCCESS;
}
END
    [ -s "$work/$1.modules" ] && ! grep -vE "^($plain|$3)$" "$work/$1.modules"
}

minimal_is_small() {
    strip -o "$work/murminimal" "$minimal" && size=$(wc -c <"$work/murminimal") && echo "$size bytes" &&
        [ "$size" -le 320000 ]
}

check "linked: a program of the host links no kernel" host_program
check "linked: a default table links the kernels of its type" \
    table_program default murmuration "" ""
check "linked: a cache links its type's kernels, and no other buckets'" table_program cache buckets \
    '(extract|stats|find|insert|erase|evict)_buckets_k64_(32|64)|filter' '.type = murTypeBucketsK64()'
check "linked: a kernel set adds its kernels" \
    table_program set murmuration 'slices_.*|build_.*' '.kernels = {murKernelsBuild()}'
[ -z "$minimal" ] || check "linked: murminimal has at most 0.32 MB" minimal_is_small
finish
