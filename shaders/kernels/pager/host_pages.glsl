// Host pages of a pager whose store has fewer host pages (push.pager.hostPageCount) than the pager
// has pages. Kernels replace such host pages. Their state, MUR_HOST_*, follows the records.
// SPDX-License-Identifier: MIT

layout(buffer_reference, std430, buffer_reference_align = 4) coherent buffer MurHostWord {
    uint word;
};

uvec2 host_address(uint i) {
    uvec2 first = mur_offset(push.pager.records, (push.pager.poolPageCount + 15u) & ~15u, 4u);
    return mur_offset(first, i, 2u);
}
#define host(i) MurHostWord(host_address(i)).word

uint page_quads() {
    return 1u << (push.pager.pageShift - 4u);
}

// Copies a page, by one workgroup.
void copy_page(uvec2 from, uvec2 to) {
    for (uint i = gl_LocalInvocationIndex; i < page_quads(); i += MUR_WORKGROUP) {
        MurPageQuad(mur_offset(to, i, 4u)).words = MurPageQuad(mur_offset(from, i, 4u)).words;
    }
}

bool replaces_host_pages() {
    return push.pager.hostPageCount != 0u;
}

// Word indices: of a host page's owner, of element i of the free list, of a page's host page.
uint owner_at(uint host_page) {
    return MUR_HOST_OWNERS + min(host_page, push.pager.hostPageCount - 1u);
}

uint free_at(uint i) {
    return owner_at(i) + push.pager.hostPageCount;
}

uint map_at(uint page) {
    return MUR_HOST_OWNERS + 2u * push.pager.hostPageCount + page;
}

// Returns whether a page below pageCount has a host page, possibly one that the host still fills.
bool has_host_page(uint page) {
    return !replaces_host_pages() || host(map_at(page)) < push.pager.hostPageCount;
}

// Marks the host page of a page as used, so that the clock algorithm skips it once.
void note_host_use(uint page) {
    if (replaces_host_pages()) {
        host(owner_at(host(map_at(page)))) = page | MUR_HOST_USED;
    }
}

// Returns a page's directory word after a write to its host page. Counts a page that was unchanged.
uint changed_state(uint state) {
    if (replaces_host_pages() && (state & (MUR_PAGE_CHANGED | MUR_PAGE_HELD)) == 0u) {
        atomicAdd(host(MUR_HOST_CHANGED), 1u);
    }
    return (state & ~MUR_PAGE_ZERO) | MUR_PAGE_CHANGED;
}
