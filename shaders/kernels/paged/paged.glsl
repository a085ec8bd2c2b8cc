// Shared by the kernels of paged tables: the reference, and the offsets in the state. The log is
// applied in steps: request the pages of its entries; after the pager has loaded as many as
// possible, count the entries of each resident page, give each page a range in one list, put the
// entries there; then one workgroup per page applies them, and full pages grow. The remaining
// entries of the log go to its other half.
//
// SPDX-License-Identifier: MIT

layout(push_constant) uniform MurPush {
    MurPagedRef push;
};

#ifdef MUR_PAGED_GIVEN // bulk commands have more than push constants hold
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer MurPagedGiven {
    MurPagedArguments all;
};
MurPagedArguments given;

void take_arguments() {
    given = MurPagedGiven(push.pager.arguments).all;
}
#endif

// An index, not an address that is computed: the state has fewer than 2^30 words, and arithmetic on
// addresses was a fifth of these kernels' code.
struct Word {
    uint word;
};
layout(buffer_reference, std430, buffer_reference_align = 4) coherent buffer MurPagedOwn {
    Word words[];
};
#define own(i) MurPagedOwn(push.state).words[i]

// Word i of entry e of the half that is applied.
uint entry_at(uint e) {
    uint part = (own(MUR_PAGED_HALF).word & 1u) * push.maxPending;
    return MUR_PAGED_HEADER_WORDS + push.maxLeaves +
           MUR_PENDING_WORDS * (min(e, push.maxPending - 1u) + part);
}
#define entry_word(e, i) own(entry_at(e) + (i))

// Entries of that half.
uint entry_count() {
    return min(own(MUR_PAGED_COUNTS + (own(MUR_PAGED_HALF).word & 1u)).word, push.maxPending);
}

// A word for each pool page: 0 between commands; how many entries its page has, then their place.
#define pool_page_word(pool_page) \
    own(mur_paged_pool_at(push.maxLeaves, push.maxPending) + (pool_page))

// Words of the item of work w, MUR_WORK_*; the list of entries; words of the page that grows g.
uint work_at(uint w) {
    uint at = mur_paged_work_at(push.maxLeaves, push.maxPending, push.pager.poolPageCount);
    return at + MUR_WORK_WORDS * min(w, push.maxPending - 1u);
}
#define work_word(w, i) own(work_at(w) + (i))

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

// Memory of a page's size, two for each page that grows.
uvec2 spare_page(uint i) {
    uint at = mur_paged_spare_at(push.maxLeaves, push.maxPending, push.pager.poolPageCount);
    return mur_offset(mur_offset(push.state, at, 2u), i, push.pager.pageShift);
}

uint first_item() {
    return mur_workgroup() * MUR_WORKGROUP + gl_LocalInvocationIndex;
}

uint all_invocations() {
    return gl_NumWorkGroups.x * gl_NumWorkGroups.y * MUR_WORKGROUP;
}

uvec2 entry_key(uint e) {
    return uvec2(entry_word(e, MUR_PENDING_KEY).word, entry_word(e, MUR_PENDING_KEY + 1u).word);
}

// The position of a key's leaf, and its partition.
struct Place {
    uint part;
    uint slot; // of the partition, in their table
    uint root; // MUR_PAGED_NONE: the partition is not there
    uint at;   // the leaf's index; MUR_PAGED_NONE: the root is the leaf
    uint leaf; // MUR_PAGED_NONE: there is no page yet
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

// Of the partition in this slot.
void set_root(uint slot, uint root) {
    if (mur_paged_kind(push) == MUR_PAGED_BY_HASH) {
        own(MUR_PAGED_ROOT).word = root;
    } else {
        mur_slot_exchange(mur_paged_partitions(push), slot, root);
    }
}

// Returns an unused page number; MUR_PAGED_INDEX: there is none. Marks the page as zero.
uint take_page() {
    uint most = min(push.pager.pageCount, MUR_PAGED_INDEX);
    if (own(MUR_PAGED_PAGES).word >= most) {
        return MUR_PAGED_INDEX;
    }
    uint page = atomicAdd(own(MUR_PAGED_PAGES).word, 1u);
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

// Keeps an entry for the next murCmdUpdatePagedTable. The half that takes it has room for all.
void keep_entry(uint e, uint op) {
    uvec4 first = uvec4(entry_key(e), entry_word(e, MUR_PENDING_VALUE).word,
                        entry_word(e, MUR_PENDING_VALUE + 1u).word);
    uvec4 second = uvec4(entry_word(e, MUR_PENDING_PARTITION).word, op,
                         entry_word(e, MUR_PENDING_EPOCH).word, 0u);
    mur_paged_append(push, own(MUR_PAGED_NEXT).word, first, second);
}
