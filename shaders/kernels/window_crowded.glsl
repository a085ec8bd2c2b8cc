// The long way of tile_window.comp, for windows where a key comes twice, or with more pairs than the
// short way takes: hashes are put in order one by one, the larger moves on, and equal ones meet.
// Values go straight to the table.
// Source of the ordering: Amble and Knuth, "Ordered hash tables", 1974.
//
// SPDX-License-Identifier: MIT

// Gives up once that cannot end well: this window is the last and full, or every slot from before the
// slice's last BEFORE on is taken.
void push_hash(Window window, uint hash) {
    uint home = home_of(window, hash);
    for (uint slot = home; slot < window.end; ++slot) {
        uint seen = atomicMin(WINDOW_HASH(slot), hash);
        if (seen == MUR_EMPTY || seen == hash) {
            return;
        }
        hash = max(seen, hash);
    }
    if (window.last || home <= SLICE) {
        isLost = 1u;
    }
}

// Writes the value of a hash that is among the slots of the slice.
void write_value(uint index, Window window, uvec2 pair) {
    uint end = min(BEFORE + window.owned, ROOM);
    uint slot = home_of(window, pair.x);
    while (slot < end && WINDOW_HASH(slot) < pair.x) {
        ++slot;
    }
    if (slot >= BEFORE && slot < end && WINDOW_HASH(slot) == pair.x) {
        mur_output(slice_address(index), 2u * (slot - BEFORE) + 1u, pair.y);
    }
}

// As many invocations as there can be share a tile.
void build_crowded(uint index, Window window, uint lane) {
    uint tiles = max((tile_items() + push.tile - 1u) / push.tile, 1u);
    Share share = share_of(index, lane, max(MUR_WORKGROUP / tiles, 1u));
    MurPairsIn pairs = MurPairsIn(tile_pairs());
    clear_slots(lane);
    if (lane == 0u) {
        isClosed = 1u;
        isLost = 0u;
    }
    barrier();
    for (uint item = share.first; item < share.end && isLost == 0u; item += share.step) {
        push_hash(window, pairs.pairs[item].x);
    }
    barrier();
    for (uint slot = SLICE + lane; slot < HOMES; slot += MUR_WORKGROUP) {
        if (WINDOW_HASH(slot) == MUR_EMPTY) {
            isClosed = 0u;
        }
    }
    MurPairsOut table = MurPairsOut(slice_address(index));
    uint none = mur_no_value(push.table);
    for (uint slot = lane; slot < window.owned; slot += MUR_WORKGROUP) {
        uint hash = BEFORE + slot < ROOM ? WINDOW_HASH(BEFORE + slot) : MUR_EMPTY;
        table.pairs[slot] = uvec2(hash, none);
    }
    window_barrier();
    for (uint item = share.first; item < share.end; item += share.step) {
        write_value(index, window, pairs.pairs[item]);
    }
}
