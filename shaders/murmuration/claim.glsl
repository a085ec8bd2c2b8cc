// Murmuration: how a key claims a slot, and how its value changes.
//
// Key words identify the key of a slot. A compare-and-swap changes a key word once, from MUR_EMPTY
// to a hash. Only operations with exclusive access free slots. Only in sets does an erase change a
// key word, to a tombstone. All probes for a hash examine the same slots in the same order. An
// insert claims the first slot that is free or its own, so no hash can claim two slots.
//   The value decides presence: an entry exists while its value differs from the table's empty
// value. Every change of the value is one atomic, whose result shows which invocation inserted or
// erased. An erase keeps the key words, so only the same key can use the slot again. Therefore
// insert and erase in one dispatch create no duplicates.
//
// A table is written with 32-bit atomics (claim the key, then publish the value) or with 64-bit
// ones, as its MUR_TABLE_INT64 flag selects, never with both. Exceptions, always written with
// 32-bit atomics: a K32 set, and the value and the tag of K64V32. In K32V32 one 64-bit atomic
// claims the key and publishes the value.
//
// K64V32 with 32-bit atomics. A half of a hash that equals MUR_EMPTY is stored as 0, and the tag
// records it. An insert claims the words one after another, each by a compare-and-swap: the low
// half, the high half and, if a stored half is 0, the tag. If a word is unclaimed or equals the
// key's, it continues with the next word; if it is another key's, with the next slot. Invocations
// never wait. An insert completes a half-claimed slot if the words match its key. Otherwise it
// passes the slot: the insert that claimed the high half, or is about to, completes it.
//
// Why no key can be lost, merged or duplicated. The proof rests on three facts:
//   1. A key word is written once, from unclaimed to a stored half (or tag); stored halves are
//      never MUR_EMPTY and tags never 0. So for each key a slot is open (every word is unclaimed or
//      the key's), own (every word is the key's), or closed (some word is another key's). A slot
//      changes from open to own or closed, and this change is final. A stale read of a word returns
//      either its final value or "unclaimed", which the compare-and-swap checks. So it does not
//      matter whether the words of a slot are read at different times, or torn.
//   2. A slot belongs to one key. The invocation that claims the high half has read its own low
//      half there, claimed by itself or by another key with the same low half, and the low half
//      never changes. So the two halves together are the stored halves of one insert, and once both
//      are set, the slot is closed to keys with other halves. If neither half is 0, one key has
//      these halves (the tag is unused, and no half was MUR_EMPTY). If one is 0, up to four keys
//      have them. All these keys claim the tag, with different tags, and one gets it: none merge.
//   3. Every insert of a key examines the same slots in the same order, and passes a slot only if
//      it is closed to the key, which is final. So if a key owns a slot, all slots before it are
//      closed to the key. Another insert of the key ends at the same slot, not before and not
//      after it: the key is not duplicated. A find passes slots that are not the key's own, and
//      ends at a slot whose halves are both unclaimed. So it passes the slots before the key's slot
//      and reaches the key: the key is not lost. If a find ends earlier, that slot was open to the
//      key when it was read, so no later slot could hold the key: "absent" is correct.
// An insert that loses a slot leaves no words of its own there: the words that it set are also
// words of the key that completes the slot. So no slot stays half-claimed when the dispatch ends.
// Only operations of the slot's owner write the value word, after its claim; before the claim it is
// the empty value. So a find that reads the key reads values of that key or "absent". The proof
// uses only the order of changes of each single word, and no order between words. For 32-bit keys
// the proof is the same with one word to claim.
// tests/interleave runs this protocol in every order of steps and breaks it in several ways.
//
// With 64-bit atomics one compare-and-swap claims both halves, the tag is claimed as above, and the
// same proof holds. K64V64 has no room for a tag and stores halves unchanged. There, an insert that
// reads an empty half lets the compare-and-swap decide, and a find of a hash with a half that may
// be a sentinel reads both halves again at once (mur_confirm).
//
// Sets. A slot changes from empty to a hash and, when the key is erased, to a tombstone, which is
// closed to every key. The key can then claim a later slot. A key never has two slots at once,
// because the invocation that claims the later slot has read the old one as closed. Except with
// MUR_NONCOHERENT_LOOKUPS, inserts report "existed" only after a coherent read or compare-and-swap.
//
// Buckets. A key's slots are the 16 of its first bucket, then the 16 of its second one, unless both
// are the same bucket; this order never wraps. Passes that free slots divide time into spans.
// Within a span a slot changes from open to own or closed, and in sets from own to closed. So facts
// 1 and 2 hold within a span. An insert reads whole buckets before it claims; fact 3 becomes:
//   - Every read of this span returns the claims of earlier spans, since barriers separate spans.
//     If a key has a slot from an earlier span, an insert reads it before it claims any: it reads
//     all of the first bucket, and all of the second if the key's bit of the filter is set, which
//     it is (see below). So slots before the key's slot may be free again without harm.
//   - In its first bucket, then its second, an insert tries in order the slots that it has read as
//     open to its key. These include half-claimed slots that match so far: one may become the key's
//     own, and an insert that passed it would claim a second slot. A slot that was read as open and
//     lost, or read as closed, is closed for the span. So if the key got its slot in this span, all
//     slots before it are closed. Another insert, however stale its reads, loses these slots and
//     ends at the same slot. That insert need not have read the second bucket or the bit: it claims
//     there only if the first bucket has no open slot left, and then it reads the second.
//   - An insert takes a slot that it read as its own before any open slot: own is final except for
//     tombstones, and an insert that loses to a tombstone returns to the order above.
// A bit of the filter is set before the first claim in the second bucket. An invocation that finds
// the key there and reads the bit unset also sets it: words are not ordered with each other, and
// after an invocation has received a key in a result, it must find the key. An erase keeps bits. A
// pass that rebuilds the filter sets them again, also for erased keys that keep their slots, since
// inserts must find those. A command with exclusive access switches from one filter to the other.
// So no needed bit is missing, and a find that trusts the filter misses no key. A find that reads
// "unset" before a concurrent insert sets the bit returns "absent" while that insert has not ended.
//   K64 with 32-bit atomics is claimed like K64V32, without a value. A low half of MUR_TOMB is
// stored as 0, with a tag of its own, so a low word of MUR_TOMB is always a tombstone. The
// invocation that claims the last word reports "inserted". If it finds all words its own, it
// reports "existed". This is correct: a tombstone is written only after all words are set, each of
// which changes once before, and the low word, which was read first, was no tombstone yet. So the
// key was present at the later of that read and the last claim.
//   Passes that free slots exclude all other work except finds and changes of retained entries'
// values, because spans end there for all invocations at once. Concurrent with such a pass,
// "closed" is not final: an insert that has passed a slot claims a later one while another insert
// claims the emptied slot (see tests/interleave). An emptied slot may keep halves of two keys.
// SPDX-License-Identifier: MIT

// Adds failures to a 64-bit count, whose low word has index `word`, by 32-bit atomics.
void mur_count(MurTableRef t, uint word, uint failures) {
    if (atomicAdd(MUR_STATE_WORD(t, word), failures) > 0xFFFFFFFFu - failures) {
        atomicAdd(MUR_STATE_WORD(t, word + 1u), 1u);
    }
}

// Must this claim update the state word? Kernels define MUR_FIRST_CLAIM as the first claim of the
// workgroup, because atomics of many invocations on one word are slow.
#ifndef MUR_FIRST_CLAIM
#define MUR_FIRST_CLAIM true
#endif

// Records in the table's state, after a claim, that the table is not sorted and may wrap. Only
// lookups that may miss concurrent inserts use the order, so a slower update before the claim is
// not needed. A stale `state` causes at most one needless atomic.
void mur_note_claim(MurTableRef t, uint home, uint slot, uint state) {
    if ((state & MUR_STATE_ORDERED) != 0u && MUR_FIRST_CLAIM) {
        atomicAnd(MUR_HEADER_WORD(t, MUR_HEADER_STATE), ~MUR_STATE_ORDERED);
    }
    if (slot < home) {
        atomicOr(MUR_HEADER_WORD(t, MUR_HEADER_STATE), MUR_STATE_WRAPPED);
    }
}

#ifdef MUR_INT64_ATOMICS
// Compare-and-swap of pair i of a slot's words by one 64-bit atomic; returns the old pair.
uvec2 mur_swap_pair(MurTableRef t, uint format, uint slot, uint i, uvec2 from, uvec2 to) {
    return unpackUint2x32(atomicCompSwap(MUR_SLOT_PAIR(t, format, slot, i), packUint2x32(from),
                                         packUint2x32(to)));
}
#endif

// Are both key words (or K32V32's key and value) written by one 64-bit atomic?
bool mur_writes_pairs(MurTableRef t, uint format) {
#ifdef MUR_INT64_ATOMICS
    return mur_is_wide(format) ||
           ((t.flags & MUR_TABLE_INT64) != 0u && format != MUR_FORMAT_K32);
#else
    return false;
#endif
}

// Does the claim complete the entry? Otherwise the value is written later. Sets have no value.
bool mur_publishes_on_claim(MurTableRef t, uint format) {
    return MUR_IS_SET(format) || (format == MUR_FORMAT_K32V32 && mur_writes_pairs(t, format));
}

// Tries to change a word from `unclaimed` to `want`; returns the old word. seen: an earlier read.
uint mur_claim_word(MurTableRef t, uvec2 base, uint at, uint seen, uint unclaimed, uint want) {
    return seen == unclaimed ? atomicCompSwap(MUR_WORD_AT(t, base, at), unclaimed, want) : seen;
}

// Tries to claim a slot for a hash. seen: an earlier read of the slot, may be stale or torn.
// Returns the old words, up to the first word of another key.
uvec4 mur_claim(MurTableRef t, uint format, uint slot, uvec4 seen, uvec4 stored, uvec2 value) {
    if (MUR_IS_SET(format) || !MUR_IS_64(format)) {
        seen = mur_free_words(); // ignores the earlier read: only the compare-and-swap decides
    }
#ifdef MUR_INT64_ATOMICS
    if (mur_writes_pairs(t, format)) {
        bool all = format == MUR_FORMAT_K32V32;
        if (all || any(equal(seen.xy, uvec2(MUR_EMPTY)))) { // else both halves are final
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

// Did the claim that returned the words `there` make the slot the hash's own?
bool mur_is_taken(MurTableRef t, uint format, uvec4 there, uvec4 stored) {
    return !MUR_IS_64(format)          ? there.x == MUR_EMPTY
           : mur_is_tagged(t, format) ? mur_is_open(format, there, stored)
                                      : there.xy == uvec2(MUR_EMPTY);
}

// Writes a tombstone to a slot of a set if the slot has the expected words; returns the old words.
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
