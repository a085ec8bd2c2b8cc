#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdReclaim: erased slots that no probe for a live key passes become free, as murCmdClear
// leaves them. No key moves. Phase 0, one workgroup: zeroes the result. Phase 1: each workgroup
// decides a part of the table, from one read of it and of a few sectors behind it.
//
// Which slots those are. The probe for a key examines slots from its home up to the one it lives
// in, round the table's end if need be; the key *crosses* those before its own. What finds and
// inserts rely on is that no slot that a key crosses is free: a find would end there, an insert
// would claim it, and the key would have two slots. So an erased slot may be freed if and only if
// no live key crosses it. Slot by slot, not by sector: an insert takes the first free lane, so a
// hole before the key in the key's own sector makes a duplicate all the same; and a lane before the
// home slot in the home's sector is not examined, so a hole there does not.
//   The one exception is a probe that went all the way round: it ends in its home's sector, before
// the home slot, but the first look at that sector finds the key at once. For a live key that
// changes nothing, for it crosses every slot but those from its own to its home. A slot of an
// erased key is another matter. It may stay, when others cross it, while slots before it are freed,
// so the key may come back to one of these and its old slot still hold its hash: harmless where the
// new slot is examined first, as nearly always; but here the old one would be found first, dead. So
// such an erased key counts as crossing, like a live one.
//   What crosses a slot is looked for behind it, up to the next free slot, which nobody crosses, and
// no further than a probe goes. Where the limit of probes is beyond MUR_RECLAIM_AHEAD sectors and
// no free slot comes within these, slots stay as they are, which is always right.
//
// Other workgroups free slots meanwhile. What is read of such a slot is erased, free or, of several
// words, neither; it never counts as crossing, and as an end only if it is free, rightly.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define MUR_KEYS_64
#include "../../murmuration.glsl"
#include "../kernel.glsl"
#include "../header.glsl"

layout(push_constant) uniform MurPush {
    MurReclaimPush push;
};

const uint FORMAT = mur_constant_format;
const uint SLOTS = MUR_SLOTS_OF(FORMAT);
const uint NONE = 0x7FFFFFFFu; // no home
const uint FREE = 0x80000000u;

// Of each sector of the window, which begins with the workgroup's own: where the slots begin that its
// keys cross, counted from the window's first slot; and FREE, if one of its slots is free.
shared uint window[MUR_WORKGROUP];
shared uint undecided; // does anybody need what lies behind the window?
shared uint beyond;    // of all that lies there: where the slots begin that it crosses,
shared uint ended;     // and whether a free slot was among it
shared uint freed, kept, base;

struct Sector {
    uvec4 low, high;
    uint first; // its first slot in the table
    uint at;    // ... and counted from the window's first
};

uvec4 words_in(Sector s, uint lane) {
    return mur_lane(FORMAT == MUR_FORMAT_K32V32 ? MUR_FORMAT_K64 : FORMAT, lane, s.low, s.high);
}

bool is_claimed(uvec4 words) {
    return mur_is_claimed(FORMAT == MUR_FORMAT_K32V32 ? MUR_FORMAT_K32 : FORMAT, words);
}

bool is_live(uvec4 words) {
    if (MUR_IS_SET(FORMAT)) {
        return is_claimed(words) && !mur_is_tomb(FORMAT, words);
    }
    uvec2 value = FORMAT == MUR_FORMAT_K32V32 ? uvec2(words.y, 0u) : mur_value_in(FORMAT, words);
    return value != mur_none_of(push.table, FORMAT);
}

bool is_erased(uvec4 words) {
    return is_claimed(words) && !is_live(words);
}

bool is_free(uvec4 words) {
    return !is_live(words) && words.x == MUR_EMPTY && (!MUR_IS_64(FORMAT) || words.y == MUR_EMPTY);
}

// Where the slots begin that the key in this lane crosses, counted from the window's first, where
// those before it count as that; NONE: it crosses none.
uint crossed_from(Sector s, uint lane) {
    uvec4 words = words_in(s, lane);
    uint high = MUR_IS_64(FORMAT) ? mur_hash_in(FORMAT, words).y : words.x;
    uint home = mur_home(high, push.table.capacity);
    uint slot = s.first + lane;
    bool round = !MUR_IS_SET(FORMAT) && slot < home && slot / SLOTS == home / SLOTS;
    if (!is_live(words) && !(round && is_claimed(words))) {
        return NONE;
    }
    uint back = slot - home + (slot < home ? push.table.slotCount : 0u);
    uint at = s.at + lane;
    return at > back ? at - back : 0u;
}

// Sector i of the window that begins at this one, or behind it.
Sector load(uint own, uint i) {
    Sector s;
    uint count = push.table.slotCount / SLOTS;
    uint sector = own + i < count ? own + i : (own + i) % count;
    mur_sector_halves(push.table, FORMAT, sector, s.low, s.high);
    s.first = sector * SLOTS;
    s.at = i * SLOTS;
    return s;
}

uint summary(Sector s, out uint erased, out uint free) {
    uint least = NONE;
    erased = 0u;
    free = 0u;
    [[unroll]] for (uint lane = 0u; lane < SLOTS; ++lane) {
        uvec4 words = words_in(s, lane);
        least = min(least, crossed_from(s, lane));
        erased |= is_erased(words) ? 1u << lane : 0u;
        free |= is_free(words) ? 1u << lane : 0u;
    }
    return least | (free != 0u ? FREE : 0u);
}

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
            uint erased, free;
            uint word = summary(load(own, at), erased, free);
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

void free_slot(uint slot) {
    uvec2 at = mur_slot_address(push.table, FORMAT, slot);
    uvec4 words = free_words(push.table, FORMAT);
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

// Frees what can be of the erased lanes of a sector; least: where the slots begin that are crossed
// from behind it.
uint free_lanes(Sector s, uint erased, uint least) {
    uint lanes = 0u;
    [[unroll]] for (uint i = 0u; i < SLOTS; ++i) {
        uint lane = SLOTS - 1u - i;
        if ((erased >> lane & 1u) != 0u && least > s.at + lane) {
            free_slot(s.first + lane);
            lanes |= 1u << lane;
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
            base = atomicAdd(MurCounter(mur_offset(push.result, MUR_RECLAIM_FREED, 2u)).word, freed);
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
    uint erased, free;
    Sector s = load(own, lane);
    uint word = summary(s, erased, free);
    window[lane] = word;
    erased = lane < mine ? erased : 0u;
    if (lane == 0u) {
        undecided = 0u;
        beyond = NONE;
        ended = 0u;
        freed = 0u;
        kept = 0u;
    }
    barrier();

    uint open = free == 0u ? erased : erased & ~((2u << findMSB(free)) - 1u);
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
    uint lanes = erased == 0u ? 0u : free_lanes(s, erased, least);
    if (mur_wanted(push.result)) {
        report(s.first, lanes, erased & ~lanes);
    }
}
