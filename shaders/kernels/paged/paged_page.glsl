// A page that one workgroup processes: its table, the changes to it, and its leaves.
// SPDX-License-Identifier: MIT

shared uint shared_left;

MurTableRef table_at(uvec2 address) {
    MurTableRef table = mur_kernel_table(mur_paged_table(push, address));
    table.flags |= MUR_TABLE_UNORDERED;
    return table;
}

bool slot_entry(MurTableRef table, uint slot, out uvec2 key, out uvec2 value) {
    uvec3 words;
    bool there = mur_slot_entry(table, KERNEL_FORMAT, slot, words, value);
    key = words.xy;
    return there;
}

uint all_slots() {
    return push.slotCount + MUR_EXTRA_SLOTS(KERNEL_FORMAT);
}

void barrier_all() {
    memoryBarrierBuffer();
    barrier();
}

// The table of a page, or the tables of its two halves if it splits.
struct Target {
    MurTableRef table;
    MurTableRef other; // for keys of the upper half; the same table if the page does not split
    uint depth;        // of the page's leaf: the next bit of the hash chooses the half
    uint sectors;      // maximum distance of a new key from its home slot, in sectors
};

// Returns the half to which a key belongs, 0 or 1: the bit of its hash after the page's depth.
uint half_of(Target t, uvec2 key) {
    uint high, low;
    umulExtended(mur_paged_bits(push, KERNEL_FORMAT, key), push.basePages << (t.depth + 1u), high,
                 low);
    return high & 1u;
}

// Writes empty tables for a partition: in the page, and in the other page if it splits.
void clear_tables(Target t, uint part) {
    MurTableRef table = mur_paged_table(push, t.table.address);
    table.flags = push.flags; // all flags, for the header
    uint tables = t.other.address == t.table.address ? 1u : 2u;
    uint quads = push.slotCount >> (4u - MUR_SLOT_SHIFT(KERNEL_FORMAT));
    for (uint side = 0u; side < tables; ++side) {
        uvec2 address = side == 0u ? t.table.address : t.other.address;
        for (uint i = gl_LocalInvocationIndex; i < MUR_HEADER_SIZE / 4u; i += MUR_WORKGROUP) {
            mur_output(address, i, i == MUR_PAGED_PARTITION_AT ? part : header_word(table, i));
        }
        uvec2 slots = mur_offset(address, MUR_HEADER_STORES, 4u);
        for (uint i = gl_LocalInvocationIndex; i < quads; i += MUR_WORKGROUP) {
            MurHalfOut(mur_offset(slots, i, 4u)).words = free_words(table, KERNEL_FORMAT);
        }
    }
}

MurTableRef side_of(Target t, uvec2 key) {
    MurTableRef table = t.table;
    table.address = half_of(t, key) != 0u ? t.other.address : t.table.address;
    return table;
}

// Replaces all leaves of a page, those of its lower half by one leaf, those of its upper half by
// another. If the partition has only its root, replaces the root by the lower leaf.
void set_leaves(Place p, uint lower, uint upper) {
    if (p.at == MUR_PAGED_NONE) {
        if (gl_LocalInvocationIndex == 0u) {
            set_root(p.slot, lower);
        }
        return;
    }
    uint first = 2u * (p.root & MUR_PAGED_INDEX);
    uint depth = min(MUR_PAGED_DEPTH(p.root), MUR_PAGED_MAX_DEPTH);
    uint bits = depth - min(MUR_PAGED_DEPTH(p.leaf), depth);
    uint start = first + ((p.at - first) >> bits << bits);
    for (uint i = gl_LocalInvocationIndex; i < 1u << bits; i += MUR_WORKGROUP) {
        MUR_PAGED_LEAF(push, min(start + i, push.maxLeaves - 1u)) =
            (i << 1u) >> bits == 0u ? lower : upper;
    }
}

uint with_flags(uint leaf, bool waits) {
    leaf &= ~(MUR_PAGED_FRESH | MUR_PAGED_WAITS);
    return waits ? leaf | MUR_PAGED_WAITS : leaf;
}
