// The long way, for windows where a key comes twice, or with more pairs than the short way takes: any
// number of pairs, whose values go straight to where they belong.
//
// SPDX-License-Identifier: MIT

const uint CROWDED_LOADS = 4u; // at once

#ifdef MUR_WINDOW_SPILLS
shared uint taken; // slots
#endif

// One past the last slot that the window writes.
uint written_end(Window window) {
#ifdef MUR_WINDOW_SPILLS
    return window.last ? window.owned : ROOM;
#else
    return BEFORE + window.owned;
#endif
}

// Where the window writes a slot.
uvec2 written_address(uint index, Window window, uint slot) {
#ifdef MUR_WINDOW_SPILLS
    if (slot >= window.owned) {
        return mur_offset(tile_spill(index), slot - SLICE, 3u);
    }
#endif
    return mur_offset(slice_address(index), slot - BEFORE, 3u);
}

void push_share(Window window, Share share) {
    MurPairsIn all = MurPairsIn(tile_pairs());
    for (uint first = share.first; first < share.end && isLost == 0u;
         first += CROWDED_LOADS * share.step) {
        uint hashes[CROWDED_LOADS];
        [[unroll]] for (uint i = 0u; i < CROWDED_LOADS; ++i) {
            hashes[i] = all.pairs[min(first + i * share.step, share.end - 1u)].x;
        }
        [[unroll]] for (uint i = 0u; i < CROWDED_LOADS; ++i) {
            // A key that all invocations have is mostly there, and reading tells at less cost.
            if (WINDOW_HASH(home_of(window, hashes[i])) != hashes[i]) {
                push_hash(window, hashes[i]);
            }
        }
    }
}

// Whether enough stays free for what the slice before pushes out, or a slot before the next slice.
void judge_slots(uint index, Window window, uint lane) {
#ifdef MUR_WINDOW_SPILLS
    uint count = 0u;
    for (uint slot = lane; slot < min(window.owned, ROOM); slot += MUR_WORKGROUP) {
        count += WINDOW_HASH(slot) != MUR_EMPTY ? 1u : 0u;
    }
    if (index != 0u && atomicAdd(taken, count) + count + MUR_BUILD_SPILL > window.owned) {
        isLost = 1u;
    }
#else
    for (uint slot = SLICE + lane; slot < HOMES; slot += MUR_WORKGROUP) {
        if (WINDOW_HASH(slot) == MUR_EMPTY) {
            isClosed = 0u;
        }
    }
#endif
}

void write_values(uint index, Window window, Share share) {
    MurPairsIn all = MurPairsIn(tile_pairs());
    uint end = min(written_end(window), ROOM);
    for (uint item = share.first; item < share.end; item += share.step) {
        uvec2 pair = all.pairs[item];
        uint slot = pushed_slot(window, pair.x);
        if (slot >= BEFORE && slot < end && WINDOW_HASH(slot) == pair.x) {
            MurPairsOut(written_address(index, window, slot)).pairs[0] = pair;
        }
    }
}

// As many invocations as there can be share a tile.
void build_crowded(uint index, Window window, uint lane) {
    uint tiles = max((tile_items() + push.tile - 1u) / push.tile, 1u);
    Share share = share_of(index, lane, max(MUR_WORKGROUP / tiles, 1u));
    clear_slots(lane);
    if (lane == 0u) {
#ifdef MUR_WINDOW_SPILLS
        taken = 0u;
#else
        isClosed = 1u;
        isLost = 0u;
#endif
    }
    barrier();
    push_share(window, share);
    barrier();
    judge_slots(index, window, lane);
    uint none = mur_no_value(push.table);
    for (uint slot = BEFORE + lane; slot < written_end(window); slot += MUR_WORKGROUP) {
        uint hash = slot < ROOM ? WINDOW_HASH(slot) : MUR_EMPTY;
        MurPairsOut(written_address(index, window, slot)).pairs[0] = uvec2(hash, none);
    }
    window_barrier();
    write_values(index, window, share);
}
