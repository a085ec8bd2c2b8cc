// Shifts: what a run of home slots does to the pairs before it. If the pairs before reach up to slot
// p, the run's pairs reach up to max(p + add, least). Shifts compose, so the last slot that any pair
// takes follows from a scan; all in a workgroup of 256.
//
// SPDX-License-Identifier: MIT

struct Shift {
    int add;
    int least;
};

const int NO_LEAST = -0x40000000;
const uint SHIFT_EIGHTS = MUR_WORKGROUP / 8u;

shared int shift_adds[MUR_WORKGROUP];
shared int shift_leasts[MUR_WORKGROUP];
shared int eight_adds[SHIFT_EIGHTS];
shared int eight_leasts[SHIFT_EIGHTS];
shared int shift_end;

Shift compose(Shift first, Shift second) {
    return Shift(first.add + second.add, max(first.least + second.add, second.least));
}

int apply(Shift shift, int reach) {
    return max(reach + shift.add, shift.least);
}

Shift shift_of(uint lane) {
    return Shift(shift_adds[lane], shift_leasts[lane]);
}

Shift shift_of_eight(uint eight) {
    return Shift(eight_adds[eight], eight_leasts[eight]);
}

// Takes one shift from each invocation. In uniform control flow, like all that follow.
void fold_shifts(Shift mine) {
    uint lane = gl_LocalInvocationIndex;
    shift_adds[lane] = mine.add;
    shift_leasts[lane] = mine.least;
    barrier();
    if (lane < SHIFT_EIGHTS) {
        Shift sum = Shift(0, NO_LEAST);
        [[unroll]] for (uint i = 0u; i < 8u; ++i) {
            sum = compose(sum, shift_of(8u * lane + i));
        }
        eight_adds[lane] = sum.add;
        eight_leasts[lane] = sum.least;
    }
    barrier();
}

// All shifts in one.
Shift folded_shift() {
    Shift sum = Shift(0, NO_LEAST);
    [[unroll]] for (uint i = 0u; i < SHIFT_EIGHTS; ++i) {
        sum = compose(sum, shift_of_eight(i));
    }
    return sum;
}

// How far the pairs before this invocation's run reach, if those before the workgroup's reach up to
// begin; and how far all reach.
int reach_before(int begin, out int end) {
    uint lane = gl_LocalInvocationIndex;
    if (lane < SHIFT_EIGHTS) {
        int reach = begin;
        for (uint i = 0u; i < lane; ++i) {
            reach = apply(shift_of_eight(i), reach);
        }
        [[unroll]] for (uint i = 0u; i < 8u; ++i) {
            Shift shift = shift_of(8u * lane + i);
            shift_adds[8u * lane + i] = reach;
            reach = apply(shift, reach);
        }
        if (lane == SHIFT_EIGHTS - 1u) {
            shift_end = reach;
        }
    }
    barrier();
    end = shift_end;
    return shift_adds[lane];
}
