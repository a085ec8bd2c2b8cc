// How a window's slice gets into the table.
//
// SPDX-License-Identifier: MIT

// Two slots at once; slotCount is a multiple of four.
void write_two(uint index, Window window, uint slot, uvec4 two) {
    uint none = mur_no_value(push.table);
    two.y = two.x == MUR_EMPTY ? none : two.y;
    two.w = two.z == MUR_EMPTY ? none : two.w;
    if (slot < window.owned) {
        MurFourOut(mur_offset(slice_address(index), slot / 2u, 4u)).words = two;
    }
}

void write_slots(uint index, Window window, uint lane) {
#ifdef MUR_WINDOW_SPREAD
    [[unroll]] for (uint i = 0u; i < OWN; i += 2u) {
        uint slot = i * MUR_WORKGROUP + 2u * lane;
        write_two(index, window, slot, uvec4(slots[BEFORE + slot], slots[BEFORE + slot + 1u]));
    }
    for (uint slot = SLICE + 2u * lane; slot < window.owned; slot += 2u * MUR_WORKGROUP) {
        uvec4 two = uvec4(MUR_EMPTY);
        if (BEFORE + slot < ROOM) {
            two = uvec4(slots[BEFORE + slot], slots[BEFORE + slot + 1u]);
        }
        write_two(index, window, slot, two);
    }
#else
    uint hashes[OWN];
    [[unroll]] for (uint i = 0u; i < OWN; ++i) {
        hashes[i] = slots[BEFORE + i / 2u * 2u * MUR_WORKGROUP + 2u * lane + i % 2u];
    }
    uint beyond = HOMES + lane < ROOM ? slots[HOMES + lane] : MUR_EMPTY;
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        if (places[i] < ROOM) {
            slots[places[i]] = pairs[i].y;
        }
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < OWN; i += 2u) {
        uint slot = i * MUR_WORKGROUP + 2u * lane;
        write_two(
            index, window, slot,
            uvec4(hashes[i], slots[BEFORE + slot], hashes[i + 1u], slots[BEFORE + slot + 1u]));
    }
    uvec2 pair = uvec2(beyond, mur_no_value(push.table));
    if (beyond != MUR_EMPTY) {
        pair.y = slots[HOMES + lane];
    }
#ifdef MUR_WINDOW_SPILLS
    if (!window.last && HOMES + lane < ROOM) {
        MurPairsOut(tile_spill(index)).pairs[lane] = pair;
    }
#endif
    for (uint slot = SLICE + lane; slot < window.owned; slot += MUR_WORKGROUP) {
        MurPairsOut(slice_address(index)).pairs[slot] = pair;
        pair = uvec2(MUR_EMPTY, mur_no_value(push.table));
    }
#endif
}
