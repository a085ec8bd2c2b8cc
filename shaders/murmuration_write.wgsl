// Murmuration: what murmuration.wgsl, which it belongs to, needs to write.
//
// SPDX-License-Identifier: MIT

fn mur_word(at: u32) -> u32 {
    return atomicLoad(&mur_table[at]);
}

fn mur_half(part: u32) -> vec4<u32> {
    let i = 4u * part;
    return vec4<u32>(mur_word(i), mur_word(i + 1u), mur_word(i + 2u), mur_word(i + 3u));
}

// An insert makes it untrue during a dispatch, and lookups here see what that dispatch inserts.
fn mur_ordered() -> bool {
    return false;
}

// ---- Claims. Why no key is lost, merged or doubled is said in claim.glsl and format_claim.glsl:
// the steps are theirs.

// The word at an index, by compare-and-swap; returns what was there. The weak one may fail though
// it need not.
fn mur_swap(at: u32, expected: u32, word: u32) -> u32 {
    var result = atomicCompareExchangeWeak(&mur_table[at], expected, word);
    while (!result.exchanged && result.old_value == expected) {
        result = atomicCompareExchangeWeak(&mur_table[at], expected, word);
    }
    return result.old_value;
}

// Counts a failure in the header: a 64-bit count by 32-bit atomics.
fn mur_count(word: u32) {
    if (atomicAdd(&mur_table[word], 1u) == 0xFFFFFFFFu) {
        atomicAdd(&mur_table[word + 1u], 1u);
    }
}

// Notes what a claim makes untrue or true of the whole table.
fn mur_note_claim(home: u32, slot: u32, state: u32) {
    if ((state & MUR_STATE_ORDERED) != 0u) {
        atomicAnd(&mur_table[MUR_HEADER_STATE], ~MUR_STATE_ORDERED);
    }
    if (slot < home) {
        atomicOr(&mur_table[MUR_HEADER_STATE], MUR_STATE_WRAPPED);
    }
}

// Tries to make a slot the hash's own, word by word. seen: the slot's words by a read that may be
// stale. MUR_ABSENT: it belongs to another, and the probe must go on; MUR_INSERTED: it became so by
// this; MUR_EXISTED: it was its own.
fn mur_claim_slot(t: MurTableRef, format: u32, slot: u32, seen: vec4<u32>,
                  stored: vec4<u32>) -> u32 {
    var won = false;
    for (var i = 0u; i < 4u; i++) {
        if ((i == 1u && !mur_is_64(format)) || i == 2u || (i == 3u && stored.w == 0u)) {
            continue;
        }
        let unclaimed = select(MUR_EMPTY, 0u, i == 3u);
        var there = seen[i];
        if (there == unclaimed) {
            there = mur_swap(mur_word_at(t, format, slot, i), unclaimed, stored[i]);
        }
        won = there == unclaimed;
        if (!won && there != stored[i]) {
            return MUR_ABSENT;
        }
    }
    return select(MUR_EXISTED, MUR_INSERTED, won);
}

// Applies a mode to the value of a slot that a key has claimed; returns the value it replaced.
fn mur_update_value(t: MurTableRef, format: u32, slot: u32, value: u32, mode: u32) -> u32 {
    let at = mur_value_at(t, format, slot);
    switch mode {
        case MUR_MODE_INSERT: { return mur_swap(at, mur_empty_value(t), value); }
        case MUR_MODE_ADD: { return atomicAdd(&mur_table[at], value); }
        case MUR_MODE_MIN: { return atomicMin(&mur_table[at], value); }
        case MUR_MODE_MAX: { return atomicMax(&mur_table[at], value); }
        case MUR_MODE_OR: { return atomicOr(&mur_table[at], value); }
        default: { return atomicExchange(&mur_table[at], value); }
    }
}

// ---- Inserts: see write.glsl.

// One slot of an insert's probe, last seen as seen. MUR_ABSENT: the slot belongs to another key and
// the probe must go on.
fn mur_insert_at(t: MurTableRef, format: u32, home: u32, slot: u32, seen: vec4<u32>,
                 stored: vec4<u32>, value: u32, mode: u32, state: u32) -> MurWritten {
    let none = mur_empty_value(t);
    let is_set = mur_is_set(format);
    let own = mur_is_own(seen, stored);
    // What is there stays: to have seen that it is, coherently, is enough.
    if (own && (is_set || (mode == MUR_MODE_INSERT && seen.z != none))) {
        return MurWritten(MUR_EXISTED, slot, select(seen.z, none, is_set));
    }
    if (!own) {
        mur_note_claim(home, slot, state);
    }
    let status = mur_claim_slot(t, format, slot, seen, stored);
    if (status == MUR_ABSENT || is_set) {
        return MurWritten(status, slot, none);
    }
    let old = mur_update_value(t, format, slot, value, mode);
    return MurWritten(select(MUR_EXISTED, MUR_INSERTED, old == none), slot, old);
}

fn mur_set_filter(bit: vec2<u32>) {
    if (!mur_is_set_at(bit)) {
        atomicOr(&mur_table[bit.x], bit.y);
    }
}

// As mur_insert_hash, into a table in buckets: see bucket_write.glsl.
fn mur_insert_buckets(t: MurTableRef, format: u32, hash: vec2<u32>, value: u32,
                      mode: u32) -> MurWritten {
    let none = mur_empty_value(t);
    let stored = mur_stored(t, format, hash);
    let buckets = mur_buckets_of(t, format, hash);
    let bit = mur_filter_at(t, format, hash, buckets.x, true);
    let count = select(2u, 1u, buckets.x == buckets.y);
    var scan = vec2<u32>(0u); // slots of the first bucket, then those of the second
    for (var i = 0u; i < count; i++) {
        scan |= mur_scan_bucket(t, format, stored, buckets[i]) << vec2<u32>(MUR_BUCKET_SLOTS * i);
        // The key may live in the second bucket: that comes before any claim.
        if (i + 1u != count && scan.x == 0u && mur_is_set_at(bit)) {
            continue;
        }
        while (scan.y != 0u) {
            let own = scan.x != 0u;
            let lane = firstTrailingBit(select(scan.y, scan.x, own));
            scan &= vec2<u32>(~(1u << lane));
            let slot = MUR_BUCKET_SLOTS * buckets[lane / MUR_BUCKET_SLOTS] +
                       lane % MUR_BUCKET_SLOTS;
            if (lane >= MUR_BUCKET_SLOTS) {
                mur_set_filter(bit);
            }
            var seen = vec4<u32>(MUR_EMPTY, MUR_EMPTY, none, 0u);
            if (own) {
                seen = vec4<u32>(stored.xy, mur_word(mur_value_at(t, format, slot)), stored.w);
            }
            let written = mur_insert_at(t, format, 0u, slot, seen, stored, value, mode, 0u);
            if (written.status != MUR_ABSENT) {
                return written;
            }
        }
    }
    mur_count(MUR_HEADER_FAILED_INSERTS);
    return MurWritten(MUR_FULL, MUR_NO_SLOT, none);
}

fn mur_insert_hash(t: MurTableRef, format: u32, hash: vec2<u32>, value: u32,
                   mode: u32) -> MurWritten {
    if (mur_in_buckets(t)) {
        return mur_insert_buckets(t, format, hash, value, mode);
    }
    let state = mur_word(MUR_HEADER_STATE);
    let stored = mur_stored(t, format, hash);
    let home = mur_home(mur_home_word(format, hash), t.capacity);
    let slots = mur_slots_of(format);
    let sectors = t.slotCount / slots;
    var sector = home / slots;
    var before = (1u << (home % slots)) - 1u; // lanes before the start: only the key's own counts
    for (var left = t.probeSectors; left != 0u; left--) {
        let low = mur_half(MUR_HEADER_WORDS / 4u + 2u * sector);
        let high = mur_half(MUR_HEADER_WORDS / 4u + 2u * sector + 1u);
        let own = mur_lanes_with(format, low, high, stored, false);
        let open = mur_lanes_with(format, low, high, stored, true) & ~before;
        for (var lanes = own | open; lanes != 0u; lanes &= lanes - 1u) {
            let lane = firstTrailingBit(lanes);
            let written = mur_insert_at(t, format, home, slots * sector + lane,
                                        mur_lane(format, lane, low, high), stored, value, mode,
                                        state);
            if (written.status != MUR_ABSENT) {
                return written;
            }
        }
        before = 0u;
        sector = select(sector + 1u, 0u, sector + 1u == sectors);
    }
    mur_count(MUR_HEADER_FAILED_INSERTS);
    return MurWritten(MUR_FULL, MUR_NO_SLOT, mur_empty_value(t));
}

// Is the table of this format, written with 32-bit atomics, and does it offer the mode? Sets offer
// the first two, which are the same there.
fn mur_offers(t: MurTableRef, format: u32, mode: u32) -> bool {
    if ((t.flags & MUR_TABLE_INT64) != 0u || mur_format(t) != format) {
        return false;
    }
    let zero = (t.flags & MUR_TABLE_ZERO) != 0u;
    return mode <= MUR_MODE_INSERT ||
           (!mur_is_set(format) && (mode == MUR_MODE_UPDATE || zero != (mode == MUR_MODE_MIN)));
}

// Replaces the value of a key that has one, by compare-and-swaps from a value that was seen, so
// that none brings a key back that is erased meanwhile.
fn mur_update_hash(t: MurTableRef, format: u32, hash: vec2<u32>, value: u32) -> MurWritten {
    let none = mur_empty_value(t);
    let found = mur_probe(t, format, hash);
    var old = found.value;
    for (var left = MUR_UPDATE_TRIES; left != 0u && old != none; left--) {
        let seen = old;
        old = mur_swap(mur_value_at(t, format, found.slot), seen, value);
        if (old == seen) {
            return MurWritten(MUR_EXISTED, found.slot, old);
        }
    }
    if (old == none) {
        return MurWritten(MUR_ABSENT, MUR_NO_SLOT, none);
    }
    return MurWritten(MUR_CONTENDED, found.slot, none);
}

fn mur_insert_of(t: MurTableRef, format: u32, key: vec2<u32>, value: u32, mode: u32) -> MurWritten {
    let none = mur_empty_value(t);
    if (!mur_offers(t, format, mode)) {
        return MurWritten(MUR_UNSUPPORTED, MUR_NO_SLOT, none);
    }
    if (!mur_is_set(format) && value == none) {
        mur_count(MUR_HEADER_INVALID_VALUES);
        return MurWritten(MUR_INVALID_VALUE, MUR_NO_SLOT, none);
    }
    let hash = mur_hash_of(t, format, key);
    if (mode == MUR_MODE_UPDATE) {
        return mur_update_hash(t, format, hash, value);
    }
    let extra = mur_marker(format, hash);
    if (extra == mur_extra_slots(format)) {
        return mur_insert_hash(t, format, hash, value, mode);
    }
    let slot = t.slotCount + extra;
    if (mur_is_set(format)) {
        let there = atomicExchange(&mur_table[mur_word_at(t, format, slot, 0u)], 1u);
        return MurWritten(select(MUR_EXISTED, MUR_INSERTED, there == 0u), slot, none);
    }
    let old = mur_update_value(t, format, slot, value, mode);
    return MurWritten(select(MUR_EXISTED, MUR_INSERTED, old == none), slot, old);
}

// ---- Passes over tables in buckets: see bucket_write.glsl.

fn mur_touch(t: MurTableRef, slot: u32, frame: u32) {
    if ((t.flags & MUR_TABLE_AGES) == 0u || slot >= t.slotCount + 2u) {
        return;
    }
    let at = mur_beside(t, mur_format(t), t.slotCount) + 2u * mur_filter_words(t) + slot;
    if (mur_word(at) != frame) {
        atomicStore(&mur_table[at], frame);
    }
}

// Is it in buckets, and written with 32-bit atomics?
fn mur_may_pass(t: MurTableRef) -> bool {
    return (t.flags & (MUR_TABLE_BUCKETS | MUR_TABLE_INT64)) == MUR_TABLE_BUCKETS;
}

fn mur_evict(t: MurTableRef, slot: u32) {
    let format = mur_format(t);
    if (!mur_may_pass(t)) {
        return;
    }
    mur_touch(t, slot, MUR_AGE_UNTOUCHED);
    let extra = slot >= t.slotCount;
    if (slot >= t.slotCount + mur_extra_slots(format) ||
        (!extra && mur_word(mur_word_at(t, format, slot, 0u)) == MUR_EMPTY)) {
        return;
    }
    if (!mur_is_set(format)) {
        atomicStore(&mur_table[mur_value_at(t, format, slot)], mur_empty_value(t));
    }
    if (!extra || mur_is_set(format)) {
        atomicStore(&mur_table[mur_word_at(t, format, slot, 0u)], select(MUR_EMPTY, 0u, extra));
    }
    if (!extra && mur_is_64(format)) {
        atomicStore(&mur_table[mur_word_at(t, format, slot, 1u)], MUR_EMPTY);
        atomicStore(&mur_table[mur_word_at(t, format, slot, 3u)], 0u);
    }
}

fn mur_retain(t: MurTableRef, slot: u32) {
    let format = mur_format(t);
    if (!mur_may_pass(t) || slot >= t.slotCount) {
        return;
    }
    let words = mur_slot_words(t, format, slot);
    let hash = mur_hash_in(t, format, words);
    let first = mur_buckets_of(t, format, hash).x;
    if (first != slot / MUR_BUCKET_SLOTS && mur_is_claimed(t, format, words) &&
        !mur_is_tomb(t, format, words)) {
        mur_set_filter(mur_filter_at(t, format, hash, first, false));
    }
}

// ---- Erases: see write.glsl.

fn mur_erase_of(t: MurTableRef, format: u32, key: vec2<u32>) -> MurWritten {
    let none = mur_empty_value(t);
    if (!mur_offers(t, format, MUR_MODE_ASSIGN)) {
        return MurWritten(MUR_UNSUPPORTED, MUR_NO_SLOT, none);
    }
    let found = mur_lookup(t, format, key);
    if (found.slot == MUR_NO_SLOT) {
        return MurWritten(MUR_ABSENT, MUR_NO_SLOT, none);
    }
    var value = none;
    var erased = false;
    if (!mur_is_set(format)) {
        value = mur_update_value(t, format, found.slot, none, MUR_MODE_ASSIGN);
        erased = value != none;
    } else if (found.slot >= t.slotCount) {
        erased = atomicExchange(&mur_table[mur_word_at(t, format, found.slot, 0u)], 0u) != 0u;
    } else {
        let word = mur_stored(t, format, mur_hash_of(t, format, key)).x;
        erased = mur_swap(mur_word_at(t, format, found.slot, 0u), word, MUR_TOMB) == word;
    }
    mur_touch(t, found.slot, MUR_AGE_UNTOUCHED); // behind that, so that the next entry finds no age
    if (!erased) {
        return MurWritten(MUR_ABSENT, MUR_NO_SLOT, none);
    }
    return MurWritten(MUR_ERASED, found.slot, value);
}

// ---- Calls.

fn mur_insert_mode(t: MurTableRef, key: u32, value: u32, mode: u32) -> MurWritten {
    return mur_insert_of(t, MUR_FORMAT_K32V32, vec2<u32>(key, 0u), value, mode);
}
fn mur_insert_mode_64(t: MurTableRef, key: vec2<u32>, value: u32, mode: u32) -> MurWritten {
    return mur_insert_of(t, MUR_FORMAT_K64V32, key, value, mode);
}
fn mur_insert(t: MurTableRef, key: u32, value: u32) -> MurWritten {
    return mur_insert_mode(t, key, value, MUR_MODE_INSERT);
}
fn mur_insert_64(t: MurTableRef, key: vec2<u32>, value: u32) -> MurWritten {
    return mur_insert_mode_64(t, key, value, MUR_MODE_INSERT);
}
fn mur_assign(t: MurTableRef, key: u32, value: u32) -> MurWritten {
    return mur_insert_mode(t, key, value, MUR_MODE_ASSIGN);
}
fn mur_assign_64(t: MurTableRef, key: vec2<u32>, value: u32) -> MurWritten {
    return mur_insert_mode_64(t, key, value, MUR_MODE_ASSIGN);
}
fn mur_update(t: MurTableRef, key: u32, value: u32) -> MurWritten {
    return mur_insert_mode(t, key, value, MUR_MODE_UPDATE);
}
fn mur_update_64(t: MurTableRef, key: vec2<u32>, value: u32) -> MurWritten {
    return mur_insert_mode_64(t, key, value, MUR_MODE_UPDATE);
}
fn mur_add(t: MurTableRef, key: u32, value: u32) -> MurWritten {
    return mur_insert_mode(t, key, value, MUR_MODE_ADD);
}
fn mur_add_64(t: MurTableRef, key: vec2<u32>, value: u32) -> MurWritten {
    return mur_insert_mode_64(t, key, value, MUR_MODE_ADD);
}
fn mur_min(t: MurTableRef, key: u32, value: u32) -> MurWritten {
    return mur_insert_mode(t, key, value, MUR_MODE_MIN);
}
fn mur_min_64(t: MurTableRef, key: vec2<u32>, value: u32) -> MurWritten {
    return mur_insert_mode_64(t, key, value, MUR_MODE_MIN);
}
fn mur_max(t: MurTableRef, key: u32, value: u32) -> MurWritten {
    return mur_insert_mode(t, key, value, MUR_MODE_MAX);
}
fn mur_max_64(t: MurTableRef, key: vec2<u32>, value: u32) -> MurWritten {
    return mur_insert_mode_64(t, key, value, MUR_MODE_MAX);
}
fn mur_or(t: MurTableRef, key: u32, value: u32) -> MurWritten {
    return mur_insert_mode(t, key, value, MUR_MODE_OR);
}
fn mur_or_64(t: MurTableRef, key: vec2<u32>, value: u32) -> MurWritten {
    return mur_insert_mode_64(t, key, value, MUR_MODE_OR);
}
fn mur_set_insert(t: MurTableRef, key: u32) -> MurWritten {
    return mur_insert_of(t, MUR_FORMAT_K32, vec2<u32>(key, 0u), 0u, MUR_MODE_INSERT);
}
fn mur_set_insert_64(t: MurTableRef, key: vec2<u32>) -> MurWritten {
    return mur_insert_of(t, MUR_FORMAT_K64, key, 0u, MUR_MODE_INSERT);
}

fn mur_erase(t: MurTableRef, key: u32) -> MurWritten {
    return mur_erase_of(t, MUR_FORMAT_K32V32, vec2<u32>(key, 0u));
}
fn mur_erase_64(t: MurTableRef, key: vec2<u32>) -> MurWritten {
    return mur_erase_of(t, MUR_FORMAT_K64V32, key);
}
fn mur_set_erase(t: MurTableRef, key: u32) -> MurWritten {
    return mur_erase_of(t, MUR_FORMAT_K32, vec2<u32>(key, 0u));
}
fn mur_set_erase_64(t: MurTableRef, key: vec2<u32>) -> MurWritten {
    return mur_erase_of(t, MUR_FORMAT_K64, key);
}

// Has a key claimed the slot? The extra slots, from slotCount on, always count.
fn mur_slot_is_claimed(t: MurTableRef, slot: u32) -> bool {
    let format = mur_format(t);
    if (slot >= t.slotCount + mur_extra_slots(format) || format >= MUR_FORMAT_K32 ||
        !mur_offers(t, format, MUR_MODE_ASSIGN)) {
        return false;
    }
    return slot >= t.slotCount || mur_is_claimed(t, format, mur_slot_words(t, format, slot));
}

// An entry that is erased takes its age along.
fn mur_forget_value(t: MurTableRef, slot: u32, value: u32) {
    if (value == mur_empty_value(t)) {
        mur_touch(t, slot, MUR_AGE_UNTOUCHED);
    }
}

// As in slot_write.glsl; of both formats with values.
fn mur_slot_exchange(t: MurTableRef, slot: u32, value: u32) -> u32 {
    var old = mur_empty_value(t);
    if (mur_slot_is_claimed(t, slot)) {
        old = mur_update_value(t, mur_format(t), slot, value, MUR_MODE_ASSIGN);
        mur_forget_value(t, slot, value);
    }
    return old;
}

fn mur_slot_compare_exchange(t: MurTableRef, slot: u32, compare: u32, value: u32) -> u32 {
    var old = mur_empty_value(t);
    if (compare != old && mur_slot_is_claimed(t, slot)) {
        old = mur_swap(mur_value_at(t, mur_format(t), slot), compare, value);
        mur_forget_value(t, slot, select(compare, value, old == compare));
    }
    return old;
}
