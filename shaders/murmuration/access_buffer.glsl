// Murmuration: access to table memory that is bound as a storage buffer. access_address.glsl
// defines the same names, and describes them, for device addresses.
//
// Compilers may assume that two blocks do not alias, even if both are bound to the same memory.
// Therefore each word is accessed through one block only: pairs that 64-bit atomics write, in slots
// and in the sentinel slot, through the wide block, all other words through the words block.
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

// Return 0: only access by device address needs base addresses.
uvec2 mur_slot_base(MurTableRef t, uint format, uint slot) {
    return uvec2(0u);
}

uvec2 mur_word_base(MurTableRef t, uint format, uint slot, uint i) {
    return uvec2(0u);
}

// Returns the index of a slot's first word.
uint mur_slot_index(MurTableRef t, uint format, uint slot) {
    uint shift = mur_slot_shift(t, format) - 2u;
    return slot >= t.slotCount ? MUR_HEADER_EXTRA + ((slot - t.slotCount) << shift)
                               : MUR_HEADER_WORDS + (slot << shift);
}

// Returns the index of word i of a slot.
uint mur_word_index(MurTableRef t, uint format, uint slot, uint i) {
    return i > 1u && mur_is_split(t, format) ? mur_beside(t, format, slot, i)
                                               : mur_slot_index(t, format, slot) + i;
}

#ifdef MUR_READ_ONLY

layout(set = MUR_BUFFER_SET, binding = MUR_BUFFER_BINDING, std430) readonly buffer MurHalfSectors {
    uvec4 halves[];
} mur_half_sectors MUR_BLOCK_ARRAY;
#ifdef MUR_INT64_ATOMICS
layout(set = MUR_BUFFER_SET, binding = MUR_BUFFER_BINDING, std430) readonly buffer MurWides {
    uint64_t wides[];
} mur_wides MUR_BLOCK_ARRAY;
#endif

uint mur_state(MurTableRef t) {
    return MUR_BLOCK(mur_half_sectors, t).halves[MUR_HEADER_STATE / 4u][MUR_HEADER_STATE % 4u];
}

uvec4 mur_half(MurTableRef t, uint format, uint part) {
    return MUR_BLOCK(mur_half_sectors, t).halves[part];
}

uvec2 mur_pair(MurTableRef t, uint format, uint pair) {
    uvec4 words = mur_half(t, format, pair / 2u);
    return pair % 2u == 0u ? words.xy : words.zw;
}

uint mur_word(MurTableRef t, uint i) {
    return MUR_BLOCK(mur_half_sectors, t).halves[i / 4u][i % 4u];
}

uvec2 mur_set_extra(MurTableRef t) {
    return mur_half(t, MUR_FORMAT_K32, MUR_HEADER_EXTRA / 4u).xy;
}

#else

layout(set = MUR_BUFFER_SET, binding = MUR_BUFFER_BINDING, std430) coherent buffer MurWords {
    uint words[];
} mur_words MUR_BLOCK_ARRAY;

#define MUR_WORD_AT(t, base, index) MUR_BLOCK(mur_words, t).words[index]
#define MUR_HEADER_WORD(t, i)       MUR_BLOCK(mur_words, t).words[i]
#define MUR_STATE_WORD(t, i)        MUR_BLOCK(mur_words, t).words[i]
#ifdef MUR_INT64_ATOMICS
layout(set = MUR_BUFFER_SET, binding = MUR_BUFFER_BINDING, std430) coherent buffer MurWides {
    uint64_t wides[];
} mur_wides MUR_BLOCK_ARRAY;
#define MUR_WIDE_AT(t, base, index) MUR_BLOCK(mur_wides, t).wides[index]
#endif

uint mur_word(MurTableRef t, uint i) {
    return MUR_STATE_WORD(t, i);
}

uint mur_state(MurTableRef t) {
    return mur_word(t, MUR_HEADER_STATE);
}

// Reads a pair by one 64-bit read if 64-bit atomics write it: not the pair {value, tag} of K64V32.
uvec2 mur_pair(MurTableRef t, uint format, uint pair) {
#ifdef MUR_INT64_ATOMICS
    if ((t.flags & MUR_TABLE_INT64) != 0u && (format != MUR_FORMAT_K64V32 || pair % 2u == 0u)) {
        return unpackUint2x32(MUR_BLOCK(mur_wides, t).wides[pair]);
    }
#endif
    return uvec2(mur_word(t, 2u * pair), mur_word(t, 2u * pair + 1u));
}

uvec4 mur_half(MurTableRef t, uint format, uint part) {
    return uvec4(mur_pair(t, format, 2u * part), mur_pair(t, format, 2u * part + 1u));
}

uvec2 mur_set_extra(MurTableRef t) {
    return uvec2(MUR_STATE_WORD(t, MUR_HEADER_EXTRA), MUR_STATE_WORD(t, MUR_HEADER_EXTRA + 1u));
}

#endif

#ifdef MUR_INT64_ATOMICS
uvec2 mur_wide_pair(MurTableRef t, uint format, uint slot, uint i) {
    uint wide = mur_slot_index(t, format, slot) / 2u + i;
    return unpackUint2x32(MUR_BLOCK(mur_wides, t).wides[wide]);
}
#endif

void mur_sector(MurTableRef t, uint format, uint sector, out uvec4 low, out uvec4 high) {
    uint part = MUR_HEADER_SIZE / 16u + 2u * sector;
    low = mur_half(t, format, part);
    high = mur_half(t, format, part + 1u);
}

void mur_two_sectors(MurTableRef t, uint format, uint pair, out uvec4 low, out uvec4 high,
                     out uvec4 lowAfter, out uvec4 highAfter) {
    mur_sector(t, format, 2u * pair, low, high);
    mur_sector(t, format, 2u * pair + 1u, lowAfter, highAfter);
}

#ifndef MUR_READ_ONLY
void mur_store_pair(MurTableRef t, uint slot, uvec2 pair) {
    uint word = MUR_HEADER_WORDS + 2u * slot;
#ifdef MUR_INT64_ATOMICS
    if ((t.flags & MUR_TABLE_INT64) != 0u) {
        MUR_BLOCK(mur_wides, t).wides[word / 2u] = packUint2x32(pair);
        return;
    }
#endif
    MUR_STATE_WORD(t, word) = pair.x;
    MUR_STATE_WORD(t, word + 1u) = pair.y;
}

void mur_sector_seen(MurTableRef t, uint format, uint sector, out uvec4 low, out uvec4 high) {
    mur_sector(t, format, sector, low, high);
}
#endif
