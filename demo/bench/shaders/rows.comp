#version 450
#extension GL_GOOGLE_include_directive : require
// Writes rows, equal within a class; or checks the row that represents each: it has the same class
// and represents itself. SPDX-License-Identifier: MIT
#define PUSH RowsPush
#include "murmuration.glsl"
#include "item.glsl"

void main() {
    uint i = item(), kind = i & push.mask;
    if (i >= push.count) {
        return;
    }
    if (push.told == uvec2(0u)) {
        for (uint word = 0u; word < push.words; ++word) {
            Word(mur_offset(push.rows, i * push.words + word, 2u)).word =
                mur_hash(push.firstKind + kind, word);
        }
        return;
    }
    uint row = Word(mur_offset(push.told, i, 2u)).word;
    if (row >= push.count || (row & push.mask) != kind ||
        Word(mur_offset(push.stands, row, 2u)).word != row) {
        atomicAdd(Word(push.wrong).word, 1u);
    }
}
