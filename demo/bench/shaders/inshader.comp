#version 450
#extension GL_GOOGLE_include_directive : require
// Calls of the include in a user's shader, one operation per invocation. Compiled as a lookup with
// plain reads (MUR_READ_ONLY), as a coherent lookup, as an insert (IN_INSERT), and as additions to
// the first key (IN_ADD). The last two are compiled for each atomic width, and also with
// MUR_SUBGROUP_COMBINE.
// SPDX-License-Identifier: MIT
#define PUSH InShaderPush
#include "murmuration.glsl"
#include "item.glsl"

void main() {
    uint i = item();
    if (i >= push.count) {
        return;
    }
    uint key = Word(mur_offset(push.keys, i & push.keyMask, 2u)).word;
#if defined(IN_ADD)
    mur_add(push.table, key, 1u);
#elif defined(IN_INSERT)
    mur_insert(push.table, key, Word(mur_offset(push.values, i, 2u)).word);
#else
    uint value;
    mur_find(push.table, key, value);
    Word(mur_offset(push.values, i, 2u)).word = value;
#endif
}
