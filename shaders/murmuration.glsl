// Murmuration: a hash table, used from any shader stage. Keys and values are 32 bits wide unless
// the macros below ask for more.
//
//     #version 450                                       // 430 at least
//     #extension GL_GOOGLE_include_directive : require   // glslangValidator only
//     #include "murmuration.glsl"                        // before any declaration of yours
//     layout(push_constant) uniform Push { MurTableRef table; } push; // from murGetTableRef
//     ...
//     uint value;
//     if (mur_find(push.table, key, value)) ...
//
// Macros, defined before the include:
//
//   MUR_READ_ONLY       Only lookups, by plain cached reads: the fast mode for shaders that do
//                       nothing else. What other invocations write during the same dispatch or draw
//                       may or may not be seen. Every block is readonly, so no stage needs a
//                       feature for stores and atomics. Without the macro the shader may also
//                       write, and lookups are coherent: they see every write that happened before
//                       them, those of the same dispatch included.
//   MUR_INT64_ATOMICS   The shader may also write tables made with 64-bit atomics (MUR_TABLE_INT64
//                       in MurTableRef.flags). Needs shaderInt64 and shaderBufferInt64Atomics.
//                       Without it, writes to such a table do nothing and report MUR_UNSUPPORTED.
//                       With MUR_READ_ONLY it matters only where 64-bit values, or 64-bit keys of a
//                       K64 or K64V64 table, are written at the same time: it makes lookups read
//                       both words at once.
//   MUR_KEYS_64         Adds the calls for 64-bit keys with 32-bit values (MUR_FORMAT_K64V32): the
//                       same names, the key a uvec2, low word in x.
//   MUR_VALUES_64       Adds those with 64-bit values too (MUR_FORMAT_K64V64), uvec2 like the keys.
//   MUR_SETS            Adds sets: the same names without a value. Keys are uint (MUR_FORMAT_K32)
//                       and, with MUR_KEYS_64, uvec2 (MUR_FORMAT_K64).
//   MUR_MULTI           Adds tables with many values a key: mur_multi_insert, mur_multi_count, ...
//                       (murmuration/multi.glsl says more, <murmuration/multi.h> all).
//   MUR_PAGER           Adds pages that a pager brings in: mur_page, ... (murmuration/pager.glsl,
//                       <murmuration/pager.h>). By addresses alone, so not with
//                       MUR_BUFFER_BINDING. With MUR_READ_ONLY, too; a shader that asks for pages
//                       stores, and needs its stage's feature for that.
//   MUR_PAGED           Adds tables in pages, and MUR_PAGER: mur_paged_find, ...
//                       (murmuration/paged.glsl, <murmuration/paged.h>).
//   MUR_COMBINE         Inserts of the same key by invocations of a subgroup are combined before
//                       they reach memory, but for those with the old value as an output: for keys
//                       that many invocations have. An expression: may this invocation insert for
//                       others? true, or in fragment shaders !gl_HelperInvocation. Needs subgroup
//                       operations in the shader's stage: basic, ballot, shuffle, arithmetic.
//   MUR_BUFFER_BINDING  The table is a storage buffer bound at this binding instead of a device
//                       address. Bind the table's memory from its offset on; its size must not
//                       exceed maxStorageBufferRange.
//   MUR_BUFFER_SET      Its descriptor set, 0 unless defined.
//   MUR_BUFFER_COUNT    Elements of the binding's array, one table each (MurTableRef.index says
//                       which, dynamically uniform: shaderStorageBufferArrayDynamicIndexing).
//                       Undefined: a single buffer, no array.
//
// The format of a table is chosen when it is made; a call's argument types say which format it is
// for. A write to a table of another format does nothing and reports MUR_UNSUPPORTED, a lookup with
// 64-bit keys, or in a set, finds nothing; give a lookup with 32-bit keys and values no other
// table.
//
// Device features: bufferDeviceAddress, unless a buffer is bound. Writing needs
// vertexPipelineStoresAndAtomics in vertex, tessellation and geometry stages,
// fragmentStoresAndAtomics in fragment stages, nothing in compute, task, mesh and ray-tracing
// stages.
//
// Helper invocations of fragment shaders: writes do nothing, and what loads return is the device's
// matter (GPUs load as usual, some software devices give zeros), so results in helper invocations
// are good for derivatives only where the device loads as usual. They end like all others.
//
// Concurrency: any number of invocations may call anything at the same time, on the same keys. What
// each pair of operations guarantees is the table in <murmuration/murmuration.h>. The atomics are
// relaxed: order what you store elsewhere yourself (memoryBarrierBuffer, or a later dispatch).
//
// Every loop is bounded by the reference, never by table memory. Nothing spins or locks.
//
// Nothing but mur_*, Mur* and MUR_* is declared.
//
// SPDX-License-Identifier: MIT
#ifndef MUR_MURMURATION_GLSL
#define MUR_MURMURATION_GLSL

#ifdef MUR_BUFFER_BINDING
#extension GL_EXT_control_flow_attributes : require
#else
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#endif
#ifdef MUR_INT64_ATOMICS
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#endif

#ifdef MUR_COMBINE
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#endif

#if defined(MUR_VALUES_64) || defined(MUR_MULTI)
#ifndef MUR_KEYS_64
#define MUR_KEYS_64
#endif
#endif
#if defined(MUR_KEYS_64) || defined(MUR_SETS)
#define MUR_FORMATS
#endif
#if defined(MUR_PAGED) && !defined(MUR_PAGER)
#define MUR_PAGER
#endif

#include "murmuration/words.h"
#include "murmuration/hash.h"
#ifdef MUR_BUFFER_BINDING
#include "murmuration/access_buffer.glsl"
#else
#include "murmuration/access_address.glsl"
#endif
#ifdef MUR_FORMATS
#include "murmuration/format.glsl"
#endif
#include "murmuration/find.glsl"
#ifdef MUR_FORMATS
#include "murmuration/format_find.glsl"
#include "murmuration/format_find_calls.glsl"
#endif
#ifndef MUR_READ_ONLY
#include "murmuration/claim.glsl"
#ifdef MUR_FORMATS
#include "murmuration/format_claim.glsl"
#endif
#include "murmuration/combine.glsl"
#include "murmuration/update.glsl"
#include "murmuration/probe.glsl"
#include "murmuration/write.glsl"
#ifdef MUR_FORMATS
#include "murmuration/format_probe.glsl"
#include "murmuration/format_write.glsl"
#include "murmuration/format_calls.glsl"
#endif
#include "murmuration/mode_calls.glsl"
#include "murmuration/slot_write.glsl"
#endif
#ifdef MUR_PAGER
#ifdef MUR_BUFFER_BINDING
#error "MUR_PAGER is not for MUR_BUFFER_BINDING: pagers are reached by addresses"
#endif
#include "murmuration/pager_layout.h"
#include "murmuration/pager.glsl"
#endif
#ifdef MUR_PAGED
#include "murmuration/paged_layout.h"
#include "murmuration/paged.glsl"
#ifndef MUR_READ_ONLY
#include "murmuration/paged_write.glsl"
#include "murmuration/paged_calls.glsl"
#endif
#endif
#ifdef MUR_MULTI
#include "murmuration/multi.glsl"
#ifndef MUR_READ_ONLY
#include "murmuration/multi_write.glsl"
#endif
#endif

#endif
