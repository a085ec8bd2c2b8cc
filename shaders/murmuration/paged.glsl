// Murmuration: lookups in paged tables (<murmuration/paged.h>; paged_layout.h has their layout).
//
//     uint value;
//     switch (mur_paged_find(paged, key, 1u, value)) {
//     case MUR_FOUND: ...
//     case MUR_ABSENT: ...
//     case MUR_NOT_RESIDENT: ...  // the key's page was requested, for a later frame
//     }
//     mur_paged_assign(paged, key, value);  // MUR_PENDING: a murCmdUpdatePagedTable applies it
//
// Types of key and value are those of the table's format, as in the calls on tables; sets have no
// value. With MUR_PAGE_BY_PARTITION each call also has the partition, before the key. No call
// waits, and fields of the reference bound every loop.
// SPDX-License-Identifier: MIT

// The priority of finds that neither request the page nor count as its use.
const uint MUR_NO_REQUEST = 0xFFFFFFFFu;

// Word i of the header of a paged table's state.
#define MUR_PAGED_STATE(p, i) MurPageWord(mur_offset((p).state, i, 2u)).word

// The leaf with index i: the word for one range of a partition's hashes, which has the page number.
#define MUR_PAGED_LEAF(p, i) \
    MurPageWord(mur_offset((p).state, MUR_PAGED_HEADER_WORDS + (i), 2u)).word

MurTableRef mur_paged_partitions(MurPagedRef p) {
    return MurTableRef(p.partitions, p.partitionCapacity, p.partitionSlots, 0u,
                       p.partitionSlots / MUR_SECTOR_SLOTS, MUR_TABLE_UNORDERED, 0u);
}

// Returns the table in the page at this address. Its lookups may probe the whole table.
MurTableRef mur_paged_table(MurPagedRef p, uvec2 address) {
    uint sectors = p.slotCount / MUR_SLOTS_OF(MUR_TABLE_FORMAT(p.flags)) + 1u;
    return MurTableRef(address, p.capacity, p.slotCount, p.seed, sectors,
                       p.flags | MUR_TABLE_UNORDERED, 0u);
}

uint mur_paged_kind(MurPagedRef p) {
    return p.locality >> 8u & 3u;
}

// Returns a key's partition. part: the call's argument. 32-bit keys are the low word of a pair.
uint mur_paged_partition(MurPagedRef p, uint part, uvec2 key) {
    uint kind = mur_paged_kind(p);
    uint shift = p.locality & 31u;
    uint low = shift == 0u ? key.x : key.x >> shift | key.y << (32u - shift);
    uint bits = (p.locality & 32u) == 0u ? low : key.y >> shift;
    return kind == MUR_PAGED_BY_KEY         ? bits & p.mask
           : kind == MUR_PAGED_BY_PARTITION ? part
                                            : 0u;
}

// Returns the bits of a key's hash that choose among its partition's pages, highest first. Other
// bits choose the slot: the hash's high word, or the high bits of a 32-bit hash.
uint mur_paged_bits(MurPagedRef p, uint format, uvec2 key) {
    uint low = MUR_IS_64(format) ? mur_hash64(key, p.seed).x : mur_hash(key.x, p.seed);
    return low * 0x9E3779B9u;
}

// Returns the root of a partition, or MUR_PAGED_NONE. slot: the partition's slot in its table.
uint mur_paged_root(MurPagedRef p, uint part, out uint slot) {
    uint root;
    slot = MUR_NO_SLOT;
    if (mur_paged_kind(p) == MUR_PAGED_BY_HASH) {
        return MUR_PAGED_STATE(p, MUR_PAGED_ROOT);
    }
    slot = mur_find_slot(mur_paged_partitions(p), part, root);
    return root;
}

// Returns the index of the leaf for these bits of a hash, or MUR_PAGED_NONE if the root is the only
// leaf.
uint mur_paged_leaf_index(MurPagedRef p, uint root, uint bits) {
    uint depth = MUR_PAGED_DEPTH(root);
    if (depth == 0u && mur_paged_kind(p) != MUR_PAGED_BY_HASH) {
        return MUR_PAGED_NONE;
    }
    uint high, low;
    umulExtended(bits, p.basePages << depth, high, low);
    return min(2u * (root & MUR_PAGED_INDEX) + high, p.maxLeaves - 1u);
}

// Returns the leaf of a key, or MUR_PAGED_NONE if no page can have the key.
uint mur_paged_leaf(MurPagedRef p, uint format, uint part, uvec2 key) {
    uint slot;
    uint root = mur_paged_root(p, mur_paged_partition(p, part, key), slot);
    if (root == MUR_PAGED_NONE) {
        return root;
    }
    uint index = mur_paged_leaf_index(p, root, mur_paged_bits(p, format, key));
    return index == MUR_PAGED_NONE ? root : MUR_PAGED_LEAF(p, index);
}

// Returns whether the page of a leaf is resident and has all writes from before the last
// murCmdUpdatePagedTable. table (output): the table in the page.
bool mur_paged_enter(MurPagedRef p, uint leaf, uint priority, out uint poolPage,
                     out MurTableRef table) {
    uint page = leaf & MUR_PAGED_INDEX;
    bool resident = priority == MUR_NO_REQUEST
                        ? mur_page_peek(p.pager, page, poolPage)
                        : mur_page_request(p.pager, page, priority, poolPage);
    table = mur_paged_table(p, mur_page_address(p.pager, poolPage));
    return resident && (leaf & (MUR_PAGED_WAITS | MUR_PAGED_FRESH)) == 0u;
}

// Looks a key up, in any format that this shader supports. Returns MUR_FOUND, MUR_ABSENT or
// MUR_NOT_RESIDENT. value: the key's value or the empty value.
uint mur_paged_lookup(MurPagedRef p, uint format, uint part, uvec2 key, uint priority,
                      out uvec2 value) {
    uint leaf = mur_paged_leaf(p, format, part, key);
    uint poolPage;
    MurTableRef table = mur_paged_table(p, uvec2(0u));
    value = mur_none(table, format);
    if (leaf == MUR_PAGED_NONE) {
        return MUR_ABSENT;
    }
    if (!mur_paged_enter(p, leaf, priority, poolPage, table)) {
        return MUR_NOT_RESIDENT;
    }
    uint slot = mur_find_entry(table, format, uvec3(key, 0u), value);
    return slot != MUR_NO_SLOT ? MUR_FOUND : MUR_ABSENT;
}

// ---- The calls return MUR_FOUND, MUR_ABSENT or MUR_NOT_RESIDENT. priority: of the request for the
// key's page, 0 to 255, or MUR_NO_REQUEST.

#define MUR_PAGED_FIND_CALLS(format, Key, KEY, key_words, Value, VALUE, value_words)             \
    uint mur_paged_find(MurPagedRef p, uint part, Key key, uint priority, out Value value) {     \
        uvec2 found;                                                                             \
        uint status = mur_paged_lookup(p, format, part, KEY, priority, found);                   \
        value = found.value_words;                                                               \
        return status;                                                                           \
    }                                                                                            \
    uint mur_paged_find(MurPagedRef p, Key key, uint priority, out Value value) {                \
        return mur_paged_find(p, 0u, key, priority, value);                                      \
    }
#define MUR_PAGED_HAS_CALLS(format, Key, KEY, key_words)                                         \
    uint mur_paged_has(MurPagedRef p, uint part, Key key, uint priority) {                       \
        uvec2 none;                                                                              \
        return mur_paged_lookup(p, format, part, KEY, priority, none);                           \
    }                                                                                            \
    uint mur_paged_has(MurPagedRef p, Key key, uint priority) {                                  \
        return mur_paged_has(p, 0u, key, priority);                                              \
    }
MUR_EACH_MAP(MUR_PAGED_FIND_CALLS)
MUR_EACH_SET(MUR_PAGED_HAS_CALLS)
