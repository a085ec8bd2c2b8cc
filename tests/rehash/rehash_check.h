/* One murCmdRehash, run and checked slot by slot. The source is made by the oracle and uploaded, so
 * that clusters, erased keys and wrapping are exactly as wanted.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_REHASH_CHECK_H
#define MUR_REHASH_CHECK_H

#include "oracle/oracle.h"
#include "support/gpu.h"

#include <kernels/push.h>

typedef enum RehashKeys {
    KEYS_RANDOM,
    KEYS_ONE_HOME,  /* all homes are one slot in the middle of the source */
    KEYS_TABLE_END, /* all homes are the source's last: they wrap when there are enough */
    KEYS_ROW,   /* one for each home slot from 100 on, and two for that one: all but it move on */
    KEYS_PILE,  /* random, but 600 with one home */
    KEYS_HALF,  /* random, all homes in the lower half */
    KEYS_CUT,   /* one home, so far before a slice that its workgroup does not see them */
    KEYS_CLUMPS /* homes in a few short runs, far apart: long clusters */
} RehashKeys;

/* How a forced stream must end. */
typedef enum RehashEnd {
    END_ANY,
    END_SPARSE,
    END_DENSE,
    END_DIRECT /* it noticed that it could not, and the entries were inserted one by one */
} RehashEnd;

typedef struct RehashCase {
    const char *name;
    uint32_t from, to; /* capacities */
    uint32_t count;    /* keys inserted into the source, one more if extra */
    uint32_t erased;   /* of them, the first so many of each ten */
    RehashKeys keys;
    bool extra;     /* the key of the extra slot is there, too */
    bool newSeed;   /* the destination has another seed */
    bool zero;      /* the reserved value is 0 */
    bool fromWide;  /* 64-bit atomics */
    bool toWide;    /* 64-bit atomics */
    uint64_t limit; /* of the destination's probes; 0: the default */
    bool overfull;  /* not all entries fit */
    bool compact;   /* murCmdCompact of the source; to, newSeed and toWide say nothing */
    RehashEnd end;
    bool withoutMap; /* neither slot map nor result is asked for */
} RehashCase;

typedef struct RehashRun {
    Gpu *gpu;
    const RehashCase *test;
    Oracle source;
    uint32_t *sourceImage;
    uint32_t imageWords;
    MurTable from, to;
    GpuBuffer upload, download, slotMap, result, scratch;
    uint32_t live, dropped; /* of the source */
} RehashRun;

/* Makes the source and an uncleared destination with rubbish in it. */
RehashRun rehash_open(Gpu *gpu, const RehashCase *test);
void rehash_close(RehashRun *run);
/* Brings a table's memory to run->download. */
void rehash_download(RehashRun *run, MurTable table);
/* What the command is given besides. */
MurRehash rehash_arguments(RehashRun *run);
/* The source is as it was, the destination has its entries, and map and result say so. */
void rehash_check_all(RehashRun *run);

/* By each path. */
void rehash_check(Gpu *gpu, const RehashCase *test);

#endif
