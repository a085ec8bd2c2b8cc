// Calls on rows.
// SPDX-License-Identifier: MIT
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Words {
    uint words[];
};

uint query;

uvec2 rows_of(uint row) {
    return row == MUR_ROW_QUERY ? push.queries : push.tables;
}

uint number_of(uint row) {
    return row == MUR_ROW_QUERY ? query : row;
}

#ifdef MUR_BUFFER_BINDING // the library's functions on the words of rows require device addresses
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
#define AT(row)      mur_row_address(rows_of(row), CALL_ROW_FAR + number_of(row), push.stride)
#define word_of(row, i) Words(AT(row)).words[i]
#define hash_of(row) mur_row_hash(AT(row), push.words)
#define equal(a, b)  mur_row_equal(AT(a), AT(b), push.words)
#endif
const uint slots = 4u; // the library has a local with this name, which macros must not use
#define MUR_ROW_COUNT push.rowCount
#define MUR_ROW_HASH(row)                      \
    (push.hooks == CALL_HOOKS_BITS  ? hash_of(row) \
     : push.hooks == CALL_HOOKS_ONE ? push.oneHash \
                                    : mur_hash_word(0u, word_of(row, 0u) >> slots))
#define MUR_ROW_EQUAL(a, b)                                                                 \
    (push.hooks == CALL_HOOKS_SNAP ? word_of(a, 0u) >> slots == word_of(b, 0u) >> slots \
                                   : equal(a, b))
#include "murmuration/rows.glsl"

Answer make_call(MurTableRef t, Call c) {
    MurRowsRef table = MurRowsRef(t);
    Answer a = Answer(uvec2(0u), uvec2(MUR_NO_ROW, 0u), MUR_ABSENT, MUR_NO_SLOT);
    query = c.other;
    if (c.call == CALL_ROW_FIND) {
        a.status = mur_find(table, c.slot, a.value.x) ? MUR_FOUND : MUR_ABSENT;
    }
#ifndef MUR_READ_ONLY
    if (c.call == CALL_ROW_INSERT) {
        a.status = mur_insert(table, c.slot, a.value.x, a.slot);
    } else if (c.call == CALL_ROW_ERASE) {
        a.status = mur_erase(table, c.slot, a.value.x);
    }
#endif
    return a;
}
