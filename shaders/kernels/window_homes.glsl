// How many pairs each home slot of a window has, then where they begin. Two home slots a word.
//
// SPDX-License-Identifier: MIT

const uint HOME_WORDS = (HOMES / 2u + MUR_WORKGROUP - 1u) / MUR_WORKGROUP; // an invocation's
const uint HOMES_EACH = 2u * HOME_WORDS;
const uint HOME_MOST = 15u; // pairs that a home slot can have here
const uint HOME_BEGIN_BITS = 12u;

shared uint homes[HOME_WORDS * MUR_WORKGROUP];
// By subgroup: what its home slots do to what reaches into them, see compose.
shared uvec2 reaches[MUR_WORKGROUP / 4u + 8u];

uint home_shift(uint home) {
    return 16u * (home % 2u);
}

void clear_homes(uint lane) {
    for (uint i = lane; i < homes.length(); i += MUR_WORKGROUP) {
        homes[i] = 0u;
    }
}

// Returns how many pairs of the home slot have come before.
uint count_home(uint home) {
    return (atomicAdd(homes[home / 2u], 1u << home_shift(home)) >> home_shift(home)) & 0xFFFFu;
}

// Of a home slot: begin of its pairs, and their number. After begin_homes.
uvec2 home_pairs(uint home) {
    uint word = (homes[home / 2u] >> home_shift(home)) & 0xFFFFu;
    return uvec2(word & ((1u << HOME_BEGIN_BITS) - 1u), word >> HOME_BEGIN_BITS);
}

// If what comes before a run of home slots takes the slots up to p, all takes those up to
// max(p + x, y); as in build_shifts.glsl, for places that are never negative.
uvec2 compose(uvec2 first, uvec2 second) {
    return uvec2(first.x + second.x, max(first.y + second.x, second.y));
}

// Slots up to the returned one are taken by the pairs of all home slots before this invocation's.
uint reach_before(uvec2 mine) {
    uint id = gl_SubgroupInvocationID;
    uvec2 all = mine;
    [[unroll]] for (uint far = 1u; far < MUR_SUBGROUP_MOST; far *= 2u) {
        if (far < gl_SubgroupSize) {
            uvec2 other = subgroupShuffle(all, id - min(far, id));
            all = id >= far ? compose(other, all) : all;
        }
    }
    if (id + 1u == subgroup_lanes()) {
        reaches[gl_SubgroupID] = all;
    }
    uvec2 others = subgroupShuffle(all, id - min(1u, id));
    others = id == 0u ? uvec2(0u) : others;
    barrier();
    uint reach = 0u;
    for (uint first = 0u; first < gl_SubgroupID; first += 8u) { // eight loads at once
        uvec2 steps[8];
        [[unroll]] for (uint i = 0u; i < 8u; ++i) {
            steps[i] = reaches[first + i];
        }
        [[unroll]] for (uint i = 0u; i < 8u; ++i) {
            reach = first + i < gl_SubgroupID ? max(reach + steps[i].x, steps[i].y) : reach;
        }
    }
    return max(reach + others.x, others.y);
}

// Replaces counts by where the pairs begin. lane: scan_lane. Tells whether a slot of first ... last
// - 1 stays free: one that nothing before its own pairs has taken is as good, for what follows.
bool begin_homes(uint lane, uint first, uint last) {
    uint counts[HOMES_EACH];
    uvec2 mine = uvec2(0u);
    [[unroll]] for (uint i = 0u; i < HOMES_EACH; ++i) {
        uint home = HOMES_EACH * lane + i;
        counts[i] = (homes[home / 2u] >> home_shift(home)) & 0xFFFFu;
        mine = compose(mine, uvec2(counts[i], home + counts[i]));
    }
    uint reach = reach_before(mine);
    bool free = false;
    uint words[HOMES_EACH];
    [[unroll]] for (uint i = 0u; i < HOMES_EACH; ++i) {
        uint home = HOMES_EACH * lane + i;
        free = free || (reach <= home && home >= first && home < last);
        reach = max(reach, home);
        words[i] = min(counts[i], HOME_MOST) << HOME_BEGIN_BITS |
                   min(reach, (1u << HOME_BEGIN_BITS) - 1u);
        if (counts[i] > HOME_MOST) {
            crowded = 1u;
        }
        reach += counts[i];
    }
    [[unroll]] for (uint i = 0u; i < HOME_WORDS; ++i) {
        homes[HOME_WORDS * lane + i] = words[2u * i] | words[2u * i + 1u] << 16;
    }
    return free;
}
