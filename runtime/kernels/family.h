/* Families of SPIR-V modules. The build writes a C file per family, which includes only this
 * header: if these files included Vulkan's headers, they would take 4 s to compile.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_FAMILY_H
#define MUR_FAMILY_H

#include "../types/names.h"

#include <stddef.h>
#include <stdint.h>

typedef enum MurKernel {
#define KERNEL(name, ...) MUR_KERNEL_##name,
#include "kernels.def"
#undef KERNEL
    MUR_KERNEL_COUNT
} MurKernel;

/* A SPIR-V module of a kernel, for tables for which mur_kernel_module returns its number. */
typedef struct MurKernelCode {
    MurKernel kernel;
    uint32_t module;
    const uint32_t *words;
    const size_t *bytes;
} MurKernelCode;
#define MUR_MODULE(type, wide) (2 * MUR_TYPE_##type + (wide))

/* Modules that are linked together. */
typedef struct MurFamily {
    const MurKernelCode *codes;
    uint32_t count;
} MurFamily;

#endif
