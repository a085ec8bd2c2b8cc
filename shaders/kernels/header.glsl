// An empty table, 16 bytes a store: murCmdClear; its header: murCmdBuild and others.
//
// SPDX-License-Identifier: MIT

layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer MurHalfOut {
    uvec4 words;
};

const uint MUR_HEADER_STORES = MUR_HEADER_SIZE / 16u;

// Word i from the first extra slot on.
uint extra_word(MurTableRef table, uint i) {
    switch (MUR_TABLE_FORMAT(table.flags)) {
    case MUR_FORMAT_K32V32:
        return i >= 2u ? 0u : i == 0u ? MUR_EMPTY : mur_no_value(table);
    case MUR_FORMAT_K64V64:
        return i >= 4u ? 0u : i < 2u ? MUR_EMPTY : mur_no_value(table);
    default:
        return 0u;
    }
}

uint header_word(MurTableRef table, uint word) {
    switch (word) {
    case MUR_HEADER_MAGIC:
        return MUR_LAYOUT_MAGIC;
    case MUR_HEADER_VERSION:
        return MUR_LAYOUT_VERSION;
    case MUR_HEADER_CAPACITY:
        return table.capacity;
    case MUR_HEADER_SLOT_COUNT:
        return table.slotCount;
    case MUR_HEADER_SEED:
        return table.seed;
    case MUR_HEADER_FLAGS:
        return table.flags;
    case MUR_HEADER_PROBE_SECTORS:
        return table.probeSectors;
    default:
        return word >= MUR_HEADER_EXTRA ? extra_word(table, word - MUR_HEADER_EXTRA) : 0u;
    }
}

uvec4 header_words(MurTableRef table, uint store) {
    uint word = 4u * store;
    return uvec4(header_word(table, word), header_word(table, word + 1u),
                 header_word(table, word + 2u), header_word(table, word + 3u));
}

// 16 bytes of free slots.
uvec4 free_words(MurTableRef t, uint format) {
    uint none = mur_no_value(t);
    switch (format) {
    case MUR_FORMAT_K32V32:
        return uvec4(MUR_EMPTY, none, MUR_EMPTY, none);
    case MUR_FORMAT_K64V32:
        return uvec4(MUR_EMPTY, MUR_EMPTY, none, 0u);
    case MUR_FORMAT_K64V64:
        return uvec4(MUR_EMPTY, MUR_EMPTY, none, none);
    default:
        return uvec4(MUR_EMPTY);
    }
}
