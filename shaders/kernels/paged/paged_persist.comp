#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdUpdatePagedTable with MUR_PAGER_UPDATE_CHECKPOINT, and murCmdFlushPagedTable: copies the
// table's own memory to the pager's last pages, one workgroup per page, if it has changed.
// murCmdClearPagedTable with MUR_PAGES_IN_FILE and MUR_PAGES_IN_STORE: copies it back.
// SPDX-License-Identifier: MIT
#define MUR_PAGER
#define PUSH MurPagedPersistPush
#include "../kernel.glsl"

#include "../pager/host_pages.glsl"
#define STORE push
#include "../pager/pager_store.glsl"

shared uint shared_changed;

MurPageWord directory_word(uint page) {
    return MurPageWord(mur_offset(push.pager.directory, page, 2u));
}

// Returns 16 bytes of the table's own memory, or zeros after its end.
uvec4 image_quad(uint i) {
    return i < push.quads ? MurPageQuad(mur_offset(push.partitions, i, 4u)).words : uvec4(0u);
}

// Returns the index of word i of the state in the table's own memory.
uint word_of_state(uint i) {
    return ((push.state.x - push.partitions.x) >> 2u) + i;
}

void keep(uint i) {
    uint page = push.first + i;
    uint directory = directory_word(page).word;
    if ((directory & MUR_PAGE_HELD) != 0u) {
        return; // an earlier update of this frame has written it, and the host reads it
    }
    uvec2 to = store_page(page);
    if (gl_LocalInvocationIndex == 0u) {
        shared_changed = directory & MUR_PAGE_ZERO; // the store's page was never written
    }
    barrier();
    bool changed = false;
    for (uint q = gl_LocalInvocationIndex; q < page_quads(); q += MUR_WORKGROUP) {
        uvec4 words = image_quad(i * page_quads() + q);
        MurPageQuad there = MurPageQuad(mur_offset(to, q, 4u));
        if ((directory & MUR_PAGE_ZERO) != 0u || there.words != words) {
            there.words = words;
            changed = true;
        }
    }
    if (changed) {
        shared_changed = 1u;
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u && shared_changed != 0u) {
        directory_word(page).word = changed_state(directory);
    }
}

// Copies a page from the store into the table's own memory. Increments the epoch in the state, so
// that the log's present entries are applied before all writes that are logged later.
void restore(uint i) {
    uvec2 from = store_page(push.first + i);
    uint epoch = word_of_state(MUR_PAGED_EPOCH);
    for (uint q = gl_LocalInvocationIndex; q < page_quads(); q += MUR_WORKGROUP) {
        uint at = i * page_quads() + q;
        uvec4 words = MurPageQuad(mur_offset(from, q, 4u)).words;
        words[epoch & 3u] += at == epoch >> 2u ? 1u : 0u;
        if (at < push.quads) {
            MurPageQuad(mur_offset(push.partitions, at, 4u)).words = words;
        }
    }
    if (gl_LocalInvocationIndex == 0u) {
        MurPageWord word = directory_word(push.first + i);
        word.word = word.word & ~MUR_PAGE_IN_FILE; // murReadPagedTable has read it into the store
    }
}

// Marks pages that the table does not use as zero, because the file may have other content.
void free_pages(uint first, uint step) {
    uint at = word_of_state(MUR_PAGED_PAGES);
    uvec2 page = store_page(push.first + (at >> (push.pager.pageShift - 2u)));
    uint given = mur_input(page, at & (4u * page_quads() - 1u));
    for (uint i = min(given, push.first) + first; i < push.first; i += step) {
        MurPageWord word = directory_word(i);
        word.word = (word.word & MUR_PAGE_RESIDENT) != 0u ? word.word : MUR_PAGE_ZERO;
    }
}

void main() {
    uint groups = gl_NumWorkGroups.x * gl_NumWorkGroups.y;
    for (uint i = mur_workgroup(); i < push.pager.pageCount - push.first; i += groups) {
        if (MUR_VARIANT == MUR_PAGED_STEP_PERSIST) {
            keep(i);
            barrier();
        } else {
            restore(i);
        }
    }
    if (MUR_VARIANT == MUR_PAGED_STEP_RESTORE) {
        uint first = mur_invocation();
        uint step = groups * MUR_WORKGROUP;
        free_pages(first, step);
        uvec2 pool_pages = mur_offset(push.partitions, push.quads, 4u);
        for (uint i = first; i < push.pager.poolPageCount; i += step) {
            mur_output(pool_pages, i, 0u);
        }
    }
}
