// What the kernels of murCmdRehash share: push constants, how slots are read and written.
//
// Include after murmuration.glsl and kernel.glsl.
//
// SPDX-License-Identifier: MIT

layout(push_constant) uniform MurPush {
    MurRehashPush push;
};

layout(buffer_reference, std430, buffer_reference_align = 8) writeonly buffer MurSlotOut {
    uvec2 pair;
};

// Called with how many slots of the source are read. Tests count them, behind the result.
void count_reads(uint slots) {
#ifdef MUR_COUNT_READS
    atomicAdd(MurCounter(mur_offset(push.result, MUR_REHASH_WORDS, 2u)).word, slots);
#endif
}

// Of the destination's sectors, MUR_REHASH_CHUNK each.
uint chunk_count() {
    uint sectors = push.table.slotCount / MUR_SLOTS_OF(KERNEL_FORMAT);
    return (sectors - 1u) / MUR_REHASH_CHUNK + 1u;
}

// What a slot holds. Kernels look at it through the functions below only: source_slot(), by a plain
// read, since nobody writes the source; write_slot() for whoever has the table to itself;
// hash_of(), what slots are in order of, never MUR_EMPTY; is_free(), not for the
// extra slot. MUR_REHASH_WIDE: K64V32, in order of the high half of the hash.
#ifdef MUR_REHASH_WIDE
#define Slot uvec4

layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer MurWideSlotOut {
    uvec4 words;
};

Slot source_slot(uint slot) {
    count_reads(1u);
    return MurHalfPlain(mur_offset(mur_slots_address(push.source), slot, 4u)).words;
}

void write_slot(uint slot, Slot words) {
    MurWideSlotOut(mur_offset(mur_slots_address(push.table), slot, 4u)).words = words;
}

Slot free_slot() {
    return Slot(MUR_EMPTY, MUR_EMPTY, mur_no_value(push.table), 0u);
}

// The two largest count as one: they have one home, in tables of up to 2^31 slots.
uint hash_of(Slot slot) {
    return min(mur_hash_in(MUR_FORMAT_K64V32, slot).y, MUR_EMPTY - 1u);
}

uint value_of(Slot slot) {
    return slot.z;
}

bool is_free(Slot slot) {
    return slot.x == MUR_EMPTY;
}
#else
#define Slot uvec2

Slot source_slot(uint slot) {
    count_reads(1u);
    return MurPairPlain(mur_slot_address(push.source, MUR_FORMAT_K32V32, slot)).pair;
}

void write_slot(uint slot, Slot pair) {
    MurSlotOut(mur_slot_address(push.table, MUR_FORMAT_K32V32, slot)).pair = pair;
}

Slot free_slot() {
    return Slot(MUR_EMPTY, mur_no_value(push.table));
}

uint hash_of(Slot slot) {
    return slot.x;
}

uint value_of(Slot slot) {
    return slot.y;
}

bool is_free(Slot slot) {
    return slot.x == MUR_EMPTY;
}
#endif

// Does an entry live there? The reserved value is the same in both tables.
bool is_live(Slot slot) {
    return value_of(slot) != mur_no_value(push.table);
}

// Two slots at once: the i-th two from the slot whose address is base, of an even number.
#ifdef MUR_REHASH_WIDE
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer MurSlotsIn {
    Slot slots[];
};
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer MurSlotsOut {
    Slot slots[];
};
const uint SLOT_SHIFT = 4u;

void read_slots(uvec2 base, uint i, out Slot slots[2]) {
    count_reads(2u);
    slots[0] = MurSlotsIn(base).slots[2u * i];
    slots[1] = MurSlotsIn(base).slots[2u * i + 1u];
}

void write_slots(uvec2 base, uint i, Slot low, Slot high) {
    MurSlotsOut(base).slots[2u * i] = low;
    MurSlotsOut(base).slots[2u * i + 1u] = high;
}
#else
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer MurSlotsIn {
    uvec4 words[];
};
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer MurSlotsOut {
    uvec4 words[];
};
const uint SLOT_SHIFT = 3u;

void read_slots(uvec2 base, uint i, out Slot slots[2]) {
    count_reads(2u);
    uvec4 words = MurSlotsIn(base).words[i];
    slots[0] = words.xy;
    slots[1] = words.zw;
}

void write_slots(uvec2 base, uint i, Slot low, Slot high) {
    MurSlotsOut(base).words[i] = uvec4(low, high);
}
#endif

// How the stream goes, MUR_STREAM_*. While it does, the bits above count what is read besides, see
// charge(), and the word changes by atomics only.
const uint STREAM_BITS = 2u;
const uint STREAM_MASK = (1u << STREAM_BITS) - 1u;

MurCounter stream_word() {
    return MurCounter(mur_offset(push.table.address, MUR_HEADER_STREAM, 2u));
}
