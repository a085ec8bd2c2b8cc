// Murmuration: the hash table of murmuration.glsl in WGSL, for engines on wgpu or WebGPU: one table
// a module, bound as a storage buffer, and 32-bit atomics.
//
// WGSL has no includes: put texts one behind the other, in any order. This one, then one of
//
//   murmuration_read.wgsl    only lookups, by plain reads: @group(g) @binding(b)
//                            var<storage, read> mur_table: array<vec4<u32>>;
//   murmuration_write.wgsl   lookups and writes, which see one another's: @group(g) @binding(b)
//                            var<storage, read_write> mur_table: array<atomic<u32>>;
//
// and yours, which declares mur_table as it says there, with a group and a binding of yours.
//
//     let brick = mur_find(bricks, key);            // bricks: MurTableRef
//     if (brick.slot != MUR_NO_SLOT) { ... brick.value ... }
//
// The buffer holds a table's image, all of it: made by host.h (murHostCreate, murHostInsert, in
// 32-bit atomic width) or downloaded from the C library (murBlockingDownload), and uploaded as it
// is. MurTableRef is 32 bytes for a uniform or storage buffer, MurHostTable.ref byte for byte.
// WebGPU's usual limit for a binding, 128 MiB, is room for 2^24 slots of 8 bytes. The library's
// commands record Vulkan; they do not go with wgpu.
//
// What has been tried, in the project's tests: all of it as naga translates it to SPIR-V, on Mesa's
// lavapipe, SwiftShader and an NVIDIA GPU; the trace of calls on Dawn. The manual's page
// languages.md shows how to create, fill and grow a table on WebGPU.
//
// Formats have names of their own: mur_find (32-bit keys and values), mur_find_64 (64-bit keys,
// vec2<u32> with the low word in x, and 32-bit values), mur_set_find (sets of 32-bit keys),
// mur_set_find_64 (sets of 64-bit keys, which 32-bit atomics can write in buckets alone). Tables in
// buckets are found by their flags. A call on a table of another format finds nothing, writes
// nothing and says MUR_UNSUPPORTED; so do writes to a table that is written with 64-bit atomics.
//
//   mur_find, _64 -> MurFound       mur_set_find, _64 -> slot    MUR_NO_SLOT: the key is absent
//   mur_slot_entry -> MurEntry      mur_slot_value -> value      of any of the formats
//   mur_spatial_key_at, ...         as in spatial.h; with murmuration_spatial.wgsl
//
// and with murmuration_write.wgsl
//
//   mur_insert (find or insert), mur_assign, mur_update, mur_add, mur_min, mur_max, mur_or, and
//   each with _64 -> MurWritten     mur_insert_mode, _64 (..., MUR_MODE_*) -> MurWritten
//   mur_erase, _64 -> MurWritten    mur_set_insert, mur_set_erase, _64 -> MurWritten
//   mur_slot_exchange, mur_slot_compare_exchange -> the value that was there
//   mur_evict, mur_retain, mur_touch   in buckets
//
// What each does, and what may run at the same time, is said in murmuration.glsl and
// <murmuration/murmuration.h>. Nothing but mur_*, Mur* and MUR_* is declared.
//
// SPDX-License-Identifier: MIT

struct MurTableRef {
    address: vec2<u32>, // not used
    capacity: u32,
    slotCount: u32,
    seed: u32,
    probeSectors: u32,
    flags: u32,
    index: u32, // not used
}

// Where a key lives, or MUR_NO_SLOT, and its value, or the table's empty value.
struct MurFound {
    slot: u32,
    value: u32,
}

struct MurEntry {
    there: bool,
    value: u32,
    key: vec2<u32>, // 32-bit keys: in x
}

// What a write did, MUR_*; where the key lives, or lived; the value that was there before, or the
// empty value.
struct MurWritten {
    status: u32,
    slot: u32,
    value: u32,
}

// ---- Generated from layout.h, hash.h and spatial.h by wgsl_constants.awk; tests compare.
const MUR_NO_SLOT: u32 = 0xFFFFFFFFu;
const MUR_ABSENT: u32 = 0u;
const MUR_FOUND: u32 = 1u;
const MUR_INSERTED: u32 = 2u;
const MUR_EXISTED: u32 = 3u;
const MUR_ERASED: u32 = 4u;
const MUR_FULL: u32 = 5u;
const MUR_INVALID_VALUE: u32 = 6u;
const MUR_UNSUPPORTED: u32 = 7u;
const MUR_CONTENDED: u32 = 8u;
const MUR_MODE_ASSIGN: u32 = 0u;
const MUR_MODE_INSERT: u32 = 1u;
const MUR_MODE_ADD: u32 = 2u;
const MUR_MODE_MIN: u32 = 3u;
const MUR_MODE_MAX: u32 = 4u;
const MUR_MODE_OR: u32 = 5u;
const MUR_MODE_UPDATE: u32 = 6u;
const MUR_UPDATE_TRIES: u32 = 32u;
const MUR_TABLE_INT64: u32 = 1u;
const MUR_TABLE_ZERO: u32 = 2u;
const MUR_TABLE_BUCKETS: u32 = 256u;
const MUR_TABLE_AGES: u32 = 512u;
const MUR_FORMAT_K32V32: u32 = 0u;
const MUR_FORMAT_K64V32: u32 = 1u;
const MUR_FORMAT_K32: u32 = 2u;
const MUR_FORMAT_K64: u32 = 3u;
const MUR_FORMAT_K64V64: u32 = 4u;
const MUR_FORMAT_R32: u32 = 5u;
const MUR_FORMAT_K64V32_MULTI: u32 = 9u;
const MUR_TABLE_FORMAT_SHIFT: u32 = 4u;
const MUR_TABLE_FORMAT_MASK: u32 = 0xF0u;
const MUR_STATE_ORDERED: u32 = 1u;
const MUR_STATE_WRAPPED: u32 = 2u;
const MUR_STATE_FILTER: u32 = 4u;
const MUR_AGE_UNTOUCHED: u32 = 0xFFFFFFFFu;
const MUR_BUCKET_SLOTS: u32 = 16u;
const MUR_EMPTY: u32 = 0xFFFFFFFFu;
const MUR_TAG_USED: u32 = 1u;
const MUR_TAG_LOW: u32 = 2u;
const MUR_TAG_HIGH: u32 = 4u;
const MUR_TAG_TOMB: u32 = 8u;
const MUR_TOMB: u32 = 0xFFFFFFFEu;
const MUR_FILTER_BITS: u32 = 16u;
const MUR_SECOND_SEED: u32 = 0x9E3779B9u;
const MUR_HEADER_STATE: u32 = 2u;
const MUR_HEADER_FAILED_INSERTS: u32 = 8u;
const MUR_HEADER_INVALID_VALUES: u32 = 10u;
const MUR_HEADER_EXTRA: u32 = 16u;
const MUR_HEADER_WORDS: u32 = 64u;
const MUR_HASH_FIRST: u32 = 0x85EBCA6Bu;
const MUR_HASH_SECOND: u32 = 0xC2B2AE35u;
const MUR_KEY_FIRST: u32 = 0x7ED1B41Du;
const MUR_KEY_SECOND: u32 = 0xA5CB9243u;
const MUR_HASH64_FIRST_LOW: u32 = 0xED558CCDu;
const MUR_HASH64_FIRST_HIGH: u32 = 0xFF51AFD7u;
const MUR_HASH64_SECOND_LOW: u32 = 0x1A85EC53u;
const MUR_HASH64_SECOND_HIGH: u32 = 0xC4CEB9FEu;
const MUR_KEY64_FIRST_LOW: u32 = 0x129337DBu;
const MUR_KEY64_FIRST_HIGH: u32 = 0x9CB4B2F8u;
const MUR_KEY64_SECOND_LOW: u32 = 0x22A54005u;
const MUR_KEY64_SECOND_HIGH: u32 = 0x4F74430Cu;
const MUR_SPATIAL_BITS: u32 = 18u;
const MUR_SPATIAL_MASK: u32 = 0x3FFFFu;
const MUR_SPATIAL_LEAST: i32 = -131072;
const MUR_SPATIAL_MOST: i32 = 131071;
const MUR_SPATIAL_LEVELS: u32 = 32u;
// ---- End of what is generated.

// ---- Hashing: see hash.h.

fn mur_hash(key: u32, seed: u32) -> u32 {
    var h = key ^ seed;
    h ^= h >> 16u;
    h *= MUR_HASH_FIRST;
    h ^= h >> 13u;
    h *= MUR_HASH_SECOND;
    h ^= h >> 16u;
    return h;
}

fn mur_key(hash: u32, seed: u32) -> u32 {
    var h = hash;
    h ^= h >> 16u;
    h *= MUR_KEY_FIRST;
    h ^= (h >> 13u) ^ (h >> 26u);
    h *= MUR_KEY_SECOND;
    h ^= h >> 16u;
    return h ^ seed;
}

// The high word of a * b, by products of halves.
fn mur_multiply_high(a: u32, b: u32) -> u32 {
    let middle = (a >> 16u) * (b & 0xFFFFu) + (((a & 0xFFFFu) * (b & 0xFFFFu)) >> 16u);
    let other = (a & 0xFFFFu) * (b >> 16u) + (middle & 0xFFFFu);
    return (a >> 16u) * (b >> 16u) + (middle >> 16u) + (other >> 16u);
}

fn mur_home(hash: u32, capacity: u32) -> u32 {
    return mur_multiply_high(hash, capacity);
}

fn mur_multiply64(a: vec2<u32>, low: u32, high: u32) -> vec2<u32> {
    return vec2<u32>(a.x * low, mur_multiply_high(a.x, low) + a.x * high + a.y * low);
}

fn mur_hash64(key: vec2<u32>, seed: u32) -> vec2<u32> {
    var h = key ^ vec2<u32>(seed);
    h.x ^= h.y >> 1u;
    h = mur_multiply64(h, MUR_HASH64_FIRST_LOW, MUR_HASH64_FIRST_HIGH);
    h.x ^= h.y >> 1u;
    h = mur_multiply64(h, MUR_HASH64_SECOND_LOW, MUR_HASH64_SECOND_HIGH);
    h.x ^= h.y >> 1u;
    return h;
}

fn mur_key64(hash: vec2<u32>, seed: u32) -> vec2<u32> {
    var h = hash;
    h.x ^= h.y >> 1u;
    h = mur_multiply64(h, MUR_KEY64_FIRST_LOW, MUR_KEY64_FIRST_HIGH);
    h.x ^= h.y >> 1u;
    h = mur_multiply64(h, MUR_KEY64_SECOND_LOW, MUR_KEY64_SECOND_HIGH);
    h.x ^= h.y >> 1u;
    return h ^ vec2<u32>(seed);
}

// ---- What kind of table it is: see kind.glsl.

fn mur_format(t: MurTableRef) -> u32 {
    return (t.flags & MUR_TABLE_FORMAT_MASK) >> MUR_TABLE_FORMAT_SHIFT;
}

fn mur_is_64(format: u32) -> bool {
    return format != MUR_FORMAT_K32V32 && format != MUR_FORMAT_K32;
}

fn mur_is_set(format: u32) -> bool {
    return format == MUR_FORMAT_K32 || format == MUR_FORMAT_K64;
}

fn mur_in_buckets(t: MurTableRef) -> bool {
    return (t.flags & MUR_TABLE_BUCKETS) != 0u;
}

// Have slots a tag word?
fn mur_is_tagged(t: MurTableRef, format: u32) -> bool {
    return format == MUR_FORMAT_K64V32 ||
           (format == MUR_FORMAT_K64 &&
            (t.flags & (MUR_TABLE_BUCKETS | MUR_TABLE_INT64)) == MUR_TABLE_BUCKETS);
}

// ---- Slots: see format.glsl. Those of every format are handled as four words: x, y the hash
// (32-bit keys have no y), z the value, w the tag word.

// The table's empty value: what "absent" looks like in a value word.
fn mur_empty_value(t: MurTableRef) -> u32 {
    return select(0xFFFFFFFFu, 0u, (t.flags & MUR_TABLE_ZERO) != 0u);
}

fn mur_slot_shift(format: u32) -> u32 {
    return select(select(3u, 4u, format == MUR_FORMAT_K64V32), 2u, format == MUR_FORMAT_K32);
}

fn mur_slots_of(format: u32) -> u32 {
    return 32u >> mur_slot_shift(format);
}

fn mur_hash_of(t: MurTableRef, format: u32, key: vec2<u32>) -> vec2<u32> {
    if (mur_is_64(format)) {
        return mur_hash64(key, t.seed);
    }
    return vec2<u32>(mur_hash(key.x, t.seed), 0u);
}

fn mur_key_of(t: MurTableRef, format: u32, hash: vec2<u32>) -> vec2<u32> {
    if (mur_is_64(format)) {
        return mur_key64(hash, t.seed);
    }
    return vec2<u32>(mur_key(hash.x, t.seed), 0u);
}

// What decides the home slot, or the first bucket.
fn mur_home_word(format: u32, hash: vec2<u32>) -> u32 {
    return select(hash.x, hash.y, mur_is_64(format));
}

// How a hash looks in its slot: x, y the key words; w the tag word and z the bits of it that count.
fn mur_stored(t: MurTableRef, format: u32, hash: vec2<u32>) -> vec4<u32> {
    if (!mur_is_tagged(t, format)) {
        return vec4<u32>(hash, 0u, 0u);
    }
    let marker = hash == vec2<u32>(MUR_EMPTY);
    let tomb = mur_is_set(format) && hash.x == MUR_TOMB;
    let halves = select(hash, vec2<u32>(0u), marker | vec2<bool>(tomb, false));
    let tag = MUR_TAG_USED | select(0u, MUR_TAG_LOW, marker.x) |
              select(0u, MUR_TAG_HIGH, marker.y) | select(0u, MUR_TAG_TOMB, tomb);
    return vec4<u32>(halves, 0xFFFFFFFFu, select(0u, tag, any(halves == vec2<u32>(0u))));
}

// The hash back from a slot's words.
fn mur_hash_in(t: MurTableRef, format: u32, words: vec4<u32>) -> vec2<u32> {
    let tag = select(0u, words.w, mur_is_tagged(t, format));
    let low = select(words.x, MUR_TOMB, (tag & MUR_TAG_TOMB) != 0u);
    return vec2<u32>(select(low, MUR_EMPTY, (tag & MUR_TAG_LOW) != 0u),
                     select(words.y, MUR_EMPTY, (tag & MUR_TAG_HIGH) != 0u));
}

// Is the slot with these words the key's own? stored: how its hash looks.
fn mur_is_own(words: vec4<u32>, stored: vec4<u32>) -> bool {
    return all(words.xy == stored.xy) && (words.w & stored.z) == stored.w;
}

// May a slot seen with these words be claimed by this hash, or be its own? 64-bit keys.
fn mur_is_open(words: vec4<u32>, stored: vec4<u32>) -> bool {
    let tag = words.w & stored.z;
    return (words.x == MUR_EMPTY || words.x == stored.x) &&
           (words.y == MUR_EMPTY || words.y == stored.y) && (tag == 0u || tag == stored.w);
}

// Extra slots that keys of the format live in, and the hash of the key that lives in one.
fn mur_extra_slots(format: u32) -> u32 {
    return select(select(1u, 0u, format == MUR_FORMAT_K64V32), 2u, mur_is_set(format));
}

fn mur_marker_of(extra: u32) -> vec2<u32> {
    return vec2<u32>(MUR_EMPTY - extra, MUR_EMPTY); // MUR_TOMB is the number before
}

// The extra slot in which this hash lives; mur_extra_slots(format): it lives in none.
fn mur_marker(format: u32, hash: vec2<u32>) -> u32 {
    let marks = hash.y == MUR_EMPTY || !mur_is_64(format);
    return min(select(MUR_EMPTY, MUR_EMPTY - hash.x, marks), mur_extra_slots(format));
}

// Has some key claimed the slot with these words, all of it? A tombstone counts: it was a key's.
fn mur_is_claimed(t: MurTableRef, format: u32, words: vec4<u32>) -> bool {
    if (mur_is_tagged(t, format)) {
        return words.x != MUR_EMPTY && words.y != MUR_EMPTY &&
               ((words.w & MUR_TAG_USED) != 0u || (words.x != 0u && words.y != 0u));
    }
    return words.x != MUR_EMPTY || (mur_is_64(format) && words.y != MUR_EMPTY);
}

fn mur_is_tomb(t: MurTableRef, format: u32, words: vec4<u32>) -> bool {
    return mur_is_set(format) && words.x == MUR_TOMB &&
           (!mur_is_64(format) || mur_is_tagged(t, format) || words.y == MUR_EMPTY);
}

// Does an entry live in the slot with these words?
fn mur_is_entry(t: MurTableRef, format: u32, slot: u32, words: vec4<u32>) -> bool {
    if (slot >= t.slotCount) {
        return select(words.z != mur_empty_value(t), words.x != 0u, mur_is_set(format));
    }
    return mur_is_claimed(t, format, words) &&
           select(words.z != mur_empty_value(t), !mur_is_tomb(t, format, words),
                  mur_is_set(format));
}

// One lane's words.
fn mur_lane(format: u32, lane: u32, low: vec4<u32>, high: vec4<u32>) -> vec4<u32> {
    if (format == MUR_FORMAT_K64V32) {
        return select(high, low, lane == 0u);
    }
    if (format == MUR_FORMAT_K32) {
        return vec4<u32>(select(high, low, lane < 4u)[lane & 3u], 0u, 0u, 0u);
    }
    let part = select(high, low, lane < 2u);
    let pair = select(part.zw, part.xy, (lane & 1u) == 0u);
    return select(vec4<u32>(pair.x, 0u, pair.y, 0u), vec4<u32>(pair, 0u, 0u),
                  format == MUR_FORMAT_K64);
}

// Lanes of a sector, as bits, whose key words (and tag) are these; open: or may be claimed for
// them.
fn mur_lanes_with(format: u32, low: vec4<u32>, high: vec4<u32>, stored: vec4<u32>,
                  open: bool) -> u32 {
    var bits = 0u;
    for (var lane = 0u; lane < mur_slots_of(format); lane++) {
        let words = mur_lane(format, lane, low, high);
        if (mur_is_own(words, stored) || (open && mur_is_open(words, stored))) {
            bits |= 1u << lane;
        }
    }
    return bits;
}

// Where word i of a slot is; the extra slots follow slot slotCount - 1.
fn mur_word_at(t: MurTableRef, format: u32, slot: u32, i: u32) -> u32 {
    if (slot >= t.slotCount) { // a set's are one word, of another format there is one at most
        return MUR_HEADER_EXTRA + slot - t.slotCount + i;
    }
    let buckets = mur_in_buckets(t);
    if (i > 1u && buckets) {
        return mur_beside(t, format, slot) + select(0u, i - 2u, format == MUR_FORMAT_K64V32);
    }
    let shift = min(mur_slot_shift(format), select(4u, 3u, buckets)) - 2u;
    return MUR_HEADER_WORDS + (slot << shift) + i;
}

fn mur_value_at(t: MurTableRef, format: u32, slot: u32) -> u32 {
    return mur_word_at(t, format, slot, select(1u, 2u, format == MUR_FORMAT_K64V32));
}

// One slot's words.
fn mur_slot_words(t: MurTableRef, format: u32, slot: u32) -> vec4<u32> {
    let at = mur_word_at(t, format, slot, 0u);
    var words = vec4<u32>(mur_word(at), 0u, 0u, 0u);
    if (mur_is_64(format)) {
        words.y = mur_word(at + 1u);
    }
    if (!mur_is_set(format)) {
        words.z = mur_word(mur_value_at(t, format, slot));
    }
    if (mur_is_tagged(t, format)) {
        words.w = mur_word(mur_word_at(t, format, slot, 3u));
    }
    return words;
}

// ---- Buckets: see bucket.glsl.

// Where what else a slot has begins; behind the last one are the filters.
fn mur_beside(t: MurTableRef, format: u32, slot: u32) -> u32 {
    let words = select(u32(mur_is_tagged(t, format)), 2u, format == MUR_FORMAT_K64V32);
    return MUR_HEADER_WORDS + select(2u, 1u, format == MUR_FORMAT_K32) * t.slotCount + words * slot;
}

fn mur_filter_words(t: MurTableRef) -> u32 {
    return t.slotCount / (32u * MUR_BUCKET_SLOTS / MUR_FILTER_BITS);
}

// The two buckets, which may be one.
fn mur_buckets_of(t: MurTableRef, format: u32, hash: vec2<u32>) -> vec2<u32> {
    let count = t.slotCount / MUR_BUCKET_SLOTS;
    let other = select(mur_hash(hash.x, MUR_SECOND_SEED), hash.x, mur_is_64(format));
    return vec2<u32>(mur_home(mur_home_word(format, hash), count), mur_home(other, count));
}

// The filter's word, of the one that counts or the other, and the bit in it.
fn mur_filter_at(t: MurTableRef, format: u32, hash: vec2<u32>, first: u32,
                 counts: bool) -> vec2<u32> {
    let bit = first * MUR_FILTER_BITS + mur_home_word(format, hash) % MUR_FILTER_BITS;
    let second = ((mur_word(MUR_HEADER_STATE) & MUR_STATE_FILTER) != 0u) == counts;
    let start = mur_beside(t, format, t.slotCount) + select(0u, mur_filter_words(t), second);
    return vec2<u32>(start + bit / 32u, 1u << (bit % 32u));
}

fn mur_is_set_at(bit: vec2<u32>) -> bool {
    return (mur_word(bit.x) & bit.y) != 0u;
}

// A bucket's slots, as bits. x: those that the hash has claimed, one at most; y: those that it may
// claim, its own among them.
fn mur_scan_bucket(t: MurTableRef, format: u32, stored: vec4<u32>, bucket: u32) -> vec2<u32> {
    let keys = select(format, MUR_FORMAT_K64, format == MUR_FORMAT_K64V32);
    let slots = mur_slots_of(keys);
    let sectors = MUR_BUCKET_SLOTS / slots;
    let halves = vec4<u32>(stored.xy, 0u, 0u);
    var scan = vec2<u32>(0u);
    for (var i = 0u; i < sectors; i++) {
        let part = MUR_HEADER_WORDS / 4u + 2u * (bucket * sectors + i);
        let low = mur_half(part);
        let high = mur_half(part + 1u);
        scan |= vec2<u32>(mur_lanes_with(keys, low, high, halves, false),
                          mur_lanes_with(keys, low, high, halves, true)) << vec2<u32>(slots * i);
    }
    for (var left = select(0u, scan.x, stored.w != 0u); left != 0u; left &= left - 1u) {
        let lane = firstTrailingBit(left);
        let tag = mur_word(mur_word_at(t, format, MUR_BUCKET_SLOTS * bucket + lane, 3u));
        let other = vec2<bool>(tag != stored.w, tag != stored.w && tag != 0u);
        scan &= ~select(vec2<u32>(0u), vec2<u32>(1u << lane), other);
    }
    return scan;
}

// As mur_probe, of a hash that lives in no extra slot.
fn mur_probe_buckets(t: MurTableRef, format: u32, hash: vec2<u32>) -> MurFound {
    let stored = mur_stored(t, format, hash);
    let buckets = mur_buckets_of(t, format, hash);
    let bit = mur_filter_at(t, format, hash, buckets.x, true);
    let count = select(2u, 1u, buckets.x == buckets.y);
    for (var i = 0u; i < count; i++) {
        let own = mur_scan_bucket(t, format, stored, buckets[i]).x;
        if (own != 0u) {
            let slot = MUR_BUCKET_SLOTS * buckets[i] + firstTrailingBit(own);
            return MurFound(slot, mur_word(mur_value_at(t, format, slot)));
        }
        if (!mur_is_set_at(bit)) {
            break;
        }
    }
    return MurFound(MUR_NO_SLOT, mur_empty_value(t));
}

// ---- Lookups: see find.glsl and format_find.glsl.

// In an ordered table no slot after a larger hash can hold this one; of 64-bit hashes only the high
// halves are in order, the two largest counting as one. The sector's last slot tells; a tombstone
// there does not, for it stands where a smaller hash stood.
fn mur_ends_order(t: MurTableRef, format: u32, high: vec4<u32>, hash: vec2<u32>) -> bool {
    let words = mur_lane(format, mur_slots_of(format) - 1u, high, high);
    let last = mur_hash_in(t, format, words);
    let larger = select(last.x > hash.x, min(last.y, MUR_EMPTY - 1u) > hash.y, mur_is_64(format));
    return larger && !mur_is_tomb(t, format, words);
}

// The slot that the hash has claimed, or MUR_NO_SLOT, and that slot's value (the empty value if
// there is none; in sets any). Sets: a key in an extra slot is there or not.
fn mur_probe(t: MurTableRef, format: u32, hash: vec2<u32>) -> MurFound {
    let absent = MurFound(MUR_NO_SLOT, mur_empty_value(t));
    let extra = mur_marker(format, hash);
    if (extra != mur_extra_slots(format)) {
        let at = t.slotCount + extra;
        let words = mur_slot_words(t, format, at);
        if (mur_is_set(format) && words.x == 0u) {
            return absent;
        }
        return MurFound(at, words.z);
    }
    if (mur_in_buckets(t)) {
        return mur_probe_buckets(t, format, hash);
    }
    let slots = mur_slots_of(format);
    let stored = mur_stored(t, format, hash);
    let home = mur_home(mur_home_word(format, hash), t.capacity);
    let sectors = t.slotCount / slots;
    var sector = home / slots;
    var start = home % slots; // a slot before it can hold the key, but does not end the probe
    let ordered = mur_ordered();
    let free = vec4<u32>(MUR_EMPTY, MUR_EMPTY, 0u, 0u);
    for (var left = t.probeSectors; left != 0u; left--) {
        let low = mur_half(MUR_HEADER_WORDS / 4u + 2u * sector);
        let high = mur_half(MUR_HEADER_WORDS / 4u + 2u * sector + 1u);
        let own = mur_lanes_with(format, low, high, stored, false);
        if (own != 0u) {
            let lane = firstTrailingBit(own);
            return MurFound(slots * sector + lane, mur_lane(format, lane, low, high).z);
        }
        if ((mur_lanes_with(format, low, high, free, false) >> start) != 0u ||
            (ordered && mur_ends_order(t, format, high, hash))) {
            return absent;
        }
        start = 0u;
        sector = select(sector + 1u, 0u, sector + 1u == sectors);
    }
    return absent;
}

// The slot of a key that is in the table, or MUR_NO_SLOT; and its value. Nothing is in a table of
// another format.
fn mur_lookup(t: MurTableRef, format: u32, key: vec2<u32>) -> MurFound {
    let none = mur_empty_value(t);
    if (mur_format(t) != format) {
        return MurFound(MUR_NO_SLOT, none);
    }
    var found = mur_probe(t, format, mur_hash_of(t, format, key));
    if (!mur_is_set(format) && found.value == none) {
        found.slot = MUR_NO_SLOT;
    }
    return found;
}

fn mur_find(t: MurTableRef, key: u32) -> MurFound {
    return mur_lookup(t, MUR_FORMAT_K32V32, vec2<u32>(key, 0u));
}

fn mur_find_64(t: MurTableRef, key: vec2<u32>) -> MurFound {
    return mur_lookup(t, MUR_FORMAT_K64V32, key);
}

fn mur_set_find(t: MurTableRef, key: u32) -> u32 {
    return mur_lookup(t, MUR_FORMAT_K32, vec2<u32>(key, 0u)).slot;
}

fn mur_set_find_64(t: MurTableRef, key: vec2<u32>) -> u32 {
    return mur_lookup(t, MUR_FORMAT_K64, key).slot;
}

// What a slot holds: for iterating over 0 ... slotCount (in sets + 1), and for slots kept from
// an earlier call. Of the formats that there are here.
fn mur_slot_entry(t: MurTableRef, slot: u32) -> MurEntry {
    let none = mur_empty_value(t);
    let format = mur_format(t);
    if (slot >= t.slotCount + mur_extra_slots(format) || format > MUR_FORMAT_K64) {
        return MurEntry(false, none, vec2<u32>(0u));
    }
    let words = mur_slot_words(t, format, slot);
    var hash = mur_hash_in(t, format, words);
    if (slot >= t.slotCount) {
        hash = mur_marker_of(slot - t.slotCount);
    }
    return MurEntry(mur_is_entry(t, format, slot, words), select(words.z, none, mur_is_set(format)),
                    mur_key_of(t, format, hash));
}

// The value in a slot, or the table's empty value if no entry lives there.
fn mur_slot_value(t: MurTableRef, slot: u32) -> u32 {
    return mur_slot_entry(t, slot).value;
}
