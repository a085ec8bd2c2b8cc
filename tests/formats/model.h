/* The oracle of the formats other than K32V32: one table in plain C, slot by slot, for operations
 * that run one after another. As tests/oracle, which has K32V32: written from what the headers
 * promise, sharing names of statuses and words with the library and no code, the hashes included.
 *
 * What follows from it: the slot, status and value of every call, the counters, the statistics and
 * every word of the table's memory. Tests that run many items at once read the table back instead
 * (model_adopt), which checks what must hold of any table.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_MODEL_H
#define MUR_TEST_MODEL_H

#include <murmuration/layout.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ModelConfig {
    uint32_t format, capacity, slotCount, seed;
    uint64_t probeLimit; /* as in MurTableCreateInfo */
    bool zero, wide;
} ModelConfig;

typedef enum ModelState { MODEL_FREE, MODEL_CLAIMED, MODEL_TOMB } ModelState;

typedef struct ModelSlot {
    ModelState state;
    uint64_t key, value; /* value none: erased, or never given one */
} ModelSlot;

typedef struct Model {
    ModelConfig config;
    uint64_t none; /* the reserved value; of sets: 0, and entries have 1 */
    uint32_t probeSectors;
    uint64_t full, refused;
    bool wrapped;
    uint32_t slots; /* with the extra ones */
    ModelSlot *slot;
} Model;

typedef struct ModelResult {
    uint32_t status, slot;
    uint64_t value; /* what was there before; none if there was nothing, or nothing was done */
} ModelResult;

void model_open(Model *model, const ModelConfig *config);
void model_close(Model *model);
void model_clear(Model *model);

bool model_is_set(uint32_t format);
uint32_t model_slot_words(uint32_t format);
uint32_t model_slot_count(uint32_t format, uint64_t capacity); /* as the library's, restated */

/* A hash is {low, high} in one word; 32-bit ones are low. model_key: the key of a hash. */
uint64_t model_hash(uint32_t format, uint64_t key, uint32_t seed);
uint64_t model_key(uint32_t format, uint64_t hash, uint32_t seed);
/* The hash of the key that lives in an extra slot. */
uint64_t model_marker(uint32_t format, uint32_t extra);

bool model_offers(const Model *model, uint32_t mode);
uint64_t model_combine(const Model *model, uint32_t mode, uint64_t old, uint64_t value);

ModelResult model_find(const Model *model, uint64_t key);
ModelResult model_insert(Model *model, uint32_t mode, uint64_t key, uint64_t value);
ModelResult model_erase(Model *model, uint64_t key);
uint64_t model_exchange(Model *model, uint32_t slot, uint64_t value);
uint64_t model_compare_exchange(Model *model, uint32_t slot, uint64_t compare, uint64_t value);
bool model_entry(const Model *model, uint32_t slot, uint64_t *key, uint64_t *value);

MurStats model_stats(const Model *model);
size_t model_image_words(const Model *model);
void model_image(const Model *model, uint32_t *words);
/* Takes the slots from an image. Returns what is wrong with it, in words that stay valid until the
 * next call, or NULL: every slot is free or wholly claimed, every key in the one slot where a probe
 * for it ends, the markers' keys in their own. */
const char *model_adopt(Model *model, const uint32_t *words);

#endif
