/* The library's kernels: SPIR-V modules, requirements, push constants. kernels.def has a row per
 * kernel, sets.def a row per kernel set.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_KERNELS_H
#define MUR_KERNELS_H

#include <kernels/push.h>

#include "../types/types.h"
#include "family.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Modules and pipelines of a kernel. With MUR_TYPE_SLOTS_BY_WIDTH, BY_FORMAT is BY_BOTH. */
typedef enum MurKernelKind {
    MUR_KIND_PLAIN,       /* one module; one pipeline for all tables */
    MUR_KIND_BY_CONSTANT, /* one module; one pipeline per format, which is constant 2 */
    MUR_KIND_BY_WIDTH,    /* one module per atomic width; one pipeline per format and width */
    MUR_KIND_BY_FORMAT,   /* one module per table type */
    MUR_KIND_BY_BOTH      /* one module per table type and atomic width */
} MurKernelKind;

/* Requirements of kernels. MUR_NEEDS_SHARED_MEMORY: MUR_SHARED_MEMORY bytes of shared memory, and
 * workgroups of MUR_LARGEST_WORKGROUP invocations. */
enum { MUR_LARGEST_WORKGROUP = 512 };
typedef enum MurKernelNeeds {
    MUR_NEEDS_NOTHING,
    MUR_NEEDS_SHARED_MEMORY,
    MUR_NEEDS_REHASH /* the table must have the kernel set of murKernelsRehash() */
} MurKernelNeeds;

/* The structs of push constants. Only the member table of PAGED_BULK is pushed. Plans store its
 * other members for tests, although kernels read them from memory. */
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
    X(MIRROR, MurMirrorPush, mirror)                        \
    X(ARGS, MurArgsPush, args)
#define MUR_PUSH(name, Type, member) MUR_PUSH_##name,
typedef enum MurPushKind { MUR_PUSHED(MUR_PUSH) MUR_PUSH_KINDS } MurPushKind;
#undef MUR_PUSH

/* Bytes of push constants that every device supports. */
enum { MUR_PUSH_BYTES = 128 };

typedef struct MurPagedBulkPush {
    MurPagedRef table;
    MurPagedArguments given;
} MurPagedBulkPush;

#define MUR_PUSH(name, Type, member) \
    MUR_STATIC_ASSERT(sizeof(Type) <= MUR_PUSH_BYTES || MUR_PUSH_##name == MUR_PUSH_PAGED_BULK);
MUR_PUSHED(MUR_PUSH)
#undef MUR_PUSH

#define MUR_PUSH(name, Type, member) Type member;
typedef union MurPush {
    MUR_PUSHED(MUR_PUSH)
} MurPush;
#undef MUR_PUSH

typedef struct MurKernelInfo {
    const char *name; /* part of the names of its pipelines */
    MurKernelKind kind;
    uint32_t group;
    uint32_t variant;
    uint32_t requires; /* MUR_TYPE_*: capabilities of the table's type */
    MurKernelNeeds needs;
    MurPushKind push;
} MurKernelInfo;

extern const MurKernelInfo mur_kernels[MUR_KERNEL_COUNT];

/* Returns the number of the kernel's pipeline for a table. Tables with equal numbers share it. */
enum { MUR_PIPELINE_VARIANTS = 2 * MUR_TYPE_COUNT };
uint32_t mur_pipeline_variant(MurKernel kernel, uint32_t tableFlags);

/* Returns the number of the kernel's SPIR-V module for a table with these flags. */
uint32_t mur_kernel_module(MurKernel kernel, uint32_t tableFlags);

extern const MurFamily mur_family_core; /* kernels of every table */
extern const MurFamily mur_family_pager;
extern const MurFamily mur_family_paged;
extern const MurFamily mur_family_mirror;

/* Kernel sets. */
typedef enum MurKernelSetName {
#define SET(function, name, ...) MUR_SET_##name,
#include "sets.def"
#undef SET
    MUR_SET_COUNT
} MurKernelSetName;

#define SET(function, name, ...) MUR_KERNELS_##name = 1 << MUR_SET_##name,
enum {
#include "sets.def"
};
#undef SET

enum { MUR_SET_FAMILIES = 3 };
struct MurKernels_T {
    MurKernelSetName name;
    const MurFamily *families[MUR_SET_FAMILIES]; /* NULL after the last */
};

typedef struct MurKernelSetInfo {
    const char *function; /* for messages: the function that returns the set */
    uint32_t requires;    /* MUR_TYPE_*: capabilities of the table's type */
} MurKernelSetInfo;
extern const MurKernelSetInfo mur_kernel_sets[MUR_SET_COUNT];

/* Returns whether the kernel is for tables of this type. */
bool mur_kernel_serves(MurKernel kernel, const MurTypeInfo *type);

#endif
