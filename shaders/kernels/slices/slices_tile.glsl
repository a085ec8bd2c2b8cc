// Split: a workgroup's tile in slices_split.comp, which is a range of pairs, and the bins to which
// it writes them. The including file defines TILE, the number of pairs.
// SPDX-License-Identifier: MIT

struct Split {
    uint firstBin; // the first bin to which this workgroup writes
    uint count;    // number of these bins; bin_of() returns less
    uint shift;    // bin = (home >> shift) & mask
    uint mask;
    uint room;     // pairs per bin
    uvec2 counters;
    uvec2 pairs;
    uint begin; // the tile's pairs are begin to end - 1
    uint end;
};

uint bin_of(Split split, uint hash) {
    return (mur_home(hash, push.table.capacity) >> split.shift) & split.mask;
}

Split split_coarse(uint group) {
    uint begin = group * TILE;
    uint count = item_total();
    uint end = group > 0xFFFFFFFFu / TILE ? 0u : begin + min(count - min(begin, count), TILE);
    bool only = push.fineBits == 0u;
    return Split(0u, coarse_total(), MUR_SLICE_BITS + push.fineBits, 0xFFFFFFFFu,
                 only ? push.sliceRoom : push.coarseRoom,
                 scratch_word(only ? MUR_SLICES_COUNTS : MUR_SLICES_COARSE),
                 only ? slice_bins() : coarse_bins(), begin, end);
}

Split split_fine(uint group) {
    uint tiles = (push.coarseRoom - 1u) / TILE + 1u;
    uint coarse = group / tiles;
    uint count = 0u;
    if (coarse < coarse_total()) {
        count = min(mur_input(scratch_word(MUR_SLICES_COARSE), coarse), push.coarseRoom);
    }
    uint begin = (group % tiles) * TILE;
    uint base = coarse * push.coarseRoom;
    uint bins = 1u << push.fineBits;
    return Split(coarse * bins, bins, MUR_SLICE_BITS, bins - 1u, push.sliceRoom,
                 scratch_word(MUR_SLICES_COUNTS), slice_bins(), base + begin,
                 base + min(begin + TILE, count));
}
