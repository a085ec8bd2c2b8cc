/* Fuzzer of snapshots. For any input, loading must fail and change nothing, or produce a consistent
 * table, and must not access other memory. Each input is tried unchanged and with corrected
 * checksums, which mutations would not find.
 * SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include "../snapshot/seal.h"

#include <murmuration/snapshot.h>

enum { MAX_CAPACITY = 4096 };

static void *allocate(size_t size) {
    void *memory = aligned_alloc(64, (size + 63) / 64 * 64);
    require(memory != NULL, "there is memory");
    return memory;
}

/* ---- Checks of a loaded table --------------------------------------------------------------- */

/* Returns whether another slot has the entry's key. Loading does not check for duplicates, because
 * only forged files have them, and a duplicate only hides an entry of the forger. */
static bool isTwice(const MurHostTable *table, const MurHostEntry *entry) {
    const uint32_t *words = (const uint32_t *)table->pImage + HEADER / 4;
    const uint32_t hash = mur_hash((uint32_t)entry->key, table->ref.seed);
    for (uint32_t slot = 0; slot < table->ref.slotCount; slot++) {
        if (slot != entry->slot && words[2 * (size_t)slot] == hash) {
            return true;
        }
    }
    return false;
}

/* Checks that every entry is found in its slot, and that the table can be saved and loaded. */
static void checkTable(const MurHostTable *table) {
    MurStats stats;
    murHostStats(table, &stats);
    uint32_t entries = 0;
    for (MurHostEntry entry = {0}; murHostNextEntry(table, &entry); entries++) {
        require(entry.slot <
                    table->ref.slotCount + MUR_EXTRA_SLOTS(MUR_TABLE_FORMAT(table->ref.flags)),
                "slots are within the table");
        require(murHostFind(table, entry.key).slot == entry.slot || isTwice(table, &entry),
                "every entry is found where it is");
    }
    require(entries == stats.live, "the statistics count the entries");
    const size_t size = (size_t)murGetSnapshotSize(table);
    uint8_t *data = allocate(size);
    require(murWriteSnapshot(table, data, size) == VK_SUCCESS, "what was loaded can be saved");
    require(murLoadSnapshotFromMemory(data, size, table) == VK_SUCCESS, "and loaded again");
    free(data);
}

/* Returns whether a failed load may have begun to write, which leaves the table empty: a rehash had
 * no slot for an entry, or a copy of buckets had a key in a wrong bucket. */
static bool hasBegun(VkResult result, const uint8_t *data, size_t size, const MurHostTable *table) {
    MurSnapshotInfo info;
    const bool buckets = (table->ref.flags & MUR_TABLE_BUCKETS) != 0;
    const bool fits = murReadSnapshotInfoFromMemory(data, size, &info) == VK_SUCCESS &&
                      info.entries <= table->ref.capacity +
                                          MUR_EXTRA_SLOTS(MUR_TABLE_FORMAT(table->ref.flags)) &&
                      info.createInfo.type == murHostTypeOf(table->ref.flags);
    return buckets
               ? result == MUR_ERROR_CORRUPT
               : fits && (result == MUR_ERROR_TOO_LARGE || result == MUR_ERROR_INVALID_ARGUMENT);
}

static void loadInto(const MurTableCreateInfo *info, const uint8_t *data, size_t size) {
    uint64_t imageSize;
    require(murHostGetImageSize(info, &imageSize) == VK_SUCCESS, "the description is right");
    void *image = allocate((size_t)imageSize);
    void *before = allocate((size_t)imageSize);
    MurHostTable table;
    require(murHostCreate(info, image, imageSize, &table) == VK_SUCCESS, "the table is made");
    (void)murHostInsert(&table, MUR_MODE_ASSIGN, 1, 2);
    memcpy(before, image, (size_t)imageSize);
    const VkResult result = murLoadSnapshotFromMemory(data, size, &table);
    if (result == VK_SUCCESS) {
        checkTable(&table);
    } else {
        require(result == MUR_ERROR_CORRUPT || result == MUR_ERROR_VERSION ||
                    result == MUR_ERROR_TOO_LARGE || result == MUR_ERROR_INVALID_ARGUMENT,
                "a failure is one of those documented");
        bool same = memcmp(before, image, (size_t)imageSize) == 0;
        if (!same && hasBegun(result, data, size, &table)) {
            require(murHostCreate(info, before, imageSize, &table) == VK_SUCCESS, "it is made");
            same = memcmp(before, image, (size_t)imageSize) == 0;
        }
        require(same, "a failure changes nothing, or leaves an empty table");
    }
    free(before);
    free(image);
}

static void load(const uint8_t *data, size_t size) {
    const MurTableCreateInfo other = {.capacity = 40, .seed = 9, .probeLimit = 40};
    loadInto(&other, data, size);
    MurSnapshotInfo info;
    const VkResult result = murReadSnapshotInfoFromMemory(data, size, &info);
    if (result != VK_SUCCESS) {
        require(result == MUR_ERROR_CORRUPT || result == MUR_ERROR_VERSION,
                "a failure is one of those documented");
    } else if (info.createInfo.capacity <= MAX_CAPACITY) {
        loadInto(&info.createInfo, data, size);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint8_t *sealed = malloc(size != 0 ? size : 1);
    require(sealed != NULL, "there is memory");
    memcpy(sealed, data, size);
    load(data, size);
    seal(sealed, size);
    load(sealed, size);
    free(sealed);
    return 0;
}

#ifndef MUR_LIBFUZZER

enum { LINEAR = 6 };

/* Returns a seed: a valid snapshot to mutate. Seeds differ in empty value and atomic width, from
 * empty to full and wrapped. The last two are bucketed tables. */
static Input makeSeed(size_t number) {
    const MurTableCreateInfo info = {
        .capacity = 4 + 9 * number,
        .seed = number % 2 == 0 ? 0 : 9,
        .emptyValue = number % 3 == 1 ? MUR_EMPTY_VALUE_ZERO : MUR_EMPTY_VALUE_MAX,
        .atomicWidth = number % 2 == 0 ? MUR_ATOMIC_WIDTH_32 : MUR_ATOMIC_WIDTH_64,
        .type = number > LINEAR    ? murHostTypeBucketsK64V32()
                : number == LINEAR ? murHostTypeBucketsK32V32()
                                   : NULL,
        .flags = number > LINEAR ? MUR_TABLE_AGES : 0,
    };
    uint64_t imageSize;
    require(murHostGetImageSize(&info, &imageSize) == VK_SUCCESS, "seeds are right");
    void *image = allocate((size_t)imageSize);
    MurHostTable table;
    require(murHostCreate(&info, image, imageSize, &table) == VK_SUCCESS, "seeds are right");
    for (uint32_t i = 0; i < (uint32_t)(number * 11); i++) {
        const uint32_t hash = i % 3 == 0 ? UINT32_MAX - i : mur_hash(i, 5);
        (void)murHostInsert(&table, MUR_MODE_ASSIGN, mur_key(hash, info.seed), i + 1);
        if (i % 5 == 0) {
            (void)murHostErase(&table, mur_key(hash, info.seed));
        }
    }
    Input seed = {.size = (size_t)murGetSnapshotSize(&table)};
    seed.bytes = allocate(seed.size);
    require(murWriteSnapshot(&table, seed.bytes, seed.size) == VK_SUCCESS, "seeds are right");
    free(image);
    return seed;
}

int main(void) {
    fuzz(&(const Fuzzer){20000, 8, makeSeed, HEAD + 80, NULL});
    return 0;
}

#endif
