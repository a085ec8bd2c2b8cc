// Shared by the kernels of pagers: the block, the store, records, bins of ages and priorities.
// SPDX-License-Identifier: MIT

#define MUR_PAGER
#define PUSH MurPagerPush
#include "../kernel.glsl"

// The bin of pool pages whose page must not be evicted, and of requests that cannot be served.
const uint NEVER = 0xFFFFFFFFu;

uvec2 block_word(uint i) {
    return mur_offset(push.block, i, 2u);
}

uint block_read(uint i) {
    return MurWordPlain(block_word(i)).word;
}

void block_write(uint i, uint word) {
    MurOutput(block_word(i)).word = word;
}

void block_add(uint i, uint count) {
    if (count != 0u) {
        atomicAdd(MurCounter(block_word(i)).word, count);
    }
}

// The words of the frame's lists. The lists exist if mur_wanted(push.lists).
uint list_read(uint i) {
    return MurWordPlain(mur_offset(push.lists, i, 2u)).word;
}

void list_write(uint i, uint word) {
    MurOutput(mur_offset(push.lists, i, 2u)).word = word;
}

// Writes element `at` of the list of pages that the host must read.
void list_wanted(uint at, uint page, uint state) {
    uvec2 pair = mur_offset(push.lists, MUR_LISTS_AT / 2u + push.maxListed + at, 3u);
    MurPairOut(pair).pair = uvec2(page, state & MUR_PAGE_PRIORITY);
}

#include "host_pages.glsl"
#define STORE push
#include "pager_store.glsl"

uvec4 record_of(uint pool_page) {
    return MurPageQuad(mur_offset(push.pager.records, pool_page, 4u)).words;
}

void write_record(uint pool_page, uvec4 record) {
    MurPageQuad(mur_offset(push.pager.records, pool_page, 4u)).words = record;
}

uint directory_read(uint page) {
    return MurPageWord(mur_offset(push.pager.directory, page, 2u)).word;
}

void directory_write(uint page, uint word) {
    MurPageWord(mur_offset(push.pager.directory, page, 2u)).word = word;
}

bool holds_page(uvec4 record) {
    return record[MUR_POOL_PAGE] < push.pager.pageCount;
}

bool is_dirty(uvec4 record) {
    return holds_page(record) && (record[MUR_POOL_STATE] & MUR_POOL_DIRTY) != 0u;
}

// Returns whether the page in a pool page can be evicted. Pinned pages cannot. Neither can a dirty
// page that a checkpoint holds, because it must not be written back to the store yet.
bool may_evict(uvec4 record) {
    uint state = record[MUR_POOL_STATE];
    uint both = MUR_POOL_DIRTY | MUR_POOL_HELD;
    return (state & MUR_POOL_PINNED) == 0u && (state & both) != both;
}

// Returns the bin of a pool page, by the age of its page. Empty pool pages are in the last bin.
uint victim_bin(uvec4 record) {
    if (!holds_page(record)) {
        return MUR_PAGER_AGES - 1u;
    }
    uint age = push.pager.frame - record[MUR_POOL_USED];
    return age < push.keepFrames || !may_evict(record) ? NEVER : min(age, MUR_PAGER_AGES - 2u);
}

// Returns request i's bin, by priority. page, state (outputs): the page, and its directory word.
uint request_bin(uint i, out uint page, out uint state) {
    page = MurPageWord(mur_offset(push.pager.requests, MUR_REQUESTS_LIST + i, 2u)).word;
    state = mur_page_state(push.pager, page); // 0 out of range
    bool served = (state & (MUR_PAGE_RESIDENT | MUR_PAGE_IN_FILE)) == 0u;
    if ((state & MUR_PAGE_ZERO) != 0u) { // only zero pages can lack a host page here
        served = served && has_host_page(page);
    }
    return served && (state & MUR_PAGE_REQUESTED) != 0u ? state & MUR_PAGE_PRIORITY : NEVER;
}
