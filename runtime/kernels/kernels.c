/* SPDX-License-Identifier: MIT */
#include "kernels.h"

#define KERNEL(id, folder, source, kindName, groupSize, variantNumber, family, capability, need, \
               pushName, ...)                                                                    \
    [MUR_KERNEL_##id] = {.name = #id,                                                            \
                         .kind = MUR_KIND_##kindName,                                            \
                         .group = groupSize,                                                     \
                         .variant = variantNumber,                                               \
                         .requires = MUR_TYPE_##capability,                                      \
                         .needs = MUR_NEEDS_##need,                                              \
                         .push = MUR_PUSH_##pushName},
const MurKernelInfo mur_kernels[MUR_KERNEL_COUNT] = {
#include "kernels.def"
};
#undef KERNEL

#define SET(function, id, capability, ...) \
    [MUR_SET_##id] = {"murKernels" #function, MUR_TYPE_##capability},
const MurKernelSetInfo mur_kernel_sets[MUR_SET_COUNT] = {
#include "sets.def"
};
#undef SET

uint32_t mur_pipeline_variant(MurKernel kernel, uint32_t tableFlags) {
    const MurKernelKind kind = mur_kernels[kernel].kind;
    const MurTypeInfo *type = mur_type_of(tableFlags);
    const bool byWidth = kind == MUR_KIND_BY_BOTH || kind == MUR_KIND_BY_WIDTH ||
                         mur_can(type, MUR_TYPE_SLOTS_BY_WIDTH);
    const bool wide = byWidth && tableFlags & MUR_TABLE_INT64;
    return kind == MUR_KIND_PLAIN ? 0 : type->variant + (wide ? 1 : 0);
}

uint32_t mur_kernel_module(MurKernel kernel, uint32_t tableFlags) {
    const MurKernelKind kind = mur_kernels[kernel].kind;
    const uint32_t variant = mur_pipeline_variant(kernel, tableFlags);
    return kind == MUR_KIND_BY_CONSTANT ? 0 : kind == MUR_KIND_BY_WIDTH ? variant % 2 : variant;
}

bool mur_kernel_serves(MurKernel kernel, const MurTypeInfo *type) {
    return mur_can(type, mur_kernels[kernel].requires);
}
