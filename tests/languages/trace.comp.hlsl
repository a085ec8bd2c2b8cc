// The trace in HLSL: see trace.h and trace.comp.
// SPDX-License-Identifier: MIT
#if (FORMAT & 1) != 0
#define MUR_KEYS_64
#endif
#if (FORMAT & 2) != 0
#define MUR_SETS
#endif
#if (FORMAT & 4) != 0
#define MUR_BUCKETS (1 + (FORMAT & 1)) // some 64-bit tables are not bucketed
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

#define TABLE(ref)      table, ref
#define vec3            float3
#define uvec2           uint2
#define uvec4           uint4
#define uintBitsToFloat asfloat
#define floatBitsToUint asuint
#include "trace.glsl"

REF table_ref() {
    uint4 low = operations.Load4(0);
    uint4 high = operations.Load4(16);
    REF t;
    PLAIN.address = low.xy;
    PLAIN.capacity = low.z;
    PLAIN.slotCount = low.w;
    PLAIN.seed = high.x;
    PLAIN.probeSectors = high.y;
    PLAIN.flags = high.z;
    PLAIN.index = high.w;
    return t;
}

[numthreads(TRACE_WORKGROUP, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    REF t = table_ref();
    bool alone = operations.Load(4u * TRACE_ALONE) != 0u;
    uint end = operations.Load(4u * TRACE_COUNT);
    end = alone ? (id.x == 0u ? end : 0u) : min(id.x + 1u, end);
    for (uint i = id.x; i < end; ++i) {
        // A variable: inside the next call, glslang would repeat the load for each word.
        uint4 answer = operate(t, operations.Load4(4u * (TRACE_FIRST + 4u * i)));
        answers.Store4(16u * i, answer);
    }
}
