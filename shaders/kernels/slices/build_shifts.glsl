// A run is a range of consecutive home slots; each invocation has one. If the pairs of earlier home
// slots end before slot p, the pairs of the run end before slot max(p + add, least). The vector
// {add, least} is the run's shift. Shifts can be composed. So a scan computes where the pairs of
// every run end, over a workgroup of 256, without subgroup operations. The including file defines
// SHIFT_MEMORY: 600 words of shared memory that only the scan uses while it executes.
// SPDX-License-Identifier: MIT

const int NO_LEAST = -0x40000000;
const ivec2 NO_SHIFT = ivec2(0, NO_LEAST);

// Shared memory contains one shift per invocation, then one per 8 and one per 64 invocations. In
// the first part, one element is unused after every 32 shifts. Without these gaps, invocations that
// each read eight consecutive shifts would access the same memory banks.
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

// Stores the shifts of all invocations, and composes them by 8 and by 64. Call it in uniform
// control flow, with a barrier before the next call.
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

// Returns the composition of the shifts of all invocations.
ivec2 folded_shift() {
    ivec2 sum = NO_SHIFT;
    [[unroll]] for (uint i = 0u; i < MUR_WORKGROUP / 64u; ++i) {
        sum = compose(sum, load_shift(SHIFTS_OF_64 + i));
    }
    return sum;
}

// Returns the end of the slots that pairs before this invocation's run use. begin (input): the end
// for pairs before the workgroup's runs. end (output): the end for pairs of all these runs.
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
