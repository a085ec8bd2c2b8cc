// Murmuration: how a key claims a slot, and what becomes of its value.
//
// Key words name the slot: they go from MUR_EMPTY to a hash once, by compare-and-swap, and never
// change again until the table is cleared or rebuilt, which want it to themselves; in sets alone
// the key that is erased leaves a tombstone. All probes for a hash examine the same slots in the
// same order and stop at the first that is free or its own, so no two slots can be claimed for the
// same hash.
//   The value decides presence: an entry exists while it differs from the table's empty value,
// and every change of it is one atomic, whose result tells who inserted and who erased. Erasing
// keeps the key words, so only the same key can use the slot again: that is what makes insert and
// erase in one dispatch free of duplicates.
//
// A table is written with 32-bit atomics (claim the key, then publish the value) or with 64-bit
// ones, as its MUR_TABLE_INT64 flag says, never with both; but that a K32 set is written with
// 32-bit ones in any case, and the value and the tag of K64V32. In K32V32 a 64-bit one claims the
// key and publishes the value at once.
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
// the empty value. So a find that sees the key sees values of that key or "absent". All this
// leans on the order of changes of single words, and on no order between words. 32-bit keys are the
// same with one word to claim.
// tests/interleave runs this protocol in every order of steps and breaks it in several ways.
//
// With 64-bit atomics both halves are claimed by one compare-and-swap, the tag as above, and the
// same reasoning holds. K64V64 has no room for a tag and stores halves as they are: there, an
// insert that sees an empty half lets the compare-and-swap tell, and a find that sees a hash with
// an empty half reads both at once (mur_probe).
//
// Sets. A slot goes from empty to a hash and, when the key is erased, to a tombstone, which is
// closed to every key. The key can then claim a later slot; two at once it never has, because
// whoever claims the later one has seen this one closed. What an insert reports is what its
// compare-and-swap found, since a key that a plain read shows may have been erased.
//
// Buckets. A key's slots are the 16 of its first bucket, then the 16 of its second one, unless that
// is the first; in between nothing wraps. An insert reads whole buckets before it claims, so facts
// 1 and 2 hold as they are, and the third becomes this. Time is cut into spans by the passes that
// free slots; within a span a slot goes from open to own or closed, and in sets from own to closed.
//   - What was claimed in an earlier span every read of this one shows, since barriers lie between.
//     If a key has a slot from then, an insert sees it before it claims any: it looks for its key
//     in all of the first bucket, and in all of the second if its bit is set, which it is (below).
//     That is what makes it harmless that slots before it are free again.
//   - In its first bucket, then its second, an insert tries the slots in order that it has seen
//     open to its key, half-claimed ones that match so far among them: such a slot may become the
//     key's own, and who passed it would claim a second one. Seen open and lost, or seen closed, is
//     closed for the span. So if a key got its slot in this span, all before it are closed, and
//     another insert, however stale what it read, loses those and ends at the same slot. It need
//     not have seen the second bucket, nor the bit: to claim there it comes from a first one with
//     no open slot left, and reads the second then.
//   - What it takes for its own it takes before any open slot: own is final but for tombstones, and
//     to lose to one of them leads back to the order above.
// A bit of the filter is set before the first claim in the second bucket, and by whoever finds the
// key there and reads the bit unset: words have no order among each other, and an invocation that
// was told of a key finds it from then on. An erase leaves bits; a pass of a rebuild sets them
// anew, for erased keys that keep their slots, too, since an insert is to find those. Between both
// filters lies a command, with nobody else at work. So no bit is missing, and a find that trusts it
// misses no key; one that reads "unset" beside the insert that sets it says "absent" of a key whose
// insert has not ended.
//   K64 by 32-bit atomics is claimed as K64V32 is, without a value. A half of MUR_TOMB is stored as
// 0, with a tag of its own, so that a low word of MUR_TOMB is a tombstone whatever stands beside
// it. Who wins the last word has inserted. Who finds all words its own says "existed", and that is
// true: a tombstone comes only when all words are there, they change once before it, and the low
// word, read first, was not one yet; so at the later of that read and the last claim the key was
// there.
//   Frees need the table to themselves, but for finds and values of entries that stay, because
// spans end there for everybody at once: beside a free, "closed" is not for ever, an insert that
// has passed the slot claims a later one while another claims this one, and of a slot that is
// emptied word by word halves of two keys may remain. tests/interleave shows both.
//
// SPDX-License-Identifier: MIT

// Counts failures in the header: a 64-bit count by 32-bit atomics.
void mur_count(MurTableRef t, uint word, uint failures) {
    if (atomicAdd(MUR_STATE_WORD(t, word), failures) > 0xFFFFFFFFu - failures) {
        atomicAdd(MUR_STATE_WORD(t, word + 1u), 1u);
    }
}

// Is this the first claim that a group of invocations knows of? The library's kernels have
// something better: atomics of many invocations on one word take their time.
#ifndef MUR_FIRST_CLAIM
#define MUR_FIRST_CLAIM true
#endif

// Notes, once a slot is claimed, what that makes untrue or true of the whole table. Lookups that
// rely on the order run in later dispatches, so it need not come first, which would cost time, and
// a stale read of the state costs an atomic at worst.
void mur_note_claim(MurTableRef t, uint home, uint slot, uint state) {
    if ((state & MUR_STATE_ORDERED) != 0u && MUR_FIRST_CLAIM) {
        atomicAnd(MUR_HEADER_WORD(t, MUR_HEADER_STATE), ~MUR_STATE_ORDERED);
    }
    if (slot < home) {
        atomicOr(MUR_HEADER_WORD(t, MUR_HEADER_STATE), MUR_STATE_WRAPPED);
    }
}

#ifdef MUR_INT64_ATOMICS
// Compare-and-swap of a slot's pair of words i; returns what was there.
uvec2 mur_swap_pair(MurTableRef t, uint format, uint slot, uint i, uvec2 from, uvec2 to) {
    return unpackUint2x32(atomicCompSwap(MUR_SLOT_PAIR(t, format, slot, i), packUint2x32(from),
                                         packUint2x32(to)));
}
#endif

// Are key words (and K32V32's value) written in pairs, both at once?
bool mur_writes_pairs(MurTableRef t, uint format) {
#ifdef MUR_INT64_ATOMICS
    return mur_is_wide(format) ||
           ((t.flags & MUR_TABLE_INT64) != 0u && format != MUR_FORMAT_K32);
#else
    return false;
#endif
}

// Does a claim make the entry whole? Sets have no value that is to follow.
bool mur_publishes_on_claim(MurTableRef t, uint format) {
    return MUR_IS_SET(format) || (format == MUR_FORMAT_K32V32 && mur_writes_pairs(t, format));
}

// Tries to claim a word, last seen as seen, for want; returns what was there.
uint mur_claim_word(MurTableRef t, uvec2 base, uint at, uint seen, uint unclaimed, uint want) {
    return seen == unclaimed ? atomicCompSwap(MUR_WORD_AT(t, base, at), unclaimed, want) : seen;
}

// Tries to claim a slot, last seen as seen by a read that may be stale, or torn. Returns the words
// that were there, as far as it has looked: see mur_is_taken.
uvec4 mur_claim(MurTableRef t, uint format, uint slot, uvec4 seen, uvec4 stored, uvec2 value) {
    if (MUR_IS_SET(format) || !MUR_IS_64(format)) {
        seen = mur_free_words(); // let the compare-and-swap tell
    }
#ifdef MUR_INT64_ATOMICS
    if (mur_writes_pairs(t, format)) {
        bool all = format == MUR_FORMAT_K32V32;
        if (all || any(equal(seen.xy, uvec2(MUR_EMPTY)))) { // with no half empty it is final
            seen.xy = mur_swap_pair(t, format, slot, 0u,
                                    uvec2(MUR_EMPTY, all ? mur_empty_value(t) : MUR_EMPTY),
                                    uvec2(stored.x, all ? value.x : stored.y));
        }
    } else
#endif
    {
        uvec2 base = mur_slot_base(t, format, slot);
        uint at = mur_slot_index(t, format, slot);
        seen.x = mur_claim_word(t, base, at, seen.x, MUR_EMPTY, stored.x);
        if (MUR_IS_64(format) && (seen.x == MUR_EMPTY || seen.x == stored.x)) {
            seen.y = mur_claim_word(t, base, at + 1u, seen.y, MUR_EMPTY, stored.y);
        }
    }
    if (stored.w != 0u && mur_is_open(format, seen, stored)) {
        seen.w = mur_claim_word(t, mur_word_base(t, format, slot, 3u),
                                mur_word_index(t, format, slot, 3u), seen.w, 0u, stored.w);
    }
    return seen;
}

// Is the slot now the hash's own because of the claim that has returned these words?
bool mur_is_taken(MurTableRef t, uint format, uvec4 there, uvec4 stored) {
    return !MUR_IS_64(format)          ? there.x == MUR_EMPTY
           : mur_is_tagged(t, format) ? mur_is_open(format, there, stored)
                                      : there.xy == uvec2(MUR_EMPTY);
}

// A tombstone for the key in a set's slot, if it is the one expected; returns what was there.
uvec2 mur_bury(MurTableRef t, uint format, uint slot, uvec2 expected) {
    const uvec2 tomb = uvec2(MUR_TOMB, MUR_EMPTY);
#ifdef MUR_INT64_ATOMICS
    if (mur_writes_pairs(t, format)) {
        return mur_swap_pair(t, format, slot, 0u, expected, tomb);
    }
#endif
    uint old = atomicCompSwap(MUR_SLOT_WORD(t, format, slot, 0u), expected.x, tomb.x);
    return uvec2(old, old == expected.x ? expected.y : tomb.y);
}
