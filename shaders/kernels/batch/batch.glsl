// Push constants of the batch kernels, and how many items the batch has.
//
// SPDX-License-Identifier: MIT

layout(push_constant) uniform MurPush {
    MurBatchPush push;
};

// The status of an insert whose mode had its effect: it sets an item's bit.
uint mur_done(uint mode) {
    return mode == MUR_MODE_UPDATE ? MUR_EXISTED : MUR_INSERTED;
}

uint mur_batch_count() {
    return mur_count_at(push.count, push.maxCount);
}
