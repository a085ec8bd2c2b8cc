// Push constants of the batch kernels, and how many items the batch has.
//
// SPDX-License-Identifier: MIT

layout(push_constant) uniform MurPush {
    MurBatchPush push;
};

uint mur_batch_count() {
    if (!mur_wanted(push.count)) {
        return push.maxCount;
    }
    return min(mur_input(push.count, 0u), push.maxCount);
}
