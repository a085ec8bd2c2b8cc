// Computes prefix sums over a workgroup of 256 or 512 invocations, without subgroup operations. The
// including file may define SCAN_MEMORY: SCAN_WORDS words of shared memory, unused during the scan.
// SPDX-License-Identifier: MIT

const uint SCAN_EIGHTS = MUR_WORKGROUP;
const uint SCAN_SIXTY_FOURS = SCAN_EIGHTS + MUR_WORKGROUP / 8u;
const uint SCAN_WORDS = SCAN_SIXTY_FOURS + MUR_WORKGROUP / 64u;
#ifndef SCAN_MEMORY
#define SCAN_MEMORY scan_memory
shared uint scan_memory[SCAN_WORDS];
#endif

// Returns the sum of the values of all invocations before this one. total (output): the sum of all
// values. Call it in uniform control flow.
uint workgroup_sum_before(uint value, out uint total) {
    uint lane = gl_LocalInvocationIndex;
    SCAN_MEMORY[lane] = value;
    barrier();
    if (lane < MUR_WORKGROUP / 8u) {
        uint sum = 0u;
        [[unroll]] for (uint i = 0u; i < 8u; ++i) {
            sum += SCAN_MEMORY[8u * lane + i];
        }
        SCAN_MEMORY[SCAN_EIGHTS + lane] = sum;
    }
    barrier();
    if (lane < MUR_WORKGROUP / 64u) {
        uint sum = 0u;
        [[unroll]] for (uint i = 0u; i < 8u; ++i) {
            sum += SCAN_MEMORY[SCAN_EIGHTS + 8u * lane + i];
        }
        SCAN_MEMORY[SCAN_SIXTY_FOURS + lane] = sum;
    }
    barrier();
    uint before = 0u;
    total = 0u;
    [[unroll]] for (uint i = 0u; i < MUR_WORKGROUP / 64u; ++i) {
        uint sum = SCAN_MEMORY[SCAN_SIXTY_FOURS + i];
        before += i < lane / 64u ? sum : 0u;
        total += sum;
    }
    // This loop reads both words before it selects, without branches. SwiftShader's compile time
    // doubles for each if with an else in a loop, and pager_host.comp scans twice in a loop.
    [[unroll]] for (uint i = 0u; i < 7u; ++i) {
        uint eight = SCAN_MEMORY[SCAN_EIGHTS + lane / 64u * 8u + i];
        uint one = SCAN_MEMORY[lane / 8u * 8u + i];
        before += i < lane / 8u % 8u ? eight : 0u;
        before += i < lane % 8u ? one : 0u;
    }
    barrier();
    return before;
}
