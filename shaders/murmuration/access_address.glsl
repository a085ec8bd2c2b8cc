// Murmuration: how a table's memory is reached through its device address. The twin for bound
// storage buffers is access_buffer.glsl; both define the same names and nothing else differs
// between them.
//
// Addresses are two 32-bit words, so no 64-bit integers are needed for tables above 4 GiB.
//
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

// base + (index << shift), index being 32 bits wide before the shift.
uvec2 mur_offset(uvec2 base, uint index, uint shift) {
    uint carry;
    uint low = uaddCarry(base.x, index << shift, carry);
    return uvec2(low, base.y + (index >> (32u - shift)) + carry);
}

uvec2 mur_slots_address(MurTableRef t) {
    return mur_offset(t.address, MUR_HEADER_SIZE >> 2, 2u);
}

// Address of a slot; from slotCount on, but in sets, the extra slot in the header.
uvec2 mur_slot_address(MurTableRef t, uint format, uint slot) {
    uint shift = mur_slot_shift(t, format);
    uint extra = (slot - t.slotCount) << (shift - 2u);
    return slot >= t.slotCount ? mur_offset(t.address, MUR_HEADER_EXTRA + extra, 2u)
                               : mur_offset(mur_slots_address(t), slot, shift);
}

// Of word i of a slot.
uvec2 mur_word_address(MurTableRef t, uint format, uint slot, uint i) {
    return i > 1u && mur_in_buckets(t, format)
               ? mur_offset(t.address, mur_beside(t, format, slot, i), 2u)
               : mur_slot_address(t, format, slot) | uvec2(4u * i, 0u);
}

// The header's state word, MUR_STATE_*, by a plain read.
uint mur_state(MurTableRef t) {
    return MurPairPlain(mur_offset(t.address, MUR_HEADER_STATE, 2u)).pair.x;
}

#ifdef MUR_READ_ONLY

#define MUR_HALVES_READ MurHalvesPlain
#define MUR_PAIR_READ   MurPairPlain
#define MUR_WORD_READ   MurWordPlain

#ifdef MUR_INT64_ATOMICS
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer MurWideRead {
    uint64_t word;
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
layout(buffer_reference, std430, buffer_reference_align = 4) buffer MurWord {
    uint word;
};

layout(buffer_reference, std430, buffer_reference_align = 8) writeonly buffer MurPair {
    uvec2 pair;
};

#ifdef MUR_PLAIN_LOOKUPS // the shader can bear what is stale
#define MUR_HALVES_READ MurHalvesPlain
#define MUR_PAIR_READ   MurPairPlain
#define MUR_WORD_READ   MurWordPlain
#else
#define MUR_HALVES_READ MurHalvesCoherent
#define MUR_PAIR_READ   MurPairCoherent
#define MUR_WORD_READ   MurWordCoherent
#endif

// The words that atomics work on: word i, or pair of words i, of a slot; word i of the header.
#define MUR_SLOT_WORD(t, format, slot, i) \
    MurWord(mur_word_address(t, format, slot, i)).word
#define MUR_STATE_WORD(t, i) MurWord(mur_offset(t.address, i, 2u)).word
#ifdef MUR_INT64_ATOMICS
layout(buffer_reference, std430, buffer_reference_align = 8) buffer MurWide {
    uint64_t word;
};
layout(buffer_reference, std430, buffer_reference_align = 8) coherent readonly buffer MurWideRead {
    uint64_t word;
};
#define MUR_SLOT_PAIR(t, format, slot, i) \
    MurWide(mur_slot_address(t, format, slot) | uvec2(8u * (i), 0u)).word
#endif

#ifdef MUR_COHERENT_INSERTS // for kernels of the library that clear tables themselves
#define MUR_HALVES_SEEN MurHalvesCoherent
#else
#define MUR_HALVES_SEEN MurHalvesPlain
#endif

// A sector by plain reads. What key words they show may be stale, which an insert can bear: a key
// word changes once, from empty to a hash, and the compare-and-swap that would claim it tells.
void mur_sector_seen(MurTableRef t, uint format, uint sector, out uvec4 low, out uvec4 high) {
    MUR_HALVES_SEEN s = MUR_HALVES_SEEN(mur_offset(mur_slots_address(t), sector, 5u));
    low = s.halves[0];
    high = s.halves[1];
}

#endif

// A whole sector as it lies in memory, and half a one, that begins at a multiple of 16 bytes from
// the header's start, in the reading mode of the including shader.
void mur_sector(MurTableRef t, uint format, uint sector, out uvec4 low, out uvec4 high) {
    MUR_HALVES_READ s = MUR_HALVES_READ(mur_offset(mur_slots_address(t), sector, 5u));
    low = s.halves[0];
    high = s.halves[1];
}

// Two sectors, that begin at a multiple of 64 bytes from the first slot.
void mur_two_sectors(MurTableRef t, uint format, uint pair, out uvec4 low, out uvec4 high,
                     out uvec4 lowAfter, out uvec4 highAfter) {
    MUR_HALVES_READ s = MUR_HALVES_READ(mur_offset(mur_slots_address(t), pair, 6u));
    low = s.halves[0];
    high = s.halves[1];
    lowAfter = s.halves[2];
    highAfter = s.halves[3];
}

uvec4 mur_half(MurTableRef t, uint format, uint part) {
    return MUR_HALVES_READ(mur_offset(t.address, part, 4u)).halves[0];
}

// A slot's pair of words, that begins at a multiple of 8 bytes from the header's start.
uvec2 mur_pair(MurTableRef t, uint format, uint pair) {
    return MUR_PAIR_READ(mur_offset(t.address, pair, 3u)).pair;
}

// A word that 32-bit atomics write, counted from the header's start.
uint mur_word(MurTableRef t, uint i) {
    return MUR_WORD_READ(mur_offset(t.address, i, 2u)).word;
}

#ifdef MUR_INT64_ATOMICS
// A pair of words that 64-bit atomics write, both at once: pair i of a slot.
uvec2 mur_wide_pair(MurTableRef t, uint format, uint slot, uint i) {
    uvec2 at = mur_slot_address(t, format, slot) | uvec2(8u * i, 0u);
    return unpackUint2x32(MurWideRead(at).word);
}
#endif

#ifndef MUR_READ_ONLY
// A slot's pair of key words, where nobody else writes it.
void mur_store_pair(MurTableRef t, uint slot, uvec2 pair) {
    MurPair(mur_offset(mur_slots_address(t), slot, 3u)).pair = pair;
}
#endif

// How many values a group of murCmdGroup has that begins at word first of the array: they are the
// words behind it.
uint mur_group(uvec2 groups, uint first) {
    return MurWordPlain(mur_offset(groups, first, 2u)).word;
}

// The words of a set's extra slots.
uvec2 mur_set_extra(MurTableRef t) {
    return mur_half(t, MUR_FORMAT_K32, MUR_HEADER_EXTRA / 4u).xy;
}
