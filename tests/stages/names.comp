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

#define TYPE(name)     struct name { uint member; };
#define FUNCTION(name) uint name(uint key) { return key; }
TYPE(Table) TYPE(TableRef) TYPE(Slot) TYPE(Sector) TYPE(Pair) TYPE(Word) TYPE(Header)
FUNCTION(find) FUNCTION(insert) FUNCTION(assign) FUNCTION(erase) FUNCTION(add) FUNCTION(exchange)
FUNCTION(hash) FUNCTION(home) FUNCTION(claim) FUNCTION(update) FUNCTION(pack) FUNCTION(offset)
FUNCTION(probe) FUNCTION(next) FUNCTION(mode) FUNCTION(no_value)

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
