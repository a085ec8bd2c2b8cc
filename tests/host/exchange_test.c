/* Host and GPU on one table, in turns: what the one inserts the other finds, updates and erases.
 *
 * SPDX-License-Identifier: MIT */
#include "support/gpu.h"

#include "image.h"

#include <stdlib.h>
#include <string.h>

enum { CAPACITY = 3000, COUNT = 2400, SEED = 0x5EED };

GPU_SPIRV(exchange_32);
GPU_SPIRV(exchange_64);

typedef struct Push {
    MurTableRef table;
    uint32_t count;
} Push;

/* A table and its image, both empty, and the keys of a test. */
typedef struct Pair {
    Gpu *gpu;
    MurTableCreateInfo info;
    MurTable table;
    Image image;
    uint32_t keys[COUNT];
    uint32_t values[COUNT];
    uint32_t statuses[COUNT];
    uint32_t slots[COUNT];
} Pair;

/* Homes anywhere, some in the last slots, one the extra slot. */
static uint32_t make_key(uint32_t i) {
    uint32_t hash = mur_hash(i, 0xC0FFEE);
    if (i == 7) {
        hash = MUR_EMPTY;
    } else if (i % 4 == 1) {
        hash = UINT32_MAX - (i + 1) * 1000;
    }
    return mur_key(hash, SEED);
}

static Pair *open_pair(Gpu *gpu, int kind) {
    Pair *pair = calloc(1, sizeof *pair);
    assert_non_null(pair);
    pair->gpu = gpu;
    pair->info = kind_info(&table_kinds[kind], CAPACITY);
    pair->info.seed = SEED;
    pair->table = gpu_table(gpu, &pair->info);
    pair->image = image_open(&pair->info);
    assert_int_equal(murGetTableMemory(pair->table).size, pair->image.size);
    for (uint32_t i = 0; i < COUNT; ++i) {
        pair->keys[i] = make_key(i);
        pair->values[i] = i + 1;
    }
    return pair;
}

static void close_pair(Pair *pair) {
    murDestroyTable(pair->table);
    image_close(&pair->image);
    free(pair);
}

static void upload(Pair *pair) {
    gpu_require(murBlockingUpload(pair->gpu->blocking, pair->table, pair->image.table.pImage,
                                  pair->image.size));
}

/* Into fresh memory, taken by its header. */
static void download(Pair *pair) {
    memset(pair->image.table.pImage, 0x5A, (size_t)pair->image.size);
    gpu_require(murBlockingDownload(pair->gpu->blocking, pair->table, pair->image.table.pImage,
                                    pair->image.size));
    MurHostTable table;
    gpu_require(murHostAttach(pair->image.table.pImage, pair->image.size, &table));
    assert_memory_equal(&table, &pair->image.table, sizeof table);
}

static void check_status(const Pair *pair, uint32_t i, uint32_t expected) {
    if (pair->statuses[i] != expected) {
        fail_msg("%s: item %u, key 0x%x: %s, not %s", image_text(&pair->info), i, pair->keys[i],
                 murStatusName(pair->statuses[i]), murStatusName(expected));
    }
}

/* Both sides agree on every key, its slot included, and on the statistics. */
static void check_agreement(Pair *pair, uint32_t (*expected)(const Pair *pair, uint32_t i)) {
    const MurHostTable *host = &pair->image.table;
    const uint32_t none = host->ref.flags & MUR_TABLE_ZERO ? 0 : UINT32_MAX;
    uint32_t values[COUNT];
    gpu_require(murBlockingFind(pair->gpu->blocking, pair->table, COUNT, pair->keys, values,
                                pair->statuses, pair->slots));
    for (uint32_t i = 0; i < COUNT; ++i) {
        const MurHostResult got = murHostFind(host, pair->keys[i]);
        const uint32_t wanted = expected(pair, i) ? expected(pair, i) : none;
        check_status(pair, i, wanted == none ? MUR_ABSENT : MUR_FOUND);
        if (got.status != pair->statuses[i] || got.slot != pair->slots[i] || values[i] != wanted ||
            got.value != wanted) {
            fail_msg("%s: key 0x%x: the host has %s, slot %u, value %llu; the GPU %s, %u, %u; "
                     "expected %u",
                     image_text(&pair->info), pair->keys[i], murStatusName(got.status), got.slot,
                     (unsigned long long)got.value, murStatusName(pair->statuses[i]),
                     pair->slots[i], values[i], wanted);
        }
    }
    MurStats hostStats, gpuStats;
    murHostStats(host, &hostStats);
    gpu_require(murBlockingStats(pair->gpu->blocking, pair->table, &gpuStats));
    assert_memory_equal(&hostStats, &gpuStats, sizeof hostStats);
}

static uint32_t all(const Pair *pair, uint32_t i) {
    return pair->values[i];
}

static uint32_t first_half(const Pair *pair, uint32_t i) {
    return i < COUNT / 2 ? pair->values[i] : 0;
}

/* Every third erased; those below a half updated, by the larger or the smaller value. */
static uint32_t mixed(const Pair *pair, uint32_t i) {
    return i % 3 == 0 ? 0 : i % 3 == 1 && i < COUNT / 2 ? pair->values[i] + 10000 : pair->values[i];
}

static void host_insert(Pair *pair, uint32_t first, uint32_t count) {
    murHostInsertBatch(&pair->image.table, MUR_MODE_KEEP, count, pair->keys + first,
                       pair->values + first, NULL, pair->statuses + first, pair->slots + first);
    for (uint32_t i = first; i < first + count; ++i) {
        check_status(pair, i, MUR_INSERTED);
    }
}

static void gpu_insert(Pair *pair, uint32_t first, uint32_t count) {
    gpu_require(murBlockingInsert(pair->gpu->blocking, pair->table, MUR_MODE_KEEP, count,
                                  pair->keys + first, pair->values + first, pair->statuses + first,
                                  pair->slots + first));
    for (uint32_t i = first; i < first + count; ++i) {
        check_status(pair, i, MUR_INSERTED);
    }
}

/* Erases every third key and adds 10000 to every third other one below the half. */
static void host_mix(Pair *pair) {
    const MurHostTable *table = &pair->image.table;
    for (uint32_t i = 0; i < COUNT; ++i) {
        if (i % 3 == 0) {
            assert_int_equal(murHostErase(table, pair->keys[i]).status, MUR_ERASED);
        } else if (i % 3 == 1 && i < COUNT / 2) {
            const MurHostResult got = murHostInsert(table, MUR_MODE_ASSIGN, pair->keys[i],
                                                    pair->values[i] + 10000);
            assert_int_equal(got.status, MUR_EXISTED);
            assert_int_equal(got.value, pair->values[i]);
        }
    }
}

/* The same in a user's shader. */
static void gpu_mix(Pair *pair) {
    Gpu *gpu = pair->gpu;
    const bool wide = pair->info.atomicWidth == MUR_ATOMIC_WIDTH_64;
    GpuBuffer keys = gpu_buffer(gpu, sizeof pair->keys);
    memcpy(keys.mapped, pair->keys, sizeof pair->keys);
    GpuKernel kernel = gpu_kernel(gpu, wide ? exchange_64 : exchange_32,
                                  wide ? exchange_64_size : exchange_32_size, sizeof(Push), 1);
    gpu_bind(gpu, &kernel, 0, (MurBufferRange){keys.buffer, 0, VK_WHOLE_SIZE});
    const Push push = {murGetTableRef(pair->table), COUNT};
    gpu_begin(gpu);
    gpu_dispatch(gpu, &kernel, &push, (COUNT + 63) / 64);
    gpu_barrier(gpu);
    gpu_submit(gpu);
    gpu_kernel_free(gpu, &kernel);
    gpu_free(gpu, &keys);
}

static void the_gpu_finds_and_changes_what_the_host_inserted(void **state) {
    for (int kind = 0; kind < KINDS_OF_K32V32; ++kind) {
        Pair *pair = open_pair(*state, kind);
        host_insert(pair, 0, COUNT / 2);
        upload(pair);
        check_agreement(pair, first_half);
        gpu_insert(pair, COUNT / 2, COUNT / 2);
        download(pair);
        check_agreement(pair, all);
        gpu_mix(pair);
        download(pair);
        check_agreement(pair, mixed);
        close_pair(pair);
    }
}

static void the_host_finds_and_changes_what_the_gpu_inserted(void **state) {
    for (int kind = 0; kind < KINDS_OF_K32V32; ++kind) {
        Pair *pair = open_pair(*state, kind);
        gpu_insert(pair, 0, COUNT / 2);
        download(pair);
        check_agreement(pair, first_half);
        host_insert(pair, COUNT / 2, COUNT / 2);
        host_mix(pair);
        upload(pair);
        check_agreement(pair, mixed);
        close_pair(pair);
    }
}

/* One after another the two sides insert into the same slots, so images are equal byte for byte. */
static void a_gpu_that_inserts_one_by_one_makes_the_same_image(void **state) {
    for (int kind = 0; kind < KINDS_OF_K32V32; ++kind) {
        Pair *pair = open_pair(*state, kind);
        enum { FEW = 40 };
        for (uint32_t i = 0; i < FEW; ++i) {
            gpu_insert(pair, i, 1);
        }
        host_insert(pair, 0, FEW);
        Image copy = pair->image;
        pair->image = image_open(&pair->info);
        download(pair);
        assert_memory_equal(pair->image.table.pImage, copy.table.pImage, (size_t)copy.size);
        image_close(&copy);
        close_pair(pair);
    }
}

/* The order that a rehash leaves is one that the GPU relies on, and the other way round. */
static void order_means_the_same_to_both(void **state) {
    for (int kind = 0; kind < KINDS_OF_K32V32; ++kind) {
        Pair *pair = open_pair(*state, kind);
        for (uint32_t i = 0; i < COUNT; ++i) {
            pair->keys[i] = mur_key(mur_hash(i, 3), SEED); /* no crowd at the end */
        }
        Image source = pair->image;
        host_insert(pair, 0, COUNT);
        pair->image = image_open(&pair->info);
        assert_int_equal(murHostRehash(&source.table, &pair->image.table, NULL, NULL), VK_SUCCESS);
        image_close(&source);
        const uint32_t *words = pair->image.table.pImage;
        assert_int_equal(words[MUR_HEADER_STATE], MUR_STATE_ORDERED);
        upload(pair);
        check_agreement(pair, all);
        gpu_mix(pair);
        gpu_require(murBlockingInsert(pair->gpu->blocking, pair->table, MUR_MODE_KEEP, 1,
                                      &(uint32_t){mur_key(5, SEED)}, pair->values, NULL, NULL));
        download(pair);
        assert_int_equal(words[MUR_HEADER_STATE], 0);
        check_agreement(pair, mixed);
        close_pair(pair);
    }
}

static void images_of_other_tables_are_refused(void **state) {
    Gpu *gpu = *state;
    const MurTableCreateInfo good = {.capacity = 100, .seed = 1, .probeLimit = 50};
    MurTableCreateInfo others[5] = {good, good, good, good, good};
    others[0].capacity = 101;
    others[1].seed = 2;
    others[2].reservedValue = MUR_RESERVED_VALUE_ZERO;
    others[3].atomicWidth = MUR_ATOMIC_WIDTH_32;
    others[4].probeLimit = 40;
    MurTable table = gpu_table(gpu, &good);
    const uint64_t size = murGetTableMemory(table).size;
    gpu_require(murBlockingInsert(gpu->blocking, table, MUR_MODE_KEEP, 1, &(uint32_t){5},
                                  &(uint32_t){6}, NULL, NULL));
    for (size_t i = 0; i < 5; ++i) {
        Image image = image_open(&others[i]);
        assert_int_equal(murBlockingUpload(gpu->blocking, table, image.table.pImage, image.size),
                         MUR_ERROR_BAD_IMAGE);
        image_close(&image);
    }
    Image image = image_open(&good);
    void *memory = image.table.pImage;
    const VkResult invalid = MUR_ERROR_INVALID_ARGUMENT;
    assert_int_equal(murBlockingUpload(gpu->blocking, table, memory, size - 1), invalid);
    assert_int_equal(murBlockingUpload(gpu->blocking, table, NULL, size), invalid);
    assert_int_equal(murBlockingUpload(gpu->blocking, NULL, memory, size), invalid);
    assert_int_equal(murBlockingUpload(NULL, table, memory, size), invalid);
    assert_int_equal(murBlockingDownload(gpu->blocking, table, memory, size - 1), invalid);
    assert_int_equal(murBlockingDownload(gpu->blocking, table, NULL, size), invalid);
    assert_int_equal(murBlockingDownload(gpu->blocking, NULL, memory, size), invalid);
    assert_int_equal(murBlockingDownload(NULL, table, memory, size), invalid);
    uint32_t value;
    gpu_require(murBlockingFind(gpu->blocking, table, 1, &(uint32_t){5}, &value, NULL, NULL));
    assert_int_equal(value, 6);
    image_close(&image);
    murDestroyTable(table);
}

/* More than one part: an image larger than what is copied at a time. */
static void large_images_go_in_parts(void **state) {
    Gpu *gpu = *state;
    const MurTableCreateInfo info = {.capacity = 2200000}; /* 17.6 MB */
    MurTable table = gpu_table(gpu, &info);
    Image image = image_open(&info);
    for (uint32_t key = 0; key < 1000; ++key) {
        murHostInsert(&image.table, MUR_MODE_ASSIGN, key, key + 1);
    }
    gpu_require(murBlockingUpload(gpu->blocking, table, image.table.pImage, image.size));
    Image copy = image_open(&info);
    gpu_require(murBlockingDownload(gpu->blocking, table, copy.table.pImage, copy.size));
    assert_memory_equal(copy.table.pImage, image.table.pImage, (size_t)image.size);
    image_close(&copy);
    image_close(&image);
    murDestroyTable(table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        gpu_test(the_gpu_finds_and_changes_what_the_host_inserted),
        gpu_test(the_host_finds_and_changes_what_the_gpu_inserted),
        gpu_test(a_gpu_that_inserts_one_by_one_makes_the_same_image),
        gpu_test(order_means_the_same_to_both),
        gpu_test(images_of_other_tables_are_refused),
        gpu_test(large_images_go_in_parts),
    };
    return cmocka_run_group_tests_name("host and GPU", tests, gpu_group_setup, gpu_group_teardown);
}
