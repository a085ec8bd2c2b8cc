/* SPDX-License-Identifier: MIT */
#include "touched.h"

#define SHORT(name, bit) name = 1 << (bit),
enum { MUR_TOUCHED(SHORT) NONE = 0 };

#define KERNEL(id, folder, source, kind, group, variant, family, formats, need, push, reads, \
               writes)                                                                       \
    [MUR_KERNEL_##id] = {reads, writes},
const Touched kernels_touch[MUR_KERNEL_COUNT] = {
#include <kernels/kernels.def>
};
#undef KERNEL

bool kernels_alternate(MurKernel a, MurKernel b) {
    static const MurKernel pairs[][2] = {
        {MUR_KERNEL_REHASH_SLICES, MUR_KERNEL_REHASH_DENSE},
        {MUR_KERNEL_REHASH_TWICE, MUR_KERNEL_REHASH_DENSE},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; ++i) {
        if ((pairs[i][0] == a && pairs[i][1] == b) || (pairs[i][0] == b && pairs[i][1] == a)) {
            return true;
        }
    }
    return false;
}
