// Sectors as murCmdAge sees them: entries that are too old are erased already.
//
// SPDX-License-Identifier: MIT

layout(buffer_reference, std430, buffer_reference_align = 16) coherent readonly buffer AgeSector {
    uvec4 low;
    uvec4 high;
};

uint word_at(uvec2 array, uint i) {
    return MurCounter(mur_offset(array, i, 2u)).word;
}

uint limit; // ages that stay, as many as MUR_AGE_BINS tells apart

uint age_of(uint slot) {
    return push.frame - word_at(push.ages, slot);
}

bool is_old(uint age) {
    return age > push.maxAge || min(age, MUR_AGE_BINS - 1u) >= limit;
}

uint old_lanes(uint first) {
    uint lanes = 0u;
    [[unroll]] for (uint lane = 0u; lane < SLOTS; ++lane) {
        lanes |= is_old(age_of(first + lane)) ? 1u << lane : 0u;
    }
    return lanes;
}

// A sector that others own is read behind the ages.
void read_sector(uint sector, bool others, out uvec4 low, out uvec4 high) {
    if (others) {
        memoryBarrierBuffer();
        AgeSector s = AgeSector(mur_offset(mur_slots_address(push.table), sector, 5u));
        low = s.low;
        high = s.high;
    } else {
        mur_sector_halves(push.table, FORMAT, sector, low, high);
    }
}

void set_lane(inout Sector s, uint lane, uvec4 words) {
    uint half_lanes = SLOTS / 2u;
    uvec4 part = lane < half_lanes ? s.low : s.high;
    uint i = lane % half_lanes;
    switch (MUR_SLOT_SHIFT(FORMAT)) {
    case 2u:
        part[i] = words.x;
        break;
    case 3u:
        part = i == 0u ? uvec4(words.xy, part.zw) : uvec4(part.xy, words.xy);
        break;
    default:
        part = words;
        break;
    }
    s.low = lane < half_lanes ? part : s.low;
    s.high = lane < half_lanes ? s.high : part;
}

void expire(inout Sector s, uint old) {
    [[unroll]] for (uint lane = 0u; lane < SLOTS; ++lane) {
        if ((old >> lane & 1u) != 0u && is_live(words_in(s, lane))) {
            set_lane(s, lane, erased_words(words_in(s, lane)));
            s.gone |= 1u << lane;
        }
    }
}

uint live_lanes(Sector s) {
    uint lanes = 0u;
    [[unroll]] for (uint lane = 0u; lane < SLOTS; ++lane) {
        lanes |= is_live(words_in(s, lane)) ? 1u << lane : 0u;
    }
    return lanes;
}
