// Murmuration: how a key claims a slot, and how its value changes, in HLSL. The steps are those of
// claim.glsl, which proves that no key is lost, merged or duplicated. Before HLSL 2021 both sides
// of &&, || and ?: are evaluated, so they contain no writes.
// SPDX-License-Identifier: MIT

// Adds 1 to a 64-bit count of failures, whose low word has index `word`, by 32-bit atomics.
void mur_count(MUR_BUFFER table, uint word) {
    uint old;
    table.InterlockedAdd(4u * word, 1u, old);
    if (old == 0xFFFFFFFFu) {
        table.InterlockedAdd(4u * word + 4u, 1u, old);
    }
}

// Records in the table's state, after a claim, that the table is not sorted and may wrap.
void mur_note_claim(MUR_BUFFER table, uint home, uint slot, uint state) {
    uint old;
    if ((state & MUR_STATE_ORDERED) != 0u) {
        table.InterlockedAnd(4u * MUR_HEADER_STATE, ~MUR_STATE_ORDERED, old);
    }
    if (slot < home) {
        table.InterlockedOr(4u * MUR_HEADER_STATE, MUR_STATE_WRAPPED, old);
    }
}

// Compare-and-swap of the word at a byte offset; returns the old word.
uint mur_swap(MUR_BUFFER table, uint at, uint expected, uint word) {
    uint old;
    table.InterlockedCompareExchange(at, expected, word, old);
    return old;
}

// Tries to claim a slot for a hash, word by word. seen: an earlier read, which may be stale.
// Returns MUR_ABSENT if the slot belongs to another key and the probe must continue, MUR_INSERTED
// if this claim made it the hash's own, MUR_EXISTED if it was the hash's own before.
uint mur_claim_slot(MUR_BUFFER table, MurTableRef t, uint format, uint slot, uint4 seen,
                    uint4 stored) {
    bool won = false;
    [unroll] for (uint i = 0u; i < 4u; ++i) {
        if ((i == 1u && !MUR_IS_64(format)) || i == 2u || (i == 3u && stored.w == 0u)) {
            continue;
        }
        uint unclaimed = i == 3u ? 0u : MUR_EMPTY;
        uint there = seen[i];
        if (there == unclaimed) {
            there = mur_swap(table, mur_word_at(t, format, slot, i), unclaimed, stored[i]);
        }
        won = there == unclaimed;
        if (!won && there != stored[i]) {
            return MUR_ABSENT;
        }
    }
    return won ? MUR_INSERTED : MUR_EXISTED;
}

// Applies a mode to the value of a slot that a key has claimed; returns the old value.
uint mur_update_value(MUR_BUFFER table, MurTableRef t, uint format, uint slot, uint value,
                      uint mode) {
    uint at = mur_value_at(t, format, slot);
    uint old;
    switch (mode) {
    case MUR_MODE_INSERT:
        old = mur_swap(table, at, mur_empty_value(t), value);
        break;
    case MUR_MODE_ADD:
        table.InterlockedAdd(at, value, old);
        break;
    case MUR_MODE_MIN:
        table.InterlockedMin(at, value, old);
        break;
    case MUR_MODE_MAX:
        table.InterlockedMax(at, value, old);
        break;
    case MUR_MODE_OR:
        table.InterlockedOr(at, value, old);
        break;
    default:
        table.InterlockedExchange(at, value, old);
        break;
    }
    return old;
}

// Inserts into one slot of a probe. seen: an earlier read of the slot. Returns MUR_ABSENT if the
// slot belongs to another key and the probe must continue. old: the old value, for other statuses.
uint mur_insert_at(MUR_BUFFER table, MurTableRef t, uint format, uint home, uint slot, uint4 seen,
                   uint4 stored, uint value, uint mode, uint state, out uint old) {
    old = mur_empty_value(t);
    bool own = mur_is_own(seen, stored);
    // A present key keeps its value in this mode, so a coherent read of the key is sufficient.
    if (own && (MUR_IS_SET(format) || (mode == MUR_MODE_INSERT && seen.z != old))) {
        old = seen.z;
        return MUR_EXISTED;
    }
    if (!own) {
        mur_note_claim(table, home, slot, state);
    }
    uint status = mur_claim_slot(table, t, format, slot, seen, stored);
    if (status == MUR_ABSENT || MUR_IS_SET(format)) {
        return status;
    }
    old = mur_update_value(table, t, format, slot, value, mode);
    return old == mur_empty_value(t) ? MUR_INSERTED : MUR_EXISTED;
}
