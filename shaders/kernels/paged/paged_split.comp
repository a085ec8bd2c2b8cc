#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdUpdatePagedTable: assigns new pages to full pages, and doubles the leaves of a partition if
// needed. One workgroup processes these pages one after another, because several may belong to one
// partition. murCmdPagedRehash: doubles the leaves of the only partition.
// SPDX-License-Identifier: MIT
#include "paged.glsl"

shared uint shared_block;

// Doubles the leaves of a partition: two new leaves get the content of each old leaf. Returns false
// if too few leaves are unused.
bool double_leaves(Place p) {
    uint count = push.basePages << min(MUR_PAGED_DEPTH(p.root) + 1u, MUR_PAGED_MAX_DEPTH);
    if (gl_LocalInvocationIndex == 0u) {
        uint first = own(MUR_PAGED_LEAVES).word;
        bool room = count <= push.maxLeaves && first <= push.maxLeaves - count;
        shared_block = room ? first : MUR_PAGED_NONE;
        own(MUR_PAGED_LEAVES).word = room ? first + count : first;
    }
    barrier();
    uint block = shared_block;
    if (block == MUR_PAGED_NONE) {
        return false;
    }
    uint from = 2u * (p.root & MUR_PAGED_INDEX);
    for (uint i = gl_LocalInvocationIndex; i < count; i += MUR_WORKGROUP) {
        uint leaf = p.at == MUR_PAGED_NONE ? p.root : MUR_PAGED_LEAF(push, from + (i >> 1u));
        MUR_PAGED_LEAF(push, block + i) = leaf;
    }
    if (gl_LocalInvocationIndex == 0u) {
        uint depth = MUR_PAGED_DEPTH(p.root) + 1u;
        set_root(p.slot, depth << MUR_PAGED_DEPTH_SHIFT | block >> 1u);
    }
    memoryBarrierBuffer();
    barrier();
    return true;
}

// Can a page of this depth split? It needs another bit of the hash, and an unused page number.
bool can_split(uint depth) {
    return depth < MUR_PAGED_MAX_DEPTH && push.basePages << (depth + 1u) >> (depth + 1u) ==
           push.basePages && own(MUR_PAGED_PAGES).word < min(push.pager.pageCount,
                                                             MUR_PAGED_INDEX);
}

// Finds the full page g. Returns whether it splits: more than half of its slots must have entries.
bool splits(uint g, out Place p) {
    uint w = growing_word(g, MUR_GROWING_WORK).word;
    p = place_of_entry(KERNEL_FORMAT, listed(work_word(w, MUR_WORK_FIRST).word).word);
    return work_word(w, MUR_WORK_LIVE).word > push.slotCount / 2u &&
           can_split(MUR_PAGED_DEPTH(p.leaf));
}

// Finds the root of the only partition, and stores its number of pages in MUR_PAGED_PLACED. Returns
// whether the pages can split.
bool widens(out Place p) {
    p.slot = MUR_NO_SLOT;
    p.root = own(MUR_PAGED_ROOT).word;
    p.leaf = p.root;
    p.at = 0u;
    uint pages = own(MUR_PAGED_PAGES).word;
    if (gl_LocalInvocationIndex == 0u) {
        own(MUR_PAGED_PLACED).word = pages;
    }
    return pages != 0u && can_split(MUR_PAGED_DEPTH(p.root));
}

void main() {
    bool widen = MUR_VARIANT == MUR_PAGED_STEP_DIRECTORY;
    uint count = widen ? 1u : min(own(MUR_PAGED_GROWING).word, MUR_PAGE_SPLITS);
    for (uint g = 0u; g < count; ++g) {
        Place p;
        bool may = widen ? widens(p) : splits(g, p);
        barrier();
        if (may && MUR_PAGED_DEPTH(p.leaf) >= MUR_PAGED_DEPTH(p.root)) {
            may = double_leaves(p);
        }
        if (!widen && gl_LocalInvocationIndex == 0u) {
            growing_word(g, MUR_GROWING_PAGE).word = may ? take_page(true) : MUR_PAGED_INDEX;
        }
        memoryBarrierBuffer();
        barrier();
    }
}
