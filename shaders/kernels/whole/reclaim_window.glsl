// How a workgroup decides a part of the table, from one read of it and of a few sectors behind it.
//
// Include after reclaim.glsl and header.glsl.
//
// SPDX-License-Identifier: MIT

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

void erase_slot(uint slot, uvec4 words) {
    uvec2 at = mur_slot_address(push.table, FORMAT, slot);
    uint count = 1u << (MUR_SLOT_SHIFT(FORMAT) - 2u);
    [[unroll]] for (uint i = 0u; i < count; ++i) {
        mur_output(at, i, erased_words(words)[i]);
    }
}

// Frees what can be of a sector's spare lanes, and makes holes of the others; least: where the
// slots begin that are crossed from behind it. Returns the freed ones.
uint free_lanes(Sector s, uint spare, uint least) {
    bool ordered = mur_ordered(push.table);
    uint lanes = 0u;
    [[unroll]] for (uint i = 0u; i < SLOTS; ++i) {
        uint lane = SLOTS - 1u - i;
        if ((spare >> lane & 1u) != 0u) {
            bool freed = least > s.at + lane;
            if (freed || !(ordered || is_hole(words_in(s, lane)))) {
                vacate(s.first + lane, !freed);
            } else if ((s.gone >> lane & 1u) != 0u) {
                erase_slot(s.first + lane, words_in(s, lane));
            }
            lanes |= freed ? 1u << lane : 0u;
        }
        least = is_free(words_in(s, lane)) ? NONE : min(least, crossed_from(s, lane));
    }
    return lanes;
}

// Adds to a MurReclaimResult, and lists the freed lanes of a sector that begins at this slot. In
// uniform control flow.
void report(uvec2 result, uvec2 slots, uint maxCount, uint first, uint lanes, uint stay) {
    uint rank = atomicAdd(freed, uint(bitCount(lanes)));
    atomicAdd(kept, uint(bitCount(stay)));
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        if (freed != 0u) {
            uvec2 at = mur_offset(result, MUR_RECLAIM_FREED, 2u);
            base = atomicAdd(MurCounter(at).word, freed);
        }
        if (kept != 0u) {
            atomicAdd(MurCounter(mur_offset(result, MUR_RECLAIM_KEPT, 2u)).word, kept);
        }
    }
    barrier();
    for (; lanes != 0u; lanes &= lanes - 1u) {
        uint at = base + rank;
        if (at < maxCount) {
            mur_output(slots, at, first + uint(findLSB(lanes)));
        }
        ++rank;
    }
}

// Frees what can be of the workgroup's sectors: mine, from own on. s: this invocation's sector;
// spare: of its own ones the lanes that nobody lives in. Returns the freed ones. In uniform control
// flow.
uint decide(uint own, uint mine, out Sector s, out uint spare) {
    uint reach = push.table.probeSectors - 1u; // no probe goes further behind a sector
    uint end = mine + min(reach, MUR_RECLAIM_AHEAD);
    uint lane = gl_LocalInvocationIndex;
    uint free;
    s = load(own, lane);
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
    return spare == 0u ? 0u : free_lanes(s, spare, least);
}
