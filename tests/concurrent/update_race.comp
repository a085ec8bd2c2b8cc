#version 450
#extension GL_GOOGLE_include_directive : require
// Updates keys that change between read and exchange (update_race.h). FORMAT: MUR_FORMAT_*.
// SPDX-License-Identifier: MIT
#include "update_race.h"
void race(MurTableRef t, uint slot);
#define MUR_UPDATE_RACE(t, slot) race(t, slot);
#if FORMAT == 4
#define MUR_VALUES_64
#define Value        uvec2
#define VALUE(low)   uvec2(low, ~(low))
#define LOW(value)   ((value).x)
#define WHOLE(value) ((value).y == ~(value).x || (value).y == (value).x)
#else
#if FORMAT == 1
#define MUR_KEYS_64
#endif
#define Value        uint
#define VALUE(low)   (low)
#define LOW(value)   (value)
#define WHOLE(value) true
#endif
#include "murmuration.glsl"

layout(local_size_x = RACE_GROUP) in;
layout(push_constant) uniform Push {
    RacePush push;
};
layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer Results {
    RaceResult results[];
};

// The first key lives in the sentinel slot, if the format has one.
#if FORMAT == 0
uint key_of(uint item) {
    return item == 0u ? mur_key(MUR_EMPTY, push.table.seed) : item;
}
#else
uvec2 key_of(uint item) {
    return item == 0u ? mur_key64(uvec2(MUR_EMPTY), push.table.seed) : uvec2(item, item & 3u);
}
#endif

uint races = 0u;

void race(MurTableRef t, uint slot) {
    uint kind = push.kind;
    ++races;
    if (kind == RACE_ERASE || (kind == RACE_RETURN && races == 1u)) {
#if FORMAT == 4
        mur_slot_exchange(t, slot, mur_none(t, MUR_FORMAT_K64V64));
#else
        mur_slot_exchange(t, slot, mur_empty_value(t));
#endif
    }
    if (kind == RACE_ALWAYS || (kind == RACE_OFTEN && races < MUR_UPDATE_TRIES) ||
        ((kind == RACE_ONCE || kind == RACE_RETURN) && races == 1u)) {
        mur_slot_exchange(t, slot, VALUE(RACE_OTHER + races));
    }
}

void main() {
    uint item = gl_GlobalInvocationID.x;
    RaceResult r;
    Value old, after;
    mur_assign(push.table, key_of(item), VALUE(RACE_FIRST), r.inserted);
    r.status = mur_update(push.table, key_of(item), VALUE(RACE_UPDATED), r.slot, old);
    r.present = mur_find(push.table, key_of(item), after) ? 1u : 0u;
    r.old = LOW(old);
    r.after = LOW(after);
    r.races = races;
    r.torn = WHOLE(old) && WHOLE(after) ? 0u : 1u;
    Results(push.results).results[item] = r;
}
