/* SPDX-License-Identifier: MIT */
#include "kernels.h"

#define KERNEL(id, folder, source, kindName, groupSize, variantNumber, family, formatSet, need, \
               pushName, ...)                                                                   \
    [MUR_KERNEL_##id] = {.name = #id,                                                           \
                         .kind = MUR_KIND_##kindName,                                           \
                         .group = groupSize,                                                    \
                         .variant = variantNumber,                                              \
                         .formats = MUR_FORMATS_##formatSet,                                    \
                         .uses = MUR_USES_##family,                                             \
                         .needs = MUR_NEEDS_##need,                                             \
                         .push = MUR_PUSH_##pushName},
const MurKernelInfo mur_kernels[MUR_KERNEL_COUNT] = {
#include "kernels.def"
};
#undef KERNEL

uint32_t mur_pipeline_variant(MurKernel kernel, uint32_t tableFlags) {
    const MurKernelKind kind = mur_kernels[kernel].kind;
    const uint32_t format = MUR_SLOT_FORMAT(MUR_TABLE_FORMAT(tableFlags));
    const bool buckets = (tableFlags & MUR_TABLE_BUCKETS) != 0;
    const bool both = kind == MUR_KIND_BY_BOTH || kind == MUR_KIND_BY_WIDTH ||
                      (buckets && format == MUR_FORMAT_K64);
    const bool wide = both && tableFlags & MUR_TABLE_INT64;
    return kind == MUR_KIND_PLAIN
               ? 0
               : 2 * format + (wide ? 1 : 0) + (buckets ? 2 * MUR_SLOT_FORMATS : 0);
}

uint32_t mur_kernel_module(MurKernel kernel, uint32_t tableFlags) {
    const MurKernelKind kind = mur_kernels[kernel].kind;
    const uint32_t variant = mur_pipeline_variant(kernel, tableFlags);
    return kind == MUR_KIND_BY_CONSTANT ? 0 : kind == MUR_KIND_BY_WIDTH ? variant % 2 : variant;
}

bool mur_kernel_serves(MurKernel kernel, uint32_t tableFlags) {
    return (mur_kernels[kernel].formats >> MUR_TABLE_FORMAT(tableFlags) & 1) != 0;
}
