// The entries of one sector, for each kind of slot, in registers. load() fetches the sector, or
// what the header's extra slots hold; present() says whether an entry lives in a lane of it,
// key_in() and value_in() which; write() writes it into the arrays. erase() erases it, unless it is
// no longer what was seen: then what it found takes the place of that. An entry that is seen
// without its whole key is being inserted, and counts as not there yet.
//
// SPDX-License-Identifier: MIT

#ifdef MUR_KERNEL_FORMAT
const uint FORMAT = MUR_KERNEL_FORMAT;

uvec4 low, high;
uvec2 extra; // of a set: which of its extra slots hold their keys

void load(uint sector, bool last) {
    uvec2 none = mur_none_of(push.table, FORMAT);
    low = FORMAT == MUR_FORMAT_K64V32 ? uvec4(uvec2(MUR_EMPTY), none.x, 0u)
                                      : uvec4(uvec2(MUR_EMPTY), none);
    if (MUR_IS_SET(FORMAT)) {
        low = uvec4(MUR_EMPTY);
    }
    high = low;
    extra = uvec2(0u);
    if (!last) {
        mur_sector_halves(push.table, FORMAT, sector, low, high);
    } else if (MUR_IS_SET(FORMAT)) {
        extra = mur_set_extra(push.table);
    } else if (FORMAT == MUR_FORMAT_K64V64) {
        low = mur_slot_words(push.table, FORMAT, push.table.slotCount);
    }
}

bool in_extra(uint lane) {
    return lane < 2u && extra[lane] != 0u;
}

bool present(uint lane) {
    uvec4 words = mur_lane(FORMAT, lane, low, high);
    if (MUR_IS_SET(FORMAT)) {
        return in_extra(lane) || (mur_is_claimed(FORMAT, words) && !mur_is_tomb(FORMAT, words));
    }
    return mur_value_in(FORMAT, words) != mur_none_of(push.table, FORMAT);
}

uvec3 key_in(uint lane) {
    uvec3 hash = mur_hash_in(FORMAT, mur_lane(FORMAT, lane, low, high));
    if (in_extra(lane)) {
        hash = mur_marker_of(lane);
    }
    return mur_key_of(push.table, FORMAT, hash);
}

uvec2 value_in(uint lane) {
    return mur_value_in(FORMAT, mur_lane(FORMAT, lane, low, high));
}

void set_lane(uint lane, uvec4 words) {
    if (FORMAT == MUR_FORMAT_K32) {
        low[lane & 3u] = lane < 4u ? words.x : low[lane & 3u];
        high[lane & 3u] = lane < 4u ? high[lane & 3u] : words.x;
    } else if (FORMAT == MUR_FORMAT_K64) {
        uvec4 part = lane < 2u ? low : high;
        part = (lane & 1u) == 0u ? uvec4(words.xy, part.zw) : uvec4(part.xy, words.xy);
        low = lane < 2u ? part : low;
        high = lane < 2u ? high : part;
    } else {
        low = lane == 0u ? words : low;
        high = lane == 0u ? high : words;
    }
}

bool erase_key(uint lane, uint slot) {
    if (slot >= push.table.slotCount) {
        extra[lane] = atomicExchange(MUR_STATE_WORD(push.table, MUR_HEADER_EXTRA + lane), 0u);
        return extra[lane] != 0u;
    }
    uvec2 seen = mur_lane(FORMAT, lane, low, high).xy;
    uvec2 found = mur_swap_key(push.table, FORMAT, slot, seen, uvec2(MUR_TOMB, MUR_EMPTY));
    set_lane(lane, found.xyxy);
    return found == seen;
}

bool erase(uint lane, uint slot) {
    if (MUR_IS_SET(FORMAT)) {
        return erase_key(lane, slot);
    }
    uvec4 words = mur_lane(FORMAT, lane, low, high);
    uvec2 seen = mur_value_in(FORMAT, words);
    uvec2 found = seen;
    bool whole = slot >= push.table.slotCount || mur_is_claimed(FORMAT, words);
    bool same = true;
#ifdef MUR_INT64_ATOMICS
    if (FORMAT == MUR_FORMAT_K64V64 && any(equal(words.xy, uvec2(MUR_EMPTY)))) {
        // A read of words may be torn where 64-bit atomics write pairs.
        uvec2 pair = mur_wide_pair(push.table, FORMAT, slot, 0u);
        same = pair == words.xy;
        words.xy = pair;
    }
#endif
    if (!whole) {
        found = mur_none_of(push.table, FORMAT);
    } else if (same) {
        found = mur_swap_value(push.table, FORMAT, slot, seen, mur_none_of(push.table, FORMAT));
    }
    set_lane(lane, FORMAT == MUR_FORMAT_K64V64 ? uvec4(words.xy, found)
                                               : uvec4(words.xy, found.x, words.w));
    return whole && same && found == seen;
}

void write(uint lane, uint at) {
    mur_output_key(push.keys, at, key_in(lane).xy);
    mur_output_value(push.values, at, value_in(lane));
}
#else
const uint FORMAT = MUR_FORMAT_K32V32;

uvec4 keys, values;

void load(uint sector, bool last) {
    keys = uvec4(MUR_EMPTY);
    values = uvec4(mur_no_value(push.table));
    if (!last) {
        mur_sector(push.table, sector, keys, values);
    } else {
        values.x = mur_pair(push.table, push.table.slotCount).y;
    }
}

bool present(uint lane) {
    return values[lane] != mur_no_value(push.table);
}

uvec3 key_in(uint lane) {
    return uvec3(mur_key(keys[lane], push.table.seed), 0u, 0u);
}

uvec2 value_in(uint lane) {
    return uvec2(values[lane], 0u);
}

bool erase(uint lane, uint slot) {
    uint none = mur_no_value(push.table);
    uint seen = values[lane];
    bool whole = mur_marker(keys[lane]) == 1u || slot >= push.table.slotCount;
    values[lane] = whole ? mur_swap_value(push.table, slot, keys[lane], seen, none) : none;
    return whole && values[lane] == seen;
}

void write(uint lane, uint at) {
    mur_output(push.keys, at, key_in(lane).x);
    mur_output(push.values, at, values[lane]);
}
#endif
