#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdUpdatePager, second step, one workgroup: computes the number of pages to load, and the
// lowest chosen bins of ages and priorities. Resets the counts for the next call.
// SPDX-License-Identifier: MIT
#include "pager.glsl"
#include "../scan.glsl"

// Returns the sum of this invocation's part of `count` bins from first on. Highest bins come first.
uint own_sum(uint first, uint count) {
    uint each = count / MUR_WORKGROUP;
    uint sum = 0u;
    for (uint i = 0u; i < each; ++i) {
        sum += block_read(first + count - 1u - (gl_LocalInvocationIndex * each + i));
    }
    return sum;
}

// Adds up the bins from the highest on, and finds the bin in which the sum reaches `served`. Writes
// this bin to word `result`, and the number of items that are chosen from it to the next word.
// Clears the bins. before: the sum of the bins of earlier invocations.
void choose(uint first, uint count, uint before, uint served, uint result) {
    uint each = count / MUR_WORKGROUP;
    for (uint i = 0u; i < each; ++i) {
        uint bin = count - 1u - (gl_LocalInvocationIndex * each + i);
        uint here = block_read(first + bin);
        if (before < served && before + here >= served) {
            block_write(result, bin);
            block_write(result + 1u, served - before);
        }
        before += here;
        block_write(first + bin, 0u);
    }
}

void main() {
    uint asked, free;
    const uint PRIORITIES_AT = MUR_PAGER_COUNTS + MUR_PAGER_AGES;
    uint pool_pages = workgroup_sum_before(own_sum(MUR_PAGER_COUNTS, MUR_PAGER_AGES), free);
    uint pages = workgroup_sum_before(own_sum(PRIORITIES_AT, MUR_PAGER_PRIORITIES), asked);
    uint served = min(min(asked, push.maxPages), free);
    if (gl_LocalInvocationIndex == 0u) {
        MurPageWord requests = MurPageWord(push.pager.requests);
        uint listed = min(requests.word, push.pager.maxRequests);
        block_write(MUR_PAGER_LISTED, listed);
        block_write(MUR_PAGER_LOST, requests.word - listed);
        requests.word = 0u;
        block_write(MUR_PAGER_ASKED, asked);
        block_write(MUR_PAGER_FREE, free);
        block_write(MUR_PAGER_SERVED, served);
        for (uint i = 0u; i < 4u; ++i) {
            block_write(MUR_PAGER_TAKEN + i, 0u);
        }
        block_write(MUR_PAGER_EVICTED, 0u);
        block_write(MUR_PAGER_WRITTEN, 0u);
        // Keeps the pages that earlier calls in this frame have listed for the host.
        block_write(MUR_PAGER_WANTED, mur_wanted(push.lists) ? list_read(MUR_LISTS_WANTED) : 0u);
        for (uint i = MUR_LISTS_ARRIVED; mur_wanted(push.lists) && i <= MUR_LISTS_HOLD; ++i) {
            list_write(i, 0u);
        }
        if (served == 0u) { // choose() writes these words only if a bin is chosen
            block_write(MUR_PAGER_AGE, NEVER);
            block_write(MUR_PAGER_PRIORITY, NEVER);
        }
    }
    choose(MUR_PAGER_COUNTS, MUR_PAGER_AGES, pool_pages, served, MUR_PAGER_AGE);
    choose(PRIORITIES_AT, MUR_PAGER_PRIORITIES, pages, served, MUR_PAGER_PRIORITY);
}
