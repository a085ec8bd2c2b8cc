#version 450
#extension GL_GOOGLE_include_directive : require
// After contend.comp: is each key in the table just when its insertions and erasures say so, with
// the value that they add up to?
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "murmuration.glsl"
#include "contend.h"

layout(local_size_x = CONTEND_WORKGROUP) in;

layout(push_constant) uniform Push {
    ContendPush push;
};

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Word {
    uint word;
};

shared uint counts[CONTEND_WORDS];

void note(uint error, uint index, uint value) {
    atomicAdd(counts[error], 1u);
    if (atomicCompSwap(Word(mur_offset(push.errors, CONTEND_FIRST, 2u)).word, 0xFFFFFFFFu, index) ==
        0xFFFFFFFFu) {
        Word(mur_offset(push.errors, CONTEND_VALUE, 2u)).word = value;
    }
}

void verify(uint index) {
    uint key = contend_key(index, push.keyCount, push.table.seed);
    uint value;
    bool present = mur_find(push.table, key, value);
    uvec2 word; // of an erased key, too
    uvec3 hash = uvec3(mur_hash(key, push.table.seed), 0u, 0u);
    uint slot = mur_probe(push.table, MUR_FORMAT_K32V32, hash, word);
    uint balance = Word(mur_offset(push.tallies, 2u * index, 2u)).word;
    uint sum = Word(mur_offset(push.tallies, 2u * index + 1u, 2u)).word;
    if (balance != (present ? 1u : 0u)) {
        note(CONTEND_UNBALANCED, index, value);
    }
    if (push.sums != 0u && sum != (present ? value : 0u)) {
        note(CONTEND_UNEQUAL, index, value);
    }
    if (present && value % contend_factor(key) != 0u) {
        note(CONTEND_WRONG, index, value);
    }
    atomicAdd(counts[CONTEND_PRESENT], present ? 1u : 0u);
    atomicAdd(counts[CONTEND_CLAIMED], slot < push.table.slotCount ? 1u : 0u);
}

void main() {
    if (gl_LocalInvocationIndex < CONTEND_WORDS) {
        counts[gl_LocalInvocationIndex] = 0u;
    }
    barrier();
    uint stride = gl_NumWorkGroups.x * CONTEND_WORKGROUP;
    for (uint index = gl_GlobalInvocationID.x; index < push.keyCount; index += stride) {
        verify(index);
    }
    barrier();
    uint word = gl_LocalInvocationIndex;
    if (word <= CONTEND_CLAIMED && counts[word] != 0u) {
        atomicAdd(Word(mur_offset(push.errors, word, 2u)).word, counts[word]);
    }
}
