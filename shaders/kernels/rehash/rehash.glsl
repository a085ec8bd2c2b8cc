// Shared by the kernels of murCmdRehash: push constants, and access to slots.
// SPDX-License-Identifier: MIT

#define PUSH MurRehashPush
#include "../kernel.glsl"
#include "../header.glsl"

// Counts reads of slots, in the word after the result. Only tests define MUR_COUNT_READS.
void count_reads(uint slots) {
#ifdef MUR_COUNT_READS
    atomicAdd(MurCounter(mur_offset(push.result, MUR_REHASH_WORDS, 2u)).word, slots);
#endif
}

// Returns the number of chunks of MUR_REHASH_CHUNK sectors in the destination.
uint chunk_count() {
    uint sectors = push.table.slotCount / MUR_SLOTS_OF(KERNEL_FORMAT);
    return (sectors - 1u) / MUR_REHASH_CHUNK + 1u;
}

layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer MurQuadsOut {
    uvec4 words[];
};

// Slot is the content of a slot. Kernels access slots only by the functions below. source_slot() is
// a plain read, since no work writes the source. write_slot() requires exclusive access.
// read_slots() and write_slots() access two slots at once: slots 2i and 2i + 1 after base, the
// address of a slot with an even number. hash_of() returns the word by which entries are sorted,
// never MUR_EMPTY. Do not call is_free() for the sentinel slot. MUR_REHASH_WIDE selects K64V32,
// whose entries are sorted by the high half of the hash.
#ifdef MUR_REHASH_WIDE
#define Slot             uvec4
#define SLOT_BYTES       16
#define SLOT_AT(t, slot) mur_offset(mur_slots_address(t), slot, SLOT_SHIFT)
const uint SLOT_FORMAT = MUR_FORMAT_K64V32;

// The two largest hashes count as equal: in tables of up to 2^31 slots they have the same home.
uint hash_of(Slot slot) {
    return min(mur_hash_in(push.table, MUR_FORMAT_K64V32, slot).y, MUR_EMPTY - 1u);
}

uint value_of(Slot slot) {
    return slot.z;
}

void read_slots(uvec2 base, uint i, out Slot slots[2]) {
    count_reads(2u);
    slots[0] = MurHalvesPlain(base).halves[2u * i];
    slots[1] = MurHalvesPlain(base).halves[2u * i + 1u];
}

void write_slots(uvec2 base, uint i, Slot low, Slot high) {
    MurQuadsOut(base).words[2u * i] = low;
    MurQuadsOut(base).words[2u * i + 1u] = high;
}
#else
#define Slot             uvec2
#define SLOT_BYTES       8
#define SLOT_AT(t, slot) mur_slot_address(t, SLOT_FORMAT, slot)
const uint SLOT_FORMAT = MUR_FORMAT_K32V32;

uint hash_of(Slot slot) {
    return slot.x;
}

uint value_of(Slot slot) {
    return slot.y;
}

void read_slots(uvec2 base, uint i, out Slot slots[2]) {
    count_reads(2u);
    uvec4 words = MurHalvesPlain(base).halves[i];
    slots[0] = words.xy;
    slots[1] = words.zw;
}

void write_slots(uvec2 base, uint i, Slot low, Slot high) {
    MurQuadsOut(base).words[i] = uvec4(low, high);
}
#endif

const uint SLOT_SHIFT = MUR_SLOT_SHIFT(SLOT_FORMAT);

layout(buffer_reference, std430, buffer_reference_align = SLOT_BYTES) readonly buffer MurSlotIn {
    Slot slot;
};
layout(buffer_reference, std430, buffer_reference_align = SLOT_BYTES) writeonly buffer MurSlotOut {
    Slot slot;
};

Slot source_slot(uint slot) {
    count_reads(1u);
    return MurSlotIn(SLOT_AT(push.source, slot)).slot;
}

void write_slot(uint slot, Slot words) {
    MurSlotOut(SLOT_AT(push.table, slot)).slot = words;
}

Slot free_slot() {
    return Slot(free_words(push.table, SLOT_FORMAT));
}

bool is_free(Slot slot) {
    return slot.x == MUR_EMPTY;
}

// Returns whether the slot has an entry. Both tables have the same empty value.
bool is_live(Slot slot) {
    return value_of(slot) != mur_empty_value(push.table);
}

// The low bits of the word MUR_HEADER_STREAM are the stream's state, MUR_STREAM_*. While the stream
// executes, the higher bits count additional reads, see charge(), and only atomics change the word.
const uint STREAM_BITS = 2u;
const uint STREAM_MASK = (1u << STREAM_BITS) - 1u;

MurCounter stream_word() {
    return MurCounter(mur_offset(push.table.address, MUR_HEADER_STREAM, 2u));
}
