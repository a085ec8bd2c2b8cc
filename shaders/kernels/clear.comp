#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdClear: every slot and the header, one 32-byte sector an invocation, the header's being the
// first eight. The state starts at 0: an empty table is in order, but saying so would gain no lookup
// anything and make the first inserts all rush to unsay it (measured: 5 us at 2^18 inserts).
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "../murmuration.glsl"
#include "kernel.glsl"

layout(push_constant) uniform MurPush {
    MurTableRef table;
};

layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer MurSectorOut {
    uvec4 low;
    uvec4 high;
};

const uint MUR_HEADER_SECTORS = MUR_HEADER_SIZE / 32u;

uint header_word(uint word) {
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
    case MUR_HEADER_EXTRA:
        return MUR_EMPTY;
    case MUR_HEADER_EXTRA + 1u:
        return mur_no_value(table);
    default:
        return 0u;
    }
}

uvec4 header_words(uint word) {
    return uvec4(header_word(word), header_word(word + 1u), header_word(word + 2u),
                 header_word(word + 3u));
}

void main() {
    uint item;
    if (!mur_item(MUR_HEADER_SECTORS + table.slotCount / MUR_SECTOR_SLOTS, item)) {
        return;
    }
    MurSectorOut sector = MurSectorOut(mur_offset(table.address, item, 5u));
    if (item < MUR_HEADER_SECTORS) {
        sector.low = header_words(8u * item);
        sector.high = header_words(8u * item + 4u);
    } else {
        uvec4 free = uvec2(MUR_EMPTY, mur_no_value(table)).xyxy;
        sector.low = free;
        sector.high = free;
    }
}
