// Murmuration: updates. A compare-and-swap replaces the value that was read, so no update restores
// a key that was erased after the read. There are at most MUR_UPDATE_TRIES tries.
// SPDX-License-Identifier: MIT

// Tests define MUR_UPDATE_RACE to change the value between the read and the exchange.
#ifndef MUR_UPDATE_RACE
#define MUR_UPDATE_RACE(t, slot)
#endif

// Replaces the value of a key in its slot. old: on entry the value that was read, on return the
// replaced value, or the empty value if no value was replaced.
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

// Replaces the value of a present key: finds the key, then calls mur_update_found.
uint mur_update_entry(MurTableRef t, uint format, uvec3 hash, uvec2 value, out uint slot,
                      out uvec2 old) {
    slot = mur_probe(t, format, hash, old);
    uint status = mur_update_found(t, format, hash, value, slot, old);
    slot = status == MUR_ABSENT ? MUR_NO_SLOT : slot;
    return status;
}
