#version 460
#extension GL_GOOGLE_include_directive : require
// Engines define macros for the include, with their names. Here the macros use every name that is
// local to the include. names.sh writes inside.h, in which INSIDE(DO) applies DO to each name. If a
// local name of the include hides such a name, it has another type, so the shader fails to compile.
// SPDX-License-Identifier: MIT
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "inside.h"

layout(local_size_x = 64) in;

struct Engine {
    uint number;
};
#define DECLARE(name) const Engine name = Engine(0u);
INSIDE(DECLARE)
#define ADD(name) +name.number
#define ENGINE    (0u INSIDE(ADD))

#define MUR_SUBGROUP_COMBINE         (ENGINE == 0u)
#define MUR_ROW_COUNT       (9u + ENGINE)
#define MUR_ROW_HASH(row)   ((row) + ENGINE)
#define MUR_ROW_EQUAL(a, b) ((a) + ENGINE == (b))
#include "murmuration.glsl"
#include "murmuration/rows.glsl"

layout(push_constant) uniform Push {
    MurTableRef cells, rows_of_engine;
} push;

void main() {
    uint first, key_of_engine = gl_GlobalInvocationID.x;
    mur_insert(push.cells, key_of_engine, 1u);
    mur_insert(MurRowsRef(push.rows_of_engine), key_of_engine, first);
}
