# Tests the script that applies the new names of version 0.3.   rename.sh SOURCE WORK
# SPDX-License-Identifier: MIT
source=$1 work=$2/rename
rm -rf "$work"
. "$source/tests/support/check.sh"
script=$source/include/rename-0.2-to-0.3.sh

mkdir "$work/engine" || exit 1
cat >"$work/engine/cells.c" <<'END'
/* MurStats.full counts MUR_REFUSED_ALL of murCmdAge(). */
void f(const Counted *counted, const MurRowBatch *rows) {
    use((MurTablePaging){.paging = {.frame = 1}}, rows->numbers, mode == MUR_MODE_KEEP, fullest, counted->stats.full);
    murCmdPage(cmd, pager, numbers, free, MUR_MODE_KEEPS);
    MurTableCreateInfo *wide = g((MurTableCreateInfo){.format = MUR_FORMAT_R32, .kernels = {murUseBuild()}});
    wide->format = MUR_FORMAT_K64V32; image.format = VK_FORMAT_R32_UINT;
}
END
cat >"$work/engine/cells.comp" <<'END'
#define MUR_BUCKETS 4 // sets
#if MUR_BUCKETS == 1 && MUR_BUCKETS != 16
uint x = mur_upsert(push.table, key, mur_free(push.table, 1u));
END

cat >"$work/cells.c" <<'END'
/* MurStats.full counts MUR_REFUSED_ALL of murCmdEvict(). */
void f(const Counted *counted, const MurRowBatch *rows) {
    use((MurPagedTableUpdate){.paging = {.frame = 1}}, rows->numbers, mode == MUR_MODE_INSERT, fullest, counted->stats.full);
    murCmdUpdatePager(cmd, pager, numbers, free, MUR_MODE_KEEPS);
    MurTableCreateInfo *wide = g((MurTableCreateInfo){.type = murTypeRows(), .kernels = {murKernelsBuild()}});
    wide->type = murTypeK64V32(); image.format = VK_FORMAT_R32_UINT;
}
END
cat >"$work/members" <<'END'
cells.c:1: full is now failedInserts in MurStats, failedInserts in MurTableHeader
cells.c:3: paging is now pager in MurPagedTableUpdate
cells.c:3: numbers is now rowIndices in MurRowBatch
cells.c:3: full is now failedInserts in MurStats, failedInserts in MurTableHeader
cells.c:6: format is now type in MurTableCreateInfo, type in MurPagedTableCreateInfo
END
cat >"$work/cells.comp" <<'END'
#define MUR_BUCKETS MUR_BUCKETS_SETS // sets
#if MUR_BUCKETS == MUR_BUCKETS_ALL && MUR_BUCKETS != 16
uint x = mur_assign(push.table, key, mur_evict(push.table, 1u));
END

renames() {
    sh "$script" "$work/engine" >"$work/listed" && diff "$work/cells.c" "$work/engine/cells.c" &&
        diff "$work/cells.comp" "$work/engine/cells.comp" && sed "s|$work/engine/||" "$work/listed" | diff "$work/members" -
}
# Requires that a second run changes nothing: no new name is an old name in the list.
changes_nothing() {
    cp -r "$1" "$work/again" && sh "$script" "$work/again" >"$work/listed" && diff -r "$1" "$work/again" && rm -r "$work/again"
}
# Requires that the library has each new name.
names_exist() {
    cat "$source"/include/murmuration/*.h* "$source"/shaders/*.* "$source"/shaders/murmuration/*.* >"$work/library"
    sed -n '/^  | 0.2 | 0.3 |$/,/^$/{s/^  | `.*| `\(.*\)` |$/\1/p; /^$/q;}' "$source/CHANGELOG.md" >"$work/new"
    [ "$(wc -l <"$work/new")" -gt 40 ] && while read -r name; do
        grep -qw -- "$name" "$work/library" || echo "$name"
    done <"$work/new" >"$work/missing" && ! grep . "$work/missing"
}

check "rename: names of an engine are renamed, accesses to members are listed" renames
check "rename: a second run changes nothing" changes_nothing "$work/engine"
check "rename: the library has the new names" names_exist
for folder in include shaders runtime demo; do
    check "rename: $folder has no old name" changes_nothing "$source/$folder"
done
finish
