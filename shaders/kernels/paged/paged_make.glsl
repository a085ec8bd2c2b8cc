// Pages for groups, and for values of the hash, that have none.
//
// SPDX-License-Identifier: MIT

// Leaves without a page are taken by the first that needs them; the others see it coming.
// coming: MUR_PAGED_INDEX, MUR_PAGED_FRESH, and, if entries of the log are to be in the page before
// others are, MUR_PAGED_WAITS.
const uint COMING = MUR_PAGED_FRESH | MUR_PAGED_WAITS | MUR_PAGED_INDEX;

uint make_group(uint group, uint coming) {
    uint slot;
    if (mur_insert(mur_paged_groups(push), group, coming, slot) != MUR_INSERTED) {
        return coming;
    }
    atomicAdd(own(MUR_PAGED_GROUPS).word, 1u);
    uint leaf = (coming & ~MUR_PAGED_INDEX) | take_page();
    set_root(group, leaf);
    return leaf;
}

// A page for one leaf alone, whatever others there will be.
uint make_leaf(uint root, uint at, uint coming) {
    coming |= (root & (MUR_PAGED_DEPTH_MASK << MUR_PAGED_DEPTH_SHIFT));
    if (atomicCompSwap(MUR_PAGED_LEAF(push, at), MUR_PAGED_NONE, coming) != MUR_PAGED_NONE) {
        return coming;
    }
    uint leaf = (coming & ~MUR_PAGED_INDEX) | take_page();
    MUR_PAGED_LEAF(push, at) = leaf;
    return leaf;
}
