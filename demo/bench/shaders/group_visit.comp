#version 450
#extension GL_GOOGLE_include_directive : require
// Visits all values of all keys: one invocation per key writes the number of correct values, or
// several record them for the check. SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define MUR_KEYS_64
#define PUSH MultiPush
#include "murmuration.glsl"
#include "item.glsl"
#include "pair.glsl"
#include "multi.glsl"

void main() {
    uint i = item(), query = i / push.lanes, key = pair_key(query), first, right = 0u;
    if (query >= push.queryCount) {
        return;
    }
    bool found = push.keyWords == 2u ? mur_find(push.table, uvec2(mur_hash(key, 1u), key), first)
                                     : mur_find(push.table, key, first);
    uint count = found ? mur_group(push.groups, first) : 0u;
    for (uint n = i % push.lanes; n < count; n += push.lanes) {
        uint value = Word(mur_offset(push.groups, first + 1u + n, 2u)).word;
        bool own = value >> push.bits == 0u && key_of(value) == key;
        bool twice = own && push.check != 0u &&
                     atomicExchange(Word(mur_offset(push.seen, value, 2u)).word, push.check) ==
                         push.check;
        bool ordered = n == 0u || count > push.ascending ||
                       Word(mur_offset(push.groups, first + n, 2u)).word <= value;
        right += uint(own && !twice && ordered);
    }
    if (push.check == 0u) {
        Word(mur_offset(push.values, query, 2u)).word = right;
    } else if (right != (count + push.lanes - 1u - i % push.lanes) / push.lanes) {
        atomicAdd(Word(push.wrong).word, 1u);
    }
}
