// What the kernels of murCmdRehash share: push constants, how slots are read, counting.
//
// Include after murmuration.glsl and kernel.glsl.
//
// SPDX-License-Identifier: MIT

layout(push_constant) uniform MurPush {
    MurRehashPush push;
};

// What a slot holds. Kernels look at it through the functions below only.
#define Slot uvec2

// A slot of the source, by a plain read: nobody writes it.
Slot source_slot(uint slot) {
    return MurPairPlain(mur_slot_address(push.source, slot)).pair;
}

// Does an entry live there? The reserved value is the same in both tables.
bool is_live(Slot slot) {
    return slot.y != mur_no_value(push.table);
}

// Has a key claimed it that was erased since? The extra slot's key word is MUR_EMPTY.
bool is_erased(Slot slot) {
    return slot.x != MUR_EMPTY && !is_live(slot);
}
