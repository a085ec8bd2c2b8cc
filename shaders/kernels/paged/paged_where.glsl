// Where pages are, for bulk commands on all of them.
//
// SPDX-License-Identifier: MIT

#define STORE given
#include "../pager/pager_store.glsl"

struct Where {
    uint page;
    uint directory; // its word there
    bool resident;
    uint pool_page;
    uvec2 address; // in its pool page, or in the store
};

Where where_is(uint page) {
    Where at;
    at.page = min(page, push.pager.pageCount - 1u);
    at.directory = mur_page_state(push.pager, at.page);
    at.resident = mur_page_resident(push.pager, at.directory, at.pool_page);
    at.address = at.resident ? mur_page_address(push.pager, at.pool_page)
                             : store_page(at.page);
    return at;
}

bool is_held(Where at) {
    return (at.directory & MUR_PAGE_HELD) != 0u;
}

// The page was written where it is.
void note_written(Where at) {
    if (gl_LocalInvocationIndex != 0u) {
        return;
    }
    if (at.resident) {
        mur_page_written(push.pager, at.pool_page);
    } else {
        MurPageWord(mur_offset(push.pager.directory, at.page, 2u)).word =
            (at.directory & ~(MUR_PAGE_ZERO | MUR_PAGE_IN_FILE)) | MUR_PAGE_CHANGED;
    }
}

// Adds one to the count there.
void note_result(uvec2 count) {
    if (gl_LocalInvocationIndex == 0u && mur_wanted(count)) {
        atomicAdd(memory_word(count, 0u).word, 1u);
    }
}

// Has the page a table? One that is in the file alone is left out, and counted.
bool has_table(Where at) {
    if (!at.resident && (at.directory & MUR_PAGE_IN_FILE) != 0u) {
        note_result(given.left);
        return false;
    }
    bool zero = !at.resident && (at.directory & MUR_PAGE_ZERO) != 0u;
    return !zero && memory_word(at.address, MUR_HEADER_MAGIC).word == MUR_LAYOUT_MAGIC;
}
