/* The code of one family's kernels. The including file defines MUR_FAMILY, the symbol of the
 * family, and its macro of the list below, MUR_IN_NAME, to give the row.
 *
 * SPDX-License-Identifier: MIT */
#include "kernels.h"

#ifndef MUR_IN_CORE
#define MUR_IN_CORE(...)
#endif
#ifndef MUR_IN_SORT
#define MUR_IN_SORT(...)
#endif
#ifndef MUR_IN_SLICES
#define MUR_IN_SLICES(...)
#endif
#ifndef MUR_IN_INSERT
#define MUR_IN_INSERT(...)
#endif
#ifndef MUR_IN_BUILD
#define MUR_IN_BUILD(...)
#endif
#ifndef MUR_IN_REHASH
#define MUR_IN_REHASH(...)
#endif
#ifndef MUR_IN_RECLAIM
#define MUR_IN_RECLAIM(...)
#endif
#ifndef MUR_IN_MULTI
#define MUR_IN_MULTI(...)
#endif
#ifndef MUR_IN_PAGER
#define MUR_IN_PAGER(...)
#endif
#ifndef MUR_IN_PAGED
#define MUR_IN_PAGED(...)
#endif
#ifndef MUR_IN_MULTI_SORT
#define MUR_IN_MULTI_SORT(...)
#endif

/* Of each kind, the modules' names, as kernels.cmake makes them. */
#define MUR_MODULES_PLAIN(DO, source)       DO(source)
#define MUR_MODULES_BY_CONSTANT(DO, source) DO(source)
#define MUR_MODULES_BY_WIDTH(DO, source)    DO(source##_32) DO(source##_64)
#define MUR_MODULES_BY_SLOT(DO, source)     DO(source) DO(source##_k64v32)
#define MUR_MODULES_BY_FORMAT(DO, source)   DO(source) DO(source##_of_32) DO(source##_of_64)
#define MUR_MODULES_BY_BOTH(DO, source) \
    DO(source##_32) DO(source##_64) DO(source##_of_32) DO(source##_of_64)

#define MUR_DECLARE_MODULE(module)            \
    extern const uint32_t mur_spv_##module[]; \
    extern const size_t mur_spv_##module##_size;
#define MUR_NAME_MODULE(module) {mur_spv_##module, &mur_spv_##module##_size},

#define KERNEL(id, folder, source, kind, group, variant, family, ...) \
    MUR_IN_##family(MUR_MODULES_##kind(MUR_DECLARE_MODULE, source))
#include "kernels.def"
#undef KERNEL

static const MurKernelCode codes[] = {
#define KERNEL(id, folder, source, kind, group, variant, family, ...) \
    MUR_IN_##family({MUR_KERNEL_##id, {MUR_MODULES_##kind(MUR_NAME_MODULE, source)}}, )
#include "kernels.def"
#undef KERNEL
};

const MurFamily MUR_FAMILY = {codes, sizeof codes / sizeof codes[0]};
