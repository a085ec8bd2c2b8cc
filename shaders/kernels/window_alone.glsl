// What tile_window.comp does when some window failed: a workgroup that has the table to itself, now
// that all others are done, clears it and inserts everything by linear probing. 32-bit atomics do,
// whatever the table's width.
//
// SPDX-License-Identifier: MIT

// The same slots as finds look at: see mur_find_hash.
void insert_alone(uvec2 pair) {
    uint home = mur_home(pair.x, push.table.capacity);
    uint sectors = min(push.table.probeSectors, push.table.slotCount / MUR_SECTOR_SLOTS);
    uint slot = home;
    uvec2 state = mur_offset(push.table.address, MUR_HEADER_STATE, 2u);
    for (uint left = MUR_SECTOR_SLOTS * sectors - home % MUR_SECTOR_SLOTS; left != 0u; --left) {
        uvec2 at = mur_offset(mur_slots_address(push.table), slot, 3u);
        uint seen = atomicCompSwap(MurCounter(at).word, MUR_EMPTY, pair.x);
        if (seen == MUR_EMPTY || seen == pair.x) {
            mur_output(at, 1u, pair.y);
            if (slot < home) {
                atomicOr(MurCounter(state).word, MUR_STATE_WRAPPED);
            }
            return;
        }
        slot = slot + 1u == push.table.slotCount ? 0u : slot + 1u;
    }
    uvec2 full = mur_offset(push.table.address, MUR_HEADER_FULL, 2u);
    atomicAdd(MurCounter(full).word, 1u); // fewer pairs than 2^32
}

void insert_all_alone(uint lane) {
    memoryBarrierBuffer();
    uint none = mur_no_value(push.table);
    MurPairsOut table = MurPairsOut(mur_slots_address(push.table));
    for (uint slot = lane; slot < push.table.slotCount; slot += MUR_WORKGROUP) {
        table.pairs[slot] = uvec2(MUR_EMPTY, none);
    }
    if (lane == 0u) {
        mur_output(push.table.address, MUR_HEADER_STATE, 0u);
    }
    window_barrier();
    uint count = tile_items();
    for (uint item = lane; item < count; item += MUR_WORKGROUP) {
        uvec2 pair = uvec2(mur_input(push.keys, item), mur_input(push.values, item));
        pair.x = mur_hash(pair.x, push.table.seed);
        if (pair.x != MUR_EMPTY && pair.y != none) { // else see settle_others
            insert_alone(pair);
        }
    }
}
