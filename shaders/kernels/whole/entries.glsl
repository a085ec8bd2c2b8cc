// The entries of one sector of keys, in registers. load() loads a sector, or the header's sentinel
// slots. For a lane, present() returns whether it has an entry, key_in() and value_in() return the
// entry, and write() writes it into the arrays. erase() erases the entry in the table; if this
// entry differs from the loaded one, erase() loads it instead. Half-claimed slots count as absent.
// SPDX-License-Identifier: MIT

const uint SLOTS = MUR_SLOTS_OF(KERNEL_KEYS);

uvec4 low, high;
uvec4 values, tags; // of tables that evict, with 64-bit keys
bvec2 extra;        // of a set: do its sentinel slots have their keys?

uvec4 words_in(uint lane) {
    uvec4 words = mur_lane(KERNEL_KEYS, lane, low, high);
    return mur_is_split(push.table, KERNEL_FORMAT)
               ? uvec4(words.xy, values[lane], tags[lane])
               : words;
}

void set_lane(uint lane, uvec4 words) {
    if (KERNEL_KEYS == MUR_FORMAT_K32) {
        low[lane & 3u] = lane < 4u ? words.x : low[lane & 3u];
        high[lane & 3u] = lane < 4u ? high[lane & 3u] : words.x;
    } else if (MUR_SLOT_SHIFT(KERNEL_KEYS) == 3u) {
        uvec4 part = lane < 2u ? low : high;
        part = (lane & 1u) == 0u ? uvec4(words.xy, part.zw) : uvec4(part.xy, words.xy);
        low = lane < 2u ? part : low;
        high = lane < 2u ? high : part;
        values[lane] = words.z;
    } else {
        low = lane == 0u ? words : low;
        high = lane == 0u ? high : words;
    }
}

// Loads the values and tags of a sector of a table that evicts.
void load_beside(uint sector) {
    uint part = mur_beside(push.table, KERNEL_FORMAT, SLOTS * sector, 2u) / 4u;
    if (KERNEL_FORMAT == MUR_FORMAT_K64V32) {
        uvec4 first = mur_half(push.table, KERNEL_FORMAT, part);
        uvec4 second = mur_half(push.table, KERNEL_FORMAT, part + 1u);
        values = uvec4(first.xz, second.xz);
        tags = uvec4(first.yw, second.yw);
    } else if (mur_is_tagged(push.table, KERNEL_FORMAT)) {
        tags = mur_half(push.table, KERNEL_FORMAT, part);
    }
}

void load(uint sector, bool last) {
    uvec2 none = mur_none(push.table, KERNEL_FORMAT);
    low = KERNEL_KEYS == MUR_FORMAT_K32V32   ? uvec2(MUR_EMPTY, none.x).xyxy
          : KERNEL_KEYS == MUR_FORMAT_K64V32 ? uvec4(uvec2(MUR_EMPTY), none.x, 0u)
          : MUR_IS_SET(KERNEL_KEYS)          ? uvec4(MUR_EMPTY)
                                      : uvec4(uvec2(MUR_EMPTY), none);
    high = low;
    values = none.xxxx;
    tags = uvec4(0u);
    extra = bvec2(false);
    if (!last) {
        mur_sector(push.table, KERNEL_KEYS, sector, low, high);
        if (KERNEL_EVICTS) {
            load_beside(sector);
        }
    } else if (MUR_IS_SET(KERNEL_FORMAT)) {
        extra = notEqual(mur_set_extra(push.table), uvec2(0u));
    } else if (KERNEL_FORMAT != MUR_FORMAT_K64V32) {
        set_lane(0u, mur_slot_words(push.table, KERNEL_FORMAT, push.table.slotCount));
    }
}

bool in_extra(uint lane) {
    return lane < MUR_EXTRA_SLOTS(KERNEL_FORMAT) && extra[lane];
}

bool present(uint lane) {
    uvec4 words = words_in(lane);
    if (MUR_IS_SET(KERNEL_FORMAT)) {
        return in_extra(lane) || mur_has_key(push.table, KERNEL_FORMAT, words);
    }
    return mur_value_in(KERNEL_FORMAT, words) != mur_none(push.table, KERNEL_FORMAT);
}

uvec3 key_in(uint lane) {
    uvec3 hash = mur_hash_in(push.table, KERNEL_FORMAT, words_in(lane));
    if (in_extra(lane)) {
        hash = mur_marker_of(lane);
    }
    return mur_key_of(push.table, KERNEL_FORMAT, hash);
}

uvec2 value_in(uint lane) {
    return mur_value_in(KERNEL_FORMAT, words_in(lane));
}

bool erase_key(MurTableRef table, uint lane, uint slot) {
    if (slot >= push.table.slotCount) {
        uint word = MUR_HEADER_EXTRA + lane;
        extra[lane] = atomicExchange(MUR_STATE_WORD(push.table, word), 0u) != 0u;
        return extra[lane];
    }
    uvec2 seen = words_in(lane).xy;
    uvec2 found = mur_bury(table, KERNEL_FORMAT, slot, seen);
    set_lane(lane, found.xyxy);
    return found == seen;
}

bool erase(uint lane, uint slot) {
    MurTableRef table = mur_kernel_table(push.table);
    if (MUR_IS_SET(KERNEL_FORMAT)) {
        return erase_key(table, lane, slot);
    }
    uvec4 words = words_in(lane);
    uvec2 seen = mur_value_in(KERNEL_FORMAT, words);
    uvec2 found = seen;
    bool whole = slot >= push.table.slotCount || mur_is_claimed(table, KERNEL_FORMAT, words);
    bool same = true;
#ifdef MUR_INT64_ATOMICS
    if (mur_may_be_torn(table, KERNEL_FORMAT, words.xy)) {
        uvec2 pair = mur_wide_pair(table, KERNEL_FORMAT, slot, 0u);
        same = pair == words.xy;
        words.xy = pair;
    }
#endif
    if (!whole) {
        found = mur_none(table, KERNEL_FORMAT);
    } else if (same) {
        found = mur_swap_value(table, KERNEL_FORMAT, slot, words.x, seen,
                               mur_none(table, KERNEL_FORMAT));
    }
    set_lane(lane, KERNEL_FORMAT == MUR_FORMAT_K32V32   ? uvec4(words.x, found.x, 0u, 0u)
                   : MUR_HAS_WIDE_VALUES(KERNEL_FORMAT) ? uvec4(words.xy, found)
                                                        : uvec4(words.xy, found.x, words.w));
    return whole && same && found == seen;
}

void write(uint lane, uint at) {
    mur_output_key(push.keys, at, key_in(lane).xy);
    mur_output_value(push.values, at, value_in(lane));
}
