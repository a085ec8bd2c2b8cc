// The keys and values of a kernel compiled for a format, K32V32 or the one that MUR_KERNEL_FORMAT
// names: words, pairs of words, or, in sets, no values. And its table, so described that the
// compiler knows the format and the atomic width.
//
// SPDX-License-Identifier: MIT

#ifdef MUR_KERNEL_FORMAT
const uint KERNEL_FORMAT = MUR_KERNEL_FORMAT;
#else
const uint KERNEL_FORMAT = MUR_FORMAT_K32V32;
#endif

uvec2 mur_input_key(uvec2 array, uint i) {
    if (MUR_IS_64(KERNEL_FORMAT)) {
        return MurPairPlain(mur_offset(array, i, 3u)).pair;
    }
    return uvec2(mur_input(array, i), 0u);
}

uvec2 mur_input_value(uvec2 array, uint i) {
    if (MUR_IS_SET(KERNEL_FORMAT)) {
        return uvec2(0u);
    }
    if (KERNEL_FORMAT == MUR_FORMAT_K64V64) {
        return MurPairPlain(mur_offset(array, i, 3u)).pair;
    }
    return uvec2(mur_input(array, i), 0u);
}

void mur_output_pair(uvec2 array, uint i, bool both, uvec2 pair) {
    if (!both) {
        mur_output(array, i, pair.x);
    } else if (mur_wanted(array)) {
        MurPairOut(mur_offset(array, i, 3u)).pair = pair;
    }
}

void mur_output_key(uvec2 array, uint i, uvec2 key) {
    mur_output_pair(array, i, MUR_IS_64(KERNEL_FORMAT), key);
}

void mur_output_value(uvec2 array, uint i, uvec2 value) {
    if (!MUR_IS_SET(KERNEL_FORMAT)) {
        mur_output_pair(array, i, KERNEL_FORMAT == MUR_FORMAT_K64V64, value);
    }
}

MurTableRef mur_kernel_table(MurTableRef table) {
    table.flags &= MUR_TABLE_ZERO;
    table.flags |= KERNEL_FORMAT << MUR_TABLE_FORMAT_SHIFT;
#ifdef MUR_INT64_ATOMICS
    table.flags |= MUR_TABLE_INT64;
#endif
    return table;
}
