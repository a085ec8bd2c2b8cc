// The operation and key of an item of the mixed dispatch. Include it after murmuration.glsl.
// SPDX-License-Identifier: MIT
#define PUSH MixedPush
#include "item.glsl"
#include "pair.glsl"

#define OP_FIND   0u
#define OP_INSERT 1u
#define OP_ERASE  2u

uint mixed_op(uint i) {
    uint lot = mur_hash(i, 0x2545F491u) & 255u;
    return lot < push.finds ? OP_FIND : lot < push.finds + push.inserts ? OP_INSERT : OP_ERASE;
}

uint mixed_pair(uint i) {
    return mur_hash(i, 0x5851F42Du) & (push.universe - 1u);
}
