/* Bulk commands, run on a paged table and on its model.
 * SPDX-License-Identifier: MIT */
#include "paged.h"

#include <string.h>

/* Returns scratch memory of exactly the size that a command requires for this number of pages. */
static MurArray lend(const Paged *paged, uint32_t maxCount, uint32_t ownPages) {
    MurArray scratch = gpu_array(&paged->scratch);
    const uint64_t least = murGetPagedScratchMinimum(paged->table, maxCount);
    const uint64_t lent = least + (ownPages - 1ull) * paged->options.pageSize;
    scratch.size = lent < scratch.size ? lent : scratch.size;
    return scratch;
}

/* Makes a batch of the items with this verb (operation). Its arrays are in paged->batch, in this
 * order: keys, values, partition names, statuses, a count. */
static MurPagedBatch make_batch(Paged *paged, uint32_t verb, uint32_t ownPages) {
    const bool pair = MUR_IS_64(type_format(paged->options.info.type));
    const bool pairs = type_format(paged->options.info.type) == MUR_FORMAT_K64V64;
    uint32_t *words = paged->batch.mapped;
    CallItem *items = paged->items.mapped;
    uint32_t count = 0;
    memset(words, PAGED_RUBBISH, paged->batch.size);
    for (uint32_t i = 0; i < paged->itemCount; ++i) {
        if (items[i].verb != verb) {
            paged->keys[items[i].pad].item = 0;
            continue;
        }
        const CallItem item = items[count] = items[i];
        words[pair ? 2 * count : count] = item.keyLow;
        if (pair) {
            words[2 * count + 1] = item.keyHigh;
        }
        words[2 * PAGED_ROOM + (pairs ? 2 * count : count)] = item.valueLow;
        if (pairs) {
            words[2 * PAGED_ROOM + 2 * count + 1] = item.valueHigh;
        }
        words[4 * PAGED_ROOM + count++] = item.name;
    }
    words[6 * PAGED_ROOM] = count;
    paged->itemCount = count;
    MurPagedBatch batch = {.maxCount = PAGED_ROOM,
                           .countAddress = paged->batch.address + 24ull * PAGED_ROOM,
                           .keys = gpu_part(&paged->batch, 0, 2 * PAGED_ROOM),
                           .statuses = gpu_part(&paged->batch, 5 * PAGED_ROOM, PAGED_ROOM),
                           .scratch = lend(paged, PAGED_ROOM, ownPages)};
    if (!MUR_IS_SET(type_format(paged->options.info.type))) {
        batch.values = gpu_part(&paged->batch, 2 * PAGED_ROOM, 2 * PAGED_ROOM);
    }
    if (paged->options.info.locality == MUR_PAGE_BY_PARTITION) {
        batch.partitions = gpu_part(&paged->batch, 4 * PAGED_ROOM, PAGED_ROOM);
    }
    return batch;
}

static void run_batch(Paged *paged, uint32_t verb, bool builds, uint32_t ownPages) {
    Gpu *gpu = paged->gpu;
    const MurPagedBatch batch = make_batch(paged, verb, ownPages);
    GPU_RUN(gpu, builds              ? murCmdPagedBuild(gpu->cmd, paged->table, verb, &batch)
                 : verb == CALL_FIND ? murCmdPagedFind(gpu->cmd, paged->table, &batch)
                 : verb == MUR_PAGED_ERASE
                     ? murCmdPagedErase(gpu->cmd, paged->table, &batch)
                     : murCmdPagedInsert(gpu->cmd, paged->table, verb, &batch));
    const uint32_t *words = paged->batch.mapped;
    const bool pairs = type_format(paged->options.info.type) == MUR_FORMAT_K64V64;
    for (uint32_t i = 0; i < paged->itemCount; ++i) {
        CallItem *item = &((CallItem *)paged->items.mapped)[i];
        item->status = words[5 * PAGED_ROOM + i];
        item->oldLow = words[2 * PAGED_ROOM + (pairs ? 2 * i : i)];
        item->oldHigh = pairs ? words[2 * PAGED_ROOM + 2 * i + 1] : 0;
    }
    paged_check_items(paged, true);
}

void paged_run_bulk(Paged *paged, uint32_t verb, uint32_t ownPages) {
    run_batch(paged, verb, false, ownPages);
}

static void clear_model(Paged *paged) {
    for (uint32_t i = 0; i < paged->options.keyCount; ++i) {
        paged->keys[i].present = false;
    }
    paged->pending = paged->partitionCount = 0;
    paged->noted = paged->refused = 0; /* a build also zeroes the table's counters */
}

void paged_build(Paged *paged, uint32_t mode, uint32_t ownPages) {
    clear_model(paged);
    run_batch(paged, mode, true, ownPages);
}

void paged_clear(Paged *paged, MurPageContent content) {
    if (content == MUR_PAGES_ZERO) {
        clear_model(paged);
    }
    GPU_RUN(paged->gpu, murCmdClearPagedTable(paged->gpu->cmd, paged->table, content));
}

static PagedKey *find_key(const Paged *paged, uint64_t key) {
    for (uint32_t i = 0; i < paged->options.keyCount; ++i) {
        if (paged->keys[i].key == key) {
            return &paged->keys[i];
        }
    }
    return NULL;
}

void paged_see_entry(Paged *paged, uint64_t key, uint64_t value) {
    PagedKey *k = find_key(paged, key);
    assert_non_null(k);
    assert_true(k->present);
    assert_int_equal(k->item, 0);
    k->item = 1; /* marks the entry as seen */
    if (!MUR_IS_SET(type_format(paged->options.info.type))) {
        assert_true(k->value == value);
    }
}

/* Fails unless an extract returned each entry of the model, and `entries` entries in total. */
void paged_check_seen(Paged *paged, uint32_t entries) {
    uint32_t present = 0;
    for (uint32_t i = 0; i < paged->options.keyCount; ++i) {
        present += paged->keys[i].present;
        assert_int_equal(paged->keys[i].item, paged->keys[i].present);
        paged->keys[i].item = 0;
    }
    assert_int_equal(entries, present);
}

/* Makes an extract whose arrays have the offsets of a batch's arrays. The word after the count
 * receives the number of pages that the extract did not read. */
static MurPagedExtract make_extract(Paged *paged) {
    memset(paged->batch.mapped, PAGED_RUBBISH, paged->batch.size);
    MurPagedExtract extract = {.maxCount = PAGED_ROOM,
                               .countAddress = paged->batch.address + 24ull * PAGED_ROOM,
                               .leftAddress = paged->batch.address + 24ull * PAGED_ROOM + 4,
                               .keys = gpu_part(&paged->batch, 0, 2 * PAGED_ROOM),
                               .scratch = lend(paged, 0, 1)};
    if (!MUR_IS_SET(type_format(paged->options.info.type))) {
        extract.values = gpu_part(&paged->batch, 2 * PAGED_ROOM, 2 * PAGED_ROOM);
    }
    if (paged->options.info.locality == MUR_PAGE_BY_PARTITION) {
        extract.partitions = gpu_part(&paged->batch, 4 * PAGED_ROOM, PAGED_ROOM);
    }
    return extract;
}

/* Runs an extract, which must read all pages. Returns the number of entries. */
static uint32_t run_extract(Paged *paged, const MurPagedExtract *extract) {
    Gpu *gpu = paged->gpu;
    const uint32_t *words = paged->batch.mapped;
    GPU_RUN(gpu, murCmdPagedExtract(gpu->cmd, paged->table, extract));
    assert_int_equal(words[6 * PAGED_ROOM + 1], 0);
    return words[6 * PAGED_ROOM];
}

void paged_extract(Paged *paged, uint32_t pages) {
    const bool pair = MUR_IS_64(type_format(paged->options.info.type));
    const bool pairs = type_format(paged->options.info.type) == MUR_FORMAT_K64V64;
    const uint32_t *words = paged->batch.mapped, *values = words + 2 * PAGED_ROOM;
    uint32_t entries = 0;
    assert_int_equal(paged->pending, 0);
    for (uint32_t first = 0; first < paged->options.pageCount; first += pages) {
        MurPagedExtract extract = make_extract(paged);
        extract.firstPage = first;
        extract.pageCount = pages;
        const uint32_t count = run_extract(paged, &extract);
        assert_true(count <= PAGED_ROOM);
        for (uint32_t i = 0; i < count; ++i) {
            const uint64_t key = pair ? (uint64_t)words[2 * i + 1] << 32 | words[2 * i] : words[i];
            paged_see_entry(paged, key,
                            pairs ? (uint64_t)values[2 * i + 1] << 32 | values[2 * i] : values[i]);
            if (extract.partitions.address) {
                assert_int_equal(words[4 * PAGED_ROOM + i], find_key(paged, key)->name);
            }
        }
        entries += count;
    }
    paged_check_seen(paged, entries);
}

uint32_t paged_count(Paged *paged, uint32_t bit) {
    MurPagedExtract extract = make_extract(paged);
    extract.maxCount = 0; /* without arrays, the extract only counts entries */
    extract.predicates[1] = (MurPredicate){
        .word = MUR_PREDICATE_VALUE, .compare = MUR_COMPARE_EQUAL, .mask = bit, .reference = bit};
    const uint32_t count = run_extract(paged, &extract);
    const uint32_t *words = paged->batch.mapped;
    assert_int_equal(words[0], PAGED_RUBBISH * 0x01010101u);
    return count;
}

uint32_t paged_rehash(Paged *paged, uint32_t ownPages, uint32_t *left) {
    Gpu *gpu = paged->gpu;
    const uint32_t *words = paged->batch.mapped;
    const MurPagedRehash rehash = {.countAddress = paged->batch.address + 24ull * PAGED_ROOM,
                                   .leftAddress = paged->batch.address + 24ull * PAGED_ROOM + 4,
                                   .scratch = lend(paged, 0, ownPages)};
    memset(paged->batch.mapped, PAGED_RUBBISH, paged->batch.size);
    GPU_RUN(gpu, murCmdPagedRehash(gpu->cmd, paged->table, &rehash));
    *left = words[6 * PAGED_ROOM + 1];
    return words[6 * PAGED_ROOM];
}
