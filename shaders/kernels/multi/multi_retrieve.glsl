// Shared by the steps of murCmdMultiRetrieve. Scratch memory: see MurMultiPush.
// SPDX-License-Identifier: MIT

#define PUSH MurMultiPush
#include "../kernel.glsl"
#include "../scan.glsl"

uint multi_keys() {
    return mur_count_at(push.count, push.maxCount);
}

uint multi_groups(uint keys) {
    return keys / MUR_MULTI_GROUP + (keys % MUR_MULTI_GROUP != 0u ? 1u : 0u);
}

uvec2 multi_sums() {
    return mur_offset(push.scratch, push.maxCount, 2u);
}

uvec2 multi_sums_before() {
    return mur_offset(multi_sums(), multi_groups(push.maxCount), 2u);
}

void multi_output(uint at, uint value, uint keyIndex) {
    if (at < push.maxValues) {
        mur_output(push.values, at, value);
        mur_output(push.indices, at, keyIndex);
    }
}
