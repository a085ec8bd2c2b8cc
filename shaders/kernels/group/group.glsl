// Shared by the kernels of murCmdGroup.
// SPDX-License-Identifier: MIT

#define PUSH MurGroupPush
#include "../kernel.glsl"

const uint VALUE = KERNEL_FORMAT == MUR_FORMAT_K32V32 ? 1u : 2u; // the value's word of a slot

// Word i of the array of groups, or of scratch memory, for atomics.
#define GROUPS(i)  MurCounter(mur_offset(push.groups, i, 2u)).word
#define SCRATCH(i) MurCounter(mur_offset(push.scratch, i, 2u)).word

// Returns whether the array has `words` words from `first` on. The sum is below 2^32.
bool group_fits(uint first, uint words) {
    return first + words <= push.maxWords;
}
