// Returns the words that the memory of an empty table contains, 16 bytes at a time.
// SPDX-License-Identifier: MIT

layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer MurHalfOut {
    uvec4 words;
};

const uint MUR_HEADER_STORES = MUR_HEADER_SIZE / 16u;

// Returns words 4 * store to 4 * store + 3 of an empty table's header (MUR_HEADER_*).
uvec4 header_words(MurTableRef table, uint store) {
    uint none = mur_empty_value(table);
    uint format = MUR_TABLE_FORMAT(table.flags);
    switch (store) {
    case MUR_HEADER_MAGIC / 4u:
        return uvec4(MUR_LAYOUT_MAGIC, MUR_LAYOUT_VERSION, 0u, table.capacity);
    case MUR_HEADER_SLOT_COUNT / 4u:
        return uvec4(table.slotCount, table.seed, table.flags, table.probeSectors);
    case MUR_HEADER_EXTRA / 4u:
        return format == MUR_FORMAT_K32V32   ? uvec4(MUR_EMPTY, none, 0u, 0u)
               : MUR_HAS_WIDE_VALUES(format) ? uvec4(MUR_EMPTY, MUR_EMPTY, none, none)
                                             : uvec4(0u);
    default:
        return uvec4(0u);
    }
}

uint header_word(MurTableRef table, uint word) {
    return header_words(table, word / 4u)[word % 4u];
}

// Returns 16 bytes of free slots.
uvec4 free_words(MurTableRef t, uint format) {
    uint none = mur_empty_value(t);
    switch (format) {
    case MUR_FORMAT_K32V32:
        return uvec4(MUR_EMPTY, none, MUR_EMPTY, none);
    case MUR_FORMAT_R32:
        return uvec4(MUR_EMPTY, 0u, MUR_EMPTY, 0u);
    case MUR_FORMAT_K64V32:
        return uvec4(MUR_EMPTY, MUR_EMPTY, none, 0u);
    default:
        return MUR_HAS_WIDE_VALUES(format) ? uvec4(MUR_EMPTY, MUR_EMPTY, none, none)
                                           : uvec4(MUR_EMPTY);
    }
}
