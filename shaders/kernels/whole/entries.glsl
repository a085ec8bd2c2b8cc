// The entries of one sector, in registers. load() fetches the sector, or
// what the header's extra slots hold; present() says whether an entry lives in a lane of it,
// key_in() and value_in() which; write() writes it into the arrays. erase() erases it, unless it is
// no longer what was seen: then what it found takes the place of that. An entry that is seen
// without its whole key is being inserted, and counts as not there yet.
//
// SPDX-License-Identifier: MIT

uvec4 low, high;
bvec2 extra; // of a set: which of its extra slots hold their keys

void set_lane(uint lane, uvec4 words) {
    if (KERNEL_FORMAT == MUR_FORMAT_K32) {
        low[lane & 3u] = lane < 4u ? words.x : low[lane & 3u];
        high[lane & 3u] = lane < 4u ? high[lane & 3u] : words.x;
    } else if (KERNEL_FORMAT == MUR_FORMAT_K64 || KERNEL_FORMAT == MUR_FORMAT_K32V32) {
        uvec4 part = lane < 2u ? low : high;
        part = (lane & 1u) == 0u ? uvec4(words.xy, part.zw) : uvec4(part.xy, words.xy);
        low = lane < 2u ? part : low;
        high = lane < 2u ? high : part;
    } else {
        low = lane == 0u ? words : low;
        high = lane == 0u ? high : words;
    }
}

void load(uint sector, bool last) {
    uvec2 none = mur_none(push.table, KERNEL_FORMAT);
    low = KERNEL_FORMAT == MUR_FORMAT_K32V32   ? uvec2(MUR_EMPTY, none.x).xyxy
          : KERNEL_FORMAT == MUR_FORMAT_K64V32 ? uvec4(uvec2(MUR_EMPTY), none.x, 0u)
          : MUR_IS_SET(KERNEL_FORMAT)          ? uvec4(MUR_EMPTY)
                                        : uvec4(uvec2(MUR_EMPTY), none);
    high = low;
    extra = bvec2(false);
    if (!last) {
        mur_sector(push.table, KERNEL_FORMAT, sector, low, high);
    } else if (MUR_IS_SET(KERNEL_FORMAT)) {
        extra = notEqual(mur_set_extra(push.table), uvec2(0u));
    } else if (KERNEL_FORMAT != MUR_FORMAT_K64V32) {
        set_lane(0u, mur_slot_words(push.table, KERNEL_FORMAT, push.table.slotCount));
    }
}

bool in_extra(uint lane) {
    return lane < 2u && extra[lane];
}

bool present(uint lane) {
    uvec4 words = mur_lane(KERNEL_FORMAT, lane, low, high);
    if (MUR_IS_SET(KERNEL_FORMAT)) {
        return in_extra(lane) || (mur_is_claimed(KERNEL_FORMAT, words) &&
                                  !mur_is_tomb(KERNEL_FORMAT, words));
    }
    return mur_value_in(KERNEL_FORMAT, words) != mur_none(push.table, KERNEL_FORMAT);
}

uvec3 key_in(uint lane) {
    uvec3 hash = mur_hash_in(KERNEL_FORMAT, mur_lane(KERNEL_FORMAT, lane, low, high));
    if (in_extra(lane)) {
        hash = mur_marker_of(lane);
    }
    return mur_key_of(push.table, KERNEL_FORMAT, hash);
}

uvec2 value_in(uint lane) {
    return mur_value_in(KERNEL_FORMAT, mur_lane(KERNEL_FORMAT, lane, low, high));
}

bool erase_key(uint lane, uint slot) {
    if (slot >= push.table.slotCount) {
        uint word = MUR_HEADER_EXTRA + lane;
        extra[lane] = atomicExchange(MUR_STATE_WORD(push.table, word), 0u) != 0u;
        return extra[lane];
    }
    uvec2 seen = mur_lane(KERNEL_FORMAT, lane, low, high).xy;
    uvec2 found = mur_bury(mur_kernel_table(push.table), KERNEL_FORMAT, slot, seen);
    set_lane(lane, found.xyxy);
    return found == seen;
}

bool erase(uint lane, uint slot) {
    if (MUR_IS_SET(KERNEL_FORMAT)) {
        return erase_key(lane, slot);
    }
    uvec4 words = mur_lane(KERNEL_FORMAT, lane, low, high);
    uvec2 seen = mur_value_in(KERNEL_FORMAT, words);
    uvec2 found = seen;
    bool whole = slot >= push.table.slotCount || mur_is_claimed(KERNEL_FORMAT, words);
    bool same = true;
#ifdef MUR_INT64_ATOMICS
    if (mur_may_be_torn(KERNEL_FORMAT, words.xy)) {
        uvec2 pair = mur_wide_pair(push.table, KERNEL_FORMAT, slot, 0u);
        same = pair == words.xy;
        words.xy = pair;
    }
#endif
    if (!whole) {
        found = mur_none(push.table, KERNEL_FORMAT);
    } else if (same) {
        found = mur_swap_value(mur_kernel_table(push.table), KERNEL_FORMAT, slot, words.x, seen,
                               mur_none(push.table, KERNEL_FORMAT));
    }
    set_lane(lane, KERNEL_FORMAT == MUR_FORMAT_K32V32   ? uvec4(words.x, found.x, 0u, 0u)
                   : KERNEL_FORMAT == MUR_FORMAT_K64V64 ? uvec4(words.xy, found)
                                                 : uvec4(words.xy, found.x, words.w));
    return whole && same && found == seen;
}

void write(uint lane, uint at) {
    mur_output_key(push.keys, at, key_in(lane).xy);
    mur_output_value(push.values, at, value_in(lane));
}
