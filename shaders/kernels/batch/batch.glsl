// Push constants of the batch kernels, and the number of items.
//
// SPDX-License-Identifier: MIT

layout(push_constant) uniform MurPush {
    MurBatchPush push;
};

// Returns the status of an insert that sets an item's bit.
uint mur_done(uint mode) {
    return mode == MUR_MODE_UPDATE ? MUR_EXISTED : MUR_INSERTED;
}

uint mur_batch_count() {
    return mur_count_at(push.count, push.maxCount);
}
