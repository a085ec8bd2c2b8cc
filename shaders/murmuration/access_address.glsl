// Murmuration: how a table's memory is reached through its device address. The twin for bound
// storage buffers is access_buffer.glsl; both define the same names and nothing else differs
// between them.
//
// Addresses are two 32-bit words, so no 64-bit integers are needed for tables above 4 GiB.
//
// SPDX-License-Identifier: MIT

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer MurSectorPlain {
    uvec4 low;
    uvec4 high;
};
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer MurHalfPlain {
    uvec4 words;
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

#define MUR_SECTOR_READ MurSectorPlain
#define MUR_HALF_READ   MurHalfPlain
#define MUR_WORD_READ   MurWordPlain

#ifdef MUR_INT64_ATOMICS
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer MurWideRead {
    uint64_t word;
};
#endif

#else

layout(buffer_reference, std430, buffer_reference_align = 16) coherent readonly buffer
MurSectorCoherent {
    uvec4 low;
    uvec4 high;
};
layout(buffer_reference, std430, buffer_reference_align = 16) coherent readonly buffer
MurHalfCoherent {
    uvec4 words;
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
#define MUR_SECTOR_READ MurSectorPlain
#define MUR_HALF_READ   MurHalfPlain
#define MUR_WORD_READ   MurWordPlain
#else
#define MUR_SECTOR_READ MurSectorCoherent
#define MUR_HALF_READ   MurHalfCoherent
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
#define MUR_SECTOR_SEEN MurSectorCoherent
#else
#define MUR_SECTOR_SEEN MurSectorPlain
#endif

// A sector by plain reads. What key words they show may be stale, which an insert can bear: a key
// word changes once, from empty to a hash, and the compare-and-swap that would claim it tells.
void mur_sector_seen(MurTableRef t, uint format, uint sector, out uvec4 low, out uvec4 high) {
    MUR_SECTOR_SEEN s = MUR_SECTOR_SEEN(mur_offset(mur_slots_address(t), sector, 5u));
    low = s.low;
    high = s.high;
}

#endif

// A whole sector as it lies in memory, and half a one, that begins at a multiple of 16 bytes from
// the header's start, in the reading mode of the including shader.
void mur_sector(MurTableRef t, uint format, uint sector, out uvec4 low, out uvec4 high) {
    MUR_SECTOR_READ s = MUR_SECTOR_READ(mur_offset(mur_slots_address(t), sector, 5u));
    low = s.low;
    high = s.high;
}

uvec4 mur_half(MurTableRef t, uint format, uint part) {
    return MUR_HALF_READ(mur_offset(t.address, part, 4u)).words;
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
