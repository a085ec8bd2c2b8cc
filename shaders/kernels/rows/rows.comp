#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdInsertRows, or murCmdFindRows in variant 1, one item per invocation.
// SPDX-License-Identifier: MIT
#define MUR_NONCOHERENT_LOOKUPS // as in insert.comp
#define PUSH MurBatchPush
#include "../kernel.glsl"

uint item;
#define WORDS               MUR_ROW_WORDS(push.table.flags)
#define ADDRESS(array, row) mur_row_address(array, row, MUR_ROW_STRIDE(push.table.flags))
#define ITEM(row) \
    ((row) == MUR_ROW_QUERY ? ADDRESS(push.oldValues, item) : ADDRESS(push.slots, row))
#define MUR_ROW_COUNT       push.mode
#define MUR_ROW_HASH(row)   mur_row_hash(ITEM(row), WORDS)
#define MUR_ROW_EQUAL(a, b) mur_row_equal(ITEM(a), ADDRESS(push.slots, b), WORDS)
#include "../../murmuration/rows.glsl"

void main() {
    if (!mur_item(mur_count_at(push.count, push.maxCount), item)) {
        return;
    }
    MurRowsRef table = MurRowsRef(mur_kernel_table(push.table));
    bool query = mur_wanted(push.oldValues);
    uint row = query                   ? MUR_ROW_QUERY
               : mur_wanted(push.keys) ? mur_input(push.keys, item)
                                       : item;
    row = query || row < push.mode ? row : MUR_NO_ROW; // a batch must not contain MUR_ROW_QUERY
    uint there, status;
    if (MUR_VARIANT == 0u) {
        status = mur_insert(table, row, there);
    } else {
        status = mur_find(table, row, there) ? MUR_FOUND : MUR_ABSENT;
    }
    mur_output(push.values, item, there);
    mur_output(push.statuses, item, status);
}
