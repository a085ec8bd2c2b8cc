#version 460
#extension GL_GOOGLE_include_directive : require
// A shader with names that could collide with names of the include. They are declared after the
// include, or before it with NAMES_BEFORE. In this case the include's extensions come first,
// because GLSL requires it.
// SPDX-License-Identifier: MIT
#ifdef NAMES_BEFORE
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#else
#include "murmuration.glsl"
#endif

layout(local_size_x = 1) in;

// Names of types.
struct Table { uint words; };
struct TableRef { uint address; };
struct Slot { uint key; uint value; };
struct Sector { Slot slots[4]; };
struct Pair { uint first; uint second; };
struct Word { uint word; };
struct Header { uint magic; };

// Names of functions.
uint find(uint key) { return key; }
uint insert(uint key) { return key; }
uint assign(uint key) { return key; }
uint erase(uint key) { return key; }
uint add(uint key) { return key; }
uint exchange(uint key) { return key; }
uint hash(uint key) { return key; }
uint home(uint key) { return key; }
uint claim(uint key) { return key; }
uint update(uint key) { return key; }
uint pack(uint key) { return key; }
uint offset(uint key) { return key; }
uint probe(uint key) { return key; }
uint next(uint key) { return key; }
uint mode(uint key) { return key; }
uint no_value(uint key) { return key; }

// Names of variables and constants.
uint slot, sector, lane, value, values, keys, pair, low, high, carry, start, left, shift, base;
uint index, word, words, wide, wides, halves, state, address, capacity, seed, flags, count;
uint at, t, i;
const uint table = 1u, key = 2u, old = 3u, seen = 4u, none = 5u, status = 6u, empty = 7u, hit = 8u;
shared uint block;

// Names of macros, in capitals.
#define EMPTY       1u
#define NO_SLOT     2u
#define FULL        3u
#define FOUND       4u
#define INSERTED    5u
#define SECTOR_READ 6u
#define BLOCK       7u

#ifdef NAMES_BEFORE
#include "murmuration.glsl"
#endif

layout(push_constant) uniform Push {
    MurTableRef cells;
} push;

void main() {
    uint value, at;
    bool found = mur_find(push.cells, key, value);
#ifndef MUR_READ_ONLY
    at = mur_insert(push.cells, find(key), value, slot);
#endif
    block = hash(slot) + (found ? FULL : EMPTY) + at + t + i;
}
