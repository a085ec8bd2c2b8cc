/* SPDX-License-Identifier: MIT */
#include "rehash_check.h"

#include <stdlib.h>
#include <string.h>

enum { SEED = 0x5EED, OTHER_SEED = 0xBADC0DE, GUARD = 16 };

static uint32_t no_value(const RehashRun *run) {
    return run->test->zero ? 0 : UINT32_MAX;
}

/* The least hash whose home is this slot. */
static uint32_t first_hash(uint64_t capacity, uint64_t home) {
    return (uint32_t)(((home << 32) + capacity - 1) / capacity);
}

static uint32_t hash_of(const RehashCase *test, uint32_t i) {
    const uint64_t capacity = test->from;
    switch (test->keys) {
    case KEYS_ONE_HOME:
        return first_hash(capacity, capacity / 2) + i;
    case KEYS_TABLE_END:
        return first_hash(capacity, capacity - 1) + i;
    case KEYS_ROW:
        return first_hash(capacity, 100 + (i ? i - 1 : 0)) + (i == 0);
    case KEYS_PILE:
        return i < 600 ? first_hash(capacity, capacity / 2) + i : mur_hash(i, 77);
    case KEYS_HALF:
        return mur_hash(i, 77) / 2;
    case KEYS_CUT:
        return first_hash(capacity, 2 * MUR_REHASH_WINDOW - 3 * MUR_REHASH_BEFORE - 5) + i;
    case KEYS_CLUMPS: {
        const uint64_t clump = i % 3;
        return first_hash(capacity, clump * (capacity / 3) + mur_hash(i, 7) % 16) + i;
    }
    default:
        return mur_hash(i, 77);
    }
}

static void fill_source(RehashRun *run) {
    const RehashCase *test = run->test;
    Oracle *oracle = &run->source;
    for (uint32_t i = 0; i < test->count + 2; ++i) {
        const bool extra = i >= test->count;
        if (extra && !test->extra) {
            break;
        }
        const uint32_t key = oracle_key(i == test->count ? MUR_EMPTY
                                        : extra          ? MUR_HOLE
                                                         : hash_of(test, i),
                                        SEED);
        const OracleResult result = oracle_insert(oracle, MUR_MODE_ASSIGN, key, i + 1);
        if (result.status != MUR_INSERTED) {
            fail_msg("case %s: making the source: key %u of %u: %u", test->name, i, test->count,
                     result.status);
        }
        if (!extra && i % 10 < test->erased) {
            oracle_erase(oracle, key);
        }
    }
    for (uint32_t slot = 0; slot < oracle->config.slotCount + 2; ++slot) {
        const OracleSlot *it = &oracle->slots[slot];
        const bool live = it->value != oracle->none;
        run->live += live;
        run->dropped += it->claimed && !live && slot < oracle->config.slotCount;
    }
    oracle_image(oracle, run->sourceImage);
}

static MurTable make_table(Gpu *gpu, const MurTableCreateInfo *info) {
    MurTable table;
    gpu_require(murCreateTable(gpu->context, info, &table));
    return table;
}

RehashRun rehash_open(Gpu *gpu, const RehashCase *test) {
    RehashRun run = {.gpu = gpu, .test = test};
    MurTableCreateInfo info = {
        .capacity = test->from,
        .seed = SEED,
        .reservedValue = test->zero ? MUR_RESERVED_VALUE_ZERO : MUR_RESERVED_VALUE_MAX,
        .atomicWidth = test->fromWide ? MUR_ATOMIC_WIDTH_64 : MUR_ATOMIC_WIDTH_32,
        .probeLimit = test->compact ? test->limit : 0,
        .uses = {murUseRehash()},
    };
    run.from = make_table(gpu, &info);
    info.capacity = test->to;
    info.seed = test->newSeed ? OTHER_SEED : SEED;
    info.atomicWidth = test->toWide ? MUR_ATOMIC_WIDTH_64 : MUR_ATOMIC_WIDTH_32;
    info.probeLimit = test->limit;
    run.to = test->compact ? run.from : make_table(gpu, &info);
    const MurTableRef from = murGetTableRef(run.from);
    const OracleConfig config = {.capacity = from.capacity,
                                 .slotCount = from.slotCount,
                                 .seed = SEED,
                                 .zero = test->zero,
                                 .wide = test->fromWide};
    oracle_open(&run.source, &config);
    run.imageWords = (uint32_t)oracle_image_words(&run.source);
    const VkDeviceSize fromSize = murGetTableMemory(run.from).size;
    const VkDeviceSize toSize = murGetTableMemory(run.to).size;
    assert_int_equal(fromSize, 4ull * run.imageWords);
    run.upload = gpu_buffer(gpu, fromSize);
    run.sourceImage = run.upload.mapped;
    run.download = gpu_buffer(gpu, fromSize > toSize ? fromSize : toSize);
    run.slotMap = gpu_buffer(gpu, 4 * ((VkDeviceSize)from.slotCount + 2));
    run.result = gpu_buffer(gpu, sizeof(MurRehashResult));
    memset(run.slotMap.mapped, 0xA5, run.slotMap.size);
    memset(run.result.mapped, 0xA5, run.result.size);
    run.scratch = gpu_buffer(gpu, murGetCompactScratchSize(run.from) + GUARD);
    memset(run.scratch.mapped, 0xA5, run.scratch.size);
    fill_source(&run);
    gpu_begin(gpu);
    const MurBufferRange source = murGetTableMemory(run.from);
    const MurBufferRange destination = murGetTableMemory(run.to);
    const VkBufferCopy region = {0, source.offset, source.size};
    vkCmdFillBuffer(gpu->cmd, destination.buffer, destination.offset, destination.size,
                    0x12345678); /* rubbish */
    gpu_barrier(gpu);
    vkCmdCopyBuffer(gpu->cmd, run.upload.buffer, source.buffer, 1, &region);
    gpu_submit(gpu);
    return run;
}

void rehash_close(RehashRun *run) {
    oracle_close(&run->source);
    murDestroyTable(run->from);
    if (run->to != run->from) {
        murDestroyTable(run->to);
    }
    gpu_free(run->gpu, &run->upload);
    gpu_free(run->gpu, &run->download);
    gpu_free(run->gpu, &run->slotMap);
    gpu_free(run->gpu, &run->result);
    gpu_free(run->gpu, &run->scratch);
}

void rehash_download(RehashRun *run, MurTable table) {
    const MurBufferRange memory = murGetTableMemory(table);
    const VkBufferCopy region = {memory.offset, 0, memory.size};
    gpu_begin(run->gpu);
    gpu_barrier(run->gpu);
    vkCmdCopyBuffer(run->gpu->cmd, memory.buffer, run->download.buffer, 1, &region);
    gpu_submit(run->gpu);
}

MurRehash rehash_arguments(RehashRun *run) {
    return (MurRehash){.slotMap = gpu_array(&run->slotMap),
                       .result = gpu_array(&run->result),
                       .scratch = {run->scratch.address, run->scratch.size - GUARD}};
}

/* ---- Checking ------------------------------------------------------------------------------- */

/* Does a probe from the entry's home get to its slot? Any cyclic way of claimed slots will do. */
static void check_reachable(const RehashRun *run, const uint32_t *image, uint32_t slot) {
    const MurTableRef ref = murGetTableRef(run->to);
    const uint32_t *slots = image + MUR_HEADER_WORDS;
    const uint32_t hash = slots[2 * slot];
    uint32_t at = mur_home(hash, ref.capacity);
    uint32_t sectors = 1;
    while (at != slot) {
        if (slots[2 * at] == MUR_EMPTY) {
            fail_msg("case %s: slot %u: hash 0x%x has the empty slot %u before it", run->test->name,
                     slot, hash, at);
        }
        at = at + 1 == ref.slotCount ? 0 : at + 1;
        sectors += at % MUR_SECTOR_SLOTS == 0;
    }
    if (sectors > ref.probeSectors) {
        fail_msg("case %s: slot %u is %u sectors from its home, beyond the limit of %u",
                 run->test->name, slot, sectors, ref.probeSectors);
    }
}

/* Each entry of the destination is one of the source, once. Returns their number. */
static uint32_t check_entries(RehashRun *run, const uint32_t *image, uint32_t state) {
    const MurTableRef ref = murGetTableRef(run->to);
    const uint32_t *slots = image + MUR_HEADER_WORDS;
    uint8_t *seen = calloc(run->source.config.slotCount + 2, 1);
    uint32_t entries = 0, previous = MUR_EMPTY;
    for (uint32_t slot = 0; slot < ref.slotCount + 2; ++slot) {
        const bool extra = slot >= ref.slotCount;
        const uint32_t *pair = extra ? image + MUR_HEADER_EXTRA + 2 * (slot - ref.slotCount)
                                     : slots + 2 * (size_t)slot;
        if (pair[1] == no_value(run) && (pair[0] == MUR_EMPTY || extra)) {
            previous = MUR_EMPTY;
            continue;
        }
        const uint32_t key = mur_key(pair[0], ref.seed);
        const uint32_t from = oracle_claimed(&run->source, key);
        if (from == MUR_NO_SLOT || run->source.slots[from].value != pair[1] ||
            pair[1] == no_value(run) || seen[from]++) {
            fail_msg("case %s: slot %u holds {0x%x, %u}: not of the source, erased or double",
                     run->test->name, slot, pair[0], pair[1]);
        }
        ++entries;
        if (extra) {
            assert_int_equal(pair[0], slot == ref.slotCount ? MUR_EMPTY : MUR_HOLE);
            continue;
        }
        check_reachable(run, image, slot);
        const uint32_t home = mur_home(pair[0], ref.capacity);
        if (slot < home && !(state & MUR_STATE_WRAPPED)) {
            fail_msg("case %s: slot %u, of home %u, has wrapped unsaid", run->test->name, slot,
                     home);
        }
        if ((state & MUR_STATE_ORDERED) && previous != MUR_EMPTY && previous > pair[0]) {
            fail_msg("case %s: slot %u: hash 0x%x is out of order", run->test->name, slot, pair[0]);
        }
        previous = pair[0];
    }
    free(seen);
    return entries;
}

static void check_slot_map(RehashRun *run, const uint32_t *image) {
    const MurTableRef ref = murGetTableRef(run->to);
    const uint32_t *map = run->slotMap.mapped;
    uint32_t moved = 0;
    for (uint32_t slot = 0; slot < run->source.config.slotCount + 2; ++slot) {
        const OracleSlot *from = &run->source.slots[slot];
        if (map[slot] == MUR_NO_SLOT) {
            assert_true(from->value == no_value(run) || run->test->overfull);
            continue;
        }
        if (map[slot] > ref.slotCount + 1 || from->value == no_value(run)) {
            fail_msg("case %s: slot map: %u of slot %u", run->test->name, map[slot], slot);
        }
        const uint32_t *pair = map[slot] >= ref.slotCount
                                   ? image + MUR_HEADER_EXTRA + 2 * (map[slot] - ref.slotCount)
                                   : image + MUR_HEADER_WORDS + 2 * (size_t)map[slot];
        if (mur_key(pair[0], ref.seed) != from->key || pair[1] != from->value) {
            fail_msg("case %s: slot map: slot %u moved to %u, where {0x%x, %u} is", run->test->name,
                     slot, map[slot], pair[0], pair[1]);
        }
        ++moved;
    }
    assert_int_equal(moved, ((const MurRehashResult *)run->result.mapped)->moved);
}

/* By the library's own find, in batches: the destination's order is what it relies on. */
static void check_finds(RehashRun *run) {
    const uint32_t slots = run->source.config.slotCount + 2;
    uint32_t *keys = malloc(4 * (size_t)slots);
    uint32_t *values = malloc(4 * (size_t)slots);
    for (uint32_t slot = 0; slot < slots; ++slot) {
        const OracleSlot *from = &run->source.slots[slot];
        keys[slot] = from->claimed ? from->key : mur_hash(slot, 4711);
    }
    gpu_require(murBlockingFind(run->gpu->blocking, run->to, slots, keys, values, NULL, NULL));
    for (uint32_t slot = 0; slot < slots; ++slot) {
        const uint32_t expected = oracle_value(&run->source, keys[slot]);
        if (values[slot] != expected) {
            fail_msg("case %s: find of key 0x%x: got %u, expected %u", run->test->name, keys[slot],
                     values[slot], expected);
        }
    }
    free(keys);
    free(values);
}

static void check_source(RehashRun *run) {
    rehash_download(run, run->from);
    const uint32_t *image = run->download.mapped;
    for (uint32_t word = 0; word < run->imageWords; ++word) {
        if (image[word] != run->sourceImage[word]) {
            fail_msg("case %s: the source's word %u was 0x%x and is 0x%x", run->test->name, word,
                     run->sourceImage[word], image[word]);
        }
    }
}

static void check_header(const RehashRun *run, const MurTableHeader *header, uint32_t entries) {
    const MurTableRef ref = murGetTableRef(run->to);
    assert_int_equal(header->magic, MUR_LAYOUT_MAGIC);
    assert_int_equal(header->version, MUR_LAYOUT_VERSION);
    assert_int_equal(header->capacity, ref.capacity);
    assert_int_equal(header->slotCount, ref.slotCount);
    assert_int_equal(header->seed, ref.seed);
    assert_int_equal(header->flags, ref.flags);
    assert_int_equal(header->refused, 0);
    assert_int_equal(header->full, run->live - entries);
}

void rehash_check_all(RehashRun *run) {
    const RehashCase *test = run->test;
    rehash_download(run, run->to);
    const uint32_t *image = run->download.mapped;
    MurTableHeader header;
    memcpy(&header, image, sizeof header);
    const uint32_t entries = check_entries(run, image, header.state);
    check_header(run, &header, entries);
    if (test->overfull) {
        assert_true(entries < run->live && entries > 0);
    } else {
        assert_int_equal(entries, run->live);
    }
    const MurRehashResult *result = run->result.mapped;
    if (test->withoutMap) {
        assert_int_equal(result->moved, 0xA5A5A5A5);
        assert_int_equal(*(const uint32_t *)run->slotMap.mapped, 0xA5A5A5A5);
    } else {
        assert_int_equal(result->moved, entries);
        assert_int_equal(result->dropped, run->dropped);
        assert_int_equal(result->failed, run->live - entries);
        assert_int_equal(result->state, header.state);
        check_slot_map(run, image);
    }
    if (!test->compact) {
        check_source(run);
    }
    const unsigned char *guard = run->scratch.mapped;
    for (uint32_t i = 1; i <= GUARD; ++i) {
        assert_int_equal(guard[run->scratch.size - i], 0xA5);
    }
    if (!test->overfull) {
        check_finds(run);
    }
}

static void check_end(const RehashRun *run, Way way) {
    static const uint32_t streams[] = {[END_SPARSE] = MUR_STREAM_SPARSE,
                                       [END_DENSE] = MUR_STREAM_DENSE,
                                       [END_DIRECT] = MUR_STREAM_FAILED};
    const MurTableHeader *header = run->download.mapped;
    const RehashEnd end = run->test->end;
    const bool ordered = (header->state & MUR_STATE_ORDERED) != 0;
    if (way == WAY_DIRECT) {
        assert_false(ordered);
        assert_int_equal(header->stream, 0);
    } else if (end != END_ANY &&
               (ordered != (end != END_DIRECT) || header->stream != streams[end])) {
        fail_msg("case %s, %u of %u to %u: ordered %d, stream %u, expected %u", run->test->name,
                 run->test->count, run->test->from, run->test->to, ordered, header->stream,
                 streams[end]);
    }
}

void rehash_check(Gpu *gpu, const RehashCase *test) {
    static const Way ways[] = {WAY_DIRECT, WAY_STREAM};
    for (int i = 0; i < 2; ++i) {
        RehashRun run = rehash_open(gpu, test);
        const MurRehash arguments = rehash_arguments(&run);
        gpu_take(gpu, ways[i]);
        gpu_begin(gpu);
        if (test->compact) {
            gpu_require(murCmdCompact(gpu->cmd, run.from, &arguments));
        } else {
            gpu_require(
                murCmdRehash(gpu->cmd, run.from, run.to, test->withoutMap ? NULL : &arguments));
        }
        gpu_submit(gpu);
        gpu_take(gpu, WAY_DEFAULT);
        rehash_check_all(&run);
        rehash_download(&run, run.to);
        check_end(&run, ways[i]);
        rehash_close(&run);
    }
}
