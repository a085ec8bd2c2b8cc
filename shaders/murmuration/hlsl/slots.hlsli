// Murmuration: what slots look like, and how table memory is reached, in HLSL. Functions take the
// format as an argument that is always a constant. Slots of every format are handled as four words:
// x, y the hash (32-bit keys have no y), z the value, w the tag word of K64V32.
//
// SPDX-License-Identifier: MIT

uint mur_format(MurTableRef t) {
    return MUR_TABLE_FORMAT(t.flags);
}

// The table's reserved value: what "absent" looks like in a value word.
uint mur_no_value(MurTableRef t) {
    return (t.flags & MUR_TABLE_ZERO) != 0u ? 0u : 0xFFFFFFFFu;
}

uint2 mur_hash_of(MurTableRef t, uint format, uint2 key) {
    return MUR_IS_64(format) ? mur_hash64(key, t.seed) : uint2(mur_hash(key.x, t.seed), 0u);
}

uint2 mur_key_of(MurTableRef t, uint format, uint2 hash) {
    return MUR_IS_64(format) ? mur_key64(hash, t.seed) : uint2(mur_key(hash.x, t.seed), 0u);
}

uint mur_home_of(MurTableRef t, uint format, uint2 hash) {
    return mur_home(MUR_IS_64(format) ? hash.y : hash.x, t.capacity);
}

// How a hash looks in its slot: x, y the key words; w the tag word and z the bits of it that count.
uint4 mur_stored(uint format, uint2 hash) {
    if (format != MUR_FORMAT_K64V32) {
        return uint4(hash, 0u, 0u);
    }
    bool low = hash.x == MUR_EMPTY;
    bool high = hash.y == MUR_EMPTY;
    uint2 halves = uint2(low ? 0u : hash.x, high ? 0u : hash.y);
    uint tag = MUR_TAG_USED | (low ? MUR_TAG_LOW : 0u) | (high ? MUR_TAG_HIGH : 0u);
    return uint4(halves, 0xFFFFFFFFu, halves.x == 0u || halves.y == 0u ? tag : 0u);
}

// The hash back from a slot's words.
uint2 mur_hash_in(uint format, uint4 words) {
    bool tagged = format == MUR_FORMAT_K64V32;
    return uint2(tagged && (words.w & MUR_TAG_LOW) != 0u ? MUR_EMPTY : words.x,
                 tagged && (words.w & MUR_TAG_HIGH) != 0u ? MUR_EMPTY : words.y);
}

// The hash of the key that lives in an extra slot, counted from the first.
uint mur_marker_of(uint extra) {
    return extra == 0u ? MUR_EMPTY : MUR_TOMB;
}

// The extra slot in which this hash lives; MUR_EXTRA_SLOTS(format): it lives in none.
uint mur_marker(uint format, uint2 hash) {
    uint count = MUR_EXTRA_SLOTS(format);
    for (uint extra = 0u; format != MUR_FORMAT_K64V32 && extra < count; ++extra) {
        if (hash.x == mur_marker_of(extra)) {
            return extra;
        }
    }
    return count;
}

// Has some key claimed the slot with these words, all of it? A tombstone counts: it was a key's.
bool mur_is_claimed(uint format, uint4 words) {
    if (format == MUR_FORMAT_K64V32) {
        return words.x != MUR_EMPTY && words.y != MUR_EMPTY &&
               ((words.w & MUR_TAG_USED) != 0u || (words.x != 0u && words.y != 0u));
    }
    return words.x != MUR_EMPTY;
}

uint mur_bits(bool4 lanes) {
    return (lanes.x ? 1u : 0u) | (lanes.y ? 2u : 0u) | (lanes.z ? 4u : 0u) | (lanes.w ? 8u : 0u);
}

// Lanes of a sector, as bits, whose key words (and tag) are these.
uint mur_lanes_with(uint format, uint4 low, uint4 high, uint4 stored) {
    switch (format) {
    case MUR_FORMAT_K32V32:
        return mur_bits(uint4(low.xz, high.xz) == stored.xxxx);
    case MUR_FORMAT_K32:
        return mur_bits(low == stored.xxxx) | mur_bits(high == stored.xxxx) << 4;
    default:
        return mur_bits(bool4(all(low.xy == stored.xy) && (low.w & stored.z) == stored.w,
                              all(high.xy == stored.xy) && (high.w & stored.z) == stored.w, false,
                              false));
    }
}

uint mur_free_lanes(uint format, uint4 low, uint4 high) {
    return mur_lanes_with(format, low, high, uint4(MUR_EMPTY, MUR_EMPTY, 0u, 0u));
}

// One lane's words.
uint4 mur_lane(uint format, uint lane, uint4 low, uint4 high) {
    switch (format) {
    case MUR_FORMAT_K32V32: {
        uint4 part = lane < 2u ? low : high;
        uint2 pair = (lane & 1u) == 0u ? part.xy : part.zw;
        return uint4(pair.x, 0u, pair.y, 0u);
    }
    case MUR_FORMAT_K32: {
        uint4 part = lane < 4u ? low : high;
        uint2 pair = (lane & 2u) == 0u ? part.xy : part.zw;
        return uint4((lane & 1u) == 0u ? pair.x : pair.y, 0u, 0u, 0u);
    }
    default:
        return lane == 0u ? low : high;
    }
}

// Where word i of a slot is, in bytes; the extra slots follow slot slotCount - 1.
uint mur_word_at(MurTableRef t, uint format, uint slot, uint i) {
    uint shift = MUR_SLOT_SHIFT(format);
    return (slot >= t.slotCount ? 4u * MUR_HEADER_EXTRA + ((slot - t.slotCount) << shift)
                                : MUR_HEADER_SIZE + (slot << shift)) + 4u * i;
}

uint mur_value_at(MurTableRef t, uint format, uint slot) {
    return mur_word_at(t, format, slot, format == MUR_FORMAT_K64V32 ? 2u : 1u);
}

// One slot's words.
uint4 mur_slot_words(MUR_BUFFER table, MurTableRef t, uint format, uint slot) {
    uint at = mur_word_at(t, format, slot, 0u);
    switch (format) {
    case MUR_FORMAT_K32V32: {
        uint2 pair = table.Load2(at);
        return uint4(pair.x, 0u, pair.y, 0u);
    }
    case MUR_FORMAT_K32:
        return uint4(table.Load(at), 0u, 0u, 0u);
    default:
        return table.Load4(at);
    }
}
