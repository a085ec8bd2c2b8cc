#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdExtract: writes the entries that satisfy the predicates as a dense list. Each invocation
// reads one sector; one more reads the sentinel slots. A workgroup ranks its entries in shared
// memory and reserves their output by one atomic. murCmdEraseWhere also erases the entries.
// SPDX-License-Identifier: MIT
#define MUR_NONCOHERENT_LOOKUPS
#define PUSH MurExtractPush
#include "../kernel.glsl"
#include "entries.glsl"
#define PREDICATES push.predicates
#include "../predicates.glsl"
#ifdef MUR_ERASE_RACE // in tests: changes an entry between predicates and erase
#include "race.glsl"
#endif

shared uint shared_count;
shared uint shared_base;

// Does a predicate read the key? If not, keys need not be computed from hashes.
bool asks_for_keys() {
    return (push.predicates[0].word | push.predicates[1].word | push.predicates[2].word) != 0u;
}

bool kept(uint lane) {
    return present(lane) &&
           satisfies(value_in(lane).x, asks_for_keys() ? key_in(lane) : uvec3(0u));
}

// Selects an entry, and erases it for murCmdEraseWhere. The erase is one atomic, which fails if the
// entry has changed since the predicates read it. Then the predicates are evaluated again.
bool take(uint lane, uint slot) {
    while (kept(lane)) {
        if (push.erases == 0u) {
            return true;
        }
#ifdef MUR_ERASE_RACE
        race(lane, slot);
#endif
        if (erase(lane, slot)) {
            MUR_RESET_AGE(push.table, slot);
            return true;
        }
    }
    return false;
}

void main() {
    uint sectors = push.table.slotCount / SLOTS;
    uint first = 0u;
    uint lanes = 0u;
    uint sector;
    if (mur_item(sectors + 1u, sector)) {
        load(sector, sector == sectors);
        for (uint lane = 0u; lane < SLOTS; ++lane) {
            lanes |= take(lane, SLOTS * sector + lane) ? 1u << lane : 0u;
        }
    }
    if (gl_LocalInvocationIndex == 0u) {
        shared_count = 0u;
    }
    barrier();
    if (lanes != 0u) {
        first = atomicAdd(shared_count, uint(bitCount(lanes)));
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        shared_base = shared_count == 0u
                          ? 0u
                          : atomicAdd(MurCounter(push.count).word, shared_count);
    }
    barrier();

    uint at = shared_base + first;
    for (uint lane = 0u; lane < SLOTS; ++lane) {
        if ((lanes & (1u << lane)) != 0u) {
            if (at < push.maxCount) {
                write(lane, at);
                mur_output(push.slots, at, SLOTS * sector + lane);
            }
            ++at;
        }
    }
}
