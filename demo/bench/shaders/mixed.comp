#version 450
#extension GL_GOOGLE_include_directive : require
// Finds, inserts and erases in one dispatch of a user's shader. Compiled for both atomic widths.
// SPDX-License-Identifier: MIT
#include "murmuration.glsl"
#include "mixed.glsl"

uint find(uint pair) {
    uint value;
    if (!mur_find(push.table, pair_key(pair), value)) {
        return MUR_ABSENT;
    }
    return value == pair_value(pair) ? MUR_FOUND : MIXED_WRONG;
}

void main() {
    uint i = item();
    if (i >= push.count) {
        return;
    }
    uint pair = mixed_pair(i);
    uint outcome;
    switch (mixed_op(i)) {
    case OP_FIND:
        outcome = find(pair);
        break;
    case OP_INSERT:
        outcome = mur_insert(push.table, pair_key(pair), pair_value(pair));
        break;
    default:
        outcome = mur_erase(push.table, pair_key(pair));
        break;
    }
    Word(mur_offset(push.outcomes, i, 2u)).word = outcome;
}
