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

typedef enum MurPushKind {
    MUR_PUSH_TABLE, /* a MurTableRef alone */
    MUR_PUSH_BATCH,
    MUR_PUSH_SORT,
    MUR_PUSH_UNSORT,
    MUR_PUSH_EXTRACT,
    MUR_PUSH_STATS,
    MUR_PUSH_AGE,
    MUR_PUSH_GROUP,
    MUR_PUSH_SLICES,
    MUR_PUSH_REHASH,
    MUR_PUSH_MULTI,
    MUR_PUSH_PAGER,
    MUR_PUSH_PAGES,
    MUR_PUSH_CHUNKS,
    MUR_PUSH_PAGED,
    MUR_PUSH_PAGED_OUT,
    MUR_PUSH_PAGED_KEEP,
    MUR_PUSH_PAGED_BULK,
    MUR_PUSH_WORDS
} MurPushKind;

/* Every device takes so many bytes of push constants. */
enum { MUR_PUSH_BYTES = 128 };

/* Only the table is pushed; what is in memory by then is kept for who wants to know. */
typedef struct MurPagedBulkPush {
    MurPagedRef table;
    MurPagedArguments given;
} MurPagedBulkPush;

typedef union MurPush {
    MurTableRef table;
    MurBatchPush batch;
    MurSortPush sort;
    MurUnsortPush unsort;
    MurExtractPush extract;
    MurStatsPush stats;
    MurAgePush age;
    MurGroupPush group;
    MurSlicesPush slices;
    MurRehashPush rehash;
    MurMultiPush multi;
    MurPagerPush pager;
    MurPagesPush pages;
    MurChunksPush chunks;
    MurPagedRef paged;
    MurPagedOutPush pagedOut;
    MurPagedKeepPush pagedKeep;
    MurPagedBulkPush pagedBulk;
    MurWordsPush words;
} MurPush;

/* What a kernel touches, each named like the address in its push constants. */
typedef enum MurTouches {
    MUR_TOUCHES_NONE = 0,
    MUR_TOUCHES_TABLE = 1 << 0,
    MUR_TOUCHES_SOURCE = 1 << 1,
    MUR_TOUCHES_COARSE = 1 << 1, /* sorts have no source */
    MUR_TOUCHES_KEYS = 1 << 2,
    MUR_TOUCHES_VALUES = 1 << 3,
    MUR_TOUCHES_STATUSES = 1 << 4,
    MUR_TOUCHES_SLOTS = 1 << 5,
    MUR_TOUCHES_COUNT = 1 << 6,
    MUR_TOUCHES_SCRATCH = 1 << 7,
    MUR_TOUCHES_COUNTERS = 1 << 8,
    MUR_TOUCHES_SORTED_KEYS = 1 << 9,
    MUR_TOUCHES_SORTED_VALUES = 1 << 10,
    MUR_TOUCHES_PLACES = 1 << 11,
    MUR_TOUCHES_SORTED = 1 << 12,
    MUR_TOUCHES_RESULTS = 1 << 13,
    MUR_TOUCHES_SLOT_MAP = 1 << 14,
    MUR_TOUCHES_RESULT = 1 << 15,
    MUR_TOUCHES_STATS = 1 << 16,
    MUR_TOUCHES_OFFSETS = 1 << 17,
    MUR_TOUCHES_GROUPS = 1 << 17, /* which have no offsets beside them */
    MUR_TOUCHES_INDICES = 1 << 18,
    MUR_TOUCHES_TILES = 1 << 18, /* of groups, which have no indices */
    MUR_TOUCHES_TOTAL = 1 << 19,
    MUR_TOUCHES_LEFT = 1 << 19, /* of paged tables, which have no total */
    MUR_TOUCHES_OLD_VALUES = 1 << 20,
    MUR_TOUCHES_STATUS_BITS = 1 << 21,
    MUR_TOUCHES_PAGER = 1 << 22, /* from the block on, up to the pool */
    MUR_TOUCHES_POOL = 1 << 23,
    MUR_TOUCHES_STORE = 1 << 24,
    MUR_TOUCHES_PAGES = 1 << 25,
    MUR_TOUCHES_LISTS = 1 << 26,
    MUR_TOUCHES_STATE = 1 << 27, /* of a paged table: what lies in it from there on, too */
    MUR_TOUCHES_PARTITIONS = 1 << 28,
    MUR_TOUCHES_LIVE = 1 << 29,
    MUR_TOUCHES_ERASED = 1 << 30
} MurTouches;

typedef struct MurKernelInfo {
    const char *name; /* of its pipelines */
    MurKernelKind kind;
    uint32_t group;
    uint32_t variant;
    uint32_t formats;
    MurKernelNeeds needs;
    MurPushKind push;
    uint32_t reads, writes; /* MurTouches */
} MurKernelInfo;

extern const MurKernelInfo mur_kernels[MUR_KERNEL_COUNT];

/* Of two kernels that a plan records without a barrier between them although both write the same
 * memory: the GPU lets only one of them do anything. */
bool mur_kernels_alternate(MurKernel a, MurKernel b);

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
enum {
    MUR_USES_SCRATCH = 1,
    MUR_USES_BUILD = 2,
    MUR_USES_REHASH = 4,
    MUR_USES_MULTI = 8,
    MUR_USES_GROUP = 16
};

/* Is it for tables of this format? */
bool mur_kernel_serves(MurKernel kernel, uint32_t tableFlags);

#endif
