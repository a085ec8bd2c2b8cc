// An operation of the trace, the same text in GLSL and HLSL: see trace.h. TABLE: what a call takes
// first. SPDX-License-Identifier: MIT
#if FORMAT == 1
#define KEY uvec2(op.y, op.z)
#else
#define KEY op.y
#endif

#ifndef MUR_READ_ONLY
void write(MurTableRef t, uvec4 op, inout uvec4 answer) {
    uint value = op.x >> 8;
    value = value == 0xFFFFFFu ? 0xFFFFFFFFu : value;
    switch (TRACE_KIND(op.x)) {
#if FORMAT == 2
    case TRACE_INSERT: answer.x = mur_insert_slot(TABLE, KEY, answer.z); break;
    case TRACE_NAMED: answer.x = mur_insert(TABLE, KEY); break;
    case TRACE_ERASE: answer.x = mur_erase_slot(TABLE, KEY, answer.z); break;
#else
    case TRACE_NAMED: // by name: tests/property; of HLSL wgsl.sh looks at the text
    case TRACE_INSERT:
        answer.x = mur_insert_mode(TABLE, KEY, value, op.w, answer.z, answer.y);
        break;
    case TRACE_ERASE: answer.x = mur_erase(TABLE, KEY, answer.y, answer.z); break;
    case TRACE_EXCHANGE: answer.y = mur_slot_exchange(TABLE, op.y, value); break;
    case TRACE_COMPARE: answer.y = mur_slot_compare_exchange(TABLE, op.y, op.z, value); break;
#endif
    case TRACE_ERASE_ONLY: answer.x = mur_erase(TABLE, KEY); break;
    }
}
#endif

uvec4 operate(MurTableRef t, uvec4 op) {
    uvec4 answer = uvec4(0u, 0u, 0u, 0u);
    switch (TRACE_KIND(op.x)) {
    case TRACE_FIND:
#if FORMAT == 2
        answer.x = mur_find(TABLE, KEY) ? 1u : 0u;
#else
        answer.x = mur_find(TABLE, KEY, answer.y) ? 1u : 0u;
#endif
        answer.z = mur_find_slot(TABLE, KEY);
        break;
#if FORMAT == 2
    case TRACE_ENTRY: answer.x = mur_slot_entry(TABLE, op.y, answer.z) ? 1u : 0u; break;
#else
    case TRACE_FIND_VALUE: answer.z = mur_find_slot(TABLE, KEY, answer.y); break;
    case TRACE_SLOT_VALUE: answer.y = mur_slot_value(TABLE, op.y); break;
    case TRACE_ENTRY: {
#if FORMAT == 1
        uvec2 key;
        answer.x = mur_slot_entry(TABLE, op.y, key, answer.y) ? 1u : 0u;
        answer.zw = key;
#else
        answer.x = mur_slot_entry(TABLE, op.y, answer.z, answer.y) ? 1u : 0u;
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
