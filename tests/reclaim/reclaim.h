/* Tables whose keys come and go, beside a list of what should be there.
 *
 * SPDX-License-Identifier: MIT */
#ifndef RECLAIM_TEST_H
#define RECLAIM_TEST_H

#include "model.h"
#include "support/gpu.h"
#include "support/seed.h"

#include <murmuration/reclaim.h>

typedef struct Kind {
    const char *name;
    uint32_t format;
    MurAtomicWidth width;
    bool zero;
    bool rare; /* in the long tier, where all kinds take part */
} Kind;
enum { KINDS = 8 };
extern const Kind kinds[KINDS];
/* A case test_of_every_kind that calls test(Gpu *, const Kind *) with each that there can be. */
#define BY_KIND(test)                                                           \
    static void test##_of_every_kind(void **state) {                            \
        for (uint32_t i = 0; i < KINDS; ++i) {                                  \
            const bool taken = !kinds[i].rare || test_full();                   \
            if (taken && gpu_offers(*state, kinds[i].format, kinds[i].width)) { \
                print_message("%s\n", kinds[i].name);                           \
                test(*state, &kinds[i]);                                        \
            }                                                                   \
        }                                                                       \
    }

/* Where homes are. */
typedef enum Spread { SPREAD_RANDOM, SPREAD_FEW, SPREAD_LAST, SPREAD_COUNT } Spread;

/* A key that comes and goes. */
typedef struct Item {
    uint64_t hash, key;
    uint64_t value; /* 0: it should not be there */
    uint32_t slot;  /* where it should live; MUR_NO_SLOT: nobody knows */
} Item;

typedef struct Churn {
    Gpu *gpu;
    const Kind *kind;
    MurTable table;
    GpuBuffer memory; /* host-visible */
    View view;
    Random random;
    Item *items;
    uint32_t count;
    uint32_t full; /* inserts told MUR_FULL */
} Churn;

typedef struct ChurnOptions {
    uint64_t capacity, probeLimit;
    Spread spread;
    uint64_t seed; /* of the random numbers */
    uint32_t items;
    bool scratch; /* batches may be inserted slice by slice */
} ChurnOptions;

/* An empty table and that many keys, none of them there. */
void churn_open(Gpu *gpu, Churn *churn, const Kind *kind, const ChurnOptions *options);
void churn_close(Churn *churn);

/* Inserts, or erases, all items for which chosen says so, and checks what each is told. */
typedef bool (*Chosen)(Churn *churn, const Item *item, uint32_t share);
void churn_insert(Churn *churn, Chosen chosen, uint32_t share);
void churn_erase(Churn *churn, Chosen chosen, uint32_t share);
/* Inserts them as often as times says, all at once, each time with another value: one insert of
 * an absent key is told so, and all are told the same slot. */
void churn_storm(Churn *churn, Chosen chosen, uint32_t share, uint32_t times);
/* Inserts them slice by slice, as whoever has the table to himself may: 32-bit keys and values. */
void churn_insert_slices(Churn *churn, Chosen chosen, uint32_t share);
/* Of those that are there, or are not, a share in hundredths. */
bool some_present(Churn *churn, const Item *item, uint32_t share);
bool some_absent(Churn *churn, const Item *item, uint32_t share);
bool some_of_all(Churn *churn, const Item *item, uint32_t share);

/* All items are found where they should be, the others not; the memory is right. */
void churn_check(Churn *churn);

/* Puts the table in order, on the host; the items live elsewhere then. */
void churn_put_in_order(Churn *churn);

/* Reclaims on the GPU, and in a copy on the host; fails unless both have done what the model does,
 * told so, and left everything else alone. */
MurReclaimResult churn_reclaim(Churn *churn);

#endif
