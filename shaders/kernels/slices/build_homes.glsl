// Shared memory has 16 bits per home slot of a slice: its pair count, later the position of its
// first pair. The including file defines HOME_WORDS: MUR_SLICE / 2, or less if it counts nothing.
// SPDX-License-Identifier: MIT

const uint HOMES_EACH = MUR_SLICE / MUR_WORKGROUP;

shared uint homes[HOME_WORDS];

uint home_shift(uint home) {
    return 16u * (home % 2u);
}

void clear_homes() {
    for (uint i = gl_LocalInvocationIndex; i < HOME_WORDS; i += MUR_WORKGROUP) {
        homes[i] = 0u;
    }
}

void count_home(uint home) {
    atomicAdd(homes[home / 2u], 1u << home_shift(home));
}

void uncount_home(uint home) {
    atomicAdd(homes[home / 2u], 0u - (1u << home_shift(home)));
}

uint home_word(uint home) {
    return (homes[home / 2u] >> home_shift(home)) & 0xFFFFu;
}

// Returns the shift (build_shifts.glsl) of this invocation's run of home slots.
ivec2 shift_of_homes() {
    ivec2 sum = NO_SHIFT;
    [[unroll]] for (uint i = 0u; i < HOMES_EACH; ++i) {
        uint home = HOMES_EACH * gl_LocalInvocationIndex + i;
        int count = int(home_word(home));
        sum = compose(sum, ivec2(count, count == 0 ? NO_LEAST : int(home) + count));
    }
    return sum;
}

// Replaces the counts of this invocation's home slots by the positions of their first pairs. reach:
// the end of the slots that the pairs of earlier home slots use.
void begin_homes(int reach) {
    [[unroll]] for (uint i = 0u; i < HOMES_EACH; i += 2u) {
        uint home = HOMES_EACH * gl_LocalInvocationIndex + i;
        int begin = max(reach, int(home));
        int count = int(home_word(home));
        reach = count == 0 ? reach : begin + count;
        int next = max(reach, int(home) + 1);
        count = int(home_word(home + 1u));
        reach = count == 0 ? reach : next + count;
        homes[home / 2u] = uint(begin) | uint(next) << 16u;
    }
}
