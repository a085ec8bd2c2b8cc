// Murmuration: access to table memory by its device address. access_buffer.glsl defines the same
// names for bound storage buffers; all other files use either.
//
// Addresses are two 32-bit words, so tables above 4 GiB need no 64-bit integers.
// SPDX-License-Identifier: MIT

#if defined(MUR_BUFFER_SET) || defined(MUR_BUFFER_COUNT)
#error "MUR_BUFFER_SET and MUR_BUFFER_COUNT need MUR_BUFFER_BINDING"
#endif

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer MurHalvesPlain {
    uvec4 halves[];
};
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer MurPairPlain {
    uvec2 pair;
};
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer MurWordPlain {
    uint word;
};

// Returns the 64-bit address base + (index << shift); shift is 1 to 31.
uvec2 mur_offset(uvec2 base, uint index, uint shift) {
    uint carry;
    uint low = uaddCarry(base.x, index << shift, carry);
    return uvec2(low, base.y + (index >> (32u - shift)) + carry);
}

uvec2 mur_slots_address(MurTableRef t) {
    return mur_offset(t.address, MUR_HEADER_SIZE >> 2, 2u);
}

// A word of a slot is found by a base address and an index of 32-bit words. The index includes the
// header, because instructions add a constant to an address at no cost. In formats with values,
// slots from slotCount on are the sentinel slot in the header.
uvec2 mur_slot_base(MurTableRef t, uint format, uint slot) {
    uvec2 base = mur_offset(t.address, slot, mur_slot_shift(t, format));
    return slot >= t.slotCount ? t.address : base;
}

uint mur_slot_index(MurTableRef t, uint format, uint slot) {
    uint extra = (slot - t.slotCount) << (mur_slot_shift(t, format) - 2u);
    return slot >= t.slotCount ? MUR_HEADER_EXTRA + extra : MUR_HEADER_WORDS;
}

uvec2 mur_slot_address(MurTableRef t, uint format, uint slot) {
    return mur_offset(mur_slot_base(t, format, slot), mur_slot_index(t, format, slot), 2u);
}

// Return base address and index of word i of a slot. Words 2 and 3 may be apart from the key words.
uvec2 mur_word_base(MurTableRef t, uint format, uint slot, uint i) {
    return i > 1u && mur_is_split(t, format)
               ? mur_offset(t.address, mur_beside(t, format, slot, i), 2u)
               : mur_slot_base(t, format, slot);
}

uint mur_word_index(MurTableRef t, uint format, uint slot, uint i) {
    return i > 1u && mur_is_split(t, format) ? 0u : mur_slot_index(t, format, slot) + i;
}

// Reads the header's state word, MUR_STATE_*, by a plain read.
uint mur_state(MurTableRef t) {
    return MurHalvesPlain(t.address).halves[MUR_HEADER_STATE / 4u][MUR_HEADER_STATE % 4u];
}

#ifdef MUR_READ_ONLY

#define MUR_HALVES_READ MurHalvesPlain
#define MUR_PAIR_READ   MurPairPlain
#define MUR_WORD_READ   MurWordPlain

#ifdef MUR_INT64_ATOMICS
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer MurWideRead {
    uint64_t wides[];
};
#endif

#else

layout(buffer_reference, std430, buffer_reference_align = 16) coherent readonly buffer
MurHalvesCoherent {
    uvec4 halves[];
};
layout(buffer_reference, std430, buffer_reference_align = 8) coherent readonly buffer
MurPairCoherent {
    uvec2 pair;
};
layout(buffer_reference, std430, buffer_reference_align = 4) coherent readonly buffer
MurWordCoherent {
    uint word;
};
layout(buffer_reference, std430, buffer_reference_align = 4) buffer MurWords {
    uint words[];
};

layout(buffer_reference, std430, buffer_reference_align = 8) writeonly buffer MurPair {
    uvec2 pair;
};

#ifdef MUR_NONCOHERENT_LOOKUPS
#define MUR_HALVES_READ MurHalvesPlain
#define MUR_PAIR_READ   MurPairPlain
#define MUR_WORD_READ   MurWordPlain
#else
#define MUR_HALVES_READ MurHalvesCoherent
#define MUR_PAIR_READ   MurPairCoherent
#define MUR_WORD_READ   MurWordCoherent
#endif

// A word for atomics: at base and index; in the header; at index i from the header's start on.
#define MUR_WORD_AT(t, base, index) MurWords(base).words[index]
#define MUR_HEADER_WORD(t, i)       MurWords(t.address).words[i]
#define MUR_STATE_WORD(t, i)        MurWords(mur_offset(t.address, i, 2u)).words[0]
#ifdef MUR_INT64_ATOMICS
layout(buffer_reference, std430, buffer_reference_align = 8) buffer MurWides {
    uint64_t wides[];
};
layout(buffer_reference, std430, buffer_reference_align = 8) coherent readonly buffer MurWideRead {
    uint64_t wides[];
};
#define MUR_WIDE_AT(t, base, index) MurWides(base).wides[index]
#endif

#ifdef MUR_COHERENT_INSERTS // for the library's kernels that also clear the table
#define MUR_HALVES_SEEN MurHalvesCoherent
#else
#define MUR_HALVES_SEEN MurHalvesPlain
#endif

// Reads a sector for an insert, by plain reads. Stale key words are allowed: a key word changes
// once, from empty to a hash, and the compare-and-swap that tries to claim it detects the change.
void mur_sector_seen(MurTableRef t, uint format, uint sector, out uvec4 low, out uvec4 high) {
    MUR_HALVES_SEEN s = MUR_HALVES_SEEN(mur_offset(t.address, sector, 5u));
    low = s.halves[MUR_HEADER_SIZE / 16u];
    high = s.halves[MUR_HEADER_SIZE / 16u + 1u];
}

#endif

// Reads a sector. This and the next functions read coherently unless macros select plain reads.
void mur_sector(MurTableRef t, uint format, uint sector, out uvec4 low, out uvec4 high) {
    MUR_HALVES_READ s = MUR_HALVES_READ(mur_offset(t.address, sector, 5u));
    low = s.halves[MUR_HEADER_SIZE / 16u];
    high = s.halves[MUR_HEADER_SIZE / 16u + 1u];
}

// Reads two neighbouring sectors. pair: their offset from the first slot, in units of 64 bytes.
void mur_two_sectors(MurTableRef t, uint format, uint pair, out uvec4 low, out uvec4 high,
                     out uvec4 lowAfter, out uvec4 highAfter) {
    MUR_HALVES_READ s = MUR_HALVES_READ(mur_offset(t.address, pair, 6u));
    low = s.halves[MUR_HEADER_SIZE / 16u];
    high = s.halves[MUR_HEADER_SIZE / 16u + 1u];
    lowAfter = s.halves[MUR_HEADER_SIZE / 16u + 2u];
    highAfter = s.halves[MUR_HEADER_SIZE / 16u + 3u];
}

// Reads half a sector. part: its offset from the header's start, in units of 16 bytes.
uvec4 mur_half(MurTableRef t, uint format, uint part) {
    return MUR_HALVES_READ(mur_offset(t.address, part, 4u)).halves[0];
}

// Reads a pair of words. pair: its offset from the header's start, in units of 8 bytes.
uvec2 mur_pair(MurTableRef t, uint format, uint pair) {
    return MUR_PAIR_READ(mur_offset(t.address, pair, 3u)).pair;
}

// Reads a 32-bit word that 32-bit atomics write. i: index of the word from the header's start.
uint mur_word(MurTableRef t, uint i) {
    return MUR_WORD_READ(mur_offset(t.address, i, 2u)).word;
}

#ifdef MUR_INT64_ATOMICS
// Reads pair i of a slot's words by one 64-bit read, because 64-bit atomics write the pair.
uvec2 mur_wide_pair(MurTableRef t, uint format, uint slot, uint i) {
    uint wide = mur_slot_index(t, format, slot) / 2u + i;
    return unpackUint2x32(MurWideRead(mur_slot_base(t, format, slot)).wides[wide]);
}
#endif

#ifndef MUR_READ_ONLY
// Stores the pair of key words of a slot, which no other invocation may write.
void mur_store_pair(MurTableRef t, uint slot, uvec2 pair) {
    MurPair(mur_offset(t.address, MUR_HEADER_WORDS / 2u + slot, 3u)).pair = pair;
}
#endif

// Returns the number of values of a group of murCmdGroup. first: index of the group's first word;
// the values are in the next words.
uint mur_group(uvec2 groups, uint first) {
    return MurWordPlain(mur_offset(groups, first, 2u)).word;
}

// Reads the words of a set's sentinel slots.
uvec2 mur_set_extra(MurTableRef t) {
    return MUR_HALVES_READ(t.address).halves[MUR_HEADER_EXTRA / 4u].xy;
}
