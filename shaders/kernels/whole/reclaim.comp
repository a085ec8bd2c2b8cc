#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdReclaim: slots of erased keys that no probe for a live key passes become free, as
// murCmdClear leaves them, the others holes. No key moves. Phase 0, one workgroup: zeroes the result. Phase 1: each workgroup
// decides a part of the table, from one read of it and of a few sectors behind it.
//
// Which slots those are, and why no others, is said in reclaim.glsl.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define MUR_KEYS_64
#include "../../murmuration.glsl"
#include "../kernel.glsl"
#include "../header.glsl"

layout(push_constant) uniform MurPush {
    MurReclaimPush push;
};

#include "reclaim.glsl"

// Of each sector of the window, which begins with the workgroup's own: where the slots begin that
// its keys cross, counted from the window's first slot; and FREE, if one of its slots is free.
shared uint window[MUR_WORKGROUP];
shared uint undecided; // does anybody need what lies behind the window?
shared uint beyond;    // of all that lies there: where the slots begin that it crosses,
shared uint ended;     // and whether a free slot was among it
shared uint freed, kept, base;

// Looks in the window behind a sector, as far as its lowest open slot needs. False: further still.
bool look_ahead(uint end, uint lowest, inout uint least) {
    for (uint i = gl_LocalInvocationIndex + 1u; i < min(end, MUR_WORKGROUP); ++i) {
        uint word = window[i];
        least = min(least, word & NONE);
        if ((word & FREE) != 0u || least <= lowest) {
            return true;
        }
    }
    return false;
}

// Looks at the sectors from the window's end to this one, up to a free slot, or until all of the
// window is crossed. In uniform control flow.
void look_beyond(uint own, uint end) {
    for (uint i = MUR_WORKGROUP; i < end; i += MUR_WORKGROUP) {
        uint at = i + gl_LocalInvocationIndex;
        if (at < end) {
            uint spare, free;
            uint word = summary(load(own, at), spare, free);
            atomicMin(beyond, word & NONE);
            atomicOr(ended, word & FREE);
        }
        barrier();
        bool enough = ended != 0u || beyond == 0u;
        barrier();
        if (enough) {
            break;
        }
    }
}

void vacate(uint slot, bool hole) {
    uvec2 at = mur_slot_address(push.table, FORMAT, slot);
    uvec4 words = hole ? hole_words(push.table, FORMAT) : free_words(push.table, FORMAT);
    if (hole && FORMAT == MUR_FORMAT_K64V32) {
        atomicExchange(MurCounter(tag_address(slot)).word, words.w);
        memoryBarrierBuffer();
    }
    switch (MUR_SLOT_SHIFT(FORMAT)) {
    case 2u:
        MurOutput(at).word = words.x;
        break;
    case 3u:
        MurPairOut(at).pair = words.xy;
        break;
    default:
        MurHalfOut(at).words = words;
        break;
    }
}

// Frees what can be of a sector's spare lanes, and makes holes of the others; least: where the slots
// begin that are crossed from behind it. Returns the freed ones.
uint free_lanes(Sector s, uint spare, uint least) {
    bool ordered = mur_ordered(push.table);
    uint lanes = 0u;
    [[unroll]] for (uint i = 0u; i < SLOTS; ++i) {
        uint lane = SLOTS - 1u - i;
        if ((spare >> lane & 1u) != 0u) {
            bool freed = least > s.at + lane;
            if (freed || !(ordered || is_hole(words_in(s, lane)))) {
                vacate(s.first + lane, !freed);
            }
            lanes |= freed ? 1u << lane : 0u;
        }
        least = is_free(words_in(s, lane)) ? NONE : min(least, crossed_from(s, lane));
    }
    return lanes;
}

// Adds to the result, and lists the freed lanes of a sector that begins at this slot. In uniform
// control flow.
void report(uint first, uint lanes, uint stay) {
    uint rank = atomicAdd(freed, uint(bitCount(lanes)));
    atomicAdd(kept, uint(bitCount(stay)));
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        if (freed != 0u) {
            uvec2 at = mur_offset(push.result, MUR_RECLAIM_FREED, 2u);
            base = atomicAdd(MurCounter(at).word, freed);
        }
        if (kept != 0u) {
            atomicAdd(MurCounter(mur_offset(push.result, MUR_RECLAIM_KEPT, 2u)).word, kept);
        }
    }
    barrier();
    for (; lanes != 0u; lanes &= lanes - 1u) {
        uint at = base + rank;
        if (at < push.maxCount) {
            mur_output(push.slots, at, first + uint(findLSB(lanes)));
        }
        ++rank;
    }
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    if (push.phase == 0u) {
        if (lane < MUR_RECLAIM_WORDS) {
            mur_output(push.result, lane, 0u);
        }
        return;
    }
    uint count = push.table.slotCount / SLOTS;
    uint own = mur_workgroup() * MUR_RECLAIM_OWN;
    if (own >= count) {
        return; // the whole workgroup
    }
    uint mine = min(MUR_RECLAIM_OWN, count - own);
    uint reach = push.table.probeSectors - 1u; // no probe goes further behind a sector
    uint end = mine + min(reach, MUR_RECLAIM_AHEAD);
    uint spare, free;
    Sector s = load(own, lane);
    uint word = summary(s, spare, free);
    window[lane] = word;
    spare = lane < mine ? spare : 0u;
    if (lane == 0u) {
        undecided = 0u;
        beyond = NONE;
        ended = 0u;
        freed = 0u;
        kept = 0u;
    }
    barrier();

    uint open = free == 0u ? spare : spare & ~((2u << findMSB(free)) - 1u);
    uint least = NONE;
    bool decided = open == 0u || look_ahead(end, s.at + uint(findLSB(open)), least);
    if (!decided) {
        undecided = 1u;
    }
    barrier();
    if (undecided != 0u) {
        look_beyond(own, end);
        if (!decided) {
            bool seen = ended != 0u || reach <= MUR_RECLAIM_AHEAD;
            least = seen ? min(least, beyond) : 0u;
        }
    }
    uint lanes = spare == 0u ? 0u : free_lanes(s, spare, least);
    if (mur_wanted(push.result)) {
        report(s.first, lanes, spare & ~lanes);
    }
}
