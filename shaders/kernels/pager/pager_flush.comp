#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdFlushPager, one workgroup per pool page: writes dirty pages to the store, and evicts pages
// with MUR_PAGER_EVICT.
// SPDX-License-Identifier: MIT
#include "pager.glsl"
#include "pager_copy.glsl"

void flush(uint pool_page) {
    uvec4 record = record_of(pool_page);
    bool dirty = is_dirty(record) && (record[MUR_POOL_STATE] & MUR_POOL_HELD) == 0u;
    bool evicts = (push.flags & MUR_PAGER_EVICT) != 0u && may_evict(record);
    if (dirty) {
        uvec2 pool = mur_page_address(push.pager, pool_page);
        uvec2 to = store_page(record[MUR_POOL_PAGE]);
        for (uint piece = 0u; piece < 1u << pieces_shift(); ++piece) {
            move_piece(mur_offset(pool, piece, MUR_PAGER_PIECE_SHIFT), true,
                       mur_offset(to, piece, MUR_PAGER_PIECE_SHIFT), false, false, uvec2(0u));
        }
    }
    barrier(); // all invocations have read the record
    if (gl_LocalInvocationIndex == 0u && holds_page(record) && (dirty || evicts)) {
        note_gone(pool_page, record, dirty, evicts);
        record[MUR_POOL_STATE] &= ~MUR_POOL_DIRTY;
        record[MUR_POOL_PAGE] = evicts ? MUR_NO_PAGE : record[MUR_POOL_PAGE];
        write_record(pool_page, record);
    }
}

void main() {
    for (uint i = mur_workgroup(); i < push.pager.poolPageCount;
         i += gl_NumWorkGroups.x * gl_NumWorkGroups.y) {
        flush(i);
    }
}
