// An operation of the trace, shared by GLSL and HLSL: see trace.h. TABLE(ref): first argument of
// calls. FORMAT: MUR_FORMAT_*, plus 4 for bucketed tables. SPDX-License-Identifier: MIT
#if (FORMAT & 1) != 0
#define KEY uvec2(op.y, op.z)
#else
#define KEY op.y
#endif

#if (FORMAT & 2) != 0
#define REF   MurSetRef
#define PLAIN t.table
#else
#define REF   MurTableRef
#define PLAIN t
#endif

#ifndef MUR_READ_ONLY
void write(REF t, uvec4 op, inout uvec4 answer) {
    uint value = op.x >> 8;
    value = value == 0xFFFFFFu ? 0xFFFFFFFFu : value;
    switch (TRACE_KIND(op.x)) {
#ifdef MUR_SETS
    case TRACE_INSERT: answer.x = mur_insert(TABLE(t), KEY, answer.z); break;
    case TRACE_NAMED: answer.x = mur_insert(TABLE(t), KEY); break;
    case TRACE_ERASE: answer.x = mur_erase(TABLE(t), KEY, answer.z); break;
#else
    case TRACE_NAMED: // tests/property tests these calls; for HLSL wgsl.sh checks the text
    case TRACE_INSERT:
        answer.x = mur_insert_mode(TABLE(t), KEY, value, op.w, answer.z, answer.y);
        break;
    case TRACE_ERASE: answer.x = mur_erase(TABLE(t), KEY, answer.y, answer.z); break;
    case TRACE_EXCHANGE: answer.y = mur_slot_exchange(TABLE(t), op.y, value); break;
    case TRACE_COMPARE: answer.y = mur_slot_compare_exchange(TABLE(t), op.y, op.z, value); break;
#endif
    case TRACE_ERASE_ONLY: answer.x = mur_erase(TABLE(t), KEY); break;
#ifdef MUR_BUCKETS
    case TRACE_FREE: mur_evict(TABLE(PLAIN), op.y); break;
    case TRACE_STAY: mur_retain(TABLE(PLAIN), op.y); break;
    case TRACE_TOUCH: mur_touch(TABLE(PLAIN), op.y, op.z); break;
#endif
    }
}
#endif

uvec4 operate(REF t, uvec4 op) {
    uvec4 answer = uvec4(0u, 0u, 0u, 0u);
    switch (TRACE_KIND(op.x)) {
    case TRACE_FIND:
#ifdef MUR_SETS
        answer.x = mur_find(TABLE(t), KEY) ? 1u : 0u;
#else
        answer.x = mur_find(TABLE(t), KEY, answer.y) ? 1u : 0u;
#endif
        answer.z = mur_find_slot(TABLE(t), KEY);
        break;
#ifdef MUR_SETS
    case TRACE_ENTRY: {
#ifdef MUR_KEYS_64
        uvec2 key;
        answer.x = mur_slot_entry(TABLE(t), op.y, key) ? 1u : 0u;
        answer.zw = key;
#else
        answer.x = mur_slot_entry(TABLE(t), op.y, answer.z) ? 1u : 0u;
#endif
        break;
    }
#else
    case TRACE_FIND_VALUE: answer.z = mur_find_slot(TABLE(t), KEY, answer.y); break;
    case TRACE_SLOT_VALUE: answer.y = mur_slot_value(TABLE(t), op.y); break;
    case TRACE_ENTRY: {
#ifdef MUR_KEYS_64
        uvec2 key;
        answer.x = mur_slot_entry(TABLE(t), op.y, key, answer.y) ? 1u : 0u;
        answer.zw = key;
#else
        answer.x = mur_slot_entry(TABLE(t), op.y, answer.z, answer.y) ? 1u : 0u;
#endif
        break;
    }
#endif
    case TRACE_SPATIAL: {
        vec3 position = uintBitsToFloat(op.yzw);
        uint level = mur_spatial_level(position.x);
        uvec2 key = mur_spatial_key_at(position, TRACE_SCALE, level, mur_spatial_face(position));
        answer = uvec4(key, mur_spatial_parent(key) ^ mur_spatial_child(key, op.w & 7u));
        break;
    }
    case TRACE_CENTER:
        answer = uvec4(floatBitsToUint(mur_spatial_center(op.yz, 1.0 / TRACE_SCALE)),
                       mur_spatial_face_of(op.yz) | mur_spatial_level_of(op.yz) << 3);
        break;
#ifndef MUR_READ_ONLY
    default: write(t, op, answer); break;
#endif
    }
    answer.zw = op.x == TRACE_ENTRY && answer.x == 0u ? uvec2(0u, 0u) : answer.zw;
    return answer;
}
