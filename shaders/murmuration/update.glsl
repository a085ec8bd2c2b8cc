// Murmuration: updates. Compare-and-swaps from a value that was read, so that none restores a key
// that was erased after the read; MUR_UPDATE_TRIES of them at most.
//
// SPDX-License-Identifier: MIT

// Tests have something happen between a look and an exchange.
#ifndef MUR_UPDATE_RACE
#define MUR_UPDATE_RACE(t, slot)
#endif

// Replaces the value, last seen as old, in the slot of a key.
uint mur_update_found(MurTableRef t, uint format, uvec3 hash, uvec2 value, uint slot,
                      inout uvec2 old) {
    uvec2 none = mur_none(t, format);
    for (uint left = MUR_UPDATE_TRIES; left != 0u && old != none; --left) {
        uvec2 seen = old;
        MUR_UPDATE_RACE(t, slot)
        old = mur_swap_value(t, format, slot, hash.x, seen, value);
        if (old == seen) {
            return MUR_EXISTED;
        }
    }
    bool busy = old != none;
    old = none;
    return busy ? MUR_CONTENDED : MUR_ABSENT;
}

// Replaces the value of a key that has one.
uint mur_update_entry(MurTableRef t, uint format, uvec3 hash, uvec2 value, out uint slot,
                      out uvec2 old) {
    slot = mur_probe(t, format, hash, old);
    uint status = mur_update_found(t, format, hash, value, slot, old);
    slot = status == MUR_ABSENT ? MUR_NO_SLOT : slot;
    return status;
}
