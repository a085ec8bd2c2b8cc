// Murmuration: the calls of find.glsl for formats other than K32V32.
//
// SPDX-License-Identifier: MIT

#ifdef MUR_KEYS_64
// Is the key in the table? value: its value, or the table's reserved value if it is not. K64V32.
bool mur_find(MurTableRef t, uvec2 key, out uint value) {
    uvec2 found;
    uint slot = mur_lookup(t, MUR_FORMAT_K64V32, uvec3(key, 0u), found);
    value = found.x;
    return slot != MUR_NO_SLOT;
}

// The key's slot, or MUR_NO_SLOT if it is not in the table. K64V32.
uint mur_find_slot(MurTableRef t, uvec2 key, out uint value) {
    uvec2 found;
    uint slot = mur_lookup(t, MUR_FORMAT_K64V32, uvec3(key, 0u), found);
    value = found.x;
    return slot;
}

// The same in a table of any format with 64-bit keys that this shader knows.
uint mur_find_slot(MurTableRef t, uvec2 key) {
    uvec2 found;
#ifdef MUR_SETS
    if (mur_format(t) == MUR_FORMAT_K64) {
        return mur_lookup(t, MUR_FORMAT_K64, uvec3(key, 0u), found);
    }
#endif
#ifdef MUR_VALUES_64
    if (mur_format(t) == MUR_FORMAT_K64V64) {
        return mur_lookup(t, MUR_FORMAT_K64V64, uvec3(key, 0u), found);
    }
#endif
    return mur_lookup(t, MUR_FORMAT_K64V32, uvec3(key, 0u), found);
}

// What a slot holds: true, the key and its value if an entry lives there. K64V32.
bool mur_slot_entry(MurTableRef t, uint slot, out uvec2 key, out uint value) {
    uvec3 words;
    uvec2 found;
    bool there = mur_entry_in(t, MUR_FORMAT_K64V32, slot, words, found);
    key = words.xy;
    value = found.x;
    return there;
}
#endif

#ifdef MUR_VALUES_64
// K64V64.
bool mur_find(MurTableRef t, uvec2 key, out uvec2 value) {
    return mur_lookup(t, MUR_FORMAT_K64V64, uvec3(key, 0u), value) != MUR_NO_SLOT;
}

uint mur_find_slot(MurTableRef t, uvec2 key, out uvec2 value) {
    return mur_lookup(t, MUR_FORMAT_K64V64, uvec3(key, 0u), value);
}

bool mur_slot_entry(MurTableRef t, uint slot, out uvec2 key, out uvec2 value) {
    uvec3 words;
    bool there = mur_entry_in(t, MUR_FORMAT_K64V64, slot, words, value);
    key = words.xy;
    return there;
}
#endif

#ifdef MUR_SETS
// Is the key in the set? K32. mur_find_slot(t, key) serves sets too.
bool mur_find(MurTableRef t, uint key) {
    uvec2 value;
    return mur_lookup(t, MUR_FORMAT_K32, uvec3(key, 0u, 0u), value) != MUR_NO_SLOT;
}

// What a slot holds: true and the key if one lives there. The extra slots are slotCount and
// slotCount + 1.
bool mur_slot_entry(MurTableRef t, uint slot, out uint key) {
    uvec3 words;
    uvec2 value;
    bool there = mur_entry_in(t, MUR_FORMAT_K32, slot, words, value);
    key = words.x;
    return there;
}

#ifdef MUR_KEYS_64
// K64.
bool mur_find(MurTableRef t, uvec2 key) {
    uvec2 value;
    return mur_lookup(t, MUR_FORMAT_K64, uvec3(key, 0u), value) != MUR_NO_SLOT;
}

bool mur_slot_entry(MurTableRef t, uint slot, out uvec2 key) {
    uvec3 words;
    uvec2 value;
    bool there = mur_entry_in(t, MUR_FORMAT_K64, slot, words, value);
    key = words.xy;
    return there;
}
#endif
#endif
