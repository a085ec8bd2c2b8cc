// Murmuration: the slots of a 32-byte sector, compared all at once. A lane is a slot's number in
// its sector; sets of lanes are bit masks.
// SPDX-License-Identifier: MIT

// Is the slot with these words the key's own? stored: see mur_stored.
bool mur_is_own(uint format, uvec4 words, uvec4 stored) {
    uint differs = words.x ^ stored.x;
    if (MUR_IS_64(format)) {
        differs |= (words.y ^ stored.y) | ((words.w & stored.z) ^ stored.w);
    }
    return differs == 0u;
}

uint mur_bits(bvec4 lanes) {
    return uint(lanes.x) | uint(lanes.y) << 1 | uint(lanes.z) << 2 | uint(lanes.w) << 3;
}

// Returns a bit mask of the elements of words that equal word. Used instead of equal() by code that
// engines include after their own macros, among which there may be one of that name.
uint mur_words_with(uvec4 words, uint word) {
    return mur_bits(equal(words, uvec4(word)));
}

// Returns the lanes whose key words and tag equal `stored`. low, high: the halves of the sector.
uint mur_lanes_with(uint format, uvec4 low, uvec4 high, uvec4 stored) {
    switch (format) {
    case MUR_FORMAT_K32V32:
        return mur_bits(equal(uvec4(low.xz, high.xz), stored.xxxx));
    case MUR_FORMAT_K32:
        return mur_bits(equal(low, stored.xxxx)) | mur_bits(equal(high, stored.xxxx)) << 4;
    case MUR_FORMAT_K64:
        return mur_bits(bvec4(low.xy == stored.xy, low.zw == stored.xy, high.xy == stored.xy,
                              high.zw == stored.xy));
    default:
        return mur_bits(bvec4(mur_is_own(format, low, stored), mur_is_own(format, high, stored),
                              false, false));
    }
}

// Returns whether mur_lanes_with is not 0: some lane has these key words and tag.
bool mur_any_with(uint format, uvec4 low, uvec4 high, uvec4 stored) {
    switch (format) {
    case MUR_FORMAT_K32V32:
        return any(equal(uvec4(low.xz, high.xz), stored.xxxx));
    case MUR_FORMAT_K32:
        return any(equal(low, stored.xxxx)) || any(equal(high, stored.xxxx));
    case MUR_FORMAT_K64:
        return low.xy == stored.xy || low.zw == stored.xy || high.xy == stored.xy ||
               high.zw == stored.xy;
    default:
        return mur_is_own(format, low, stored) || mur_is_own(format, high, stored);
    }
}

// Returns the words of a free slot. A probe ends at such a slot.
uvec4 mur_free_words() {
    return uvec4(MUR_EMPTY, MUR_EMPTY, 0u, 0u);
}

uint mur_free_lanes(uint format, uvec4 low, uvec4 high) {
    return mur_lanes_with(format, low, high, mur_free_words());
}

// Returns the words of the slot in a lane. Words that the format does not have are undefined.
uvec4 mur_lane(uint format, uint lane, uvec4 low, uvec4 high) {
    if (format == MUR_FORMAT_K32) {
        uvec4 part = lane < 4u ? low : high;
        uvec2 pair = (lane & 2u) == 0u ? part.xy : part.zw;
        return (lane & 1u) == 0u ? pair.xxxx : pair.yyyy;
    }
    if (MUR_SLOT_SHIFT(format) == 3u) {
        uvec4 part = lane < 2u ? low : high;
        return (lane & 1u) == 0u ? part.xyxy : part.zwzw;
    }
    return lane == 0u ? low : high;
}

// Returns a mask of the lanes (slots of a sector) for which mur_is_open is true.
uint mur_open_lanes(uint format, uvec4 low, uvec4 high, uvec4 stored) {
    switch (format) {
    case MUR_FORMAT_K32V32:
    case MUR_FORMAT_K32:
        return mur_free_lanes(format, low, high) | mur_lanes_with(format, low, high, stored);
    case MUR_FORMAT_K64:
        return mur_bits(bvec4(mur_is_open(format, low, stored),
                              mur_is_open(format, low.zwxy, stored),
                              mur_is_open(format, high, stored),
                              mur_is_open(format, high.zwxy, stored)));
    default:
        return uint(mur_is_open(format, low, stored)) |
               uint(mur_is_open(format, high, stored)) << 1;
    }
}
