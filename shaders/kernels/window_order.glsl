// Where the pairs of a window go: to their home slot's others as they come, then among those by hash.
//
// SPDX-License-Identifier: MIT

// places: of each pair, how many of the same home slot came before it; then begin and number of the
// home slot's pairs; then its slot, or ROOM, for a while with this bit if it was there at once.
const uint SETTLED = 0x10000u;

void count_pairs(Window window) {
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        if (pairs[i].x != MUR_EMPTY) {
            places[i] = count_home(home_of(window, pairs[i].x));
        }
    }
}

void put_hash(uint slot, uvec2 pair) {
#ifdef MUR_WINDOW_SPREAD
    slots[slot] = pair;
#else
    slots[slot] = pair.x;
#endif
}

// Each home slot's pairs, as they came.
void place_pairs(Window window) {
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        uint run = ROOM << 16;
        if (pairs[i].x != MUR_EMPTY) {
            uvec2 found = home_pairs(home_of(window, pairs[i].x));
            uint slot = found.x + places[i];
            if (slot < window.end) {
                put_hash(slot, pairs[i]);
                run = found.x << 16 | found.y;
            } else if (window.last) { // else it is the next window's
                isLost = 1u;
            }
        }
        places[i] = run;
    }
}

void order_pairs(Window window) {
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        uint begin = places[i] >> 16;
        uint place = SETTLED | begin;
        if ((places[i] & 0xFFFFu) > 1u) {
            uint count = min(places[i] & 0xFFFFu, window.end - begin);
            uint same = 0u;
            place = begin;
            uint hashes[4]; // four loads at once
            [[unroll]] for (uint k = 0u; k < 4u; ++k) {
                hashes[k] = WINDOW_HASH(begin + min(k, count - 1u));
            }
            [[unroll]] for (uint k = 0u; k < 4u; ++k) {
                place += k < count && hashes[k] < pairs[i].x ? 1u : 0u;
                same += k < count && hashes[k] == pairs[i].x ? 1u : 0u;
            }
            for (uint k = 4u; k < count; ++k) {
                uint hash = WINDOW_HASH(begin + k);
                place += hash < pairs[i].x ? 1u : 0u;
                same += hash == pairs[i].x ? 1u : 0u;
            }
            if (same != 1u) {
                crowded = 1u;
            }
        }
        places[i] = place;
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        if (places[i] < SETTLED) {
            put_hash(places[i], pairs[i]);
        }
        places[i] &= ~SETTLED;
    }
    barrier();
}
