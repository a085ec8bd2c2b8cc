/* A multi-value table and its model, a list of pairs.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_MULTI_H
#define MUR_TEST_MULTI_H

#include "support/call_code.h"

#include <murmuration/host.h>
#include <murmuration/multi.h>

typedef struct MultiPair {
    uint32_t key, value;
} MultiPair;

typedef struct Multi {
    Gpu *gpu;
    MurTable table;
    MultiPair *pairs;
    uint32_t count, room;
    uint64_t full, refused;   /* items with MUR_FULL and MUR_INVALID_VALUE so far */
    const uint64_t *keys;     /* 64-bit keys, indexed by number, or NULL */
    const MurHostTable *host; /* NULL, or a table that calls in host memory access instead */
    bool byShaders;           /* true if shaders write and look up instead of commands */
    Access access;            /* how these shaders access the table */
    GpuKernel write, read;
} Multi;

/* Returns the key with this number: an element of `keys` or, if that is NULL, the number. In tables
 * with 64-bit keys, the number becomes a key that shares its low or high half with other keys. */
uint64_t multi_key(const Multi *multi, uint32_t number);

/* A case that runs for 32- and 64-bit keys, both atomic widths, direct and sorted inserts, and
 * calls in shaders. BOTH_WIDTHS_OF_WIDE_KEYS: only for 64-bit keys. Cases use 32-bit numbers for
 * keys of any width. The body is a function with the parameters gpu and width. */
#define BOTH_WIDTHS(name)              MULTI_CASE(name, false)
#define BOTH_WIDTHS_OF_WIDE_KEYS(name) MULTI_CASE(name, true)
#define MULTI_CASE(name, wide)                             \
    static void name##_of(Gpu *gpu, MurAtomicWidth width); \
    GPU_TEST(name) {                                       \
        multi_each(gpu, wide, name##_of);                  \
    }                                                      \
    static void name##_of(Gpu *gpu, MurAtomicWidth width)
void multi_each(Gpu *gpu, bool wide, void (*test)(Gpu *gpu, MurAtomicWidth width));

/* Opens a cleared table. multi_each selects the width of its keys, 32 bits by default. probeLimit:
 * as in MurTableCreateInfo. */
void multi_open(Gpu *gpu, Multi *multi, uint64_t capacity, MurAtomicWidth width,
                uint64_t probeLimit);
enum { MULTI_SEED = 77 }; /* of the table that multi_open opens */
MurTable multi_table(Gpu *gpu, uint64_t capacity, MurAtomicWidth width, uint64_t probeLimit,
                     uint32_t seed);
void multi_close(Multi *multi);

/* Run a command or calls in shaders, and update the model. Fail if a status is wrong. */
void multi_insert(Multi *multi, uint32_t count, const MultiPair *pairs);
void multi_erase(Multi *multi, uint32_t count, const MultiPair *pairs);
void multi_erase_keys(Multi *multi, uint32_t count, const uint32_t *keys);

/* Makes calls in a shader. Returns the results, which the caller frees. values: NULL for none. */
Answer *multi_call(Multi *multi, const GpuKernel *kernel, uint32_t call, uint32_t count,
                   const uint32_t *keys, const uint32_t *values);
/* Makes a random sequence of inserts and erases of few keys. Unless shaders make them, the sequence
 * also moves the entries to other tables, compacts the table, and changes it in host memory. */
void multi_random_sequence(Multi *multi, uint64_t seed);

uint32_t multi_model_count(const Multi *multi, uint32_t key);
void multi_model_add(Multi *multi, MultiPair pair);

/* Returns the number of ordinals that a key has used. number: NULL, or a number to store, as other
 * inserts would do. */
uint32_t multi_number(Multi *multi, uint32_t key, const uint32_t *number);

/* Writes the keys with these numbers to an array. */
void multi_write_keys(const Multi *multi, void *to, uint32_t count, const uint32_t *numbers);

/* Returns a copy of table memory, which the caller frees. */
void *multi_download(Multi *multi, uint64_t *size);

/* Counts, finds and retrieves the keys. Fails if a result differs from that of the model. */
void multi_require_same(Multi *multi, uint32_t count, const uint32_t *keys);
/* Looks the keys up in shaders. Fails if a result differs from that of the model. */
void multi_require_visits(Multi *multi, uint32_t count, const uint32_t *keys);

/* Output of one murCmdRetrieve. */
typedef struct MultiResult {
    uint32_t total;
    uint32_t *offsets, *values, *indices;
} MultiResult;
/* Retrieves keys. gpuCount: number of keys, stored in GPU memory; UINT32_MAX: the command has no
 * such number. room: expected length of the arrays of values and indices, which are MULTI_MARGIN
 * elements longer. Elements that the command does not write are MULTI_UNTOUCHED. */
enum { MULTI_MARGIN = 300 };
#define MULTI_UNTOUCHED 0xABABABABu
MultiResult multi_retrieve(Multi *multi, uint32_t count, const uint32_t *keys, uint32_t gpuCount,
                           uint32_t room);
void multi_free(MultiResult *result);

#endif
