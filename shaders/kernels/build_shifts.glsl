// Shifts: what a run of home slots does to the pairs before it. If the pairs before reach up to slot
// p, the run's pairs reach up to max(p + add, least). Shifts compose, so the last slot that any pair
// takes follows from a scan; over a workgroup of 256, without subgroup operations.
//
// SPDX-License-Identifier: MIT

// As vectors: x is add, y is least.

const int NO_LEAST = -0x40000000;
const ivec2 NO_SHIFT = ivec2(0, NO_LEAST);

// One shift an invocation, one each 8 and one each 64; padded, so that neighbours that each look at
// eight do not meet in one memory bank.
shared ivec2 shifts[MUR_WORKGROUP + MUR_WORKGROUP / 32u];
shared ivec2 shifts_of_8[MUR_WORKGROUP / 8u];
shared ivec2 shifts_of_64[MUR_WORKGROUP / 64u];

ivec2 compose(ivec2 first, ivec2 second) {
    return ivec2(first.x + second.x, max(first.y + second.x, second.y));
}

int apply(ivec2 shift, int reach) {
    return max(reach + shift.x, shift.y);
}

uint shift_index(uint lane) {
    return lane + lane / 32u;
}

// Takes one shift from each invocation. In uniform control flow; not twice without a barrier between.
void fold_shifts(ivec2 mine) {
    uint lane = gl_LocalInvocationIndex;
    shifts[shift_index(lane)] = mine;
    barrier();
    ivec2 sum = NO_SHIFT;
    if (lane < shifts_of_8.length()) {
        [[unroll]] for (uint i = 0u; i < 8u; ++i) {
            sum = compose(sum, shifts[shift_index(8u * lane + i)]);
        }
        shifts_of_8[lane] = sum;
    }
    barrier();
    sum = NO_SHIFT;
    if (lane < shifts_of_64.length()) {
        [[unroll]] for (uint i = 0u; i < 8u; ++i) {
            sum = compose(sum, shifts_of_8[8u * lane + i]);
        }
        shifts_of_64[lane] = sum;
    }
    barrier();
}

// All shifts in one.
ivec2 folded_shift() {
    ivec2 sum = NO_SHIFT;
    [[unroll]] for (uint i = 0u; i < shifts_of_64.length(); ++i) {
        sum = compose(sum, shifts_of_64[i]);
    }
    return sum;
}

// How far the pairs before this invocation's run reach, if those before the workgroup's reach up to
// begin; and how far all reach.
int reach_before(int begin, out int end) {
    uint lane = gl_LocalInvocationIndex;
    int reach = begin;
    end = begin;
    [[unroll]] for (uint i = 0u; i < shifts_of_64.length(); ++i) {
        ivec2 shift = shifts_of_64[i];
        end = apply(shift, end);
        reach = i < lane / 64u ? end : reach;
    }
    [[unroll]] for (uint i = 0u; i < 7u; ++i) {
        ivec2 shift = shifts_of_8[lane / 64u * 8u + i];
        reach = i < lane / 8u % 8u ? apply(shift, reach) : reach;
    }
    [[unroll]] for (uint i = 0u; i < 7u; ++i) {
        ivec2 shift = shifts[shift_index(lane / 8u * 8u + i)];
        reach = i < lane % 8u ? apply(shift, reach) : reach;
    }
    return reach;
}
