#version 450
#extension GL_GOOGLE_include_directive : require
// Makes the calls that it is told to.
// SPDX-License-Identifier: MIT
#include "murmuration.glsl"
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#include "calls.h"

layout(local_size_x = ROW_GROUP) in;
layout(push_constant) uniform Push {
    RowsPush push;
};
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Words {
    uint words[];
};
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Calls {
    RowCall calls[];
};
layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer Answers {
    RowAnswer answers[];
};

uint query;

uvec2 rows_of(uint row) {
    return row == MUR_ROW_QUERY ? push.queries : push.rows;
}

uint number_of(uint row) {
    return row == MUR_ROW_QUERY ? query : row;
}

#ifdef MUR_BUFFER_BINDING // there are no functions for words then
uint word_of(uint row, uint i) {
    return Words(rows_of(row)).words[number_of(row) * push.stride + i];
}

uint hash_of(uint row) {
    uint hash = 0u;
    for (uint i = 0u; i < push.words || i % 4u != 0u; ++i) {
        hash = mur_hash_word(hash, i < push.words ? word_of(row, i) : 0u);
    }
    return hash;
}

bool equal(uint a, uint b) {
    bool same = true;
    for (uint i = 0u; i < push.words; ++i) {
        same = same && word_of(a, i) == word_of(b, i);
    }
    return same;
}
#else
#define AT(row)      mur_row_address(rows_of(row), ROW_FAR + number_of(row), push.stride)
#define word_of(row, i) Words(AT(row)).words[i]
#define hash_of(row) mur_row_hash(AT(row), push.words)
#define equal(a, b)  mur_row_equal(AT(a), AT(b), push.words)
#endif
const uint slots = 4u; // named like a local of the library: the macros mean this one
#define MUR_ROW_COUNT push.rowCount
#define MUR_ROW_HASH(row)                                       \
    (push.hooks == HOOKS_BITS  ? hash_of(row)                   \
     : push.hooks == HOOKS_ONE ? push.oneHash                   \
                               : mur_hash_word(0u, word_of(row, 0u) >> slots))
#define MUR_ROW_EQUAL(a, b)                                                     \
    (push.hooks == HOOKS_SNAP ? word_of(a, 0u) >> slots == word_of(b, 0u) >> slots \
                              : equal(a, b))
#include "murmuration/rows.glsl"

void main() {
    MurRowsRef table = MurRowsRef(push.table);
    for (uint round = 0u; round < push.rounds; ++round) {
        uint i = gl_GlobalInvocationID.x * push.rounds + round;
        if (i >= push.callCount) {
            return;
        }
        RowCall call = Calls(push.calls).calls[i];
        query = call.query;
        RowAnswer answer = RowAnswer(MUR_ABSENT, MUR_NO_ROW, MUR_NO_SLOT, 0u);
        if (call.verb == ROW_FIND) {
            answer.status = mur_find(table, call.row, answer.there) ? MUR_FOUND : MUR_ABSENT;
        }
#ifndef MUR_READ_ONLY
        if (call.verb == ROW_INSERT) {
            answer.status = mur_insert(table, call.row, answer.there, answer.slot);
        } else if (call.verb == ROW_ERASE) {
            answer.status = mur_erase(table, call.row, answer.there);
        }
#endif
        Answers(push.answers).answers[i] = answer;
    }
}
