// Creates pages for partitions and leaves without a page.
// SPDX-License-Identifier: MIT

// A leaf whose page is being created. The first invocation that needs the page writes this to the
// leaf; other invocations read it and do not create a second page.
const uint COMING = MUR_PAGED_FRESH | MUR_PAGED_WAITS | MUR_PAGED_INDEX;

// Creates a page for a leaf or a partition without one, and returns the new leaf. If another
// invocation creates the page, returns coming, the value of the leaf during the creation. coming:
// COMING, without MUR_PAGED_WAITS if no logged entries must be applied before other writes.
uint make_page(Place p, uint coming) {
    uint slot;
    if (p.root != MUR_PAGED_NONE) { // the page is for this leaf only
        coming |= p.root & (MUR_PAGED_DEPTH_MASK << MUR_PAGED_DEPTH_SHIFT);
        if (atomicCompSwap(MUR_PAGED_LEAF(push, p.at), MUR_PAGED_NONE, coming) != MUR_PAGED_NONE) {
            return coming;
        }
    } else if (mur_insert(mur_paged_partitions(push), p.part, coming, slot) != MUR_INSERTED) {
        return coming;
    }
    uint page = take_page((coming & MUR_PAGED_WAITS) == 0u);
    uint leaf = (coming & ~MUR_PAGED_INDEX) | page;
    // Without MUR_PAGED_WAITS, no logged entry initializes the page later, so the page must have a
    // host page at once. If none is free, the leaf stays without a page, and the items are logged.
    if (page == MUR_PAGED_INDEX && has_unused_pages()) {
        leaf = MUR_PAGED_NONE;
    }
    if (p.root != MUR_PAGED_NONE) {
        MUR_PAGED_LEAF(push, p.at) = leaf;
    } else {
        atomicAdd(own(MUR_PAGED_PARTITIONS).word, leaf == MUR_PAGED_NONE ? 0u : 1u);
        set_root(slot, leaf);
    }
    return leaf;
}
