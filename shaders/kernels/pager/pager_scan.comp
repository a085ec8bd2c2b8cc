#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdUpdatePager, after pager_import and pager_host: counts pool pages by age, requested pages
// by priority, and the resident pages that were used since the last call.
// SPDX-License-Identifier: MIT
#include "pager.glsl"

shared uint bins[MUR_PAGER_BINS];
shared uint hits, holding, dirty;

void count(uint bin) {
    if (bin != NEVER) {
        atomicAdd(bins[bin], 1u);
    }
}

void scan_pool_page(uint pool_page) {
    uvec4 record = record_of(pool_page);
    count(victim_bin(record));
    if (holds_page(record)) {
        atomicAdd(holding, 1u);
        if (is_dirty(record)) {
            atomicAdd(dirty, 1u);
        }
        if (record[MUR_POOL_SEEN] != record[MUR_POOL_USED]) {
            atomicAdd(hits, 1u);
            MurPageWord(mur_page_record(push.pager, pool_page, MUR_POOL_SEEN)).word =
                record[MUR_POOL_USED];
        }
    }
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    for (uint i = lane; i < MUR_PAGER_BINS; i += MUR_WORKGROUP) {
        bins[i] = 0u;
    }
    if (lane == 0u) {
        hits = 0u;
        holding = 0u;
        dirty = 0u;
    }
    barrier();
    uint step = gl_NumWorkGroups.x * MUR_WORKGROUP;
    for (uint i = gl_GlobalInvocationID.x; i < push.pager.poolPageCount; i += step) {
        scan_pool_page(i);
    }
    uint listed = min(MurPageWord(push.pager.requests).word, push.pager.maxRequests);
    for (uint i = gl_GlobalInvocationID.x; i < listed; i += step) {
        uint page, state;
        uint bin = request_bin(i, page, state);
        count(bin == NEVER ? NEVER : MUR_PAGER_AGES + bin);
    }
    barrier();
    for (uint i = lane; i < MUR_PAGER_BINS; i += MUR_WORKGROUP) {
        block_add(MUR_PAGER_COUNTS + i, bins[i]);
    }
    if (lane == 0u) {
        block_add(MUR_PAGER_HITS, hits);
        block_add(MUR_PAGER_HOLDING, holding);
        block_add(MUR_PAGER_DIRTY, dirty);
    }
}
