// Murmuration: the calls of write.glsl for formats other than K32V32. What each does is said there.
//
// SPDX-License-Identifier: MIT

#ifdef MUR_KEYS_64
// K64V32.
uint mur_insert_mode(MurTableRef t, uvec2 key, uint value, uint mode, out uint slot,
                     out uint old) {
    uvec2 there;
    uint status = mur_insert_old(t, MUR_FORMAT_K64V32, uvec3(key, 0u), uvec2(value, 0u), mode,
                                 slot, there);
    old = there.x;
    return status;
}

uint mur_insert_mode(MurTableRef t, uvec2 key, uint value, uint mode, out uint slot) {
    return mur_insert_of(t, MUR_FORMAT_K64V32, uvec3(key, 0u), uvec2(value, 0u), mode, slot);
}

uint mur_erase(MurTableRef t, uvec2 key, out uint value, out uint slot) {
    uvec2 old;
    uint status = mur_erase_of(t, MUR_FORMAT_K64V32, uvec3(key, 0u), old, slot);
    value = old.x;
    return status;
}

// In a table of any format with 64-bit keys that this shader knows.
uint mur_erase(MurTableRef t, uvec2 key) {
    uvec2 old;
    uint slot;
#ifdef MUR_SETS
    if (mur_format(t) == MUR_FORMAT_K64) {
        return mur_erase_of(t, MUR_FORMAT_K64, uvec3(key, 0u), old, slot);
    }
#endif
#ifdef MUR_VALUES_64
    if (mur_format(t) == MUR_FORMAT_K64V64) {
        return mur_erase_of(t, MUR_FORMAT_K64V64, uvec3(key, 0u), old, slot);
    }
#endif
    return mur_erase_of(t, MUR_FORMAT_K64V32, uvec3(key, 0u), old, slot);
}
#endif

#ifdef MUR_VALUES_64
// K64V64.
uint mur_insert_mode(MurTableRef t, uvec2 key, uvec2 value, uint mode, out uint slot,
                     out uvec2 old) {
    return mur_insert_old(t, MUR_FORMAT_K64V64, uvec3(key, 0u), value, mode, slot, old);
}

uint mur_insert_mode(MurTableRef t, uvec2 key, uvec2 value, uint mode, out uint slot) {
    return mur_insert_of(t, MUR_FORMAT_K64V64, uvec3(key, 0u), value, mode, slot);
}

uint mur_erase(MurTableRef t, uvec2 key, out uvec2 value, out uint slot) {
    return mur_erase_of(t, MUR_FORMAT_K64V64, uvec3(key, 0u), value, slot);
}
#endif

#ifdef MUR_SETS
// Sets. The slot is an output of calls with names of their own: mur_insert(t, key, value) has the
// same types.
uint mur_insert_slot(MurTableRef t, uint key, out uint slot) {
    return mur_insert_of(t, MUR_FORMAT_K32, uvec3(key, 0u, 0u), uvec2(0u), MUR_MODE_KEEP, slot);
}

uint mur_insert(MurTableRef t, uint key) {
    uint slot;
    return mur_insert_slot(t, key, slot);
}

uint mur_erase_slot(MurTableRef t, uint key, out uint slot) {
    uvec2 none;
    return mur_erase_of(t, MUR_FORMAT_K32, uvec3(key, 0u, 0u), none, slot);
}

#ifdef MUR_KEYS_64
uint mur_insert_slot(MurTableRef t, uvec2 key, out uint slot) {
    return mur_insert_of(t, MUR_FORMAT_K64, uvec3(key, 0u), uvec2(0u), MUR_MODE_KEEP, slot);
}

uint mur_insert(MurTableRef t, uvec2 key) {
    uint slot;
    return mur_insert_slot(t, key, slot);
}

uint mur_erase_slot(MurTableRef t, uvec2 key, out uint slot) {
    uvec2 none;
    return mur_erase_of(t, MUR_FORMAT_K64, uvec3(key, 0u), none, slot);
}
#endif
#endif
