#version 450
#extension GL_GOOGLE_include_directive : require
// Billions of operations on a table at the same time: too many to record, so that each key has
// tallies instead, which verify.comp compares with the table afterwards. What can be judged at once
// is.
// SPDX-License-Identifier: MIT
#include "murmuration.glsl"
#include "contend.h"

layout(local_size_x = CONTEND_WORKGROUP) in;

layout(push_constant) uniform Push {
    ContendPush push;
};

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Word {
    uint word;
};

shared uint shared_tallies[2u * CONTEND_FEW];
shared uint shared_wrong;

void tally(uint key, uint balance, uint sum) {
    if (push.keyCount <= CONTEND_FEW) {
        atomicAdd(shared_tallies[2u * key], balance);
        atomicAdd(shared_tallies[2u * key + 1u], sum);
        return;
    }
    if (balance != 0u) {
        atomicAdd(Word(mur_offset(push.tallies, 2u * key, 2u)).word, balance);
    }
    if (sum != 0u) {
        atomicAdd(Word(mur_offset(push.tallies, 2u * key + 1u, 2u)).word, sum);
    }
}

void note(uint index, uint value) {
    atomicAdd(shared_wrong, 1u);
    if (atomicCompSwap(Word(mur_offset(push.errors, CONTEND_FIRST, 2u)).word, 0xFFFFFFFFu, index) ==
        0xFFFFFFFFu) {
        Word(mur_offset(push.errors, CONTEND_VALUE, 2u)).word = value;
    }
}

// Lookups and erasures: the value must be one of this key's.
void take(uint op, uint index, uint key) {
    uint value, slot;
    uint status;
    if (op == CONTEND_FIND) {
        slot = mur_find_slot(push.table, key, value);
        status = slot == MUR_NO_SLOT ? MUR_ABSENT : MUR_FOUND;
    } else {
        status = mur_erase(push.table, key, value, slot);
    }
    bool there = status == MUR_FOUND || status == MUR_ERASED;
    if (there != (value != mur_no_value(push.table)) || value % contend_factor(key) != 0u) {
        note(index, value);
    }
    if (status == MUR_ERASED) {
        tally(index, 0xFFFFFFFFu, 0u - value);
    }
}

void give(uint mode, uint index, uint key, uint amount) {
    uint slot;
    uint status = mur_insert_mode(push.table, key, amount, mode, slot);
    bool fits = status == MUR_INSERTED || status == MUR_EXISTED;
    if (!fits || slot > push.table.slotCount) {
        note(index, amount);
    }
    uint effective = mode == MUR_MODE_ADD || status == MUR_INSERTED ? amount : 0u;
    tally(index, status == MUR_INSERTED ? 1u : 0u, effective);
}

void main() {
    if (gl_LocalInvocationIndex < 2u * CONTEND_FEW) {
        shared_tallies[gl_LocalInvocationIndex] = 0u;
    }
    if (gl_LocalInvocationIndex == 0u) {
        shared_wrong = 0u;
    }
    barrier();
    for (uint round = 0u; round < push.rounds; ++round) {
        uint random = mur_hash(gl_GlobalInvocationID.x * push.rounds + round, push.seed);
        uint op = (push.mix >> (4u * (random >> 29))) & 15u;
        // A round in two has neighbours work on the same key, the others work anywhere.
        uint near = mur_hash(gl_GlobalInvocationID.x / 8u + round, push.seed);
        uint chosen = (round & 1u) == 0u ? mur_hash(random, 1u) : near;
        uint index = chosen % push.keyCount;
        uint key = contend_key(index, push.keyCount, push.table.seed);
        if (op <= MUR_MODE_OR) {
            give(op, index, key, contend_factor(key) * (1u + (random & 3u)));
        } else {
            take(op, index, key);
        }
    }
    barrier();
    if (gl_LocalInvocationIndex < 2u * push.keyCount && push.keyCount <= CONTEND_FEW) {
        atomicAdd(Word(mur_offset(push.tallies, gl_LocalInvocationIndex, 2u)).word,
                  shared_tallies[gl_LocalInvocationIndex]);
    }
    if (gl_LocalInvocationIndex == 0u && shared_wrong != 0u) {
        atomicAdd(Word(mur_offset(push.errors, CONTEND_WRONG, 2u)).word, shared_wrong);
    }
}
