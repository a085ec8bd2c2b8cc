// Murmuration: the hash table of murmuration.glsl in HLSL, for tables that are bound as buffers and
// written with 32-bit atomics. For HLSL 2021 and older: DXC, Slang, glslang's HLSL front end.
//
//     #define MUR_READ_ONLY                                  // only lookups; see below
//     #include "murmuration.hlsli"
//     [[vk::binding(0, 0)]] MUR_BUFFER bricks : register(t0);        // the table's memory; without
//                                                                    // MUR_READ_ONLY register(u0)
//     struct Push { MurTableRef bricks; };                           // from murGetTableRef
//     [[vk::push_constant]] ConstantBuffer<Push> push;
//     ...
//     uint value;
//     if (mur_find(bricks, push.bricks, key, value)) ...
//
// Tested compilers. The project's tests run all calls as compiled by glslang (SPIR-V, on Mesa's
// lavapipe, SwiftShader and an NVIDIA GPU) and by Slang (on the same devices without the GPU). DXC
// compiles all calls to DXIL; its SPIR-V is not tested. Call glslang and glslc with --target-env
// vulkan1.1: with 1.2 and later, glslangValidator 12.0 crashes and glslc 2023.2 fails.
//
// Bind all of a table's memory, from its offset on (murGetTableMemory), at most 4 GiB. MUR_BUFFER
// is the type of the binding: ByteAddressBuffer with MUR_READ_ONLY, else globallycoherent
// RWByteAddressBuffer; in Slang a structure that contains one (slang.hlsli). MurTableRef has 32
// bytes and the same layout in constant, push-constant and structured buffers. The field address is
// not used.
//
// Define these macros before the include. Each macro means the same as in murmuration.glsl:
//
//   MUR_READ_ONLY   Only lookups, by plain cached reads.
//   MUR_KEYS_64     Adds the calls for 64-bit keys with 32-bit values (MUR_FORMAT_K64V32): the
//                   same names, the key a uint2, low word in x.
//   MUR_SETS        Adds sets of 32-bit keys (MUR_FORMAT_K32) and, with MUR_KEYS_64, of 64-bit keys
//                   (MUR_FORMAT_K64), which 32-bit atomics can write only in buckets. Calls on sets
//                   have a MurSetRef, with the layout of the MurTableRef in it. In DXC before HLSL
//                   2021, a shader with MUR_SETS has no calls for tables with values.
//   MUR_BUCKETS     The shader's tables are in buckets: MUR_BUCKETS_ALL, _PER_TABLE or _SETS
//                   (layout.h). Without the macro none are. In unsupported tables lookups find
//                   nothing, and writes return MUR_UNSUPPORTED.
//
// Statuses are MUR_FOUND, MUR_INSERTED, ...: <murmuration/layout.h>. Pass arguments of exactly
// these types: if no overload fits, HLSL converts a vector to a number and calls another overload.
//
//   bool mur_find(table, t, key, out value)
//   uint mur_find_slot(table, t, key[, out value])
//   bool mur_slot_entry(table, t, slot, out key, out value)
//   uint mur_slot_value(table, t, slot)
//
//   uint mur_insert(table, t, key, value[, out slot[, out old]])    find or insert
//   uint mur_assign, mur_update, mur_min, mur_add, mur_max, mur_or   the same arguments
//   uint mur_insert_mode(table, t, key, value, mode, out slot, out old)             MUR_MODE_*
//   uint mur_erase(table, t, key[, out value, out slot])
//   uint mur_slot_exchange(table, t, slot, value)
//   uint mur_slot_compare_exchange(table, t, slot, compare, value)
//
//   Sets (s: MurSetRef) have no value:
//   bool mur_find(table, s, key)                 uint mur_insert(table, s, key[, out slot])
//   uint mur_find_slot(table, s, key)            uint mur_erase(table, s, key[, out slot])
//   bool mur_slot_entry(table, s, slot, out key)
//
//   Bucketed tables and sets, for eviction passes:
//   void mur_evict(table, t, slot)                void mur_touch(table, t, slot, frame)
//   void mur_retain(table, t, slot)
//
//   mur_spatial_key_at, ...        include "murmuration/spatial.h" after this file
//
// murmuration.glsl and <murmuration/murmuration.h> describe each call, and which calls may be
// concurrent. In tables with 64-bit atomics, lookups work, but writes have no effect and return
// MUR_UNSUPPORTED: create tables with MUR_ATOMIC_WIDTH_32. A lookup in a set of 64-bit keys must
// not be concurrent with writers that use 64-bit atomics. MUR_TABLE_HOME_FIRST has no effect here.
//
// All declared names begin with mur_, Mur or MUR_.
// SPDX-License-Identifier: MIT
#ifndef MUR_MURMURATION_HLSLI
#define MUR_MURMURATION_HLSLI

#define MUR_HLSL 1
// Before HLSL 2021, DXC converts between MurSetRef and MurTableRef, so calls would be ambiguous.
#if !defined(MUR_SETS) || !defined(__HLSL_VERSION) || __HLSL_VERSION >= 2021
#define MUR_MAPS
#endif
#ifdef MUR_READ_ONLY
#define MUR_BUFFER ByteAddressBuffer
#elif defined(__SLANG__)
#include "murmuration/hlsl/slang.hlsli"
#define MUR_BUFFER MurBuffer
#else
#define MUR_BUFFER globallycoherent RWByteAddressBuffer
#endif

#include "murmuration/words.h"
#include "murmuration/hash.h"
#include "murmuration/kind.glsl"
#include "murmuration/hlsl/slots.hlsli"
#include "murmuration/hlsl/bucket.hlsli"
#include "murmuration/hlsl/find.hlsli"
#ifndef MUR_READ_ONLY
#include "murmuration/hlsl/claim.hlsli"
#include "murmuration/hlsl/bucket_write.hlsli"
#include "murmuration/hlsl/write.hlsli"
#include "murmuration/hlsl/calls.hlsli"
#endif

#endif
