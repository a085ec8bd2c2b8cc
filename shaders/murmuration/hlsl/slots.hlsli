// Murmuration: the formats of slots, and accesses to table memory, in HLSL. Functions treat slots
// of every format as four words: x and y are the hash (32-bit keys have no y), z is the value, w is
// the tag word.
// SPDX-License-Identifier: MIT

uint2 mur_hash_of(MurTableRef t, uint format, uint2 key) {
    return MUR_IS_64(format) ? mur_hash64(key, t.seed) : uint2(mur_hash(key.x, t.seed), 0u);
}

uint2 mur_key_of(MurTableRef t, uint format, uint2 hash) {
    return MUR_IS_64(format) ? mur_key64(hash, t.seed) : uint2(mur_key(hash.x, t.seed), 0u);
}

// Returns the word that decides the home.
uint mur_home_word(uint format, uint2 hash) {
    return MUR_IS_64(format) ? hash.y : hash.x;
}

// Returns the words of a hash in its slot: x and y are the key words, w is the tag word. z is the
// mask with which a tag word is compared with w.
uint4 mur_stored(MurTableRef t, uint format, uint2 hash) {
    if (!mur_is_tagged(t, format)) {
        return uint4(hash, 0u, 0u);
    }
    bool low = hash.x == MUR_EMPTY;
    bool high = hash.y == MUR_EMPTY;
    bool tomb = MUR_IS_SET(format) && hash.x == MUR_TOMB;
    uint2 halves = uint2(low || tomb ? 0u : hash.x, high ? 0u : hash.y);
    uint tag = MUR_TAG_USED | (low ? MUR_TAG_LOW : 0u) | (high ? MUR_TAG_HIGH : 0u) |
               (tomb ? MUR_TAG_TOMB : 0u);
    return uint4(halves, 0xFFFFFFFFu, halves.x == 0u || halves.y == 0u ? tag : 0u);
}

// Returns the hash from a slot's words.
uint2 mur_hash_in(MurTableRef t, uint format, uint4 words) {
    uint tag = mur_is_tagged(t, format) ? words.w : 0u;
    uint low = (tag & MUR_TAG_TOMB) != 0u ? MUR_TOMB : words.x;
    return uint2((tag & MUR_TAG_LOW) != 0u ? MUR_EMPTY : low,
                 (tag & MUR_TAG_HIGH) != 0u ? MUR_EMPTY : words.y);
}

// Is the slot with these words the key's own? stored: see mur_stored.
bool mur_is_own(uint4 words, uint4 stored) {
    return all(words.xy == stored.xy) && (words.w & stored.z) == stored.w;
}

// Return the number of sentinel slots that the format uses, and the hash of the key in sentinel
// slot `extra`.
uint mur_extra_slots(uint format) {
    return format == MUR_FORMAT_K64V32 ? 0u : MUR_EXTRA_SLOTS(format);
}

uint2 mur_marker_of(uint extra) {
    return uint2(MUR_EMPTY - extra, MUR_EMPTY); // MUR_EMPTY - 1 is MUR_TOMB
}

// Returns the number of this hash's sentinel slot, or mur_extra_slots(format) for other hashes.
uint mur_marker(uint format, uint2 hash) {
    bool marks = hash.y == MUR_EMPTY || !MUR_IS_64(format);
    return min(marks ? MUR_EMPTY - hash.x : MUR_EMPTY, mur_extra_slots(format));
}

// Returns the words of the slot in a lane of a sector. low, high: the halves of the sector.
uint4 mur_lane(uint format, uint lane, uint4 low, uint4 high) {
    if (format == MUR_FORMAT_K64V32) {
        return lane == 0u ? low : high;
    }
    if (format == MUR_FORMAT_K32) {
        uint4 part = lane < 4u ? low : high;
        return uint4(part[lane & 3u], 0u, 0u, 0u);
    }
    uint4 part = lane < 2u ? low : high;
    uint2 pair = (lane & 1u) == 0u ? part.xy : part.zw;
    return format == MUR_FORMAT_K64 ? uint4(pair, 0u, 0u) : uint4(pair.x, 0u, pair.y, 0u);
}

// Returns a bit mask of the lanes of a sector whose key words and tag equal `stored`. If open is
// true, also of the lanes that the hash with these words can claim.
uint mur_lanes_with(uint format, uint4 low, uint4 high, uint4 stored, bool open) {
    uint bits = 0u;
    [unroll] for (uint lane = 0u; lane < MUR_SLOTS_OF(format); ++lane) {
        uint4 words = mur_lane(format, lane, low, high);
        bool opens = open && mur_is_open(format, words, stored);
        bits |= opens || mur_is_own(words, stored) ? 1u << lane : 0u;
    }
    return bits;
}

// Returns the byte offset of word i of a slot. Slots from slotCount on are sentinel slots.
uint mur_word_at(MurTableRef t, uint format, uint slot, uint i) {
    if (slot >= t.slotCount) { // in sets each is one word; other formats have one slot
        return 4u * (MUR_HEADER_EXTRA + slot - t.slotCount + i);
    }
    if (i > 1u && mur_is_split(t, format)) {
        return 4u * mur_beside(t, format, slot, i);
    }
    return MUR_HEADER_SIZE + (slot << mur_slot_shift(t, format)) + 4u * i;
}

uint mur_value_at(MurTableRef t, uint format, uint slot) {
    return mur_word_at(t, format, slot, format == MUR_FORMAT_K64V32 ? 2u : 1u);
}

// Reads the words of a slot.
uint4 mur_slot_words(MUR_BUFFER table, MurTableRef t, uint format, uint slot) {
    uint at = mur_word_at(t, format, slot, 0u);
    uint4 words = uint4(table.Load(at), 0u, 0u, 0u);
    if (MUR_IS_64(format)) {
        words.y = table.Load(at + 4u);
    }
    if (!MUR_IS_SET(format)) {
        words.z = table.Load(mur_value_at(t, format, slot));
    }
    if (mur_is_tagged(t, format)) {
        words.w = table.Load(mur_word_at(t, format, slot, 3u));
    }
    return words;
}
