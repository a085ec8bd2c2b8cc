// How many pairs each home slot of a slice has. Padded, so that neighbouring invocations that each
// look at some neighbouring homes do not meet in one memory bank.
//
// SPDX-License-Identifier: MIT

const uint HOMES_EACH = MUR_BUILD_SLICE / MUR_WORKGROUP;

shared uint homes[MUR_BUILD_SLICE + MUR_BUILD_SLICE / 32u];

uint home_index(uint home) {
    return home + home / 32u;
}

void clear_homes() {
    for (uint i = gl_LocalInvocationIndex; i < homes.length(); i += MUR_WORKGROUP) {
        homes[i] = 0u;
    }
}

// The shift of this invocation's homes.
ivec2 shift_of_homes() {
    ivec2 sum = NO_SHIFT;
    [[unroll]] for (uint i = 0u; i < HOMES_EACH; ++i) {
        uint home = HOMES_EACH * gl_LocalInvocationIndex + i;
        int count = int(homes[home_index(home)]);
        sum = compose(sum, ivec2(count, count == 0 ? NO_LEAST : int(home) + count));
    }
    return sum;
}

// Replaces the counts of this invocation's homes by where each home's pairs begin.
void begin_homes(int reach) {
    [[unroll]] for (uint i = 0u; i < HOMES_EACH; ++i) {
        uint home = HOMES_EACH * gl_LocalInvocationIndex + i;
        int count = int(homes[home_index(home)]);
        int begin = max(reach, int(home));
        homes[home_index(home)] = uint(begin);
        reach = count == 0 ? reach : begin + count;
    }
}
