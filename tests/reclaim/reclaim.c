/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "reclaim.h"

#include <murmuration/host.h>

#include <stdlib.h>
#include <string.h>

const Kind kinds[KINDS] = {
    {"K32V32, 32-bit atomics", MUR_FORMAT_K32V32, MUR_ATOMIC_WIDTH_32, false, false},
    {"K32V32, 64-bit atomics", MUR_FORMAT_K32V32, MUR_ATOMIC_WIDTH_64, false, false},
    {"K32V32, reserved 0", MUR_FORMAT_K32V32, MUR_ATOMIC_WIDTH_32, true, false},
    {"K64V32, 32-bit atomics", MUR_FORMAT_K64V32, MUR_ATOMIC_WIDTH_32, false, false},
    {"K64V32, 64-bit atomics, reserved 0", MUR_FORMAT_K64V32, MUR_ATOMIC_WIDTH_64, true, true},
    {"K64V64", MUR_FORMAT_K64V64, MUR_ATOMIC_WIDTH_64, false, false},
    {"K32", MUR_FORMAT_K32, MUR_ATOMIC_WIDTH_32, false, false},
    {"K64", MUR_FORMAT_K64, MUR_ATOMIC_WIDTH_64, false, false},
};

enum { SEED = 0x5EED };

static bool has_long_keys(const Kind *kind) {
    return kind->format != MUR_FORMAT_K32 && kind->format != MUR_FORMAT_K32V32;
}

static bool is_set(const Kind *kind) {
    return kind->format == MUR_FORMAT_K32 || kind->format == MUR_FORMAT_K64;
}

/* ---- Keys ----------------------------------------------------------------------------------- */

/* The word that decides the home. */
static uint32_t any_top(Churn *churn, Spread spread) {
    const uint32_t any = (uint32_t)random_next(&churn->random);
    switch (spread) {
    case SPREAD_FEW:
        return any % 3 * 0x50000000u + any / 3 % 1000;
    case SPREAD_LAST:
        return any % 4 ? UINT32_MAX - any / 4 % 0x10000000u : any;
    default:
        return any;
    }
}

/* Sometimes what markers are made of. */
static uint64_t any_hash(Churn *churn, Spread spread) {
    static const uint32_t odd[] = {0, UINT32_MAX, UINT32_MAX - 1, UINT32_MAX - 2, 1};
    const uint32_t top = random_below(&churn->random, 20) == 0
                             ? odd[random_below(&churn->random, 5)]
                             : any_top(churn, spread);
    if (!has_long_keys(churn->kind)) {
        return top;
    }
    const uint32_t low = random_below(&churn->random, 4) == 0
                             ? odd[random_below(&churn->random, 5)]
                             : (uint32_t)random_next(&churn->random);
    return (uint64_t)top << 32 | low;
}

/* Those that live in extra slots. */
static uint64_t marker(const Churn *churn, uint32_t i) {
    static const uint64_t markers[] = {UINT64_MAX, 0xFFFFFFFDFFFFFFFDull, 0xFFFFFFFFFFFFFFFEull};
    return has_long_keys(churn->kind) ? markers[i] : (uint32_t)markers[i];
}

static int compare_items(const void *a, const void *b) {
    const uint64_t x = ((const Item *)a)->hash, y = ((const Item *)b)->hash;
    return x < y ? -1 : x > y;
}

/* Sorted by hash, each once: there may be fewer than were asked for. */
static void make_items(Churn *churn, const ChurnOptions *options) {
    churn->items = calloc(options->items, sizeof *churn->items);
    assert_non_null(churn->items);
    for (uint32_t i = 0; i < options->items; ++i) {
        churn->items[i].hash = i < 3 && options->items > 3 ? marker(churn, i)
                                                           : any_hash(churn, options->spread);
    }
    qsort(churn->items, options->items, sizeof *churn->items, compare_items);
    for (uint32_t i = 0; i < options->items; ++i) {
        const uint64_t hash = churn->items[i].hash;
        if (churn->count == 0 || hash != churn->items[churn->count - 1].hash) {
            churn->items[churn->count++] = (Item){
                .hash = hash,
                .key = has_long_keys(churn->kind) ? mur_key64(hash, SEED)
                                                  : mur_key((uint32_t)hash, SEED),
                .slot = MUR_NO_SLOT,
            };
        }
    }
}

/* ---- Tables --------------------------------------------------------------------------------- */

void churn_open(Gpu *gpu, Churn *churn, const Kind *kind, const ChurnOptions *options) {
    MurTableCreateInfo info = {
        .capacity = options->capacity,
        .seed = SEED,
        .reservedValue = kind->zero ? MUR_RESERVED_VALUE_ZERO : MUR_RESERVED_VALUE_MAX,
        .atomicWidth = kind->width,
        .format = kind->format,
        .probeLimit = options->probeLimit,
        .uses = {murUseReclaim(), options->scratch ? murUseScratch() : NULL},
    };
    MurTableRequirements needs;
    gpu_require(murGetTableRequirements(gpu->context, &info, &needs));
    *churn = (Churn){.gpu = gpu, .kind = kind, .random = {options->seed}};
    churn->memory = gpu_buffer(gpu, needs.size);
    info.memory = (MurBufferRange){churn->memory.buffer, 0, needs.size};
    gpu_require(murCreateTable(gpu->context, &info, &churn->table));
    gpu_require(murBlockingClear(gpu->blocking, churn->table));
    const MurTableRef ref = murGetTableRef(churn->table);
    churn->view = view_of(&ref, churn->memory.mapped);
    make_items(churn, options);
}

void churn_close(Churn *churn) {
    murDestroyTable(churn->table);
    gpu_free(churn->gpu, &churn->memory);
    free(churn->items);
}

/* ---- Batches -------------------------------------------------------------------------------- */

typedef struct Batch {
    uint32_t count;
    uint32_t *which; /* items */
    void *keys, *values;
    uint32_t *statuses, *slots;
} Batch;

static Batch batch_open(uint32_t room) {
    Batch batch = {.which = calloc(room + 1ull, 28)};
    assert_non_null(batch.which);
    batch.statuses = batch.which + room;
    batch.slots = batch.statuses + room;
    batch.keys = calloc(room + 1ull, 8);
    batch.values = calloc(room + 1ull, 8);
    assert_non_null(batch.keys);
    assert_non_null(batch.values);
    return batch;
}

static void batch_close(Batch *batch) {
    free(batch->which);
    free(batch->keys);
    free(batch->values);
}

static void batch_add(const Churn *churn, Batch *batch, uint32_t item, uint64_t value) {
    const uint32_t at = batch->count++;
    batch->which[at] = item;
    if (has_long_keys(churn->kind)) {
        ((uint64_t *)batch->keys)[at] = churn->items[item].key;
    } else {
        ((uint32_t *)batch->keys)[at] = (uint32_t)churn->items[item].key;
    }
    if (churn->kind->format == MUR_FORMAT_K64V64) {
        ((uint64_t *)batch->values)[at] = value;
    } else {
        ((uint32_t *)batch->values)[at] = (uint32_t)value;
    }
}

static Batch batch_of(Churn *churn, Chosen chosen, uint32_t share) {
    Batch batch = batch_open(churn->count);
    for (uint32_t i = 0; i < churn->count; ++i) {
        if (chosen(churn, &churn->items[i], share)) {
            batch_add(churn, &batch, i, 1 + random_below(&churn->random, 1u << 30));
        }
    }
    return batch;
}

static uint64_t batch_value(const Churn *churn, const Batch *batch, uint32_t i) {
    return is_set(churn->kind)                        ? 1
           : churn->kind->format == MUR_FORMAT_K64V64 ? ((const uint64_t *)batch->values)[i]
                                                      : ((const uint32_t *)batch->values)[i];
}

static void *values_of(const Churn *churn, const Batch *batch) {
    return is_set(churn->kind) ? NULL : batch->values;
}

bool some_present(Churn *churn, const Item *item, uint32_t share) {
    return item->value != 0 && random_below(&churn->random, 100) < share;
}

bool some_absent(Churn *churn, const Item *item, uint32_t share) {
    return item->value == 0 && random_below(&churn->random, 100) < share;
}

void churn_insert(Churn *churn, Chosen chosen, uint32_t share) {
    Batch batch = batch_of(churn, chosen, share);
    gpu_require(murBlockingInsert(churn->gpu->blocking, churn->table, MUR_MODE_KEEP, batch.count,
                                  batch.keys, values_of(churn, &batch), batch.statuses,
                                  batch.slots));
    for (uint32_t i = 0; i < batch.count; ++i) {
        Item *item = &churn->items[batch.which[i]];
        if (item->value != 0) { /* there, and where it was */
            assert_int_equal(batch.statuses[i], MUR_EXISTED);
            assert_int_equal(batch.slots[i], item->slot);
        } else if (batch.statuses[i] == MUR_FULL) {
            ++churn->full;
        } else {
            assert_int_equal(batch.statuses[i], MUR_INSERTED);
            item->value = batch_value(churn, &batch, i);
            item->slot = batch.slots[i];
        }
    }
    batch_close(&batch);
}

bool some_of_all(Churn *churn, const Item *item, uint32_t share) {
    (void)item;
    return random_below(&churn->random, 100) < share;
}

void churn_storm(Churn *churn, Chosen chosen, uint32_t share, uint32_t times) {
    Batch once = batch_of(churn, chosen, share);
    Batch batch = batch_open(once.count * times);
    for (uint32_t i = 0; i < once.count * times; ++i) {
        batch_add(churn, &batch, once.which[i / 4 % once.count], 1 + i);
    }
    gpu_require(murBlockingInsert(churn->gpu->blocking, churn->table, MUR_MODE_KEEP, batch.count,
                                  batch.keys, values_of(churn, &batch), batch.statuses,
                                  batch.slots));
    for (uint32_t i = 0; i < batch.count; ++i) {
        Item *item = &churn->items[batch.which[i]];
        if (batch.statuses[i] == MUR_INSERTED) {
            assert_int_equal(item->value, 0);
            item->value = batch_value(churn, &batch, i);
            item->slot = batch.slots[i];
        }
    }
    for (uint32_t i = 0; i < batch.count; ++i) {
        const Item *item = &churn->items[batch.which[i]];
        assert_int_not_equal(item->value, 0);
        assert_true(batch.statuses[i] == MUR_INSERTED || batch.statuses[i] == MUR_EXISTED);
        assert_int_equal(batch.slots[i], item->slot);
    }
    batch_close(&batch);
    batch_close(&once);
}

void churn_insert_slices(Churn *churn, Chosen chosen, uint32_t share) {
    Gpu *gpu = churn->gpu;
    gpu_skip_unless_it_sorts(gpu);
    Batch batch = batch_of(churn, chosen, share);
    GpuBuffer keys = gpu_buffer(gpu, 4 * (VkDeviceSize)batch.count);
    GpuBuffer values = gpu_buffer(gpu, 4 * (VkDeviceSize)batch.count);
    memcpy(keys.mapped, batch.keys, (size_t)keys.size);
    memcpy(values.mapped, batch.values, (size_t)values.size);
    MurBatch given = {.maxCount = batch.count,
                      .keys = gpu_array(&keys),
                      .values = gpu_array(&values),
                      .flags = MUR_BATCH_EXCLUSIVE};
    gpu_take(gpu, WAY_SLICES);
    given.scratch.size = murGetScratchSize(churn->table, MUR_COMMAND_INSERT, MUR_MODE_KEEP, &given);
    assert_int_not_equal(given.scratch.size, 0);
    GpuBuffer scratch = gpu_device_buffer(gpu, given.scratch.size);
    given.scratch.address = scratch.address;
    gpu_begin(gpu);
    gpu_require(murCmdInsert(gpu->cmd, churn->table, MUR_MODE_KEEP, &given));
    gpu_submit(gpu);
    gpu_take(gpu, WAY_DEFAULT);
    gpu_require(murBlockingFind(gpu->blocking, churn->table, batch.count, batch.keys, NULL,
                                batch.statuses, batch.slots));
    for (uint32_t i = 0; i < batch.count; ++i) {
        Item *item = &churn->items[batch.which[i]];
        assert_int_equal(batch.statuses[i], MUR_FOUND);
        if (item->value == 0) {
            item->value = batch_value(churn, &batch, i);
            item->slot = batch.slots[i];
        }
    }
    gpu_free(gpu, &keys);
    gpu_free(gpu, &values);
    gpu_free(gpu, &scratch);
    batch_close(&batch);
}

void churn_erase(Churn *churn, Chosen chosen, uint32_t share) {
    Batch batch = batch_of(churn, chosen, share);
    gpu_require(murBlockingErase(churn->gpu->blocking, churn->table, batch.count, batch.keys, NULL,
                                 batch.statuses, batch.slots));
    for (uint32_t i = 0; i < batch.count; ++i) {
        Item *item = &churn->items[batch.which[i]];
        assert_int_equal(batch.statuses[i], item->value ? MUR_ERASED : MUR_ABSENT);
        assert_int_equal(batch.slots[i], item->value ? item->slot : MUR_NO_SLOT);
        item->value = 0;
        item->slot = MUR_NO_SLOT;
    }
    batch_close(&batch);
}

static bool all(Churn *churn, const Item *item, uint32_t share) {
    (void)churn;
    (void)item;
    (void)share;
    return true;
}

void churn_check(Churn *churn) {
    const char *wrong = view_wrong(&churn->view);
    if (wrong) {
        fail_msg("%s: %s", churn->kind->name, wrong);
    }
    Batch batch = batch_of(churn, all, 100);
    uint32_t present = 0, extra = 0;
    gpu_require(murBlockingFind(churn->gpu->blocking, churn->table, batch.count, batch.keys,
                                values_of(churn, &batch), batch.statuses, batch.slots));
    for (uint32_t i = 0; i < batch.count; ++i) {
        const Item *item = &churn->items[batch.which[i]];
        assert_int_equal(batch.statuses[i], item->value ? MUR_FOUND : MUR_ABSENT);
        assert_int_equal(batch.slots[i], item->slot);
        if (item->value) {
            assert_int_equal(batch_value(churn, &batch, i), item->value);
            ++present;
            extra += item->slot >= churn->view.slotCount;
        }
    }
    assert_int_equal(view_count(&churn->view, SLOT_LIVE), present - extra);
    batch_close(&batch);
}

void churn_put_in_order(Churn *churn) {
    const size_t bytes = churn->memory.size, room = (bytes + 63) / 64 * 64;
    void *images = NULL;
    assert_int_equal(posix_memalign(&images, 64, 2 * room), 0);
    memcpy(images, churn->memory.mapped, bytes);
    memcpy((char *)images + room, churn->memory.mapped, bytes);
    MurHostTable from, to;
    gpu_require(murHostAttach(images, bytes, &from));
    gpu_require(murHostAttach((char *)images + room, bytes, &to));
    gpu_require(murHostRehash(&from, &to, NULL, NULL));
    for (uint32_t i = 0; i < churn->count; ++i) {
        churn->items[i].slot = murHostFind(&to, churn->items[i].key).slot;
    }
    memcpy(churn->memory.mapped, (char *)images + room, bytes);
    free(images);
}

/* ---- Reclaiming ----------------------------------------------------------------------------- */

static int compare_slots(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void require_list(const char *who, MurReclaimResult result, uint32_t *list,
                         MurReclaimResult expected, const uint32_t *slots) {
    if (result.freed != expected.freed || result.kept != expected.kept) {
        fail_msg("%s: %u slots freed and %u kept instead of %u and %u", who, result.freed,
                 result.kept, expected.freed, expected.kept);
    }
    qsort(list, result.freed, sizeof *list, compare_slots);
    if (result.freed) {
        assert_memory_equal(list, slots, result.freed * sizeof *list);
    }
}

static void require_words(const char *who, const View *view, const uint32_t *words) {
    for (uint32_t i = 0; i < view_words(view); ++i) {
        if (words[i] != view->words[i]) {
            fail_msg("%s: word %u is 0x%x instead of 0x%x, slot %u of %u", who, i, words[i],
                     view->words[i], (i - 64) / view_slot_words(view), view->slotCount);
        }
    }
}

MurReclaimResult churn_reclaim(Churn *churn) {
    const uint32_t slots = churn->view.slotCount;
    const size_t bytes = 4 * (size_t)view_words(&churn->view);
    uint32_t *expected = calloc(3, 4ull * slots);
    assert_non_null(expected);
    uint32_t *list = expected + slots, *hostList = list + slots;
    void *copies = NULL;
    assert_int_equal(posix_memalign(&copies, 64, 2 * (bytes + 64)), 0);
    uint32_t *host = copies;
    View model = churn->view;
    model.words = host + (bytes + 63) / 64 * 16;
    memcpy(host, churn->view.words, bytes);
    memcpy(model.words, churn->view.words, bytes);
    const MurReclaimResult right = view_reclaim(&model, expected);

    MurReclaimResult result;
    gpu_require(murBlockingReclaim(churn->gpu->blocking, churn->table, slots, list, &result));
    require_list("GPU", result, list, right, expected);
    require_words("GPU", &model, churn->view.words);

    MurHostTable image;
    gpu_require(murHostAttach(host, bytes, &image));
    murHostReclaim(&image, slots, hostList, &result);
    require_list("host", result, hostList, right, expected);
    require_words("host", &model, host);
    free(copies);
    free(expected);
    return right;
}
