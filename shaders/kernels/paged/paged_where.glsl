// The memory in which a bulk command accesses a page: the page's pool page, or the store.
// SPDX-License-Identifier: MIT

#define STORE given
#include "../pager/pager_store.glsl"

struct Where {
    uint page;
    uint directory; // the page's word in the directory
    bool resident;
    uint pool_page;
    uvec2 address; // the page's address, in its pool page or in the store
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

// Records a write to a page: marks a resident page as dirty, other pages as changed in the store.
void note_written(Where at) {
    if (gl_LocalInvocationIndex != 0u) {
        return;
    }
    if (at.resident) {
        mur_page_written(push.pager, at.pool_page);
    } else {
        MurPageWord(mur_offset(push.pager.directory, at.page, 2u)).word =
            changed_state(at.directory & ~MUR_PAGE_IN_FILE);
    }
}

// Adds 1 to the word at an address.
void note_result(uvec2 count) {
    if (gl_LocalInvocationIndex == 0u && mur_wanted(count)) {
        atomicAdd(memory_word(count, 0u).word, 1u);
    }
}

// Returns whether the page has a table. Counts a page that is only in the file in given.left.
bool has_table(Where at) {
    if (!at.resident && (at.directory & MUR_PAGE_IN_FILE) != 0u) {
        note_result(given.left);
        return false;
    }
    bool zero = !at.resident && (at.directory & MUR_PAGE_ZERO) != 0u;
    return !zero && memory_word(at.address, MUR_HEADER_MAGIC).word == MUR_LAYOUT_MAGIC;
}
