#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
// A user's shader with all operations on one table. Each invocation runs a few operations from a
// mix (mix.h), and records each result, or (STORM_TALLY) adds it to the sums of the key. Built for
// both access modes (STORM_BOUND), with and without MUR_INT64_ATOMICS.
// SPDX-License-Identifier: MIT
#ifdef STORM_BOUND
#define MUR_BUFFER_BINDING 0
#endif
#include "murmuration.glsl"
#include "storm.h"

layout(local_size_x = STORM_WORKGROUP) in;

layout(push_constant) uniform Push {
    StormPush push;
};

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Words {
    uint words[];
};
layout(buffer_reference, std430, buffer_reference_align = 4) coherent buffer Counter {
    uint next;
};
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer Records {
    uvec4 halves[];
};
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Tallies {
    StormTally keys[];
};

// Returns a ticket: the next number of a global counter, to order operations that do not overlap.
// The barriers ensure that an operation that ended before another began happens before it.
uint take_ticket() {
    if ((push.tickets.x | push.tickets.y) == 0u) {
        return 0u;
    }
    memoryBarrierBuffer();
    uint ticket = atomicAdd(Counter(push.tickets).next, 1u);
    memoryBarrierBuffer();
    return ticket;
}

uint pick_key(uint item, uint round, uint random) {
    uint n = push.keyCount;
    if (push.pattern == STORM_OWN) {
        return item * (n / push.invocations) + random % (n / push.invocations);
    }
    if (push.pattern == STORM_EVEN) {
        return (round & 1u) == 0u ? item / (push.invocations / n) : item % n;
    }
    if (push.pattern == STORM_MANY) {
        return mur_hash((round & 1u) == 0u ? random : item / 8u + round, push.seed + 1u) % n;
    }
    switch ((round + push.seed) & 3u) {
    case 0u:
        return random % n;
    case 1u:
        return (item / 4u + round) % n;
    case 2u:
        return (gl_LocalInvocationIndex + round) % n;
    default:
        return (gl_WorkGroupID.x / 2u + round) % n;
    }
}

uint exchange(uint slot, uint value, out uint old) {
    uint none = mur_empty_value(push.table);
    old = mur_slot_exchange(push.table, slot, value);
    if (value == none) {
        return old == none ? MUR_ABSENT : MUR_ERASED;
    }
    return old == none ? MUR_INSERTED : MUR_EXISTED;
}

// Reads a slot's value and replaces it if the value has not changed since. op: output, the
// operation with the same effect: an exchange, an erase by slot, or a find if the call fails.
uint compare_exchange(inout uint op, uint slot, uint value, out uint old) {
    uint none = mur_empty_value(push.table);
    uint compare = mur_slot_value(push.table, slot);
    old = mur_slot_compare_exchange(push.table, slot, compare, value);
    if (old != compare || compare == none) {
        op = STORM_FIND;
        return old == none ? MUR_ABSENT : MUR_FOUND;
    }
    op = value == none ? STORM_TAKE : STORM_EXCHANGE;
    return value == none ? MUR_ERASED : MUR_EXISTED;
}

uint run(inout uint op, uint keyIndex, uint key, uint given, out uint value, out uint slot) {
    value = mur_empty_value(push.table);
    switch (op) {
    case STORM_FIND:
        slot = mur_find_slot(push.table, key, value);
        return slot == MUR_NO_SLOT ? MUR_ABSENT : MUR_FOUND;
    case STORM_ERASE:
        return mur_erase(push.table, key, value, slot);
    case STORM_EXCHANGE:
    case STORM_TAKE:
        slot = Words(push.slots).words[keyIndex];
        return exchange(slot, given, value);
    case STORM_COMPARE:
        slot = Words(push.slots).words[keyIndex];
        return compare_exchange(op, slot, given, value);
    default:
#ifdef MUR_SUBGROUP_COMBINE // merged inserts return no previous value
        return mur_insert_mode(push.table, key, given, op, slot);
#else
        return mur_insert_mode(push.table, key, given, op, slot, value);
#endif
    }
}

#ifdef STORM_TALLY
void tally(StormRecord r, uint key) {
    Tallies tallies = Tallies(push.records);
    bool takes = r.op == STORM_FIND || r.op == STORM_ERASE;
    bool fits = takes ? r.status == MUR_ABSENT ||
                            r.status == (r.op == STORM_FIND ? MUR_FOUND : MUR_ERASED)
                      : r.slot <= push.table.slotCount &&
                            (r.status == MUR_INSERTED || r.status == MUR_EXISTED);
    bool there = r.status != MUR_INSERTED && r.status != MUR_ABSENT;
    if (!fits || there != (r.value != mur_empty_value(push.table)) ||
        r.value % storm_factor(key) != 0u) {
        atomicAdd(tallies.keys[r.key].wrong, 1u);
    }
    if (r.status == MUR_INSERTED) {
        atomicAdd(tallies.keys[r.key].inserted, 1u);
    } else if (r.status == MUR_ERASED) {
        atomicAdd(tallies.keys[r.key].erased, 1u);
    }
    if (r.status == MUR_INSERTED || r.status == MUR_ERASED || r.op == MUR_MODE_ADD) {
        atomicAdd(tallies.keys[r.key].sum, r.status == MUR_ERASED ? 0u - r.value : r.given);
    }
}
#endif

void main() {
    uint item = gl_GlobalInvocationID.x;
    if (item >= push.invocations) {
        return;
    }
    for (uint round = 0u; round < push.rounds; ++round) {
        uint id = item * push.rounds + round;
        uint random = mur_hash(id, push.seed);
        uint op = (push.mix >> (4u * (random >> 29))) & 15u;
        uint keyIndex = pick_key(item, round, random & 0xFFFFFFu);
        uint key = Words(push.keys).words[keyIndex];
        bool gives = op <= MUR_MODE_UPDATE || op == STORM_EXCHANGE ||
                     (op == STORM_COMPARE && (random & 1u) != 0u);
        uint given = gives ? storm_value(push.scheme, id, key) : mur_empty_value(push.table);
        uint value, slot;
        uint before = take_ticket();
        uint status = run(op, keyIndex, key, given, value, slot);
        uint after = take_ticket();
#ifdef STORM_TALLY
        tally(StormRecord(op, keyIndex, given, status, value, slot, before, after), key);
#else
        Records(push.records).halves[2u * id] = uvec4(op, keyIndex, given, status);
        Records(push.records).halves[2u * id + 1u] = uvec4(value, slot, before, after);
#endif
    }
}
