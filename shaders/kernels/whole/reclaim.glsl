// What murCmdReclaim looks at: sectors of a table of any format, and which slots their keys cross.
//
// Which slots those are. The probe for a key examines slots from its home up to the one it lives
// in, round the table's end if need be; the key *crosses* those before its own. What finds and
// inserts rely on is that no slot that a key crosses is free: a find would end there, an insert
// would claim it, and the key would have two slots. So an erased slot, or a hole, may be freed if
// and only if no live key crosses it. Slot by slot, not by sector: an insert takes the first free
// lane, so a free one before the key in the key's own sector makes a duplicate all the same; and a
// lane before the home slot in the home's sector is not examined, so a free one there does not.
//   What cannot be freed becomes a hole, so that no hash stays behind in a slot that its key may
// not come back to. In a table in order it stays as it is instead: finds there go by every hash,
// and if the key comes back to a slot before, that is examined first, for no probe went round.
//   What crosses a slot is looked for behind it, up to the next free slot, which nobody crosses,
// and no further than a probe goes. Where the limit of probes is beyond MUR_RECLAIM_AHEAD sectors
// and no free slot comes within these, slots are not freed, which is always right.
//
// Entries that are too old, of murCmdAge, count as erased from the start. Whoever owns a slot sets
// the age of an entry that goes only after the slot, so another workgroup, which reads the age
// first, sees one or the other, and never takes it for young.
//
// Other workgroups change slots meanwhile. What is read of such a slot is erased, free, a hole or,
// of several words, neither; it never counts as crossing, and as an end only if it is free,
// rightly: of a hole of K64V32 the tag word is written first, and read again last.
//
// Include after murmuration.glsl, kernel.glsl and the push constants.
//
// SPDX-License-Identifier: MIT

const uint FORMAT = mur_constant_format;
const uint SLOTS = MUR_SLOTS_OF(FORMAT);
const uint NONE = 0x7FFFFFFFu; // no home
const uint FREE = 0x80000000u;

struct Sector {
    uvec4 low, high;
    uint first; // its first slot in the table
    uint at;    // ... and counted from the window's first
    // Lanes:
    uint live;      // where an entry stays
    uint gone;      // ... is too old
    uint spare;     // nobody's, and not free; those of entries that are too old, too
    uint free;
    uint untouched; // whose age says so
};

Sector no_sector() {
    return Sector(uvec4(0u), uvec4(0u), 0u, 0u, 0u, 0u, 0u, 0u, 0u);
}

uvec4 words_in(Sector s, uint lane) {
    return mur_lane(FORMAT == MUR_FORMAT_K32V32 ? MUR_FORMAT_K64 : FORMAT, lane, s.low, s.high);
}

bool is_claimed(uvec4 words) {
    return mur_is_claimed(FORMAT == MUR_FORMAT_K32V32 ? MUR_FORMAT_K32 : FORMAT, words);
}

bool is_live(uvec4 words) {
    if (MUR_IS_SET(FORMAT)) {
        return is_claimed(words) && !mur_is_tomb(FORMAT, words);
    }
    uvec2 value = FORMAT == MUR_FORMAT_K32V32 ? uvec2(words.y, 0u) : mur_value_in(FORMAT, words);
    return value != mur_none_of(push.table, FORMAT);
}

bool has_key_words(uvec4 words, uint word) {
    return !is_live(words) && words.x == word && (!MUR_IS_64(FORMAT) || words.y == word);
}

bool is_free(uvec4 words) {
    return has_key_words(words, MUR_EMPTY) &&
           (FORMAT != MUR_FORMAT_K64V32 || (words.w & MUR_TAG_HOLE) == 0u);
}

bool is_hole(uvec4 words) {
    return FORMAT == MUR_FORMAT_K64V32
               ? has_key_words(words, MUR_EMPTY) && (words.w & MUR_TAG_HOLE) != 0u
               : has_key_words(words, MUR_HOLE);
}

// Where the slots begin that the key in this lane crosses, counted from the window's first, where
// those before it count as that; NONE: it crosses none.
uint crossed_from(Sector s, uint lane) {
    if ((s.live >> lane & 1u) == 0u) {
        return NONE;
    }
    uvec4 words = words_in(s, lane);
    uint high = MUR_IS_64(FORMAT) ? mur_hash_in(FORMAT, words).y : words.x;
    uint home = mur_home(high, push.table.capacity);
    uint slot = s.first + lane;
    uint back = slot - home + (slot < home ? push.table.slotCount : 0u);
    uint at = s.at + lane;
    return at > back ? at - back : 0u;
}

// Of all keys in a sector; and FREE, if one of its slots is free.
uint summary(Sector s) {
    uint least = NONE;
    [[unroll]] for (uint lane = 0u; lane < SLOTS; ++lane) {
        least = min(least, crossed_from(s, lane));
    }
    return least | (s.free != 0u ? FREE : 0u);
}

uvec2 tag_address(uint slot) {
    return mur_slot_address(push.table, FORMAT, slot) | uvec2(12u, 0u);
}

uint word_at(uvec2 array, uint i) {
    return MurCounter(mur_offset(array, i, 2u)).word;
}

// ---- Ages.

uint limit; // ages that stay, as many as MUR_AGE_BINS tells apart

bool ages() {
    return mur_wanted(push.ages);
}

// An entry that nobody has touched is as old as one of this frame.
uint age_of(uint slot, out bool untouched) {
    uint word = word_at(push.ages, slot);
    untouched = word == MUR_AGE_UNTOUCHED;
    return untouched ? 0u : push.frame - word;
}

// Which of some slots have an age that is too old for an entry.
uint old_lanes(uint first, uint count, out uint untouched) {
    uint lanes = 0u;
    untouched = 0u;
    [[unroll]] for (uint lane = 0u; lane < count; ++lane) {
        bool is_untouched;
        uint age = age_of(first + lane, is_untouched);
        bool old = age > push.maxAge || min(age, MUR_AGE_BINS - 1u) >= limit;
        lanes |= old ? 1u << lane : 0u;
        untouched |= is_untouched ? 1u << lane : 0u;
    }
    return lanes;
}

// ---- Reading.

layout(buffer_reference, std430, buffer_reference_align = 16) coherent readonly buffer Coherent {
    uvec4 low;
    uvec4 high;
};

// A sector that others own is read behind its ages.
void read_sector(uint sector, bool others, out uvec4 low, out uvec4 high) {
    if (others && ages()) {
        memoryBarrierBuffer();
        Coherent s = Coherent(mur_offset(mur_slots_address(push.table), sector, 5u));
        low = s.low;
        high = s.high;
    } else {
        mur_sector_halves(push.table, FORMAT, sector, low, high);
    }
}

// at: counted from the window's first; others: another workgroup owns it.
Sector load(uint sector, uint at, bool others) {
    Sector s = no_sector();
    s.first = sector * SLOTS;
    s.at = at * SLOTS;
    uint old = ages() ? old_lanes(s.first, SLOTS, s.untouched) : 0u;
    read_sector(sector, others, s.low, s.high);
    if (FORMAT == MUR_FORMAT_K64V32 && others && (is_free(s.low) || is_free(s.high))) {
        memoryBarrierBuffer();
        s.low.w = atomicOr(MurCounter(tag_address(s.first)).word, 0u);
        s.high.w = atomicOr(MurCounter(tag_address(s.first + 1u)).word, 0u);
    }
    [[unroll]] for (uint lane = 0u; lane < SLOTS; ++lane) {
        uvec4 words = words_in(s, lane);
        bool live = is_live(words);
        s.live |= live ? 1u << lane : 0u;
        s.free |= is_free(words) ? 1u << lane : 0u;
        s.spare |= is_hole(words) || (!live && is_claimed(words)) ? 1u << lane : 0u;
    }
    s.gone = s.live & old;
    s.live &= ~old;
    s.spare |= s.gone;
    return s;
}
