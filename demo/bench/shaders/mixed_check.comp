#version 450
#extension GL_GOOGLE_include_directive : require
// Checks invariants that hold after a mixed dispatch in any order. Every result is valid for its
// operation. For each key, presence before + inserts - erases is presence after.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "murmuration.glsl"
#include "mixed.glsl"

bool possible(uint op, uint outcome) {
    return op == OP_FIND     ? outcome == MUR_FOUND || outcome == MUR_ABSENT
           : op == OP_INSERT ? outcome == MUR_INSERTED || outcome == MUR_EXISTED
                             : outcome == MUR_ERASED || outcome == MUR_ABSENT;
}

void check_item(uint i) {
    uint outcome = Word(mur_offset(push.outcomes, i, 2u)).word;
    uint change = outcome == MUR_INSERTED ? 1u : outcome == MUR_ERASED ? 0xFFFFFFFFu : 0u;
    if (change != 0u) {
        atomicAdd(Word(mur_offset(push.balance, mixed_pair(i), 2u)).word, change);
    }
    if (!possible(mixed_op(i), outcome)) {
        atomicAdd(Word(push.errors).word, 1u);
    }
}

void check_key(uint pair) {
    uint value;
    uint after = mur_find(push.table, pair_key(pair), value) ? 1u : 0u;
    uint before = pair < push.filled ? 1u : 0u;
    uint change = Word(mur_offset(push.balance, pair, 2u)).word;
    if (before + change != after || (after == 1u && value != pair_value(pair))) {
        atomicAdd(Word(push.errors).word, 1u);
    }
}

void main() {
    uint i = item();
    if (push.phase == MIXED_ITEMS && i < push.count) {
        check_item(i);
    } else if (push.phase == MIXED_KEYS && i < push.universe) {
        check_key(i);
    }
}
