// Changes an entry once, just before murCmdEraseWhere erases it. The low two bits of its value (of
// a set: of its key) select one of the changes in race.h. See erase_where_test.c.
// SPDX-License-Identifier: MIT
#include "race.h"

void race_erase_key(uint lane, uint slot) {
    if (slot >= push.table.slotCount) {
        atomicExchange(MUR_STATE_WORD(push.table, MUR_HEADER_EXTRA + lane), 0u);
    } else {
        mur_bury(push.table, KERNEL_FORMAT, slot, words_in(lane).xy);
    }
}

void race_assign(uint lane, uint slot, uvec2 value) {
    uint hash = words_in(lane).x;
    mur_apply(push.table, KERNEL_FORMAT, slot, hash, value, MUR_MODE_ASSIGN);
}

void race(uint lane, uint slot) {
    uint none = mur_empty_value(push.table);
    uvec2 value = value_in(lane);
    if (MUR_IS_SET(KERNEL_FORMAT)) {
        if ((key_in(lane).x & 3u) == RACE_ERASE) {
            race_erase_key(lane, slot);
        }
        return;
    }
    switch (value.x & 3u) {
    case RACE_CHANGE:
        race_assign(lane, slot, value + uvec2(RACE_CHANGE_BY, 1u));
        break;
    case RACE_SAVE:
        race_assign(lane, slot, value + uvec2(RACE_SAVE_BY, 0u));
        break;
    case RACE_ERASE:
        race_assign(lane, slot, uvec2(none));
        break;
    }
}
