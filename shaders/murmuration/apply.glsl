// Murmuration: how the value in a slot changes. claim.glsl explains why this is correct.
// SPDX-License-Identifier: MIT

// Compare-and-swap of the value in a slot that the hash has claimed. Returns the old value. hash:
// the low word of the hash, in the form that the slot stores.
uvec2 mur_swap_value(MurTableRef t, uint format, uint slot, uint hash, uvec2 expected,
                     uvec2 value) {
#ifdef MUR_INT64_ATOMICS
    if (MUR_HAS_WIDE_VALUES(format)) {
        return mur_swap_pair(t, format, slot, 1u, expected, value);
    }
    if (mur_publishes_on_claim(t, format)) {
        uvec2 old = mur_swap_pair(t, format, slot, 0u, uvec2(hash, expected.x),
                                  uvec2(hash, value.x));
        return uvec2(old.y, 0u);
    }
#endif
    uint i = format == MUR_FORMAT_K32V32 ? 1u : 2u;
    return uvec2(atomicCompSwap(MUR_SLOT_WORD(t, format, slot, i), expected.x, value.x), 0u);
}

uint mur_apply_word(MurTableRef t, uint format, uint slot, uint value, uint mode) {
    const uint i = format == MUR_FORMAT_K32V32 ? 1u : 2u;
    uvec2 base = mur_word_base(t, format, slot, i);
    uint at = mur_word_index(t, format, slot, i);
    switch (mode) {
    case MUR_MODE_ADD:
        return atomicAdd(MUR_WORD_AT(t, base, at), value);
    case MUR_MODE_MIN:
        return atomicMin(MUR_WORD_AT(t, base, at), value);
    case MUR_MODE_MAX:
        return atomicMax(MUR_WORD_AT(t, base, at), value);
    case MUR_MODE_OR:
        return atomicOr(MUR_WORD_AT(t, base, at), value);
    default:
        return atomicExchange(MUR_WORD_AT(t, base, at), value);
    }
}

#ifdef MUR_INT64_ATOMICS
// Applies a mode (MUR_MODE_*) to two words at once: a slot of K32V32, or a value of K64V64. Returns
// the old words.
uvec2 mur_apply_pair(MurTableRef t, uint format, uint slot, uvec2 pair, uint mode) {
    const uint i = format == MUR_FORMAT_K32V32 ? 0u : 1u;
    uvec2 base = mur_slot_base(t, format, slot);
    uint at = mur_slot_index(t, format, slot) / 2u + i;
    uint64_t operand = packUint2x32(pair);
    uint64_t old;
    switch (mode) {
    case MUR_MODE_ADD:
        old = atomicAdd(MUR_WIDE_AT(t, base, at), operand);
        break;
    case MUR_MODE_MIN:
        old = atomicMin(MUR_WIDE_AT(t, base, at), operand);
        break;
    case MUR_MODE_MAX:
        old = atomicMax(MUR_WIDE_AT(t, base, at), operand);
        break;
    case MUR_MODE_OR:
        old = atomicOr(MUR_WIDE_AT(t, base, at), operand);
        break;
    default:
        old = atomicExchange(MUR_WIDE_AT(t, base, at), operand);
        break;
    }
    return unpackUint2x32(old);
}
#endif

// Applies a mode (MUR_MODE_*) to the value in a slot of the hash. Returns the replaced value.
uvec2 mur_apply(MurTableRef t, uint format, uint slot, uint hash, uvec2 value, uint mode) {
    if (mode == MUR_MODE_INSERT) {
        return mur_swap_value(t, format, slot, hash, mur_none(t, format), value);
    }
#ifdef MUR_INT64_ATOMICS
    if (MUR_HAS_WIDE_VALUES(format)) {
        return mur_apply_pair(t, format, slot, value, mode);
    }
    if (mur_publishes_on_claim(t, format)) {
        // Of the 64 bits, the value is the high half: the carry of an addition is lost and does not
        // change the key, and minimum and maximum compare the values, because the key halves are
        // equal.
        uvec2 pair = uvec2(mode == MUR_MODE_ADD ? 0u : hash, value.x);
        return uvec2(mur_apply_pair(t, format, slot, pair, mode).y, 0u);
    }
#endif
    return uvec2(mur_apply_word(t, format, slot, value.x, mode), 0u);
}
