// One shader for every stage (STAGE_...). It calls everything that murmuration.glsl declares, and
// writes the results to stage outputs, so that only the include uses buffers.
// SPDX-License-Identifier: MIT
#if defined(STAGE_task) || defined(STAGE_mesh)
#extension GL_EXT_mesh_shader : require
#elif defined(STAGE_rgen) || defined(STAGE_rahit) || defined(STAGE_rchit) || \
    defined(STAGE_rmiss) || defined(STAGE_rint) || defined(STAGE_rcall)
#extension GL_EXT_ray_tracing : require
#endif

#include "murmuration.glsl"

layout(push_constant) uniform Push {
    MurTableRef table;
    uint key;
} push;

uint read_all(MurTableRef table, uint key) {
    uint value, other;
    uint result = mur_find(table, key, value) ? 1u : 0u;
    uint slot = mur_find_slot(table, key);
    result += mur_find_slot(table, key + 1u, value) + value;
    result += mur_slot_entry(table, slot, other, value) ? other : value;
    result += mur_slot_value(table, slot) + mur_empty_value(table);
    return result + mur_hash(key, table.seed);
}

#ifndef MUR_READ_ONLY
uint write_all(MurTableRef table, uint key) {
    uint value, slot;
    uint result = mur_insert(table, key, 1u) + mur_insert(table, key, 1u, slot) + slot;
    result += mur_assign(table, key, 2u) + mur_assign(table, key, 2u, slot) + slot;
    result += mur_update(table, key, 2u) + mur_update(table, key, 2u, slot) + slot;
    result += mur_update(table, key, 2u, slot, value) + mur_insert(table, key, 2u, slot, value);
    result += mur_add(table, key, 3u) + mur_add(table, key, 3u, slot) + slot;
    result += mur_min(table, key, 4u) + mur_min(table, key, 4u, slot) + slot;
    result += mur_max(table, key, 5u) + mur_max(table, key, 5u, slot) + slot;
    result += mur_or(table, key, 6u) + mur_or(table, key, 6u, slot) + slot;
    result += mur_slot_exchange(table, slot, 7u) +
              mur_slot_compare_exchange(table, slot, 7u, 8u);
    result += mur_insert_mode(table, key, 8u, MUR_MODE_INSERT, slot);
    result += mur_insert_mode(table, key, 8u, MUR_MODE_UPDATE, slot, value) + value;
    return result + mur_erase(table, key) + mur_erase(table, key, value, slot) + value;
}
#endif

// Calls for other formats (MUR_VALUES_64, MUR_SETS), with each type of overload once.
uint read_formats(MurTableRef table, uint key) {
    uint result = 0u;
#ifdef MUR_SETS
    MurSetRef set = MurSetRef(table);
    uvec2 wide = uvec2(key, 1u), values;
    uint value;
    result += mur_find(set, key) ? 1u : mur_find_slot(set, key) + mur_find_slot(set, wide);
    result += mur_find(set, wide) ? mur_find_slot(table, wide, value) : mur_find_slot(table, wide);
    result += mur_find(table, wide, value) ? value : mur_find_slot(table, wide, values);
    result += mur_find(table, wide, values) ? values.x : values.y;
    result += mur_slot_entry(set, key, value) ? value : mur_slot_value(table, key);
    result += mur_slot_entry(set, key, wide) ? wide.x : 0u;
    result += mur_slot_entry(table, key, wide, value) ? wide.y : value;
    result += mur_slot_entry(table, key, wide, values) ? wide.y : values.x;
#endif
    return result;
}

#ifndef MUR_READ_ONLY
uint write_formats(MurTableRef table, uint key) {
    uint result = 0u;
#ifdef MUR_SETS
    MurSetRef set = MurSetRef(table);
    uvec2 wide = uvec2(key, 1u), values = uvec2(2u, key);
    uint value, slot;
    result += mur_insert(set, key) + mur_insert(set, wide) + mur_insert(table, wide, 1u);
    result += mur_insert(table, wide, values, slot) + mur_assign(table, wide, 2u, slot);
    result += mur_insert(set, key, slot) + mur_insert(set, wide, slot);
    result += mur_add(table, wide, 3u) + mur_min(table, wide, values) + mur_max(table, wide, 5u);
    result += mur_update(table, wide, values, slot, values) + mur_update(table, wide, 3u, slot);
    result += mur_or(table, wide, values) + mur_slot_exchange(table, slot, values).x +
              mur_slot_compare_exchange(table, slot, values, values).y;
    result += mur_erase(table, wide) + mur_erase(table, wide, value, slot) + value;
    result += mur_erase(table, wide, values, slot) + values.x + mur_erase(set, key, slot);
    result += mur_erase(set, wide, slot) + slot + mur_erase(set, key) + mur_erase(set, wide);
#ifdef MUR_BUCKETS
    mur_touch(table, slot, key);
    mur_retain(table, slot);
    mur_evict(table, slot);
#endif
#endif
    return result;
}
#endif

#if defined(MUR_PAGER) && !defined(MUR_READ_ONLY)
#include "pages.glsl"
#endif

uint use_all(uint key) {
    uint result = read_all(push.table, key) + read_formats(push.table, key);
#ifndef MUR_READ_ONLY
    result += write_all(push.table, key) + write_formats(push.table, key);
#ifdef MUR_PAGER
    result += use_pages(push.table, key);
#endif
#endif
    return result;
}

#if defined(STAGE_vert)
void main() {
    gl_Position = vec4(use_all(push.key + uint(gl_VertexIndex)));
}

#elif defined(STAGE_tesc)
layout(vertices = 3) out;
void main() {
    gl_out[gl_InvocationID].gl_Position = vec4(use_all(push.key + uint(gl_InvocationID)));
    gl_TessLevelOuter = float[4](1.0, 1.0, 1.0, 1.0);
    gl_TessLevelInner = float[2](1.0, 1.0);
}

#elif defined(STAGE_tese)
layout(triangles) in;
void main() {
    gl_Position = vec4(use_all(push.key + uint(gl_PrimitiveID)));
}

#elif defined(STAGE_geom)
layout(points) in;
layout(points, max_vertices = 1) out;
void main() {
    gl_Position = vec4(use_all(push.key + uint(gl_PrimitiveIDIn)));
    EmitVertex();
}

#elif defined(STAGE_frag)
layout(location = 0) out uint color;
void main() {
    color = use_all(push.key + uint(gl_FragCoord.x));
}

#elif defined(STAGE_comp)
layout(local_size_x = 32) in;
shared uint result;
void main() {
    result = use_all(push.key + gl_GlobalInvocationID.x);
}

#elif defined(STAGE_task)
layout(local_size_x = 32) in;
taskPayloadSharedEXT uint result;
void main() {
    result = use_all(push.key + gl_LocalInvocationIndex);
    EmitMeshTasksEXT(1u, 1u, 1u);
}

#elif defined(STAGE_mesh)
layout(local_size_x = 1) in;
layout(points, max_vertices = 1, max_primitives = 1) out;
void main() {
    SetMeshOutputsEXT(1u, 1u);
    gl_MeshVerticesEXT[0].gl_Position = vec4(use_all(push.key));
    gl_PrimitivePointIndicesEXT[0] = 0u;
}

#elif defined(STAGE_rgen)
layout(location = 0) rayPayloadEXT uint result;
void main() {
    result = use_all(push.key + gl_LaunchIDEXT.x);
}

#elif defined(STAGE_rahit)
layout(location = 0) rayPayloadInEXT uint result;
void main() {
    result = use_all(push.key + uint(gl_PrimitiveID));
    ignoreIntersectionEXT;
}

#elif defined(STAGE_rchit)
layout(location = 0) rayPayloadInEXT uint result;
void main() {
    result = use_all(push.key + uint(gl_PrimitiveID));
}

#elif defined(STAGE_rmiss)
layout(location = 0) rayPayloadInEXT uint result;
void main() {
    result = use_all(push.key + gl_LaunchIDEXT.x);
}

#elif defined(STAGE_rint)
void main() {
    reportIntersectionEXT(float(use_all(push.key + uint(gl_PrimitiveID))), 0u);
}

#elif defined(STAGE_rcall)
layout(location = 0) callableDataInEXT uint result;
void main() {
    result = use_all(push.key + result);
}
#endif
