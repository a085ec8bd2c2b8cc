// What murCmdReclaim looks at: sectors of a table of any format, and which slots their keys cross.
//
// Which slots those are. The probe for a key examines slots from its home up to the one it lives
// in, round the table's end if need be; the key *crosses* those before its own. What finds and
// inserts rely on is that no slot that a key crosses is free: a find would end there, an insert
// would claim it, and the key would have two slots. So an erased slot may be freed if and only if
// no live key crosses it. Slot by slot, not by sector: an insert takes the first free lane, so a
// hole before the key in the key's own sector makes a duplicate all the same; and a lane before the
// home slot in the home's sector is not examined, so a hole there does not.
//   The one exception is a probe that went all the way round: it ends in its home's sector, before
// the home slot, but the first look at that sector finds the key at once. For a live key that
// changes nothing, for it crosses every slot but those from its own to its home. A slot of an
// erased key is another matter. It may stay, when others cross it, while slots before it are freed,
// so the key may come back to one of these and its old slot still hold its hash: harmless where the
// new slot is examined first, as nearly always; but here the old one would be found first, dead. So
// such an erased key counts as crossing, like a live one.
//   What crosses a slot is looked for behind it, up to the next free slot, which nobody crosses,
// and no further than a probe goes. Where the limit of probes is beyond MUR_RECLAIM_AHEAD sectors
// and no free slot comes within these, slots stay as they are, which is always right.
//
// Other workgroups free slots meanwhile. What is read of such a slot is erased, free or, of several
// words, neither; it never counts as crossing, and as an end only if it is free, rightly.
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
};

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

bool is_erased(uvec4 words) {
    return is_claimed(words) && !is_live(words);
}

bool is_free(uvec4 words) {
    return !is_live(words) && words.x == MUR_EMPTY && (!MUR_IS_64(FORMAT) || words.y == MUR_EMPTY);
}

// Where the slots begin that the key in this lane crosses, counted from the window's first, where
// those before it count as that; NONE: it crosses none.
uint crossed_from(Sector s, uint lane) {
    uvec4 words = words_in(s, lane);
    uint high = MUR_IS_64(FORMAT) ? mur_hash_in(FORMAT, words).y : words.x;
    uint home = mur_home(high, push.table.capacity);
    uint slot = s.first + lane;
    bool round = !MUR_IS_SET(FORMAT) && slot < home && slot / SLOTS == home / SLOTS;
    if (!is_live(words) && !(round && is_claimed(words))) {
        return NONE;
    }
    uint back = slot - home + (slot < home ? push.table.slotCount : 0u);
    uint at = s.at + lane;
    return at > back ? at - back : 0u;
}

// Sector i of the window that begins at this one, or behind it.
Sector load(uint own, uint i) {
    Sector s;
    uint count = push.table.slotCount / SLOTS;
    uint sector = own + i < count ? own + i : (own + i) % count;
    mur_sector_halves(push.table, FORMAT, sector, s.low, s.high);
    s.first = sector * SLOTS;
    s.at = i * SLOTS;
    return s;
}

uint summary(Sector s, out uint erased, out uint free) {
    uint least = NONE;
    erased = 0u;
    free = 0u;
    [[unroll]] for (uint lane = 0u; lane < SLOTS; ++lane) {
        uvec4 words = words_in(s, lane);
        least = min(least, crossed_from(s, lane));
        erased |= is_erased(words) ? 1u << lane : 0u;
        free |= is_free(words) ? 1u << lane : 0u;
    }
    return least | (free != 0u ? FREE : 0u);
}
