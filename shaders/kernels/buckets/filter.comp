#version 450
#extension GL_GOOGLE_include_directive : require
// Before an eviction pass, clears the back filter and the result of murCmdEvict. After the pass,
// swaps the filters, and writes the arguments of indirect dispatches to the result.
// SPDX-License-Identifier: MIT
#define MUR_BUCKETS MUR_BUCKETS_ALL
#define PUSH MurEvictPush
#include "../kernel.glsl"

// Writes the size of a dispatch over at most `most` listed slots to words first to first + 2.
void finish(uint first, uint most) {
    uint items = push.groupEntries == 0u ? 0u : min(mur_input(push.result, first + 3u), most);
    uint each = max(push.groupEntries, 1u);
    uint groups = items / each + (items % each == 0u ? 0u : 1u);
    mur_output(push.result, first, min(groups, 65535u));
    mur_output(push.result, first + 1u, groups / 65535u + (groups % 65535u == 0u ? 0u : 1u));
    mur_output(push.result, first + 2u, 1u);
}

void main() {
    uint word = mur_invocation();
    if (push.phase == MUR_EVICT_BEGIN) {
        uint start = MUR_FILTER_START(mur_format(push.table), push.table.flags,
                                      push.table.slotCount);
        bool second = (mur_state(push.table) & MUR_STATE_FILTER) == 0u;
        uint words = MUR_FILTER_WORDS(push.table.slotCount);
        if (word < words) {
            MUR_STATE_WORD(push.table, start + (second ? words : 0u) + word) = 0u;
        }
        if (word < MUR_EVICT_RESULT_WORDS) {
            mur_output(push.result, word, 0u);
        }
    } else if (word == 0u) {
        MUR_STATE_WORD(push.table, MUR_HEADER_STATE) = mur_state(push.table) ^ MUR_STATE_FILTER;
        if (mur_wanted(push.result)) {
            finish(0u, push.maxLive);
            finish(4u, push.maxErased);
        }
    }
}
