/* A multi-value table beside its model, a list of pairs.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_MULTI_H
#define MUR_TEST_MULTI_H

#include "support/call_code.h"

#include <murmuration/multi.h>

typedef struct MultiPair {
    uint32_t key, value;
} MultiPair;

typedef struct Multi {
    Gpu *gpu;
    MurTable table;
    MultiPair *pairs;
    uint32_t count, room;
    uint64_t full, refused; /* inserts so far */
    const uint64_t *keys;   /* NULL, or the keys that numbers stand for, of 64 bits */
    bool byShaders; /* calls in shaders change the table, and look up besides the commands */
    Access access;  /* of the shaders */
    GpuKernel write, read;
} Multi;

/* The key that a number stands for: of those above; or itself; or, in a table of 64-bit keys, one
 * of which other keys share the low or the high half. */
uint64_t multi_key(const Multi *multi, uint32_t number);

/* A case for 32- and 64-bit keys and atomics, with direct and with sorted inserts; for calls in
 * shaders, which sort nothing; for 64-bit keys alone. Cases speak of keys by 32-bit numbers,
 * whichever keys multi_open makes a table for. What follows is their function's body. */
#define BOTH_WIDTHS(name)              MULTI_CASE(name, both_widths)
#define BOTH_WIDTHS_OF_WIDE_KEYS(name) MULTI_CASE(name, both_widths_of_wide_keys)
#define MULTI_CASE(name, run)                              \
    static void name##_of(Gpu *gpu, MurAtomicWidth width); \
    GPU_TEST(name) {                                       \
        run(gpu, name##_of);                               \
    }                                                      \
    static void name##_of(Gpu *gpu, MurAtomicWidth width)
void both_widths(Gpu *gpu, void (*test)(Gpu *gpu, MurAtomicWidth width));
void both_widths_of_wide_keys(Gpu *gpu, void (*test)(Gpu *gpu, MurAtomicWidth width));

/* Keys 0, 1, ... in turn, each pair with a value of its own; and the keys. */
void multi_take_turns(MultiPair *pairs, uint32_t count, uint32_t *keys, uint32_t keyCount);

/* A cleared table, of 32-bit keys unless both_widths has chosen others; probeLimit as in
 * MurTableCreateInfo. */
void multi_open(Gpu *gpu, Multi *multi, uint64_t capacity, MurAtomicWidth width,
                uint64_t probeLimit);
void multi_close(Multi *multi);

/* Run a command, or calls, on pairs or keys and check the statuses against the model, which
 * follows. */
void multi_insert(Multi *multi, uint32_t count, const MultiPair *pairs);
void multi_erase(Multi *multi, uint32_t count, const MultiPair *pairs);
void multi_erase_keys(Multi *multi, uint32_t count, const uint32_t *keys);

/* Makes calls in a shader. Returns the answers, to be freed. values: NULL for none. */
Answer *multi_call(Multi *multi, const GpuKernel *kernel, uint32_t call, uint32_t count,
                   const uint32_t *keys, const uint32_t *values);
/* Random inserts and erases of few keys. */
void multi_random_sequence(Multi *multi, uint64_t seed);

uint32_t multi_model_count(const Multi *multi, uint32_t key);
void multi_model_add(Multi *multi, MultiPair pair);
bool multi_model_take(Multi *multi, MultiPair pair); /* one copy of it; false: there is none */

/* The number of ordinals that have been given out to a key, as it is stored; and another in its
 * place, as if there had been other inserts. */
uint32_t multi_number(Multi *multi, uint32_t key);
void multi_set_number(Multi *multi, uint32_t key, uint32_t number);

/* Keys as they are in a batch: bytes of one, and so many written. */
uint32_t multi_key_size(const Multi *multi);
void multi_write_keys(const Multi *multi, void *to, uint32_t count, const uint32_t *numbers);

/* The table's image, to be freed. */
void *multi_download(Multi *multi, uint64_t *size);

/* Counts, finds and retrieves the keys, fails unless all is as in the model. */
void multi_require_same(Multi *multi, uint32_t count, const uint32_t *keys);
/* The same by all lookups in shaders. */
void multi_require_visits(Multi *multi, uint32_t count, const uint32_t *keys);

/* One retrieve: what was written. */
typedef struct MultiResult {
    uint32_t total;
    uint32_t *offsets, *values, *indices;
} MultiResult;
/* gpuCount: keys by a count on the GPU; UINT32_MAX: all. Elements that were not written are
 * MULTI_UNTOUCHED; there are MULTI_MARGIN more than there is room for. */
enum { MULTI_MARGIN = 300 };
#define MULTI_UNTOUCHED 0xABABABABu
MultiResult multi_retrieve(Multi *multi, uint32_t count, const uint32_t *keys, uint32_t gpuCount,
                           uint32_t room);
void multi_free(MultiResult *result);

#endif
