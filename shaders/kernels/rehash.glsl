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

// What a slot holds. Kernels look at it through the functions below only.
#define Slot uvec2

// A slot of the source, by a plain read: nobody writes it.
Slot source_slot(uint slot) {
    return MurPairPlain(mur_slot_address(push.source, slot)).pair;
}

// A slot of the table, for whoever has it to itself.
void write_slot(uint slot, Slot pair) {
    MurSlotOut(mur_slot_address(push.table, slot)).pair = pair;
}

Slot make_slot(uint hash, uint value) {
    return Slot(hash, value);
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

// Has no key claimed it? Not for the extra slot, whose key word is MUR_EMPTY.
bool is_free(Slot slot) {
    return slot.x == MUR_EMPTY;
}

// Does an entry live there? The reserved value is the same in both tables.
bool is_live(Slot slot) {
    return slot.y != mur_no_value(push.table);
}

// How the stream goes, MUR_STREAM_*.
uint stream() {
    return mur_input(push.table.address, MUR_HEADER_STREAM);
}

// Something that no stream can do. The command then inserts entry by entry.
void irregular() {
    MurCounter(mur_offset(push.table.address, MUR_HEADER_STREAM, 2u)).word = MUR_STREAM_FAILED;
}
