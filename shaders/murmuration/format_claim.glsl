// Murmuration: how a key claims a slot, and what becomes of its value, in formats other than
// K32V32.
//
// K64V32 by 32-bit atomics. The words of a key are claimed one after another, each by a
// compare-and-swap: the low half, the high half and, if a stored half is 0, the tag. Finding a word
// unclaimed or equal to its own, an insert goes on to the next; finding another's, it goes on to
// the next slot. Nobody waits for anybody: whoever finds a slot claimed by half completes it, for
// itself if the rest fits, else for no one, because whoever claimed the high half has completed it
// already or is about to.
//
// Why no key can be lost, merged or doubled. Three facts carry everything:
//   1. A key word is written once, from unclaimed to a stored half (or tag); stored halves are
//      never MUR_EMPTY and tags never 0. So to each key a slot is open (every word unclaimed or its
//      own), its own (every word its own), or closed (some word another's), and it goes from open
//      to own or closed once and for all. What a stale read shows of a word is either its last
//      value or "unclaimed"; the first is final, and whoever acts on the second finds out by the
//      compare-and-swap. Words read at different times, torn reads included, are as good.
//   2. A slot belongs to one key. Whoever claims the high half has seen its own low half there, be
//      it claimed by itself or by another key with the same one, and the low half never changes; so
//      the two halves together are some one insert's stored halves, and with both set nobody but
//      keys of those very halves stays. If neither half is 0 that is one key (the tag plays no
//      part, and no half was MUR_EMPTY). If one is 0, up to four keys share the stored halves, all
//      of them claim the tag, all their tags differ, and one of them gets it: not merged.
//   3. Every insert of a key examines the same slots in the same order, and passes one only when it
//      is closed to it, forever. So if a key owns a slot, all before it are closed to it: another
//      insert of it ends at the same slot and not before, never beyond: not doubled. And a find,
//      which passes what is not the key's own and ends at a slot that nobody has begun to claim,
//      passes those before and reaches it: not lost. A find that ends early saw a slot open to the
//      key at that moment, behind which the key could not be: absent is then the truth.
// An insert that loses a slot leaves nothing behind in it: the words that it had set are words of
// the key that completes the slot. So none stays claimed by half when the dispatch ends.
// The value word is written by operations of the slot's owner only, after its claim; before, it is
// the reserved value. So a find that sees the key sees values of that key or "absent". All this
// leans on the order of changes of single words, and on no order between words.
// tests/interleave runs this protocol in every order of steps and breaks it in several ways.
//
// With 64-bit atomics both halves are claimed by one compare-and-swap, the tag as above, and the
// same reasoning holds. K64V64 has no room for a tag and stores halves as they are: there, an
// insert that sees an empty half lets the compare-and-swap tell, and a find that sees a hash with
// an empty half reads both at once (mur_probe).
//
// Sets. A slot goes from empty to a hash and, when the key is erased, to a tombstone,
// which is closed to every key. The key can then claim a later slot; two at once it never has,
// because whoever claims the later one has seen this one closed. What an insert reports is what its
// compare-and-swap found, since a key that a plain read shows may have been erased.
//
// SPDX-License-Identifier: MIT

#ifdef MUR_INT64_ATOMICS
// Tries to claim a slot's pair of key words: is it halves now? seen: the pair by a read that may be
// stale, or torn; with no half empty it is final.
bool mur_claim_pair(MurTableRef t, uint format, uint slot, uvec2 seen, uvec2 halves) {
    const uvec2 empty = uvec2(MUR_EMPTY);
    if (any(equal(seen, empty))) {
        seen = unpackUint2x32(atomicCompSwap(MUR_FORMAT_WIDE(t, format, slot, 0u),
                                             packUint2x32(empty), packUint2x32(halves)));
    }
    return seen == empty || seen == halves;
}
#endif

// Tries to claim word i of a slot, last seen as seen, for want: is it want now?
bool mur_claim_word(MurTableRef t, uint format, uint slot, uint i, uint seen, uint unclaimed,
                    uint want) {
    if (seen == unclaimed) {
        seen = atomicCompSwap(MUR_FORMAT_WORD(t, format, slot, i), unclaimed, want);
    }
    return seen == unclaimed || seen == want;
}

// Makes a slot the hash's own. False: it belongs to another, and the probe must go on. Formats with
// values; seen: the slot's words by a read that may be stale.
bool mur_claim_slot(MurTableRef t, uint format, uint slot, uvec4 seen, uvec4 stored) {
    bool ours;
#ifdef MUR_INT64_ATOMICS
    if ((t.flags & MUR_TABLE_INT64) != 0u) {
        ours = mur_claim_pair(t, format, slot, seen.xy, stored.xy);
    } else
#endif
    {
        ours = mur_claim_word(t, format, slot, 0u, seen.x, MUR_EMPTY, stored.x) &&
               mur_claim_word(t, format, slot, 1u, seen.y, MUR_EMPTY, stored.y);
    }
    return ours &&
           (stored.w == 0u || mur_claim_word(t, format, slot, 3u, seen.w, 0u, stored.w));
}

// May a slot seen with these words be claimed by this hash, or be its own? Half a pair counts as
// unclaimed if it is empty, even where 64-bit atomics write both: reads can be torn.
bool mur_is_open(uint format, uvec4 words, uvec4 stored) {
    uint tag = words.w & stored.z;
    return (words.x == MUR_EMPTY || words.x == stored.x) &&
           (words.y == MUR_EMPTY || words.y == stored.y) &&
           (tag == 0u || tag == stored.w);
}

// Such lanes of a sector, as bits.
uint mur_open_lanes(uint format, uvec4 low, uvec4 high, uvec4 stored) {
    switch (format) {
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

// As mur_swap_value.
uvec2 mur_swap_value(MurTableRef t, uint format, uint slot, uvec2 expected, uvec2 value) {
#ifdef MUR_INT64_ATOMICS
    if (format == MUR_FORMAT_K64V64) {
        return unpackUint2x32(atomicCompSwap(MUR_FORMAT_WIDE(t, format, slot, 1u),
                                             packUint2x32(expected), packUint2x32(value)));
    }
#endif
    return uvec2(atomicCompSwap(MUR_FORMAT_WORD(t, format, slot, 2u), expected.x, value.x), 0u);
}

uint mur_update_word(MurTableRef t, uint slot, uint value, uint mode) {
    const uint format = MUR_FORMAT_K64V32;
    switch (mode) {
    case MUR_MODE_ADD:
        return atomicAdd(MUR_FORMAT_WORD(t, format, slot, 2u), value);
    case MUR_MODE_MIN:
        return atomicMin(MUR_FORMAT_WORD(t, format, slot, 2u), value);
    case MUR_MODE_MAX:
        return atomicMax(MUR_FORMAT_WORD(t, format, slot, 2u), value);
    case MUR_MODE_OR:
        return atomicOr(MUR_FORMAT_WORD(t, format, slot, 2u), value);
    default:
        return atomicExchange(MUR_FORMAT_WORD(t, format, slot, 2u), value);
    }
}

#ifdef MUR_INT64_ATOMICS
uvec2 mur_update_pair(MurTableRef t, uint slot, uvec2 value, uint mode) {
    const uint format = MUR_FORMAT_K64V64;
    uint64_t operand = packUint2x32(value);
    uint64_t old;
    switch (mode) {
    case MUR_MODE_ADD:
        old = atomicAdd(MUR_FORMAT_WIDE(t, format, slot, 1u), operand);
        break;
    case MUR_MODE_MIN:
        old = atomicMin(MUR_FORMAT_WIDE(t, format, slot, 1u), operand);
        break;
    case MUR_MODE_MAX:
        old = atomicMax(MUR_FORMAT_WIDE(t, format, slot, 1u), operand);
        break;
    case MUR_MODE_OR:
        old = atomicOr(MUR_FORMAT_WIDE(t, format, slot, 1u), operand);
        break;
    default:
        old = atomicExchange(MUR_FORMAT_WIDE(t, format, slot, 1u), operand);
        break;
    }
    return unpackUint2x32(old);
}
#endif

// Applies a mode to the value of a slot that a key has claimed; returns the value it replaced.
uvec2 mur_update_value(MurTableRef t, uint format, uint slot, uvec2 value, uint mode) {
    if (mode == MUR_MODE_KEEP) {
        return mur_swap_value(t, format, slot, mur_none_of(t, format), value);
    }
#ifdef MUR_INT64_ATOMICS
    if (format == MUR_FORMAT_K64V64) {
        return mur_update_pair(t, slot, value, mode);
    }
#endif
    return uvec2(mur_update_word(t, slot, value.x, mode), 0u);
}

// The key in a set's slot, by compare-and-swap; returns what was there. K32 has the low words
// alone: the high one returned makes the result equal to from or to if its low word is.
uvec2 mur_swap_key(MurTableRef t, uint format, uint slot, uvec2 from, uvec2 to) {
#ifdef MUR_INT64_ATOMICS
    if (format == MUR_FORMAT_K64) {
        return unpackUint2x32(atomicCompSwap(MUR_FORMAT_WIDE(t, format, slot, 0u),
                                             packUint2x32(from), packUint2x32(to)));
    }
#endif
    uint old = atomicCompSwap(MUR_FORMAT_WORD(t, format, slot, 0u), from.x, to.x);
    return uvec2(old, old == from.x ? from.y : to.y);
}
