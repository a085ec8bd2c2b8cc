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
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer MurPairPlain {
    uvec2 pair;
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

// Address of a slot; from slotCount on the extra slots in the header.
uvec2 mur_slot_address(MurTableRef t, uint slot) {
    return slot >= t.slotCount
               ? mur_offset(t.address, MUR_HEADER_EXTRA + 2u * (slot - t.slotCount), 2u)
               : mur_offset(mur_slots_address(t), slot, 3u);
}

#ifdef MUR_READ_ONLY

#define MUR_SECTOR_READ MurSectorPlain
#define MUR_PAIR_READ   MurPairPlain

// The header's state word, MUR_STATE_*.
uint mur_state(MurTableRef t) {
    return MurPairPlain(mur_offset(t.address, MUR_HEADER_STATE, 2u)).pair.x;
}

#else

layout(buffer_reference, std430, buffer_reference_align = 16) coherent readonly buffer
MurSectorCoherent {
    uvec4 low;
    uvec4 high;
};
layout(buffer_reference, std430, buffer_reference_align = 8) coherent readonly buffer
MurPairCoherent {
    uvec2 pair;
};
layout(buffer_reference, std430, buffer_reference_align = 4) buffer MurWord {
    uint word;
};

#ifdef MUR_PLAIN_LOOKUPS // for kernels of the library that can bear what is stale
#define MUR_SECTOR_READ MurSectorPlain
#define MUR_PAIR_READ   MurPairPlain
#else
#define MUR_SECTOR_READ MurSectorCoherent
#define MUR_PAIR_READ   MurPairCoherent
#endif

// The words that atomics work on.
#define MUR_KEY_WORD(t, slot)   MurWord(mur_slot_address(t, slot)).word
#define MUR_VALUE_WORD(t, slot) MurWord(mur_slot_address(t, slot) | uvec2(4u, 0u)).word
#define MUR_STATE_WORD(t, i)    MurWord(mur_offset(t.address, i, 2u)).word

#ifdef MUR_INT64_ATOMICS
layout(buffer_reference, std430, buffer_reference_align = 8) buffer MurWide {
    uint64_t word;
};
#define MUR_SLOT_WORD(t, slot) MurWide(mur_slot_address(t, slot)).word
#endif

#ifdef MUR_COHERENT_INSERTS // for kernels of the library that clear tables themselves
#define MUR_SECTOR_SEEN MurSectorCoherent
#else
#define MUR_SECTOR_SEEN MurSectorPlain
#endif

// A sector by plain reads. What key words they show may be stale, which an insert can bear: a key
// word changes once, from empty to a hash, and the compare-and-swap that would claim it tells.
void mur_sector_seen(MurTableRef t, uint sector, out uvec4 keys, out uvec4 values) {
    MUR_SECTOR_SEEN s = MUR_SECTOR_SEEN(mur_offset(mur_slots_address(t), sector, 5u));
    uvec4 low = s.low;
    uvec4 high = s.high;
    keys = uvec4(low.xz, high.xz);
    values = uvec4(low.yw, high.yw);
}

// The table's state, by a plain read: what a claim has to note may have been noted meanwhile.
uint mur_state_seen(MurTableRef t) {
    return MurPairPlain(mur_offset(t.address, MUR_HEADER_STATE, 2u)).pair.x;
}

#endif

// A whole sector, in the reading mode of the including shader.
void mur_sector(MurTableRef t, uint sector, out uvec4 keys, out uvec4 values) {
    MUR_SECTOR_READ s = MUR_SECTOR_READ(mur_offset(mur_slots_address(t), sector, 5u));
    uvec4 low = s.low;
    uvec4 high = s.high;
    keys = uvec4(low.xz, high.xz);
    values = uvec4(low.yw, high.yw);
}

// One slot's {key word, value word}, in the reading mode of the including shader.
uvec2 mur_pair(MurTableRef t, uint slot) {
    return MUR_PAIR_READ(mur_slot_address(t, slot)).pair;
}

#ifdef MUR_FORMATS
// ---- Formats other than K32V32: their slots as they lie in memory.

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer MurHalfPlain {
    uvec4 words;
};

// Address of a slot; from slotCount on, but in sets, the extra slots in the header.
uvec2 mur_slot_address(MurTableRef t, uint format, uint slot) {
    uint shift = MUR_SLOT_SHIFT(format);
    uint extra = (slot - t.slotCount) << (shift - 2u);
    return slot >= t.slotCount ? mur_offset(t.address, MUR_HEADER_EXTRA + extra, 2u)
                               : mur_offset(mur_slots_address(t), slot, shift);
}

#ifdef MUR_READ_ONLY
#define MUR_HALF_READ MurHalfPlain
#ifdef MUR_INT64_ATOMICS
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer MurWideRead {
    uint64_t word;
};
#endif
#else
layout(buffer_reference, std430, buffer_reference_align = 16) coherent readonly buffer
MurHalfCoherent {
    uvec4 words;
};
#ifdef MUR_PLAIN_LOOKUPS
#define MUR_HALF_READ MurHalfPlain
#else
#define MUR_HALF_READ MurHalfCoherent
#endif

// The words that atomics work on: word i, or pair of words i, of a slot.
#define MUR_FORMAT_WORD(t, format, slot, i) \
    MurWord(mur_slot_address(t, format, slot) | uvec2(4u * (i), 0u)).word
#ifdef MUR_INT64_ATOMICS
layout(buffer_reference, std430, buffer_reference_align = 8) coherent readonly buffer MurWideRead {
    uint64_t word;
};
#define MUR_FORMAT_WIDE(t, format, slot, i) \
    MurWide(mur_slot_address(t, format, slot) | uvec2(8u * (i), 0u)).word
#endif

// A sector by plain reads, for inserts (see mur_sector_keys).
void mur_sector_plain(MurTableRef t, uint format, uint sector, out uvec4 low, out uvec4 high) {
    MUR_SECTOR_SEEN s = MUR_SECTOR_SEEN(mur_offset(mur_slots_address(t), sector, 5u));
    low = s.low;
    high = s.high;
}
#endif

// The two halves of a sector, and one half that begins at a multiple of 16 bytes from the header's
// start, in the reading mode of the including shader.
void mur_sector_halves(MurTableRef t, uint format, uint sector, out uvec4 low, out uvec4 high) {
    MUR_SECTOR_READ s = MUR_SECTOR_READ(mur_offset(mur_slots_address(t), sector, 5u));
    low = s.low;
    high = s.high;
}

uvec4 mur_half(MurTableRef t, uint format, uint part) {
    return MUR_HALF_READ(mur_offset(t.address, part, 4u)).words;
}

#ifdef MUR_INT64_ATOMICS
// A pair of words that 64-bit atomics write, both at once: pair i of a slot.
uvec2 mur_wide_pair(MurTableRef t, uint format, uint slot, uint i) {
    uvec2 at = mur_slot_address(t, format, slot) | uvec2(8u * i, 0u);
    return unpackUint2x32(MurWideRead(at).word);
}
#endif

// The words of a set's extra slots.
uvec2 mur_set_extra(MurTableRef t) {
    return mur_half(t, MUR_FORMAT_K32, MUR_HEADER_EXTRA / 4u).xy;
}
#endif
