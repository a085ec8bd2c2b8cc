// Murmuration: a hash table for any shader stage. Keys and values are 32 bits wide, except with the
// macros below.
//
//     #version 450                                       // 430 at least
//     #extension GL_GOOGLE_include_directive : require   // glslangValidator only
//     #include "murmuration.glsl"         // before your declarations and lower-case macros
//     layout(push_constant) uniform Push { MurTableRef table; } push; // from murGetTableRef
//     ... uint value; if (mur_find(push.table, key, value)) ...
//
// Macros, defined before the include:
//   MUR_READ_ONLY: the shader only looks keys up, by plain cached reads, which are fastest. Lookups
//     may or may not return concurrent writes. No stage needs a feature for stores and atomics.
//     Without the macro the shader can also write, and lookups return all earlier writes, also
//     those of the same dispatch.
//   MUR_NONCOHERENT_LOOKUPS: for shaders that write and need not see writes of their own dispatch,
//     such as eviction passes, and inserts if nothing is erased: lookups are plain cached reads.
//     Inserts may report MUR_EXISTED for keys that the dispatch erases. No effect if bound.
//   MUR_INT64_ATOMICS: the shader can also write tables with 64-bit atomics (MUR_TABLE_INT64 in
//     MurTableRef.flags); without it such writes report MUR_UNSUPPORTED. Needs shaderInt64 and
//     shaderBufferInt64Atomics. Lookups concurrent with writers then read both words of a 64-bit
//     value, or of a key of K64 and K64V64, at once. K64 tables without the flag are unsupported.
//   MUR_KEYS_64: adds the calls for 64-bit keys with 32-bit values (MUR_FORMAT_K64V32): the same
//     names, the key a uvec2, low word in x. MUR_VALUES_64: also adds 64-bit values (K64V64).
//   MUR_SETS: adds sets: the same names without a value, on a MurSetRef. Keys are uint
//     (MUR_FORMAT_K32) and, with MUR_KEYS_64, uvec2 (MUR_FORMAT_K64).
//   MUR_BUCKETS: the shader's tables are in buckets (<murmuration/buckets.h>): MUR_BUCKETS_ALL,
//     _PER_TABLE or _SETS (layout.h). Others seem empty; writes to them report MUR_UNSUPPORTED.
//   MUR_MULTI: adds multi-value tables (<murmuration/multi.h>).
//   MUR_PAGER: adds pagers (<murmuration/pager.h>). Pagers use device addresses, so they exclude
//     MUR_BUFFER_BINDING. With MUR_READ_ONLY requests of pages are still stores, which need the
//     feature of the stage. MUR_PAGED: adds paged tables (<murmuration/paged.h>) and MUR_PAGER.
//   MUR_SUBGROUP_COMBINE: invocations of a subgroup that insert the same key send one insert to
//     memory, except inserts with the output old: faster for keys that many invocations insert.
//     Define it as an expression that is true if this invocation may insert for others: true, or in
//     fragment shaders !gl_HelperInvocation. Needs subgroup basic, ballot, shuffle, arithmetic.
//   MUR_EMULATE_UMUL_EXTENDED: replaces umulExtended by products of halves, for translators without
//     it, such as naga. The shader becomes some percent slower.
//   MUR_BUFFER_BINDING: the table is a storage buffer bound at this binding instead of a device
//     address. Bind the table's memory from its offset on, at most maxStorageBufferRange bytes.
//     MUR_BUFFER_SET: its descriptor set; default 0. MUR_BUFFER_COUNT: the binding is an array of
//     this many tables, and MurTableRef.index selects one (dynamically uniform, with
//     shaderStorageBufferArrayDynamicIndexing); default: no array.
//
// The argument types of a call select a format. If the table has another format, a write has no
// effect and reports MUR_UNSUPPORTED, and a lookup finds nothing.
//
// Device features: bufferDeviceAddress, unless a buffer is bound. Writes need
// vertexPipelineStoresAndAtomics in vertex, tessellation and geometry stages, and
// fragmentStoresAndAtomics in fragment stages; no feature in compute, task, mesh and ray-tracing
// stages.
//
// Helper invocations of fragment shaders: writes have no effect. The results of loads depend on the
// device: GPUs load as usual, some software devices return zeros. All loops still end.
//
// Concurrency: any number of invocations may make any calls at the same time, on the same keys. The
// table in <murmuration/murmuration.h> has the guarantees for each pair of operations. The atomics
// are relaxed: order your other stores yourself (memoryBarrierBuffer, or a later dispatch). Every
// loop is bounded by the reference, never by table memory. No invocation waits for another.
//
// Calls. T is MurTableRef; K and V are the types of the table's keys and values: uint, or uvec2 if
// they have 64 bits. Brackets enclose optional arguments.
//     bool mur_find(T, K key, out V value)
//     uint mur_find_slot(T, K key[, out V value])        MUR_NO_SLOT: the key is absent
//     bool mur_slot_entry(T, uint slot, out K key, out V value)
//     uint mur_slot_value(T, uint slot)
//     uint mur_empty_value(T)                            the table's empty value
//     uint mur_MODE(T, K key, V value[, out uint slot[, out V old]])
//     uint mur_insert_mode(T, K key, V value, uint mode, out uint slot[, out V old])    MUR_MODE_*
//     uint mur_erase(T, K key[, out V value, out uint slot])
//     V mur_slot_exchange(T, uint slot, V value)
//     V mur_slot_compare_exchange(T, uint slot, V compare, V value)
// MODE is insert (MUR_MODE_INSERT), assign (MUR_MODE_ASSIGN), update, add, min, max, or. A returned
// uint is a status (MUR_INSERTED, ...), except mur_find_slot (a slot), mur_slot_value and
// mur_empty_value (a value). If the key is absent, value is the table's empty value.
// MUR_SETS; S is a MurSetRef:
//     bool mur_find(S, K key)
//     uint mur_find_slot(S, K key)
//     bool mur_slot_entry(S, uint slot, out K key)
//     uint mur_insert(S, K key[, out uint slot])
//     uint mur_erase(S, K key[, out uint slot])
// MUR_BUCKETS, not with MUR_READ_ONLY:
//     void mur_touch(T, uint slot, uint frame)
//     void mur_evict(T, uint slot)
//     void mur_retain(T, uint slot)
// Without a table; the last two not with MUR_BUFFER_BINDING:
//     uint mur_hash(uint key, uint seed)                 murmur3's finalizer
//     uint mur_group(uvec2 groups, uint first)   size of a group (<murmuration/group.h>)
//     uvec2 mur_offset(uvec2 base, uint index, uint shift) base + (index << shift), shift 1 to 31
// MUR_MULTI:
//     uint mur_multi_insert(T, K key, uint value)
//     uint mur_multi_count(T, K key)
//     uint mur_multi_ordinals(T, K key)
//     bool mur_multi_find(T, K key, out uint value)
//     bool mur_multi_get(T, K key, uint ordinal, out uint value)
//     MurMultiCursor mur_multi_begin(T, K key)
//     bool mur_multi_next(T, inout MurMultiCursor cursor, out uint value)
//     uint mur_multi_erase(T, K key, uint value)
//     uint mur_multi_erase_key(T, K key)                 number of erased values
// MUR_PAGER; P is MurPagerRef:
//     bool mur_page_request(P, uint page, uint priority, out uint poolPage)   priority 0 ... 255
//     bool mur_page_peek(P, uint page, out uint poolPage)
//     uvec2 mur_page_address(P, uint poolPage)
//     uint mur_page_load(P, uint poolPage, uint word)
//     uvec4 mur_page_load_quad(P, uint poolPage, uint quad)
//     void mur_page_store(P, uint poolPage, uint word, uint value)
//     void mur_page_store_quad(P, uint poolPage, uint quad, uvec4 values)
//     void mur_page_written(P, uint poolPage)
// MUR_PAGED; R is MurPagedRef, name is the partition (MUR_PAGE_BY_PARTITION). The last three: sets.
//     uint mur_paged_find(R, [uint name, ]K key, uint priority, out V value)
//     uint mur_paged_MODE(R, K key, V value[, out V old])
//     uint mur_paged_MODE(R, uint name, K key, V value, out V old)
//     uint mur_paged_erase(R, [uint name, ]K key, out V value)
//     uint mur_paged_has(R, [uint name, ]K key, uint priority)
//     uint mur_paged_put(R, [uint name, ]K key)
//     uint mur_paged_take(R, [uint name, ]K key)
//
// All declared names begin with mur_, Mur or MUR_. No local name hides a name of your macros. The
// include enables the GLSL extensions that it needs.
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

#ifdef MUR_SUBGROUP_COMBINE
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
#if defined(MUR_PAGED) && !defined(MUR_PAGER)
#define MUR_PAGER
#endif

#include "murmuration/words.h"
#include "murmuration/hash.h"
#include "murmuration/kind.glsl"
#ifdef MUR_BUFFER_BINDING
#include "murmuration/access_buffer.glsl"
#else
#include "murmuration/access_address.glsl"
#endif
#include "murmuration/lanes.glsl"
#include "murmuration/format.glsl"
#ifdef MUR_BUCKETS
#include "murmuration/bucket.glsl"
#endif
#include "murmuration/find.glsl"
#include "murmuration/find_calls.glsl"
#ifndef MUR_READ_ONLY
#include "murmuration/claim.glsl"
#include "murmuration/apply.glsl"
#include "murmuration/combine.glsl"
#include "murmuration/update.glsl"
#include "murmuration/write.glsl"
#include "murmuration/erase.glsl"
#include "murmuration/calls.glsl"
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
