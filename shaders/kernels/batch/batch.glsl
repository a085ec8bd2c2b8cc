// Push constants of the batch kernels, and the number of items.
// SPDX-License-Identifier: MIT

#define PUSH MurBatchPush
#include "../kernel.glsl"

// Returns the status for which the kernel sets an item's bit in MurBatch.statusBits.
uint mur_done(uint mode) {
    return mode == MUR_MODE_UPDATE ? MUR_EXISTED : MUR_INSERTED;
}

uint mur_batch_count() {
    return mur_count_at(push.count, push.maxCount);
}
