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
#include "header.glsl"

void main() {
    uint item;
    if (!mur_item(MUR_HEADER_SECTORS + table.slotCount / MUR_SECTOR_SLOTS, item)) {
        return;
    }
    if (item < MUR_HEADER_SECTORS) {
        write_header(table, item);
    } else {
        MurSectorOut sector = MurSectorOut(mur_offset(table.address, item, 5u));
        uvec4 free = uvec2(MUR_EMPTY, mur_no_value(table)).xyxy;
        sector.low = free;
        sector.high = free;
    }
}
