// Murmuration: how a table's memory is reached when it is bound as a storage buffer. The twin for
// device addresses is access_address.glsl; both define the same names.
//
// One block a table and one element type a mode, on purpose: two blocks over the same memory may be
// assumed not to alias. A 64-bit-atomics table keeps its header in the words block and its slots in
// the wide block, and never touches one through the other.
//
// SPDX-License-Identifier: MIT

#ifndef MUR_BUFFER_SET
#define MUR_BUFFER_SET 0
#endif
#ifdef MUR_BUFFER_COUNT
#define MUR_BLOCK(block, t) block[t.index]
#define MUR_BLOCK_ARRAY     [MUR_BUFFER_COUNT]
#else
#define MUR_BLOCK(block, t) block
#define MUR_BLOCK_ARRAY
#endif

#ifdef MUR_READ_ONLY

layout(set = MUR_BUFFER_SET, binding = MUR_BUFFER_BINDING, std430) readonly buffer MurHalfSectors {
    uvec4 halves[];
} mur_half_sectors MUR_BLOCK_ARRAY;

// The header's state word, MUR_STATE_*.
uint mur_state(MurTableRef t) {
    return MUR_BLOCK(mur_half_sectors, t).halves[MUR_HEADER_STATE / 4u][MUR_HEADER_STATE % 4u];
}

void mur_sector(MurTableRef t, uint sector, out uvec4 keys, out uvec4 values) {
    uint i = MUR_HEADER_SIZE / 16u + 2u * sector;
    uvec4 low = MUR_BLOCK(mur_half_sectors, t).halves[i];
    uvec4 high = MUR_BLOCK(mur_half_sectors, t).halves[i + 1u];
    keys = uvec4(low.xz, high.xz);
    values = uvec4(low.yw, high.yw);
}

uvec2 mur_pair(MurTableRef t, uint slot) {
    uint i = slot >= t.slotCount ? MUR_HEADER_EXTRA / 2u + (slot - t.slotCount)
                                 : MUR_HEADER_SIZE / 8u + slot;
    uvec4 both = MUR_BLOCK(mur_half_sectors, t).halves[i >> 1];
    return (i & 1u) == 0u ? both.xy : both.zw;
}

#else

layout(set = MUR_BUFFER_SET, binding = MUR_BUFFER_BINDING, std430) coherent buffer MurWords {
    uint words[];
} mur_words MUR_BLOCK_ARRAY;

uint mur_slot_index(MurTableRef t, uint slot) {
    return slot >= t.slotCount ? MUR_HEADER_EXTRA / 2u + (slot - t.slotCount)
                               : MUR_HEADER_SIZE / 8u + slot;
}

// The words that atomics work on.
#define MUR_KEY_WORD(t, slot)   MUR_BLOCK(mur_words, t).words[2u * mur_slot_index(t, slot)]
#define MUR_VALUE_WORD(t, slot) MUR_BLOCK(mur_words, t).words[2u * mur_slot_index(t, slot) + 1u]
#define MUR_STATE_WORD(t, i)    MUR_BLOCK(mur_words, t).words[i]

#ifdef MUR_INT64_ATOMICS
layout(set = MUR_BUFFER_SET, binding = MUR_BUFFER_BINDING, std430) coherent buffer MurWides {
    uint64_t wides[];
} mur_wides MUR_BLOCK_ARRAY;
#define MUR_SLOT_WORD(t, slot) MUR_BLOCK(mur_wides, t).wides[mur_slot_index(t, slot)]
#endif

uvec2 mur_pair(MurTableRef t, uint slot) {
#ifdef MUR_INT64_ATOMICS
    if ((t.flags & MUR_TABLE_INT64) != 0u) {
        return unpackUint2x32(MUR_SLOT_WORD(t, slot));
    }
#endif
    return uvec2(MUR_KEY_WORD(t, slot), MUR_VALUE_WORD(t, slot));
}

void mur_sector(MurTableRef t, uint sector, out uvec4 keys, out uvec4 values) {
    uint slot = MUR_SECTOR_SLOTS * sector;
    uvec2 a = mur_pair(t, slot);
    uvec2 b = mur_pair(t, slot + 1u);
    uvec2 c = mur_pair(t, slot + 2u);
    uvec2 d = mur_pair(t, slot + 3u);
    keys = uvec4(a.x, b.x, c.x, d.x);
    values = uvec4(a.y, b.y, c.y, d.y);
}

void mur_sector_seen(MurTableRef t, uint sector, out uvec4 keys, out uvec4 values) {
    mur_sector(t, sector, keys, values);
}

uint mur_state_seen(MurTableRef t) {
    return MUR_STATE_WORD(t, MUR_HEADER_STATE);
}

#endif

#ifdef MUR_FORMATS
// ---- Formats other than K32V32: their slots as they lie in memory. Pairs of words that 64-bit
// atomics work on belong to the wide block, everything else to the words block.

// Index of a slot's first word.
uint mur_slot_word(MurTableRef t, uint format, uint slot) {
    uint shift = MUR_SLOT_SHIFT(format) - 2u;
    return slot >= t.slotCount ? MUR_HEADER_EXTRA + ((slot - t.slotCount) << shift)
                               : MUR_HEADER_WORDS + (slot << shift);
}

#ifdef MUR_READ_ONLY

#ifdef MUR_INT64_ATOMICS
layout(set = MUR_BUFFER_SET, binding = MUR_BUFFER_BINDING, std430) readonly buffer MurWides {
    uint64_t wides[];
} mur_wides MUR_BLOCK_ARRAY;
#endif

uvec4 mur_half(MurTableRef t, uint format, uint part) {
    return MUR_BLOCK(mur_half_sectors, t).halves[part];
}

uvec2 mur_set_extra(MurTableRef t) {
    return MUR_BLOCK(mur_half_sectors, t).halves[MUR_HEADER_EXTRA / 4u].xy;
}

#else

#define MUR_FORMAT_WORD(t, format, slot, i) \
    MUR_BLOCK(mur_words, t).words[mur_slot_word(t, format, slot) + (i)]
#ifdef MUR_INT64_ATOMICS
#define MUR_FORMAT_WIDE(t, format, slot, i) \
    MUR_BLOCK(mur_wides, t).wides[mur_slot_word(t, format, slot) / 2u + (i)]
#endif

uvec4 mur_half(MurTableRef t, uint format, uint part) {
    uint word = 4u * part;
#ifdef MUR_INT64_ATOMICS
    if ((t.flags & MUR_TABLE_INT64) != 0u) {
        uvec2 low = unpackUint2x32(MUR_BLOCK(mur_wides, t).wides[word / 2u]);
        if (format == MUR_FORMAT_K64V32) {
            return uvec4(low, MUR_BLOCK(mur_words, t).words[word + 2u],
                         MUR_BLOCK(mur_words, t).words[word + 3u]);
        }
        return uvec4(low, unpackUint2x32(MUR_BLOCK(mur_wides, t).wides[word / 2u + 1u]));
    }
#endif
    return uvec4(MUR_BLOCK(mur_words, t).words[word], MUR_BLOCK(mur_words, t).words[word + 1u],
                 MUR_BLOCK(mur_words, t).words[word + 2u],
                 MUR_BLOCK(mur_words, t).words[word + 3u]);
}

uvec2 mur_set_extra(MurTableRef t) {
    return uvec2(MUR_STATE_WORD(t, MUR_HEADER_EXTRA), MUR_STATE_WORD(t, MUR_HEADER_EXTRA + 1u));
}
#endif

#ifdef MUR_INT64_ATOMICS
// A pair of words that 64-bit atomics write, both at once: pair i of a slot.
uvec2 mur_wide_pair(MurTableRef t, uint format, uint slot, uint i) {
    uint wide = mur_slot_word(t, format, slot) / 2u + i;
    return unpackUint2x32(MUR_BLOCK(mur_wides, t).wides[wide]);
}
#endif

void mur_sector_halves(MurTableRef t, uint format, uint sector, out uvec4 low, out uvec4 high) {
    uint part = MUR_HEADER_SIZE / 16u + 2u * sector;
    low = mur_half(t, format, part);
    high = mur_half(t, format, part + 1u);
}

#ifndef MUR_READ_ONLY
void mur_sector_plain(MurTableRef t, uint format, uint sector, out uvec4 low, out uvec4 high) {
    mur_sector_halves(t, format, sector, low, high);
}
#endif
#endif
