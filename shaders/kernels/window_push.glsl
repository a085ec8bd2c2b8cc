// The slots of a window in order of hash, pushed there one by one: the larger moves on, and equal ones
// meet.
// Source of the ordering: Amble and Knuth, "Ordered hash tables", 1974.
//
// SPDX-License-Identifier: MIT

// Gives up once that cannot end well: what is pushed out of the window is nobody's, or every slot from
// before the slice's last BEFORE on is taken.
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

// Where a hash is that has been pushed; if it was pushed out of the window, any slot from its home slot
// on, or ROOM. That one is always empty, so that the search ends there.
uint pushed_slot(Window window, uint hash) {
    uint slot = home_of(window, hash);
    while (WINDOW_HASH(slot) < hash) {
        ++slot;
    }
    return slot;
}
