#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdUpdatePager, third step: writes the list of moves. A move is a pool page and a page to
// load. All pool pages and requested pages of bins above the lowest chosen bin come first. Then
// come those of the lowest chosen bin, as many as are needed.
// SPDX-License-Identifier: MIT
#include "pager.glsl"

// Numbers of chosen items of each kind: pool pages of higher bins, pool pages of the lowest chosen
// bin, requested pages of higher bins, requested pages of the lowest chosen bin.
shared uint taken[4], base[4];
shared uint evicted, written;

struct Choice {
    uint kind; // index in `taken`; NEVER: the item is not chosen
    uint at;
};

// Ranks an item among the items of its kind that the workgroup chooses. kinds: the first kind of
// such items, 0 for pool pages, 2 for requested pages. last: the lowest chosen bin.
Choice take(uint bin, uint kinds, uint last) {
    Choice choice = Choice(NEVER, 0u);
    if (bin != NEVER && last != NEVER && bin >= last) {
        choice.kind = kinds + (bin == last ? 1u : 0u);
        choice.at = atomicAdd(taken[choice.kind], 1u);
    }
    return choice;
}

// Returns the position of a choice in the list of moves, or NEVER if it is not needed. served: the
// number of moves. some: the number of moves with an item from the lowest chosen bin.
uint place(Choice choice, uint served, uint some) {
    if (choice.kind == NEVER) {
        return NEVER;
    }
    uint at = base[choice.kind] + choice.at;
    bool last = (choice.kind & 1u) != 0u;
    uint most = last ? some : served - some;
    uint most_moves = min(push.pager.poolPageCount, push.pager.maxRequests);
    uint to = last ? served - some + at : at;
    return at < most && to < most_moves ? to : NEVER;
}

uvec2 move_word(uint at, uint word) {
    return block_word(MUR_PAGER_MOVES_AT + MUR_PAGER_MOVE * at + word);
}

void give_pool_page(uint at, uint pool_page, uvec4 record) {
    bool dirty = is_dirty(record);
    uint page = dirty ? record[MUR_POOL_PAGE] : MUR_NO_PAGE;
    MurPairOut(move_word(at, 0u)).pair = uvec2(pool_page, page);
    if (holds_page(record)) {
        atomicAdd(evicted, 1u);
        atomicAdd(written, dirty ? 1u : 0u);
    }
}

// Writes a requested page to the list of moves, unless `at` is NEVER. Ends its request in any case.
void give_page(uint at, uint page, uint state) {
    if (at != NEVER) {
        uint zero = (state & MUR_PAGE_ZERO) != 0u ? MUR_PAGER_ZERO : 0u;
        MurPairOut(move_word(at, 2u)).pair = uvec2(page | zero, 0u);
    }
    if (page < push.pager.pageCount && (state & MUR_PAGE_RESIDENT) == 0u) {
        directory_write(page, state & MUR_PAGE_KEEPS);
    }
}

// Lists a requested page that is in the file, for the host to read. In pagers that replace host
// pages, pager_host.comp does this.
void want(uint page, uint state) {
    uint both = MUR_PAGE_IN_FILE | MUR_PAGE_REQUESTED;
    if ((state & both) == both && mur_wanted(push.lists) && !replaces_host_pages()) {
        uint at = atomicAdd(MurCounter(block_word(MUR_PAGER_WANTED)).word, 1u);
        if (at < push.maxListed) {
            list_wanted(at, page, state);
        }
    }
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    uint item = mur_workgroup() * MUR_WORKGROUP + lane;
    uint served = block_read(MUR_PAGER_SERVED);
    if (lane < 4u) {
        taken[lane] = 0u;
    }
    if (lane == 0u) {
        evicted = 0u;
        written = 0u;
    }
    barrier();
    bool is_pool_page = item < push.pager.poolPageCount;
    uvec4 record = is_pool_page ? record_of(item) : uvec4(0u);
    uint age = is_pool_page ? victim_bin(record) : NEVER;
    Choice pool_page = take(age, 0u, block_read(MUR_PAGER_AGE));
    bool is_request = item < block_read(MUR_PAGER_LISTED) && item < push.pager.maxRequests;
    uint page = MUR_NO_PAGE;
    uint state = 0u;
    uint bin = is_request ? request_bin(item, page, state) : NEVER;
    Choice request = take(bin, 2u, block_read(MUR_PAGER_PRIORITY));
    barrier();
    if (lane < 4u && taken[lane] != 0u) {
        base[lane] = atomicAdd(MurCounter(block_word(MUR_PAGER_TAKEN + lane)).word, taken[lane]);
    }
    barrier();
    uint pool_page_at = place(pool_page, served, block_read(MUR_PAGER_AGE_SOME));
    if (pool_page_at != NEVER) {
        give_pool_page(pool_page_at, item, record);
    }
    uint page_at = place(request, served, block_read(MUR_PAGER_PRIORITY_SOME));
    give_page(page_at, page, state);
    want(page, state);
    barrier();
    if (lane == 0u) {
        block_add(MUR_PAGER_EVICTED, evicted);
        block_add(MUR_PAGER_WRITTEN, written);
    }
}
