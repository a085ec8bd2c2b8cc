#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdUpdatePager, last step: writes dirty pages back and loads requested pages at the same time,
// a piece of a page per workgroup. No call loads a page that it writes back, so pieces are
// independent. The workgroup of a page's first piece updates the directory and the record.
// SPDX-License-Identifier: MIT
#include "pager.glsl"
#include "pager_copy.glsl"

void note(uint pool_page, uint page, bool dirty) {
    note_gone(pool_page, record_of(pool_page), dirty, true);
    uint keeps = directory_read(page) & MUR_PAGE_KEEPS;
    directory_write(page, keeps | MUR_PAGE_RESIDENT | pool_page);
    uint state = ((keeps & MUR_PAGE_PINNED) != 0u ? MUR_POOL_PINNED : 0u) |
                 ((keeps & MUR_PAGE_HELD) != 0u ? MUR_POOL_HELD : 0u);
    write_record(pool_page, uvec4(page, push.pager.frame, push.pager.frame, state));
}

void move(uint item) {
    uint piece = item & ((1u << pieces_shift()) - 1u);
    uvec2 moves = block_word(MUR_PAGER_MOVES_AT);
    uvec4 move = MurPageQuad(mur_offset(moves, item >> pieces_shift(), 4u)).words;
    uint pool_page = min(move.x, push.pager.poolPageCount - 1u);
    bool writes = move.y < push.pager.pageCount;
    uint page = min(move.z & ~MUR_PAGER_ZERO, push.pager.pageCount - 1u);
    uvec2 to = mur_offset(store_page(writes ? move.y : 0u), piece, MUR_PAGER_PIECE_SHIFT);
    uvec2 from = mur_offset(store_page(page), piece, MUR_PAGER_PIECE_SHIFT);
    uvec2 pool = mur_offset(mur_page_address(push.pager, pool_page), piece, MUR_PAGER_PIECE_SHIFT);
    move_piece(pool, writes, to, true, (move.z & MUR_PAGER_ZERO) != 0u, from);
    if (piece == 0u && gl_LocalInvocationIndex == 0u) {
        note(pool_page, page, writes);
    }
}

void add(uint word, uint count) {
    uint carry;
    block_write(word, uaddCarry(block_read(word), count, carry));
    block_write(word + 1u, block_read(word + 1u) + carry);
}

// Adds the counts of this call to the statistics.
void add_up(uint served) {
    uint asked = block_read(MUR_PAGER_ASKED);
    uint written = block_read(MUR_PAGER_WRITTEN);
    uint evicted = block_read(MUR_PAGER_EVICTED);
    uint wanted = min(asked, push.maxPages);
    add(MUR_PAGER_STATS_HITS, block_read(MUR_PAGER_HITS));
    add(MUR_PAGER_STATS_MISSES, asked);
    add(MUR_PAGER_STATS_IN, served);
    add(MUR_PAGER_STATS_OUT, written);
    add(MUR_PAGER_STATS_EVICTIONS, evicted);
    add(MUR_PAGER_STATS_REJECTED, wanted - served);
    add(MUR_PAGER_STATS_DEFERRED, asked - wanted);
    add(MUR_PAGER_STATS_OVERFLOW, block_read(MUR_PAGER_LOST));
    block_write(MUR_PAGER_STATS_RESIDENT, block_read(MUR_PAGER_HOLDING) + served - evicted);
    block_write(MUR_PAGER_STATS_DIRTY, block_read(MUR_PAGER_DIRTY) - written);
    if (mur_wanted(push.lists)) {
        list_write(MUR_LISTS_WANTED, min(block_read(MUR_PAGER_WANTED), push.maxListed));
    }
    block_write(MUR_PAGER_HITS, 0u);
    block_write(MUR_PAGER_HOLDING, 0u);
    block_write(MUR_PAGER_DIRTY, 0u);
    for (uint i = 0u; i < MUR_PAGER_STATS_WORDS; ++i) {
        mur_output(push.stats, i, block_read(i));
    }
}

void main() {
    uint most_moves = min(push.pager.poolPageCount, push.pager.maxRequests);
    uint served = min(block_read(MUR_PAGER_SERVED), most_moves);
    uint items = served << pieces_shift();
    for (uint i = mur_workgroup(); i < items; i += gl_NumWorkGroups.x * gl_NumWorkGroups.y) {
        move(i);
    }
    if (mur_workgroup() == 0u && gl_LocalInvocationIndex == 0u) {
        add_up(served);
    }
}
