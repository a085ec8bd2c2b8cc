// The trace in HLSL: see trace.h and trace.comp.
// SPDX-License-Identifier: MIT
#if FORMAT == 1
#define MUR_KEYS_64
#define KEY uint2(op.y, op.z)
#elif FORMAT == 2
#define MUR_SETS
#define KEY op.y
#else
#define KEY op.y
#endif
#include "murmuration.hlsli"
#include "murmuration/spatial.h"
#include "trace.h"

#ifdef MUR_READ_ONLY
[[vk::binding(0, 0)]] MUR_BUFFER table : register(t0);
#else
[[vk::binding(0, 0)]] MUR_BUFFER table : register(u0);
#endif
[[vk::binding(1, 0)]] ByteAddressBuffer operations : register(t1);
[[vk::binding(2, 0)]] RWByteAddressBuffer answers : register(u2);

MurTableRef table_ref() {
    uint4 low = operations.Load4(0);
    uint4 high = operations.Load4(16);
    MurTableRef t;
    t.address = low.xy;
    t.capacity = low.z;
    t.slotCount = low.w;
    t.seed = high.x;
    t.probeSectors = high.y;
    t.flags = high.z;
    t.index = high.w;
    return t;
}

#ifndef MUR_READ_ONLY
void write(MurTableRef t, uint4 op, inout uint4 answer) {
    uint value = op.x >> 8;
    value = value == 0xFFFFFFu ? 0xFFFFFFFFu : value;
    switch (TRACE_KIND(op.x)) {
#if FORMAT == 2
    case TRACE_INSERT: answer.x = mur_insert_slot(table, t, KEY, answer.z); break;
    case TRACE_NAMED: answer.x = mur_insert(table, t, KEY); break;
    case TRACE_ERASE: answer.x = mur_erase_slot(table, t, KEY, answer.z); break;
#else
    case TRACE_NAMED: // by name: wgsl.sh looks at the text
    case TRACE_INSERT:
        answer.x = mur_insert_mode(table, t, KEY, value, op.w, answer.z, answer.y);
        break;
    case TRACE_ERASE: answer.x = mur_erase(table, t, KEY, answer.y, answer.z); break;
    case TRACE_EXCHANGE: answer.y = mur_slot_exchange(table, t, op.y, value); break;
    case TRACE_COMPARE: answer.y = mur_slot_compare_exchange(table, t, op.y, op.z, value); break;
#endif
    case TRACE_ERASE_ONLY: answer.x = mur_erase(table, t, KEY); break;
    }
}
#endif

void operate(MurTableRef t, uint i) {
    uint at = TRACE_FIRST + 4u * i;
    uint4 op = operations.Load4(4u * at);
    uint4 answer = uint4(0u, 0u, 0u, 0u);
    switch (TRACE_KIND(op.x)) {
    case TRACE_FIND:
#if FORMAT == 2
        answer.x = mur_find(table, t, KEY) ? 1u : 0u;
#else
        answer.x = mur_find(table, t, KEY, answer.y) ? 1u : 0u;
#endif
        answer.z = mur_find_slot(table, t, KEY);
        break;
#if FORMAT == 2
    case TRACE_ENTRY: answer.x = mur_slot_entry(table, t, op.y, answer.z) ? 1u : 0u; break;
#else
    case TRACE_FIND_VALUE: answer.z = mur_find_slot(table, t, KEY, answer.y); break;
    case TRACE_SLOT_VALUE: answer.y = mur_slot_value(table, t, op.y); break;
    case TRACE_ENTRY: {
#if FORMAT == 1
        uint2 key;
        answer.x = mur_slot_entry(table, t, op.y, key, answer.y) ? 1u : 0u;
        answer.zw = key;
#else
        answer.x = mur_slot_entry(table, t, op.y, answer.z, answer.y) ? 1u : 0u;
#endif
        break;
    }
#endif
    case TRACE_SPATIAL: {
        float3 position = asfloat(op.yzw);
        uint level = mur_spatial_level(position.x);
        uint2 key = mur_spatial_key_at(position, TRACE_SCALE, level, mur_spatial_face(position));
        answer = uint4(key, mur_spatial_parent(key) ^ mur_spatial_child(key, op.w & 7u));
        break;
    }
    case TRACE_CENTER:
        answer = uint4(asuint(mur_spatial_center(op.yz, 1.0 / TRACE_SCALE)),
                       mur_spatial_face_of(op.yz) | mur_spatial_level_of(op.yz) << 3);
        break;
#ifndef MUR_READ_ONLY
    default: write(t, op, answer); break;
#endif
    }
    answer.zw = op.x == TRACE_ENTRY && answer.x == 0u ? uint2(0u, 0u) : answer.zw;
    answers.Store4(16u * i, answer);
}

[numthreads(TRACE_WORKGROUP, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    MurTableRef t = table_ref();
    bool alone = operations.Load(4u * TRACE_ALONE) != 0u;
    uint end = operations.Load(4u * TRACE_COUNT);
    end = alone ? (id.x == 0u ? end : 0u) : min(id.x + 1u, end);
    for (uint i = id.x; i < end; ++i) {
        operate(t, i);
    }
}
