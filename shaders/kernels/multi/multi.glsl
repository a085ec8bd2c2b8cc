// Shared by the kernels of multi-value tables.
// SPDX-License-Identifier: MIT

// Returns the table's reference. All its properties are compile-time constants, except the width of
// its keys, which is uniform.
MurTableRef multi_table(MurTableRef table) {
    bool wide = mur_multi_is_wide(table);
    table = mur_kernel_table(table);
    table.flags |= MUR_TABLE_ZERO;
    table.flags |= wide ? MUR_FORMAT_K64V32_MULTI << MUR_TABLE_FORMAT_SHIFT : 0u;
    return table;
}

uvec2 multi_input_key(uint item) {
    if (mur_multi_is_wide(push.table)) {
        return MurPairPlain(mur_offset(push.keys, item, 3u)).pair;
    }
    return uvec2(mur_input(push.keys, item), 0u);
}
