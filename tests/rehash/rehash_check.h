/* One murCmdRehash, murCmdCompact or murCmdMerge, run and checked slot by slot. The source is made
 * by the oracle, so that clusters, erased keys and wrapping are exactly as wanted.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_REHASH_CHECK_H
#define MUR_REHASH_CHECK_H

#include "oracle/pair.h"

#include <kernels/push.h>

typedef enum RehashKeys {
    KEYS_RANDOM,
    KEYS_HARD,      /* the hard ones first, those of the extra slots among them */
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
    const TableKind *kind, *toKind; /* differ in width alone; NULL: the first, and the same */
    uint32_t from, to;              /* capacities */
    uint32_t count;                 /* keys inserted into the source */
    uint32_t erased;                /* of them, the first so many of each ten */
    RehashKeys keys;
    uint32_t sharing; /* so many random keys each share the word that decides the home */
    bool extra;       /* the keys of the extra slots are there, too */
    bool newSeed;     /* the destination has another seed */
    uint64_t limit;   /* of the destination's probes; 0: the default */
    bool overfull;    /* not all entries fit */
    bool compact;     /* murCmdCompact of the source; to, newSeed and toKind say nothing */
    RehashEnd end;
    bool withoutMap; /* neither slot map nor result is asked for */
} RehashCase;

typedef struct RehashRun {
    Gpu *gpu;
    const RehashCase *test;
    Pair from, other; /* compact: there is no other one */
    Oracle source;    /* before the command */
    GpuBuffer slotMap, result, scratch;
    uint32_t live, dropped; /* of the source */
} RehashRun;

uint64_t rehash_key(const RehashCase *test, uint32_t i);
/* Inserts keys first ... last - 1 by the oracle, with values that the salt decides. */
void rehash_fill(const RehashCase *test, Pair *pair, uint32_t first, uint32_t last, uint32_t salt);

/* Makes the source and an uncleared destination with rubbish in it. */
RehashRun rehash_open(Gpu *gpu, const RehashCase *test);
void rehash_close(RehashRun *run);
/* What the command is given besides. */
MurRehash rehash_arguments(RehashRun *run);

/* The source is as it was. */
void rehash_check_source(const RehashRun *run);
/* Each slot of the source is mapped to where its key is, or nowhere. Returns how many are. */
uint32_t rehash_check_map(const RehashRun *run);

/* By each path: the source is as it was, the destination has its entries, map and result say so. */
void rehash_check(Gpu *gpu, const RehashCase *test);
#define REHASH(...) rehash_check(gpu, &(const RehashCase){__VA_ARGS__})

#endif
