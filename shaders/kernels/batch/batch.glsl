// Push constants of the batch kernels, and how many items the batch has.
//
// SPDX-License-Identifier: MIT

layout(push_constant) uniform MurPush {
    MurBatchPush push;
};

uint mur_batch_count() {
    return mur_count_at(push.count, push.maxCount);
}
