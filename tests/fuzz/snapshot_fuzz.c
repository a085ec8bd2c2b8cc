/* Fuzzer of snapshots. For any input, loading must fail and change nothing, or produce a consistent
 * table, and must not access other memory. Each input is tried unchanged and with
 * corrected checksums, which mutations would not find.
 *
 * With libFuzzer, define MUR_LIBFUZZER. Without it, the program mutates its own seeds in a
 * reproducible way:
 *
 *     snapshot_fuzz [--rounds N] [FILE...]
 *
 * Files are not mutated. Rounds run if there are no files or if --rounds is given.
 *
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

#include "fuzz_main.h"

/* ---- Mutations of seeds --------------------------------------------------------------------- */

enum { LINEAR = 6, SEEDS = 8, MAX_INPUT = 1 << 14 };

typedef struct Input {
    uint8_t *bytes;
    size_t size;
} Input;

/* Returns a seed: a valid snapshot to mutate. Seeds differ in empty value and atomic width, from
 * empty to full and wrapped. The last two are bucketed tables. */
static Input makeSeed(int number) {
    const MurTableCreateInfo info = {
        .capacity = 4 + 9 * (uint64_t)number,
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

static void putWord(Input *input, size_t at, uint32_t word) {
    for (size_t i = 0; i < 4 && at + i < input->size; i++) {
        input->bytes[at + i] = (uint8_t)(word >> (8 * i));
    }
}

/* Applies one mutation to an input of at least 4 bytes in a buffer of MAX_INPUT. */
static void mutate(Input *input, const Input *other) {
    static const uint32_t odd[] = {0,          1,          2,          4,         0x7FFFFFFF,
                                   0x80000000, 0xFFFF0000, 0xFFFFFFFE, 0xFFFFFFFF};
    const size_t at = draw(input->size);
    const size_t word = at / 4 * 4;
    const size_t from = draw(other->size) / 4 * 4;
    switch (draw(6)) {
    case 0:
        input->bytes[at] ^= (uint8_t)(1U << draw(8));
        break;
    case 1: /* most fields are 32-bit words, the interesting ones early */
        putWord(input, draw(2) == 0 ? word : draw(HEAD + 80) / 4 * 4,
                odd[draw(sizeof odd / sizeof odd[0])]);
        break;
    case 2:
        putWord(input, word, (uint32_t)draw(1000));
        break;
    case 3:
        input->size = at < 4 ? 4 : at; /* truncates */
        break;
    case 4: { /* copies bytes of another input */
        size_t size = 4 + draw(64);
        size = size < other->size - from ? size : other->size - from;
        size = size < input->size - word ? size : input->size - word;
        memcpy(input->bytes + word, other->bytes + from, size);
        break;
    }
    default: { /* repeats bytes */
        size_t size = draw(64);
        size = size < input->size - at ? size : input->size - at;
        if (input->size + size <= MAX_INPUT) {
            memmove(input->bytes + at + size, input->bytes + at, input->size - at);
            input->size += size;
        }
        break;
    }
    }
}

static void runRounds(unsigned long rounds) {
    drawn.state = test_seed(1);
    Input seeds[SEEDS];
    for (int i = 0; i < SEEDS; i++) {
        seeds[i] = makeSeed(i);
        require(seeds[i].size <= MAX_INPUT, "seeds are small");
    }
    for (unsigned long round = 0; round < rounds; round++) {
        uint8_t bytes[MAX_INPUT];
        const Input *seed = &seeds[draw(SEEDS)];
        Input input = {bytes, seed->size};
        memcpy(bytes, seed->bytes, seed->size);
        for (size_t count = draw(4); count > 0; count--) {
            mutate(&input, &seeds[draw(SEEDS)]);
        }
        uint8_t *exact = malloc(input.size); /* sanitizers detect reads past its end */
        require(exact != NULL, "there is memory");
        memcpy(exact, bytes, input.size);
        (void)LLVMFuzzerTestOneInput(exact, input.size);
        free(exact);
    }
    for (int i = 0; i < SEEDS; i++) {
        free(seeds[i].bytes);
    }
    (void)printf("snapshot_fuzz: %lu rounds\n", rounds);
}

int main(int argc, char **argv) {
    return fuzzMain("snapshot_fuzz", argc, argv, runRounds);
}

#endif
