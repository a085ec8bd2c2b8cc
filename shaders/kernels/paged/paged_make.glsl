// Pages for partitions, and for values of the hash, that have none.
//
// SPDX-License-Identifier: MIT

// Leaves without a page are taken by the first that needs them; the others see it coming.
// coming: MUR_PAGED_INDEX, MUR_PAGED_FRESH, and, if entries of the log are to be in the page before
// others are, MUR_PAGED_WAITS.
const uint COMING = MUR_PAGED_FRESH | MUR_PAGED_WAITS | MUR_PAGED_INDEX;

// Returns the leaf of a place that has none.
uint make_page(Place p, uint coming) {
    uint slot;
    if (p.root != MUR_PAGED_NONE) { // a page for this leaf alone, whatever others there will be
        coming |= p.root & (MUR_PAGED_DEPTH_MASK << MUR_PAGED_DEPTH_SHIFT);
        if (atomicCompSwap(MUR_PAGED_LEAF(push, p.at), MUR_PAGED_NONE, coming) != MUR_PAGED_NONE) {
            return coming;
        }
    } else if (mur_insert(mur_paged_partitions(push), p.part, coming, slot) != MUR_INSERTED) {
        return coming;
    }
    uint leaf = (coming & ~MUR_PAGED_INDEX) | take_page();
    if (p.root != MUR_PAGED_NONE) {
        MUR_PAGED_LEAF(push, p.at) = leaf;
    } else {
        atomicAdd(own(MUR_PAGED_PARTITIONS).word, 1u);
        set_root(slot, leaf);
    }
    return leaf;
}
