#version 450
#extension GL_GOOGLE_include_directive : require
// Creates and judges batches on the GPU. They are too large to copy to the host.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "murmuration.glsl"
#include "items.h"

layout(local_size_x = ITEMS_WORKGROUP) in;

layout(push_constant) uniform Push {
    ItemsPush push;
};

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Word {
    uint word;
};

uvec2 at(uvec2 array, uint i) {
    return mur_offset(array, i, 2u);
}

uint load(uvec2 array, uint i, uint missing) {
    return (array.x | array.y) == 0u ? missing : Word(at(array, i)).word;
}

shared uint shared_wrong;
shared uint shared_judged;

void note(uint item, uint status, uint value, uint slot) {
    atomicAdd(shared_wrong, 1u);
    uint before = atomicCompSwap(Word(at(push.verdict, ITEMS_FIRST)).word, 0xFFFFFFFFu, item);
    if (before == 0xFFFFFFFFu) {
        Word(at(push.verdict, ITEMS_STATUS)).word = status;
        Word(at(push.verdict, ITEMS_VALUE)).word = value;
        Word(at(push.verdict, ITEMS_SLOT)).word = slot;
    }
}

void judge(uint item, uint key) {
    uint none = mur_empty_value(push.table);
    bool there = push.status == MUR_FOUND || push.status == MUR_ERASED ||
                 push.status == MUR_INSERTED || push.status == MUR_EXISTED;
    uint expected = there ? items_value(key) : none;
    uint status, value, slot;
    if (push.task == ITEMS_LOOKUP) {
        slot = mur_find_slot(push.table, key, value);
        status = slot == MUR_NO_SLOT ? MUR_ABSENT : MUR_FOUND;
        if (slot != load(push.slots, item, slot)) {
            note(item, status, value, slot);
        }
    } else {
        status = load(push.statuses, item, push.status);
        value = load(push.values, item, expected);
        slot = load(push.slots, item, there ? push.lowest : MUR_NO_SLOT);
    }
    bool placed = there ? slot >= push.lowest && slot <= push.table.slotCount : slot == MUR_NO_SLOT;
    if (status != push.status || value != expected || !placed) {
        note(item, status, value, slot);
    }
}

void run(uint item) {
    uint key = mur_key(push.first + item * push.step, push.table.seed);
    if (push.task == ITEMS_MAKE) {
        Word(at(push.keys, item)).word = key;
        Word(at(push.values, item)).word = items_value(key);
        return;
    }
    judge(item, key);
    atomicAdd(shared_judged, 1u);
}

void main() {
    if (gl_LocalInvocationIndex == 0u) {
        shared_wrong = 0u;
        shared_judged = 0u;
    }
    barrier();
    // The last iteration may pass 2^32, so the loop counts the items left.
    uint stride = gl_NumWorkGroups.x * ITEMS_WORKGROUP;
    uint item = gl_GlobalInvocationID.x;
    uint left = item < push.count ? (push.count - 1u - item) / stride + 1u : 0u;
    for (; left != 0u; --left, item += stride) {
        run(item);
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        atomicAdd(Word(at(push.verdict, ITEMS_WRONG)).word, shared_wrong);
        atomicAdd(Word(at(push.verdict, ITEMS_JUDGED)).word, shared_judged);
    }
}
