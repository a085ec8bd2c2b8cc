// Shifts: how a run of home slots moves the pairs before it. If the pairs before reach up to slot
// p, the run's pairs reach up to max(p + add, least). Shifts compose, so the last slot that any
// pair takes follows from a scan; over a workgroup of 256, without subgroup operations. The
// including file names the shared memory, SHIFT_MEMORY: 600 words, unused during the scan.
//
// SPDX-License-Identifier: MIT

// As vectors: x is add, y is least.

const int NO_LEAST = -0x40000000;
const ivec2 NO_SHIFT = ivec2(0, NO_LEAST);

// In shared memory: one shift an invocation, padded, so that neighbours that each look at eight do
// not meet in one memory bank; then one each 8 and one each 64 invocations.
const uint SHIFTS_OF_8 = MUR_WORKGROUP + MUR_WORKGROUP / 32u;
const uint SHIFTS_OF_64 = SHIFTS_OF_8 + MUR_WORKGROUP / 8u;

ivec2 load_shift(uint i) {
    return ivec2(SHIFT_MEMORY[2u * i], SHIFT_MEMORY[2u * i + 1u]);
}

void store_shift(uint i, ivec2 shift) {
    SHIFT_MEMORY[2u * i] = uint(shift.x);
    SHIFT_MEMORY[2u * i + 1u] = uint(shift.y);
}

ivec2 compose(ivec2 first, ivec2 second) {
    return ivec2(first.x + second.x, max(first.y + second.x, second.y));
}

int apply(ivec2 shift, int reach) {
    return max(reach + shift.x, shift.y);
}

uint shift_index(uint lane) {
    return lane + lane / 32u;
}

// Takes one shift from each invocation. In uniform control flow; not twice without a barrier
// between.
void fold_shifts(ivec2 mine) {
    uint lane = gl_LocalInvocationIndex;
    store_shift(shift_index(lane), mine);
    barrier();
    ivec2 sum = NO_SHIFT;
    if (lane < MUR_WORKGROUP / 8u) {
        [[unroll]] for (uint i = 0u; i < 8u; ++i) {
            sum = compose(sum, load_shift(shift_index(8u * lane + i)));
        }
        store_shift(SHIFTS_OF_8 + lane, sum);
    }
    barrier();
    sum = NO_SHIFT;
    if (lane < MUR_WORKGROUP / 64u) {
        [[unroll]] for (uint i = 0u; i < 8u; ++i) {
            sum = compose(sum, load_shift(SHIFTS_OF_8 + 8u * lane + i));
        }
        store_shift(SHIFTS_OF_64 + lane, sum);
    }
    barrier();
}

// All shifts in one.
ivec2 folded_shift() {
    ivec2 sum = NO_SHIFT;
    [[unroll]] for (uint i = 0u; i < MUR_WORKGROUP / 64u; ++i) {
        sum = compose(sum, load_shift(SHIFTS_OF_64 + i));
    }
    return sum;
}

// How far the pairs before this invocation's run reach, if those before the workgroup's reach up to
// begin; and how far all reach.
int reach_before(int begin, out int end) {
    uint lane = gl_LocalInvocationIndex;
    int reach = begin;
    end = begin;
    [[unroll]] for (uint i = 0u; i < MUR_WORKGROUP / 64u; ++i) {
        ivec2 shift = load_shift(SHIFTS_OF_64 + i);
        end = apply(shift, end);
        reach = i < lane / 64u ? end : reach;
    }
    [[unroll]] for (uint i = 0u; i < 7u; ++i) {
        ivec2 shift = load_shift(SHIFTS_OF_8 + lane / 64u * 8u + i);
        reach = i < lane / 8u % 8u ? apply(shift, reach) : reach;
    }
    [[unroll]] for (uint i = 0u; i < 7u; ++i) {
        ivec2 shift = load_shift(shift_index(lane / 8u * 8u + i));
        reach = i < lane % 8u ? apply(shift, reach) : reach;
    }
    return reach;
}
