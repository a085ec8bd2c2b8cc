// Shared by the kernels of paged tables: the reference, and positions in the state. The steps of
// murCmdUpdatePagedTable apply the log. They request the pages of its entries. After the pager's
// kernels have loaded pages, they count the entries of each resident page, assign each page a range
// in one list, and write the entries there. Then one workgroup per page applies them, and full
// pages grow. The remaining entries are copied to the other half of the log.
// SPDX-License-Identifier: MIT

#define MUR_PAGED
#define PUSH MurPagedRef
#include "../kernel.glsl"

#ifdef MUR_PAGED_GIVEN // arguments of bulk commands, too large for push constants
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer MurPagedGiven {
    MurPagedArguments all;
};
MurPagedArguments given;

void take_arguments() {
    given = MurPagedGiven(push.pager.arguments).all;
}
#endif

// Access to the state by word index, which is less than 2^30. If each access computed an address,
// this computation would be a fifth of these kernels' code.
struct Word {
    uint word;
};
layout(buffer_reference, std430, buffer_reference_align = 4) coherent buffer MurPagedOwn {
    Word words[];
};
#define own(i) MurPagedOwn(push.state).words[i]

// Returns the index of the first word of entry e, in the half of the log that is applied.
uint entry_at(uint e) {
    uint part = (own(MUR_PAGED_HALF).word & 1u) * push.maxPending;
    return MUR_PAGED_HEADER_WORDS + push.maxLeaves +
           MUR_PENDING_WORDS * (min(e, push.maxPending - 1u) + part);
}
#define entry_word(e, i) own(entry_at(e) + (i))

// Returns the number of entries in the half of the log that is applied.
uint entry_count() {
    return min(own(MUR_PAGED_COUNTS + (own(MUR_PAGED_HALF).word & 1u)).word, push.maxPending);
}

// A word per pool page: the number of log entries for its page, later the index of the first of
// them in the list of entries. 0 between commands.
#define pool_page_word(pool_page) \
    own(mur_paged_pool_at(push.maxLeaves, push.maxPending) + (pool_page))

// Returns the word index of work item w, a page to which entries are applied.
uint work_at(uint w) {
    uint at = mur_paged_work_at(push.maxLeaves, push.maxPending, push.pager.poolPageCount);
    return at + MUR_WORK_WORDS * min(w, push.maxPending - 1u);
}
#define work_word(w, i) own(work_at(w) + (i))

// Returns the word index of element i of the list of log entries, which is sorted by page.
uint listed_at(uint i) {
    uint at = mur_paged_work_at(push.maxLeaves, push.maxPending, push.pager.poolPageCount);
    return at + MUR_WORK_WORDS * push.maxPending + min(i, push.maxPending - 1u);
}
#define listed(i) own(listed_at(i))

uint growing_at(uint g) {
    uint at = mur_paged_growing_at(push.maxLeaves, push.maxPending, push.pager.poolPageCount);
    return at + MUR_GROWING_WORDS * min(g, MUR_PAGE_SPLITS - 1u);
}
#define growing_word(g, i) own(growing_at(g) + (i))

// Returns the address of memory for a page. Each page that splits uses two of these.
uvec2 spare_page(uint i) {
    uint at = mur_paged_spare_at(push.maxLeaves, push.maxPending, push.pager.poolPageCount);
    return mur_offset(mur_offset(push.state, at, 2u), i, push.pager.pageShift);
}

#include "../pager/host_pages.glsl"

// Removes a host page from the list of free ones. Returns MUR_HOST_NONE if the list is empty.
uint take_host_page() {
    uint left = atomicAdd(host(MUR_HOST_FREE), 0xFFFFFFFFu) - 1u;
    if (left < push.pager.hostPageCount) {
        return min(host(free_at(left)), push.pager.hostPageCount - 1u);
    }
    atomicAdd(host(MUR_HOST_FREE), 1u);
    return MUR_HOST_NONE;
}

// Gives a host page to a page, unless the page has one already or is MUR_PAGED_INDEX.
void give_host_page(uint host_page, uint page) {
    bool gets = page != MUR_PAGED_INDEX && !has_host_page(page);
    host(owner_at(host_page)) = gets ? page | MUR_HOST_USED : MUR_HOST_LOST;
    if (gets) {
        host(map_at(page)) = host_page;
    }
}

uvec2 entry_key(uint e) {
    return uvec2(entry_word(e, MUR_PENDING_KEY).word, entry_word(e, MUR_PENDING_KEY + 1u).word);
}

// A key's partition and leaf.
struct Place {
    uint part;
    uint slot; // the partition's slot in the table of partitions
    uint root; // MUR_PAGED_NONE: the partition does not exist
    uint at;   // the leaf's index; MUR_PAGED_NONE: the root is the leaf
    uint leaf; // MUR_PAGED_NONE: the leaf has no page yet
};

Place place_of(uint format, uint part, uvec2 key) {
    Place p;
    p.part = mur_paged_partition(push, part, key);
    p.root = mur_paged_root(push, p.part, p.slot);
    p.at = MUR_PAGED_NONE;
    p.leaf = p.root;
    if (p.root != MUR_PAGED_NONE) {
        p.at = mur_paged_leaf_index(push, p.root, mur_paged_bits(push, format, key));
        p.leaf = p.at == MUR_PAGED_NONE ? p.root : MUR_PAGED_LEAF(push, p.at);
    }
    return p;
}

Place place_of_entry(uint format, uint e) {
    return place_of(format, entry_word(e, MUR_PENDING_PARTITION).word, entry_key(e));
}

// Sets the root of the partition in this slot of the table of partitions.
void set_root(uint slot, uint root) {
    if (mur_paged_kind(push) == MUR_PAGED_BY_HASH) {
        own(MUR_PAGED_ROOT).word = root;
    } else {
        mur_slot_exchange(mur_paged_partitions(push), slot, root);
    }
}

bool has_unused_pages() {
    return own(MUR_PAGED_PAGES).word < min(push.pager.pageCount, MUR_PAGED_INDEX);
}

// Allocates a page number and marks the page as zero. Returns MUR_PAGED_INDEX if all are in use.
// writes: the caller writes the page, so the function also fails if no host page is free.
uint take_page(bool writes) {
    uint most = min(push.pager.pageCount, MUR_PAGED_INDEX);
    if (!has_unused_pages()) {
        return MUR_PAGED_INDEX;
    }
    uint host_page = replaces_host_pages() ? take_host_page() : MUR_HOST_NONE;
    if (writes && replaces_host_pages() && host_page == MUR_HOST_NONE) {
        return MUR_PAGED_INDEX;
    }
    uint page = atomicAdd(own(MUR_PAGED_PAGES).word, 1u);
    if (host_page != MUR_HOST_NONE) {
        give_host_page(host_page, page < most ? page : MUR_PAGED_INDEX);
    }
    if (page < most) {
        MurPageWord state = MurPageWord(mur_offset(push.pager.directory, page, 2u));
        atomicOr(state.word, MUR_PAGE_ZERO);
        return page;
    }
    atomicAdd(own(MUR_PAGED_PAGES).word, 0xFFFFFFFFu);
    return MUR_PAGED_INDEX;
}

bool has_page(uint leaf) {
    return leaf != MUR_PAGED_NONE && (leaf & MUR_PAGED_INDEX) != MUR_PAGED_INDEX;
}

// Copies an entry to the other half of the log, for the next murCmdUpdatePagedTable. That half has
// space for all entries: it starts empty, and each entry is copied at most once.
void keep_entry(uint e, uint op) {
    uvec4 first = uvec4(entry_key(e), entry_word(e, MUR_PENDING_VALUE).word,
                        entry_word(e, MUR_PENDING_VALUE + 1u).word);
    uvec4 second = uvec4(entry_word(e, MUR_PENDING_PARTITION).word, op,
                         entry_word(e, MUR_PENDING_EPOCH).word, 0u);
    mur_paged_append(push, own(MUR_PAGED_NEXT).word, first, second);
}
