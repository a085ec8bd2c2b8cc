#version 450
#extension GL_GOOGLE_include_directive : require
// Every invocation goes through all tables and does a few operations on each, on keys that most
// others use too. SPDX-License-Identifier: MIT
#include "../support/format.glsl"
#include "murmuration.glsl"
#include "storm.h"
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require

layout(local_size_x = STORM_WORKGROUP) in;
layout(push_constant) uniform Push {
    StormPush push;
};
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Tables {
    MurTableRef refs[];
};
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Keys {
    uvec2 keys[];
};
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Tallies {
    Tally tallies[];
};

#define TALLY(i) Tallies(push.tallies).tallies[i]

uint scramble(uint x) {
    x = (x ^ x >> 16) * 0x7FEB352Du;
    x = (x ^ x >> 15) * 0x846CA68Bu;
    return x ^ x >> 16;
}

// A value of key k, and whether one is.
uvec2 make_value(uint k, uint item) {
    uint low = (k + 1u) << 20 | (item & 0xFFFFFu);
    return uvec2(low, ~low);
}

bool is_value(uint k, uvec2 value) {
    bool whole = true;
#if FORMAT == 4
    whole = value.y == ~value.x;
#endif
    return value.x >> 20 == k + 1u && whole;
}

bool is_count(uvec2 value) {
#if FORMAT == 4
    return value.x == ~value.y && value.x != 0u;
#else
    return value.x != 0u;
#endif
}

#ifndef IS_SET
const uint MODES[] = uint[](MUR_MODE_KEEP, MUR_MODE_ASSIGN, MUR_MODE_ADD, 0u, 0u, MUR_MODE_MIN,
                            MUR_MODE_UPDATE); // by STORM_*
#endif

// What an operation did. value: found, erased or there before, if status says so.
uint operate(MurTableRef t, uint tally, uint kind, uint k, uint item, out uvec2 value,
             out uint slot) {
    Key key = KEY(Keys(push.keys).keys[k]);
    value = uvec2(0u);
    slot = MUR_NO_SLOT;
#ifdef IS_SET
    switch (kind) {
    case STORM_FIND:
        slot = mur_find_slot(SET(t), key);
        return slot != MUR_NO_SLOT ? MUR_FOUND : MUR_ABSENT;
    case STORM_ERASE:
        return mur_erase(SET(t), key, slot);
    default:
        return mur_insert(SET(t), key, slot);
    }
#else
    Value v = VALUE(make_value(k, item));
    uint status;
    switch (kind) {
    case STORM_FIND:
        slot = mur_find_slot(t, key, v);
        value = PAIR(v);
        return slot != MUR_NO_SLOT ? MUR_FOUND : MUR_ABSENT;
    case STORM_ERASE:
        status = mur_erase(t, key, v, slot);
        value = PAIR(v);
        return status;
    }
    // Inserts, in one call: each is inlined where it stands.
    uint mode = MODES[kind];
    if (kind == STORM_ADD) {
        v = VALUE(uvec2(FORMAT == 4 ? 0xFFFFFFFFu : 1u, 0u));
    } else if (kind == STORM_MIN) {
        atomicMax(TALLY(tally).least, FORMAT == 4 ? PAIR(v).x : ~PAIR(v).x);
    }
#ifdef MUR_COMBINE // there is no one that it would have come after
    status = mur_insert_mode(t, key, v, mode, slot);
#else
    status = mur_insert_mode(t, key, v, mode, slot, v);
#endif
    value = PAIR(v);
    return status;
#endif
}

bool is_expected(uint kind, uint status, uint k, uvec2 value) {
    if (kind == STORM_FIND || kind == STORM_ERASE || kind == STORM_UPDATE) {
        uint there = kind == STORM_FIND    ? MUR_FOUND
                     : kind == STORM_ERASE ? MUR_ERASED
                                           : MUR_EXISTED;
#ifdef IS_SET
        return status == there || status == MUR_ABSENT;
#else
        bool counts = (push.mix >> STORM_ADD & 1u) != 0u;
        bool good = counts ? is_count(value) : is_value(k, value);
        return status == MUR_ABSENT || (status == there && good) ||
               (status == MUR_BUSY && kind == STORM_UPDATE);
#endif
    }
    return status == MUR_INSERTED || status == MUR_EXISTED || status == MUR_FULL;
}

void count(uint i, uint kind, uint status, uint k, uvec2 value, uint slot) {
    if (!is_expected(kind, status, k, value)) {
        atomicAdd(TALLY(i).wrong, 1u);
    }
    if (status == MUR_INSERTED) {
        atomicAdd(TALLY(i).inserted, 1u);
    }
    if (status == MUR_FULL) {
        atomicAdd(TALLY(i).full, 1u);
    }
    if (status == MUR_ERASED) {
        atomicAdd(TALLY(i).erased, 1u);
        atomicAdd(TALLY(i).sumLow, value.x);
        atomicAdd(TALLY(i).sumHigh, value.y);
    }
    if (kind == STORM_ADD && status != MUR_FULL) {
        atomicAdd(TALLY(i).adds, 1u);
    }
    if (slot != MUR_NO_SLOT) {
        atomicMax(TALLY(i).elsewhere, 0xFFFFFFFFu - slot);
        atomicMax(TALLY(i).last, slot);
    }
}

void main() {
    uint item = gl_GlobalInvocationID.x;
    for (uint table = 0u; table < push.tableCount; ++table) {
#ifdef MUR_BUFFER_BINDING
        MurTableRef t = push.table;
#else
        MurTableRef t = Tables(push.tables).refs[table];
#endif
        for (uint round = 0u; round < STORM_ROUNDS; ++round) {
            uint random = scramble(item * 977u + scramble(table * 61u + round + push.seed));
            // Some tables: neighbours on the same key; others: on different ones.
            uint k = (table & 1u) == 0u ? (item / 4u + round) % push.keyCount
                                        : random % push.keyCount;
            uint kinds = push.mix;
            for (uint skip = (random >> 20) % uint(bitCount(kinds)); skip != 0u; --skip) {
                kinds &= kinds - 1u;
            }
            uint kind = uint(findLSB(kinds));
            uvec2 value;
            uint slot;
            uint tally = table * push.keyCount + k;
            uint status = operate(t, tally, kind, k, item, value, slot);
            count(tally, kind, status, k, value, slot);
        }
    }
}
