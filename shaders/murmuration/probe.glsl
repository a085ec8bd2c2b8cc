// Murmuration: the slots of an insert's probe. Why so: see claim.glsl.
// SPDX-License-Identifier: MIT

// One slot of an insert's probe, whose key word was last seen as seen: the hash, or MUR_EMPTY.
// held: its value word at that time. Returns a MUR_* status, or MUR_ABSENT if the slot belongs to
// another key and the probe must go on. old: the value that was there, if it is not MUR_ABSENT.
uint mur_insert_at(MurTableRef t, uint home, uint slot, uint seen, uint held, uint hash, uint value,
                   uint mode, uint state, out uint old) {
    old = mur_no_value(t);
    if (seen != hash) {
        seen = mur_claim(t, slot, hash, value);
        if (seen == MUR_EMPTY) {
            mur_note_claim(t, home, slot, state);
            if (mur_publishes_on_claim(t)) {
                return MUR_INSERTED;
            }
            seen = hash;
        }
    }
    if (seen != hash) {
        return MUR_ABSENT;
    }
    // A key that is there keeps its value: to have seen that it has one, coherently, is enough.
    if (mode == MUR_MODE_KEEP) {
#ifdef MUR_PLAIN_LOOKUPS
        old = held;
#else
        old = mur_pair(t, slot).y;
#endif
        if (old != mur_no_value(t)) {
            return MUR_EXISTED;
        }
    }
    old = mur_apply(t, slot, hash, value, mode);
    return old == mur_no_value(t) ? MUR_INSERTED : MUR_EXISTED;
}
