/* A multi-value table and its model.
 * SPDX-License-Identifier: MIT */
#include "multi.h"

#include <stdlib.h>
#include <string.h>

#include <murmuration/host_multi.h>

static uint32_t chosen = MUR_FORMAT_K64V32;

void multi_each(Gpu *gpu, bool wide, void (*test)(Gpu *gpu, MurAtomicWidth width)) {
    static const MurAtomicWidth widths[] = {MUR_ATOMIC_WIDTH_32, MUR_ATOMIC_WIDTH_64};
    for (uint32_t i = wide ? 2 : 0; i < 4; ++i) {
        if (gpu_offers(gpu, MUR_FORMAT_K64V32, widths[i % 2])) {
            print_message("%d-bit keys, %d-bit atomics\n", i < 2 ? 32 : 64, (int)widths[i % 2]);
            chosen = i < 2 ? MUR_FORMAT_K64V32 : MUR_FORMAT_K64V32_MULTI;
            test(gpu, widths[i % 2]);
        }
    }
    chosen = MUR_FORMAT_K64V32;
}

static bool is_wide(const Multi *multi) {
    return MUR_TABLE_FORMAT(murGetTableRef(multi->table).flags) == MUR_FORMAT_K64V32_MULTI;
}

uint64_t multi_key(const Multi *multi, uint32_t number) {
    if (!is_wide(multi) || multi->keys) {
        return multi->keys ? multi->keys[number] : number;
    }
    return number == UINT32_MAX ? UINT64_MAX
                                : (uint64_t)(number & 0xCCCCCCCCu) << 32 | (number & 0x33333333u);
}

static uint32_t multi_key_size(const Multi *multi) {
    return is_wide(multi) ? 8 : 4;
}

void multi_write_keys(const Multi *multi, void *to, uint32_t count, const uint32_t *numbers) {
    for (uint32_t i = 0; i < count; ++i) {
        const uint64_t key = multi_key(multi, numbers[i]); /* little-endian: low word first */
        memcpy((char *)to + (size_t)multi_key_size(multi) * i, &key, multi_key_size(multi));
    }
}

MurTable multi_table(Gpu *gpu, uint64_t capacity, MurAtomicWidth width, uint64_t probeLimit,
                     uint32_t seed) {
    const MurTableCreateInfo info = {
        .capacity = capacity,
        .seed = seed,
        .emptyValue = MUR_EMPTY_VALUE_ZERO,
        .atomicWidth = width,
        .type = chosen == MUR_FORMAT_K64V32 ? murTypeMultiK32() : murTypeMultiK64(),
        .probeLimit = probeLimit,
        .kernels = {murKernelsLargeBatches(), murKernelsRehash()},
    };
    MurTable table;
    gpu_require(murCreateTable(gpu->context, &info, &table));
    gpu_require(murBlockingClear(gpu->blocking, table));
    return table;
}

void multi_open(Gpu *gpu, Multi *multi, uint64_t capacity, MurAtomicWidth width,
                uint64_t probeLimit) {
    *multi = (Multi){.gpu = gpu,
                     .table = multi_table(gpu, capacity, width, probeLimit, MULTI_SEED)};
}

void multi_close(Multi *multi) {
    murDestroyTable(multi->table);
    free(multi->pairs);
}

void multi_model_add(Multi *multi, MultiPair pair) {
    if (multi->count == multi->room) {
        multi->room = 2 * multi->room + 64;
        multi->pairs = realloc(multi->pairs, multi->room * sizeof *multi->pairs);
        assert_non_null(multi->pairs);
    }
    multi->pairs[multi->count++] = pair;
}

/* Removes a pair from the model. Returns false if there is none. */
static bool multi_model_take(Multi *multi, MultiPair pair) {
    for (uint32_t i = 0; i < multi->count; ++i) {
        if (multi->pairs[i].key == pair.key && multi->pairs[i].value == pair.value) {
            multi->pairs[i] = multi->pairs[--multi->count];
            return true;
        }
    }
    return false;
}

uint32_t multi_model_count(const Multi *multi, uint32_t key) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < multi->count; ++i) {
        count += multi->pairs[i].key == key;
    }
    return count;
}

/* Returns the address of a key's number of ordinals in a copy of the table's memory. */
static uint32_t *number_in(const Multi *multi, uint32_t key, uint8_t *image) {
    const MurTableRef ref = murGetTableRef(multi->table);
    const uint32_t index = is_wide(multi);
    const uint64_t hash = mur_hash64(multi_key(multi, key), mur_index_seed(ref.seed, index));
    for (uint32_t slot = 0; slot < ref.slotCount; ++slot) {
        uint32_t *words = (uint32_t *)(void *)(image + MUR_HEADER_SIZE + 16 * (size_t)slot);
        if (words[0] == (uint32_t)hash && words[1] == hash >> 32 &&
            words[3] >> MUR_TAG_INDEX_SHIFT == index) {
            return words + 2;
        }
    }
    fail_msg("key %u has no number", key);
    return NULL;
}

void *multi_download(Multi *multi, uint64_t *size) {
    *size = murGetTableMemory(multi->table).size;
    void *image = aligned_alloc(64, (size_t)((*size + 63) / 64 * 64));
    assert_non_null(image);
    gpu_require(murBlockingDownload(multi->gpu->blocking, multi->table, image, *size));
    return image;
}

uint32_t multi_number(Multi *multi, uint32_t key, const uint32_t *number) {
    uint64_t size;
    uint8_t *image = multi_download(multi, &size);
    uint32_t *at = number_in(multi, key, image);
    const uint32_t before = *at;
    if (number) {
        *at = *number;
        gpu_require(murBlockingUpload(multi->gpu->blocking, multi->table, image, size));
    }
    free(image);
    return before;
}

typedef VkResult Command(VkCommandBuffer cmd, MurTable table, const MurBatch *batch);

Answer *multi_call(Multi *multi, const GpuKernel *kernel, uint32_t call, uint32_t count,
                   const uint32_t *keys, const uint32_t *values) {
    Gpu *gpu = multi->gpu;
    GpuKernel bound = *kernel;
    GpuBuffer buffer = gpu_buffer(gpu, count * (sizeof(Call) + sizeof(Answer)));
    Call *calls = buffer.mapped;
    for (uint32_t i = 0; i < count; ++i) {
        const uint64_t key = multi_key(multi, keys[i]);
        calls[i] = (Call){.key = key,
                          .value = values ? values[i] : 0,
                          .call = call,
                          .mode = is_wide(multi) || key > UINT32_MAX};
    }
    const CallPush push = {.table = murGetTableRef(multi->table),
                           .calls = buffer.address,
                           .answers = buffer.address + count * sizeof(Call),
                           .tableCount = count,
                           .callCount = 1};
    const MurBufferRange memory = murGetTableMemory(multi->table);
    call_run(gpu, &bound, multi->access, &push, &memory);
    Answer *answers = test_allocate(count * sizeof *answers);
    memcpy(answers, calls + count, count * sizeof *answers);
    gpu_free(gpu, &buffer);
    return answers;
}

/* Makes calls in a shader. Returns statuses as a command stores them. erased: NULL, or output, the
 * number of erased values per key. */
static uint32_t *run_calls(Multi *multi, uint32_t call, uint32_t count, const uint32_t *keys,
                           const uint32_t *values, uint32_t *erased) {
    Answer *answers = multi_call(multi, &multi->write, call, count, keys, values);
    uint32_t *statuses = test_allocate(4 * (size_t)count);
    for (uint32_t i = 0; i < count; ++i) {
        statuses[i] = erased ? (answers[i].slot ? MUR_ERASED : MUR_ABSENT) : answers[i].status;
        if (erased) {
            erased[i] = answers[i].slot;
        }
    }
    free(answers);
    return statuses;
}

/* Makes calls on the table in host memory. As run_calls. */
static uint32_t *run_on_host(Multi *multi, uint32_t call, uint32_t count, const uint32_t *keys,
                             const uint32_t *values, uint32_t *erased) {
    uint32_t *statuses = test_allocate(4 * (size_t)count + 4);
    for (uint32_t i = 0; i < count; ++i) {
        const uint64_t key = multi_key(multi, keys[i]);
        if (call == CALL_MULTI_INSERT) {
            statuses[i] = murHostMultiInsert(multi->host, key, values[i]);
        } else if (call == CALL_MULTI_ERASE) {
            statuses[i] = murHostMultiErase(multi->host, key, values[i]);
        } else {
            erased[i] = murHostMultiEraseKey(multi->host, key);
            statuses[i] = erased[i] ? MUR_ERASED : MUR_ABSENT;
        }
    }
    return statuses;
}

/* Runs a command. Its arrays are in one buffer, in this order: values, statuses, keys, a count. An
 * odd number of items is a count in GPU memory, below maxCount. */
static uint32_t *run(Multi *multi, Command *command, uint32_t count, const uint32_t *keys,
                     const uint32_t *values, uint32_t *newValues) {
    Gpu *gpu = multi->gpu;
    const uint32_t most = count + count % 2 * 100;
    const uint64_t keyWords = (uint64_t)multi_key_size(multi) / 4 * most;
    const uint64_t countAt = 2 * (uint64_t)most + keyWords;
    GpuBuffer buffer = gpu_buffer(gpu, 4 * (countAt + 1));
    uint32_t *words = buffer.mapped;
    memset(words, 0xAB, (size_t)buffer.size);
    multi_write_keys(multi, words + 2 * (size_t)most, count, keys);
    words[countAt] = count;
    if (values) {
        memcpy(words, values, 4 * (size_t)count);
    }
    MurBatch batch = {.maxCount = most,
                      .countAddress = most == count ? 0 : buffer.address + 4 * countAt,
                      .keys = gpu_part(&buffer, 2 * (uint64_t)most, keyWords),
                      .values = gpu_part(&buffer, 0, most),
                      .statuses = gpu_part(&buffer, most, most)};
    GPU_RUN(gpu, command(gpu->cmd, multi->table, &batch));
    for (uint32_t i = count; i < most; ++i) {
        assert_true(words[i] == MULTI_UNTOUCHED && words[most + i] == MULTI_UNTOUCHED);
    }
    uint32_t *statuses = test_allocate(4 * (size_t)count + 4);
    memcpy(statuses, words + most, 4 * (size_t)count);
    if (newValues) {
        memcpy(newValues, words, 4 * (size_t)count);
    }
    gpu_free(gpu, &buffer);
    return statuses;
}

static uint32_t *run_pairs(Multi *multi, Command *command, uint32_t call, uint32_t count,
                           const MultiPair *pairs) {
    uint32_t *keys = test_allocate(8 * (size_t)count + 8);
    uint32_t *values = keys + count;
    for (uint32_t i = 0; i < count; ++i) {
        keys[i] = pairs[i].key;
        values[i] = pairs[i].value;
    }
    uint32_t *statuses = multi->host        ? run_on_host(multi, call, count, keys, values, NULL)
                         : multi->byShaders ? run_calls(multi, call, count, keys, values, NULL)
                                            : run(multi, command, count, keys, values, NULL);
    free(keys);
    return statuses;
}

void multi_insert(Multi *multi, uint32_t count, const MultiPair *pairs) {
    uint32_t *statuses = run_pairs(multi, murCmdMultiInsert, CALL_MULTI_INSERT, count, pairs);
    for (uint32_t i = 0; i < count; ++i) {
        if (pairs[i].value == UINT32_MAX) {
            assert_int_equal(statuses[i], MUR_INVALID_VALUE);
            ++multi->refused;
        } else if (statuses[i] == MUR_FULL) {
            ++multi->full; /* the test case checks whether items may report MUR_FULL */
        } else {
            if (statuses[i] != MUR_INSERTED) {
                fail_msg("insert %u of %u, {%u, %u}: status %s", i, count, pairs[i].key,
                         pairs[i].value, murStatusName(statuses[i]));
            }
            multi_model_add(multi, pairs[i]);
        }
    }
    free(statuses);
}

void multi_erase(Multi *multi, uint32_t count, const MultiPair *pairs) {
    uint32_t *statuses = run_pairs(multi, murCmdMultiErase, CALL_MULTI_ERASE, count, pairs);
    /* If several items erase one pair, any of them may succeed. If one fails, no copy may
     * remain. */
    for (uint32_t i = 0; i < count; ++i) {
        if (statuses[i] == MUR_ERASED && !multi_model_take(multi, pairs[i])) {
            fail_msg("erase %u, {%u, %u}: erased, but there was none", i, pairs[i].key,
                     pairs[i].value);
        }
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (statuses[i] != MUR_ERASED) {
            assert_int_equal(statuses[i], MUR_ABSENT);
            if (multi_model_take(multi, pairs[i])) {
                fail_msg("erase %u, {%u, %u}: absent, but there was one more", i, pairs[i].key,
                         pairs[i].value);
            }
        }
    }
    free(statuses);
}

void multi_erase_keys(Multi *multi, uint32_t count, const uint32_t *keys) {
    uint32_t *erased = test_allocate(4 * (size_t)count + 4);
    uint32_t *statuses = multi->host
                             ? run_on_host(multi, CALL_MULTI_ERASE_KEY, count, keys, NULL, erased)
                         : multi->byShaders
                             ? run_calls(multi, CALL_MULTI_ERASE_KEY, count, keys, NULL, erased)
                             : run(multi, murCmdMultiEraseKeys, count, keys, NULL, erased);
    for (uint32_t i = 0; i < count; ++i) {
        assert_int_equal(statuses[i], erased[i] ? MUR_ERASED : MUR_ABSENT);
        if (erased[i] == 0) {
            continue;
        }
        if (multi_model_count(multi, keys[i]) != erased[i]) {
            fail_msg("key %u: erased %u values instead of %u", keys[i], erased[i],
                     multi_model_count(multi, keys[i]));
        }
        uint32_t kept = 0;
        for (uint32_t p = 0; p < multi->count; ++p) {
            if (multi->pairs[p].key != keys[i]) {
                multi->pairs[kept++] = multi->pairs[p];
            }
        }
        multi->count = kept;
    }
    for (uint32_t i = 0; i < count; ++i) {
        assert_int_equal(multi_model_count(multi, keys[i]), 0);
    }
    free(statuses);
    free(erased);
}

MultiResult multi_retrieve(Multi *multi, uint32_t count, const uint32_t *keys, uint32_t gpuCount,
                           uint32_t room) {
    Gpu *gpu = multi->gpu;
    const MurBatch batch = {.maxCount = count};
    const VkDeviceSize scratch =
        murGetScratchSize(multi->table, MUR_COMMAND_MULTI_RETRIEVE, 0, &batch) / 4;
    const uint64_t keyWords = (uint64_t)multi_key_size(multi) / 4 * count;
    GpuBuffer in = gpu_buffer(gpu, 4 * (keyWords + 2));
    const uint64_t offsets = scratch + MULTI_MARGIN, values = offsets + count + 1;
    const uint64_t indices = values + room + MULTI_MARGIN;
    GpuBuffer out = gpu_buffer(gpu, 4 * (indices + room + MULTI_MARGIN));
    memset(out.mapped, 0xAB, (size_t)out.size);
    uint32_t *words = in.mapped;
    words[0] = gpuCount;
    words[1] = MULTI_UNTOUCHED;
    multi_write_keys(multi, words + 2, count, keys);
    const MurMultiRetrieve retrieve = {
        .maxCount = count,
        .countAddress = gpuCount == UINT32_MAX ? 0 : in.address,
        .keys = gpu_part(&in, 2, keyWords),
        .offsets = gpu_part(&out, offsets, count + 1),
        .maxValues = room,
        .values = gpu_part(&out, values, room),
        .keyIndices = gpu_part(&out, indices, room),
        .totalAddress = in.address + 4,
        .scratch = gpu_part(&out, 0, scratch),
    };
    GPU_RUN(gpu, murCmdMultiRetrieve(gpu->cmd, multi->table, &retrieve));
    MultiResult result = {.total = words[1]};
    const size_t valueWords = room + (size_t)MULTI_MARGIN;
    result.offsets = test_allocate(4 * ((size_t)count + 1 + 2 * valueWords));
    result.values = result.offsets + count + 1;
    result.indices = result.values + valueWords;
    const uint32_t *written = out.mapped;
    assert_int_equal(written[scratch], MULTI_UNTOUCHED); /* no more scratch than was requested */
    memcpy(result.offsets, written + offsets, 4 * ((size_t)count + 1));
    memcpy(result.values, written + values, 4 * valueWords);
    memcpy(result.indices, written + indices, 4 * valueWords);
    gpu_free(gpu, &in);
    gpu_free(gpu, &out);
    return result;
}

void multi_free(MultiResult *result) {
    free(result->offsets);
}

static int by_pair(const void *a, const void *b) {
    const MultiPair *x = a, *y = b;
    if (x->key != y->key) {
        return x->key < y->key ? -1 : 1;
    }
    return x->value < y->value ? -1 : x->value > y->value;
}

static int by_value(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Returns the pairs of a key in the model, which must be sorted. */
static const MultiPair *pairs_of(const Multi *multi, uint32_t key, uint32_t *count) {
    uint32_t first = 0, end = multi->count;
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2;
        if (multi->pairs[middle].key < key) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    for (end = first; end < multi->count && multi->pairs[end].key == key;) {
        ++end;
    }
    *count = end - first;
    return multi->pairs + first;
}

/* Fails unless query number i returned the values of its key in the model, in any order. */
static void require_values(const Multi *multi, MultiResult *result, uint32_t i, uint32_t key) {
    uint32_t count;
    const MultiPair *pairs = pairs_of(multi, key, &count);
    const uint32_t begin = result->offsets[i], got = result->offsets[i + 1] - begin;
    if (got != count) {
        fail_msg("query %u, key %u: %u values retrieved, %u expected", i, key, got, count);
    }
    if (count == 0) {
        return;
    }
    qsort(result->values + begin, count, 4, by_value);
    for (uint32_t v = 0; v < count; ++v) {
        if (result->values[begin + v] != pairs[v].value || result->indices[begin + v] != i) {
            fail_msg("query %u, key %u, value %u of %u: got %u of query %u, expected %u", i, key, v,
                     count, result->values[begin + v], result->indices[begin + v], pairs[v].value);
        }
    }
}

static void require_counts(Multi *multi, uint32_t count, const uint32_t *keys) {
    uint32_t *counts = test_allocate(8 * (size_t)count + 8);
    uint32_t *found = counts + count;
    free(run(multi, murCmdMultiCount, count, keys, NULL, counts));
    uint32_t *statuses = run(multi, murCmdMultiFind, count, keys, NULL, found);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t expected;
        const MultiPair *pairs = pairs_of(multi, keys[i], &expected);
        bool good = expected == 0 && found[i] == UINT32_MAX;
        for (uint32_t p = 0; p < expected; ++p) {
            good = good || pairs[p].value == found[i];
        }
        if (counts[i] != expected || !good || statuses[i] != (expected ? MUR_FOUND : MUR_ABSENT)) {
            fail_msg("query %u, key %u: count %u, expected %u; found %u, status %s", i, keys[i],
                     counts[i], expected, found[i], murStatusName(statuses[i]));
        }
    }
    free(statuses);
    free(counts);
}

void multi_require_visits(Multi *multi, uint32_t count, const uint32_t *keys) {
    const GpuKernel *kernels[] = {&multi->read, &multi->write};
    for (uint32_t k = 0; k < (multi->access == ACCESS_BUFFER ? 1 : 2); ++k) {
        Answer *answers = multi_call(multi, kernels[k], CALL_MULTI_VISIT, count, keys, NULL);
        for (uint32_t i = 0; i < count; ++i) {
            uint32_t expected, sum = 0;
            const MultiPair *pairs = pairs_of(multi, keys[i], &expected);
            const uint32_t found = (uint32_t)answers[i].value;
            bool good = expected == 0 && found == UINT32_MAX;
            for (uint32_t p = 0; p < expected; ++p) {
                good = good || pairs[p].value == found;
                sum += pairs[p].value;
            }
            if (!good || answers[i].status != (expected ? MUR_FOUND : MUR_ABSENT) ||
                answers[i].slot != expected || answers[i].value >> 32 != expected ||
                answers[i].key != ((uint64_t)sum << 32 | sum)) {
                fail_msg("kernel %u, key %u: visited %u, sums 0x%llx, count %u, found %u; expected "
                         "%u values, sum 0x%x",
                         k, keys[i], answers[i].slot, (unsigned long long)answers[i].key,
                         (uint32_t)(answers[i].value >> 32), found, expected, sum);
            }
        }
        free(answers);
    }
}

static void require_host(Multi *multi, uint32_t count, const uint32_t *keys) {
    for (uint32_t i = 0; i < count; ++i) {
        const uint64_t key = multi_key(multi, keys[i]);
        const uint32_t ordinals = murHostMultiOrdinals(multi->host, key);
        uint32_t *values = test_allocate(4 * (size_t)ordinals + 4);
        uint32_t expected, got = 0;
        for (uint32_t o = 0; o < ordinals; ++o) {
            got += murHostMultiGet(multi->host, key, o, &values[got]);
        }
        assert_false(murHostMultiGet(multi->host, key, ordinals, &values[got]));
        assert_int_equal(values[got], UINT32_MAX);
        const MultiPair *pairs = pairs_of(multi, keys[i], &expected);
        const uint32_t counted = murHostMultiCount(multi->host, key);
        if (got != expected || counted != expected) {
            fail_msg("key %u: %u of %u values, count %u", keys[i], got, expected, counted);
        }
        qsort(values, got, 4, by_value);
        for (uint32_t v = 0; v < got; ++v) {
            assert_int_equal(values[v], pairs[v].value);
        }
        free(values);
    }
}

void multi_require_same(Multi *multi, uint32_t count, const uint32_t *keys) {
    if (multi->count) {
        qsort(multi->pairs, multi->count, sizeof *multi->pairs, by_pair);
    }
    if (multi->host) {
        require_host(multi, count, keys);
        return;
    }
    require_counts(multi, count, keys);
    if (multi->byShaders) {
        multi_require_visits(multi, count, keys);
    }
    uint32_t total = 0;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t some;
        pairs_of(multi, keys[i], &some);
        total += some;
    }
    MultiResult result = multi_retrieve(multi, count, keys, UINT32_MAX, total);
    assert_int_equal(result.total, total);
    assert_int_equal(result.offsets[0], 0);
    assert_int_equal(result.offsets[count], total);
    for (uint32_t i = 0; i < count; ++i) {
        require_values(multi, &result, i, keys[i]);
    }
    for (uint32_t i = 0; i < MULTI_MARGIN; ++i) {
        assert_int_equal(result.values[total + i], MULTI_UNTOUCHED);
        assert_int_equal(result.indices[total + i], MULTI_UNTOUCHED);
    }
    multi_free(&result);
    const MurStats stats = gpu_stats(multi->gpu, multi->table);
    assert_int_equal(stats.failedInserts, multi->full);
    assert_int_equal(stats.invalidValues, multi->refused);
}
