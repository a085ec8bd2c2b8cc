#version 450
#extension GL_GOOGLE_include_directive : require
// Writes pairs with many values per key; or checks that each value was retrieved once, and
// overwrites it. SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define PUSH MultiPush
#include "murmuration.glsl"
#include "item.glsl"
#include "pair.glsl"
#include "multi.glsl"

// A 64-bit key consists of another word of the same number, and the key.
void write_key(uvec2 keys, uint i, uint key) {
    if (push.keyWords == 2u) {
        Word(mur_offset(keys, 2u * i, 2u)).word = mur_hash(key, 1u);
        Word(mur_offset(keys, 2u * i + 1u, 2u)).word = key;
    } else {
        Word(mur_offset(keys, i, 2u)).word = key;
    }
}

void main() {
    uint i = item();
    if (i >= 1u << push.bits) {
        return;
    }
    if (push.check == MULTI_PAIRS_WRITE) {
        write_key(push.keys, i, key_of(i));
        Word(mur_offset(push.values, i, 2u)).word = i;
        Word(mur_offset(push.seen, i, 2u)).word = 0u;
        if (i < push.queryCount) {
            write_key(push.queries, i, pair_key(i));
        }
        return;
    }
    uint value = Word(mur_offset(push.values, i, 2u)).word;
    uint query = Word(mur_offset(push.keys, i, 2u)).word;
    if (value >> push.bits != 0u || key_of(value) != pair_key(query) ||
        atomicExchange(Word(mur_offset(push.seen, value, 2u)).word, push.check) == push.check) {
        atomicAdd(Word(push.wrong).word, 1u);
    }
    // With this value, the next check fails unless new values are written.
    Word(mur_offset(push.values, i, 2u)).word = 0xFFFFFFFFu;
}
