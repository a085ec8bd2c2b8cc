#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdUpdatePagedTable, last step: each workgroup writes the new page of a split page to the
// store or its pool page. The log's half with the remaining entries becomes the current half.
// SPDX-License-Identifier: MIT
#define MUR_PAGED
#define PUSH MurPagedEvictNewPush
#include "../kernel.glsl"

#include "../pager/host_pages.glsl"
#define STORE push
#include "../pager/pager_store.glsl"

uint state_word(uint i) {
    return mur_input(push.state, i);
}

void take_out(uint page, uvec2 from) {
    uint pool_page;
    uint directory = mur_page_state(push.pager, page);
    bool resident = mur_page_resident(push.pager, directory, pool_page);
    uvec2 to = resident ? mur_page_address(push.pager, pool_page) : store_page(page);
    copy_page(from, to);
    barrier();
    if (gl_LocalInvocationIndex != 0u) {
        return;
    }
    if (resident) {
        mur_page_written(push.pager, pool_page);
    } else {
        directory = changed_state(directory);
        MurPageWord(mur_offset(push.pager.directory, page, 2u)).word = directory;
        // The other half of the split page is in use, so this half is requested too.
        mur_page_ask(push.pager, page, MUR_PAGE_PRIORITY, directory);
    }
}

void end() {
    uint next = state_word(MUR_PAGED_NEXT) & 1u;
    uint pending = state_word(MUR_PAGED_COUNTS + next);
    mur_output(push.state, MUR_PAGED_HALF, next);
    mur_output(push.state, MUR_PAGED_EPOCH, state_word(MUR_PAGED_EPOCH) + 1u);
    for (uint i = 0u; i < 4u; ++i) {
        mur_output(push.stats, MUR_PAGED_STATS_REJECTED + i, state_word(MUR_PAGED_REJECTED + i));
    }
    mur_output(push.stats, MUR_PAGED_STATS_PENDING, pending);
    mur_output(push.stats, MUR_PAGED_STATS_STUCK, state_word(MUR_PAGED_STUCK));
    mur_output(push.stats, MUR_PAGED_STATS_PAGES, state_word(MUR_PAGED_PAGES));
    mur_output(push.stats, MUR_PAGED_STATS_PARTITIONS, state_word(MUR_PAGED_PARTITIONS));
    mur_output(push.stats, MUR_PAGED_STATS_LEAVES, state_word(MUR_PAGED_LEAVES));
    mur_output(push.stats, MUR_PAGED_STATS_LEAVES + 1u, 0u);
}

void main() {
    uint count = min(state_word(MUR_PAGED_GROWING), MUR_PAGE_SPLITS);
    for (uint g = mur_workgroup(); g < count; g += gl_NumWorkGroups.x * gl_NumWorkGroups.y) {
        uint page = state_word(push.growing + MUR_GROWING_WORDS * g + MUR_GROWING_PAGE);
        if (page < push.pager.pageCount && page != MUR_PAGED_INDEX) {
            uvec2 spare = mur_offset(push.state, push.spare, 2u);
            take_out(page, mur_offset(spare, 2u * g + 1u, push.pager.pageShift));
        }
    }
    if (mur_workgroup() == 0u && gl_LocalInvocationIndex == 0u) {
        end();
    }
}
