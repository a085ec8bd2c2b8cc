// Sums over a workgroup of 512, without subgroup operations.
//
// SPDX-License-Identifier: MIT

shared uint scan_ones[512];
shared uint scan_eights[64];
shared uint scan_sixty_fours[8];

// The sum of the values of all invocations before this one, and of all. In uniform control flow; not
// twice without a barrier between.
uint workgroup_sum_before(uint value, out uint total) {
    uint lane = gl_LocalInvocationIndex;
    scan_ones[lane] = value;
    barrier();
    if (lane < 64u) {
        uint sum = 0u;
        [[unroll]] for (uint i = 0u; i < 8u; ++i) {
            sum += scan_ones[8u * lane + i];
        }
        scan_eights[lane] = sum;
    }
    barrier();
    if (lane < 8u) {
        uint sum = 0u;
        [[unroll]] for (uint i = 0u; i < 8u; ++i) {
            sum += scan_eights[8u * lane + i];
        }
        scan_sixty_fours[lane] = sum;
    }
    barrier();
    uint before = 0u;
    total = 0u;
    [[unroll]] for (uint i = 0u; i < 8u; ++i) {
        uint sum = scan_sixty_fours[i];
        before += i < lane / 64u ? sum : 0u;
        total += sum;
        before += i < lane / 8u % 8u ? scan_eights[lane / 64u * 8u + i] : 0u;
        before += i < lane % 8u ? scan_ones[lane / 8u * 8u + i] : 0u;
    }
    return before;
}
