// How a workgroup decides a part of the table, a sector an invocation, from one read of it and,
// where that is not enough, of sectors behind it.
//
// Include after reclaim.glsl and header.glsl.
//
// SPDX-License-Identifier: MIT

// Of each sector that the workgroup owns: where the slots begin that its keys cross, counted from
// the first slot it owns; and FREE, if one of its slots is free.
shared uint window[MUR_WORKGROUP];
shared uint undecided; // does anybody need what lies behind the window?
shared uint beyond;    // of all that lies there: where the slots begin that it crosses,
shared uint ended;     // and whether a free slot was among it

// Looks in the window behind a sector, as far as its lowest open slot needs. False: further still.
bool look_ahead(uint mine, uint lowest, inout uint least) {
    for (uint i = gl_LocalInvocationIndex + 1u; i < mine; ++i) {
        uint word = window[i];
        least = min(least, word & NONE);
        if ((word & FREE) != 0u || least <= lowest) {
            return true;
        }
    }
    return false;
}

// Looks at the sectors behind the window, few at first, as far as probes reach, up to a free slot,
// or until all of the window is crossed. In uniform control flow.
void look_beyond(uint own, uint mine, uint reach) {
    uint count = push.table.slotCount / SLOTS;
    uint step = MUR_RECLAIM_STEP;
    for (uint i = 0u; i < reach; i += step, step = MUR_WORKGROUP) {
        uint at = i + gl_LocalInvocationIndex;
        if (gl_LocalInvocationIndex < step && at < reach) {
            uint word = summary(load((own + mine + at) % count, mine + at, true));
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

// What an erase leaves of the slot of an entry.
uvec4 erased_words(uvec4 words) {
    uint none = mur_no_value(push.table);
    switch (FORMAT) {
    case MUR_FORMAT_K32V32:
        return uvec4(words.x, none, 0u, 0u);
    case MUR_FORMAT_K64V32:
        return uvec4(words.xy, none, words.w);
    case MUR_FORMAT_K64V64:
        return uvec4(words.xy, none, none);
    default:
        return uvec4(MUR_TOMB, MUR_EMPTY, 0u, 0u);
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
uint free_lanes(Sector s, uint least) {
    bool ordered = mur_ordered(push.table);
    uint lanes = 0u;
    [[unroll]] for (uint i = 0u; i < SLOTS; ++i) {
        uint lane = SLOTS - 1u - i;
        if ((s.spare >> lane & 1u) != 0u) {
            bool freed = least > s.at + lane;
            if (freed || !(ordered || is_hole(words_in(s, lane)))) {
                vacate(s.first + lane, !freed);
            } else if ((s.gone >> lane & 1u) != 0u) {
                erase_slot(s.first + lane, words_in(s, lane));
            }
            lanes |= freed ? 1u << lane : 0u;
        }
        least = (s.free >> lane & 1u) != 0u ? NONE : min(least, crossed_from(s, lane));
    }
    return lanes;
}

// Frees what can be of the workgroup's sectors: mine, from own on. s: this invocation's sector.
// Returns the freed lanes. In uniform control flow.
uint decide(uint own, uint mine, Sector s) {
    uint reach = push.table.probeSectors - 1u; // no probe goes further behind a sector
    uint lane = gl_LocalInvocationIndex;
    window[lane] = summary(s);
    if (lane == 0u) {
        undecided = 0u;
        beyond = NONE;
        ended = 0u;
    }
    barrier();

    uint open = s.free == 0u ? s.spare : s.spare & ~((2u << findMSB(s.free)) - 1u);
    uint least = NONE;
    bool decided = open == 0u || look_ahead(mine, s.at + uint(findLSB(open)), least);
    if (!decided) {
        undecided = 1u;
    }
    barrier();
    if (undecided != 0u) {
        look_beyond(own, mine, min(reach, MUR_RECLAIM_AHEAD));
        if (!decided) {
            bool seen = ended != 0u || reach <= MUR_RECLAIM_AHEAD;
            least = seen ? min(least, beyond) : 0u;
        }
    }
    return s.spare == 0u ? 0u : free_lanes(s, least);
}
