/* The library's kernels: what each is compiled into, needs and touches. The rows are in
 * kernels.def.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_KERNELS_H
#define MUR_KERNELS_H

#include <kernels/push.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum MurKernel {
#define KERNEL(name, ...) MUR_KERNEL_##name,
#include "kernels.def"
#undef KERNEL
    MUR_KERNEL_COUNT
} MurKernel;

/* A kernel's modules: what the shader knows of the table when it is compiled. */
typedef enum MurKernelKind {
    MUR_KIND_PLAIN,       /* one; one pipeline for all tables */
    MUR_KIND_BY_CONSTANT, /* one; a pipeline by what slots look like, which is constant 2 */
    MUR_KIND_BY_WIDTH,    /* one by atomic width; likewise */
    MUR_KIND_BY_FORMAT,   /* one by what slots look like */
    MUR_KIND_BY_BOTH      /* and by atomic width */
} MurKernelKind;

/* Bits: formats of tables. */
enum {
    MUR_FORMATS_SINGLE = (1 << MUR_FORMAT_COUNT) - 1, /* one value a key */
    MUR_FORMATS_ALL = MUR_FORMATS_SINGLE | 1 << MUR_FORMAT_K64V32_MULTI,
    MUR_FORMATS_R32 = 1 << MUR_FORMAT_R32,
    MUR_FORMATS_EVERY = MUR_FORMATS_ALL | MUR_FORMATS_R32,
    MUR_FORMATS_BUCKETS = MUR_FORMATS_SINGLE & ~(1 << MUR_FORMAT_K64V64),
    MUR_FORMATS_K32V32 = 1 << MUR_FORMAT_K32V32,
    MUR_FORMATS_MULTI = 1 << MUR_FORMAT_K64V32 | 1 << MUR_FORMAT_K64V32_MULTI,
    MUR_FORMATS_GROUPED = MUR_FORMATS_K32V32 | 1 << MUR_FORMAT_K64V32,
    MUR_FORMATS_STREAMED = MUR_FORMATS_K32V32 | MUR_FORMATS_MULTI
};

/* MUR_SHARED_MEMORY bytes of it, and workgroups of MUR_LARGEST_WORKGROUP. */
enum { MUR_LARGEST_WORKGROUP = 512 };
typedef enum MurKernelNeeds { MUR_NEEDS_NOTHING, MUR_NEEDS_SHARED_MEMORY } MurKernelNeeds;

/* What is pushed. Of PAGED_BULK the table alone: what is in memory by then is kept for who wants to
 * know. */
#define MUR_PUSHED(X)                                       \
    X(TABLE, MurTableRef, table)                            \
    X(BATCH, MurBatchPush, batch)                           \
    X(SORT, MurSortPush, sort)                              \
    X(UNSORT, MurUnsortPush, unsort)                        \
    X(EXTRACT, MurExtractPush, extract)                     \
    X(STATS, MurStatsPush, stats)                           \
    X(EVICT, MurEvictPush, evict)                           \
    X(GROUP, MurGroupPush, group)                           \
    X(SLICES, MurSlicesPush, slices)                        \
    X(REHASH, MurRehashPush, rehash)                        \
    X(MULTI, MurMultiPush, multi)                           \
    X(PAGER, MurPagerPush, pager)                           \
    X(PAGES, MurPagesPush, pages)                           \
    X(CHUNKS, MurChunksPush, chunks)                        \
    X(PAGED, MurPagedRef, paged)                            \
    X(PAGED_EVICT_NEW, MurPagedEvictNewPush, pagedEvictNew) \
    X(PAGED_PERSIST, MurPagedPersistPush, pagedPersist)     \
    X(PAGED_BULK, MurPagedBulkPush, pagedBulk)              \
    X(ARGS, MurArgsPush, args)
#define MUR_PUSH(name, Type, member) MUR_PUSH_##name,
typedef enum MurPushKind { MUR_PUSHED(MUR_PUSH) MUR_PUSH_KINDS } MurPushKind;
#undef MUR_PUSH

/* Every device takes so many bytes of push constants. */
enum { MUR_PUSH_BYTES = 128 };

typedef struct MurPagedBulkPush {
    MurPagedRef table;
    MurPagedArguments given;
} MurPagedBulkPush;

#define MUR_PUSH(name, Type, member) Type member;
typedef union MurPush {
    MUR_PUSHED(MUR_PUSH)
} MurPush;
#undef MUR_PUSH

typedef struct MurKernelInfo {
    const char *name; /* of its pipelines */
    MurKernelKind kind;
    uint32_t group;
    uint32_t variant;
    uint32_t formats;
    uint32_t uses; /* MUR_USES_* that a table without which has no such kernel */
    MurKernelNeeds needs;
    MurPushKind push;
} MurKernelInfo;

extern const MurKernelInfo mur_kernels[MUR_KERNEL_COUNT];

/* Pipelines of one kernel are numbered; tables that share a number share the pipeline. */
enum { MUR_SLOT_FORMATS = MUR_FORMAT_COUNT + 1, MUR_PIPELINE_VARIANTS = 4 * MUR_SLOT_FORMATS };
uint32_t mur_pipeline_variant(MurKernel kernel, uint32_t tableFlags);
/* Which of a kernel's modules a table takes. */
uint32_t mur_kernel_module(MurKernel kernel, uint32_t tableFlags);

/* A kernel's SPIR-V; NULL where there is no such module. */
typedef struct MurKernelCode {
    MurKernel kernel;
    struct {
        const uint32_t *words;
        const size_t *bytes;
    } modules[MUR_PIPELINE_VARIANTS];
} MurKernelCode;

/* Kernels that are linked together. */
typedef struct MurFamily {
    const MurKernelCode *codes;
    uint32_t count;
} MurFamily;
extern const MurFamily mur_family_core; /* what every table has: of format K32V32, and of others */
extern const MurFamily mur_family_core_k64v32;
extern const MurFamily mur_family_core_k64v64;
extern const MurFamily mur_family_core_k32;
extern const MurFamily mur_family_core_k64;
extern const MurFamily mur_family_core_r32;
extern const MurFamily mur_family_buckets_k32v32; /* what every table in buckets has */
extern const MurFamily mur_family_buckets_k64v32;
extern const MurFamily mur_family_buckets_k32;
extern const MurFamily mur_family_buckets_k64;
extern const MurFamily mur_family_sort;   /* sorted batches */
extern const MurFamily mur_family_group;  /* groups, with sort */
extern const MurFamily mur_family_slices; /* what builds and inserts by slices share */
extern const MurFamily mur_family_insert; /* inserts by slices */
extern const MurFamily mur_family_build;
extern const MurFamily mur_family_rehash;
extern const MurFamily mur_family_multi;
extern const MurFamily mur_family_pager;
extern const MurFamily mur_family_paged;

/* What a table is made for besides the commands that every table has. */
enum { MUR_USE_FAMILIES = 3 };
struct MurUse_T {
    uint32_t bit; /* MUR_USES_* */
    const char *function;
    const MurFamily *families[MUR_USE_FAMILIES]; /* NULL after the last */
};
#define MUR_USE(name, uses, ...)                                                 \
    MurUse murUse##name(void) {                                                  \
        static const struct MurUse_T use = {                                     \
            .bit = uses, .function = "murUse" #name, .families = {__VA_ARGS__}}; \
        return &use;                                                             \
    }
enum {
    MUR_USES_SCRATCH = 1,
    MUR_USES_BUILD = 2,
    MUR_USES_REHASH = 4,
    MUR_USES_MULTI = 8,
    MUR_USES_GROUP = 16,
    /* By family: those above; those of others, which are listed for what names the family. */
    MUR_USES_MOVE = MUR_USES_REHASH,
    MUR_USES_CORE = 0,
    MUR_USES_BUCKETS = 0,
    MUR_USES_SORT = 0,
    MUR_USES_SLICES = 0,
    MUR_USES_INSERT = 0,
    MUR_USES_PAGER = 0,
    MUR_USES_PAGED = 0
};

/* Is it for tables of this format? */
bool mur_kernel_serves(MurKernel kernel, uint32_t tableFlags);

#endif
