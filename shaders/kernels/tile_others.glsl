// What a workgroup of its own does in murCmdBuild's tiled and windowed paths: it sees to the pairs
// that go into no bin, for their value is refused or they live in the extra slot.
//
// SPDX-License-Identifier: MIT

shared uint refused;

void settle_others() {
    uint tiles = (tile_items() + push.tile - 1u) / push.tile;
    uint bins = tile_bins();
    uint none = mur_no_value(push.table);
    if (gl_LocalInvocationIndex == 0u) {
        refused = 0u;
    }
    barrier();
    for (uint tile = gl_LocalInvocationIndex; tile < tiles; tile += MUR_WORKGROUP) {
        MurWordsIn begins = MurWordsIn(tile_begins(tile));
        uint last = begins.words[bins + 1u];
        for (uint item = begins.words[bins]; item < last; ++item) {
            uvec2 pair = MurPairsIn(tile_pairs()).pairs[tile * push.tile + item];
            if (pair.y == none) {
                atomicAdd(refused, 1u);
            } else {
                mur_output(push.table.address, MUR_HEADER_EXTRA + 1u, pair.y);
            }
        }
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u && refused != 0u) {
        mur_output(push.table.address, MUR_HEADER_REFUSED, refused);
    }
}
