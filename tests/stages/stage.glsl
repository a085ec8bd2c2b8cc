// One shader for every stage (STAGE_...). matrix.sh keeps all functions of murmuration.glsl in it.
// The shader writes results to stage outputs, so that only the include uses buffers.
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

uint use_all(uint key) {
    uint value;
    uint result = mur_find(push.table, key, value) ? value : 0u;
#ifndef MUR_READ_ONLY
    result += mur_insert(push.table, key, 1u);
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

#elif defined(STAGE_rchit) || defined(STAGE_rmiss)
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
