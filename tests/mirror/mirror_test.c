/* Mirrors on a device. If no other thread writes the host table, it equals the GPU table after an
 * update, byte for byte, so most cases only compare memory.
 * SPDX-License-Identifier: MIT */
#include "oracle/pair.h"
#include "storm.h"
#include "support/frames.h"
#include "support/observe.h"
#include "support/seed.h"

#include <murmuration/mirror.h>
#include <murmuration/snapshot.h>

#include <string.h>

enum { FRAMES = 3, KEYS = 600 };

typedef struct Fixture {
    Gpu *gpu;
    MurMirror mirror;
    const MurHostTable *host;
    GpuBuffer memory; /* memory of the GPU table */
    uint64_t frame, completed;
    Random random;
} Fixture;

static MurMirrorCreateInfo mirror_info(const TableKind *kind, uint64_t capacity) {
    return (MurMirrorCreateInfo){.table = kind_info(kind, capacity), .framesInFlight = FRAMES};
}

static Fixture open_fixture(Gpu *gpu, MurMirrorCreateInfo info) {
    Fixture fixture = {.gpu = gpu, .random = {5}};
    MurTableRequirements needs;
    gpu_require(murGetTableRequirements(gpu->context, &info.table, &needs));
    fixture.memory = gpu_buffer(gpu, needs.size);
    memset(fixture.memory.mapped, 0xA5, needs.size);
    info.table.memory = (MurBufferRange){fixture.memory.buffer, 0, needs.size};
    gpu_require(murCreateMirror(gpu->context, &info, &fixture.mirror));
    fixture.host = murGetMirrorHostTable(fixture.mirror);
    return fixture;
}

static void close_fixture(Fixture *fixture) {
    murDestroyMirror(fixture->mirror);
    gpu_free(fixture->gpu, &fixture->memory);
}

/* Records the update of the next frame, without a submit. */
static VkResult record(Fixture *fixture, VkCommandBuffer cmd, uint64_t capacity) {
    const MurMirrorUpdate update = {
        .frame = fixture->frame + 1, .completedFrame = fixture->completed, .capacity = capacity};
    const VkResult result = murCmdUpdateMirror(cmd, fixture->mirror, &update);
    fixture->frame += result == VK_SUCCESS;
    return result;
}

static void update(Fixture *fixture) {
    GPU_RUN(fixture->gpu, record(fixture, fixture->gpu->cmd, 0));
    fixture->completed = fixture->frame;
}

static void require_equal(const Fixture *fixture) {
    const uint64_t size = murGetTableMemory(murGetMirrorTable(fixture->mirror)).size;
    const uint8_t *host = fixture->host->pImage, *table = fixture->memory.mapped;
    for (uint64_t at = 0; at < size; ++at) {
        if (host[at] != table[at]) {
            fail_msg("frame %llu: byte %llu of %llu is 0x%x, 0x%x on the host",
                     (unsigned long long)fixture->frame, (unsigned long long)at,
                     (unsigned long long)size, table[at], host[at]);
        }
    }
}

static uint64_t key_at(const Fixture *fixture, uint32_t i) {
    const uint32_t format = MUR_TABLE_FORMAT(fixture->host->ref.flags);
    return i < HARD_KEYS ? hard_key(format, 0, i)
                         : oracle_key(format, oracle_hash_of(format, mur_hash(i, 5), i), 0);
}

/* Makes one write call of a random type. */
static void write_any(Fixture *fixture) {
    const MurHostTable *host = fixture->host;
    const uint64_t key = key_at(fixture, random_below(&fixture->random, KEYS));
    const uint64_t value = 1 + random_below(&fixture->random, 1000);
    switch (random_below(&fixture->random, 8)) {
    case 0:
    case 1:
        murHostErase(host, key);
        break;
    case 2:
        murHostSlotExchange(host, murHostFind(host, key).slot, value);
        break;
    case 3:
        murHostInsert(host, MUR_MODE_UPDATE, key, value);
        break;
    case 4:
        murHostInsert(host, MUR_MODE_INSERT, key, host->ref.flags & MUR_TABLE_ZERO ? 0 : value);
        break;
    default:
        murHostInsert(host, MUR_MODE_ASSIGN, key, value);
    }
}

static void write_batch(Fixture *fixture, const TableKind *kind) {
    Bulk bulk = bulk_open(kind->format, 100);
    const uint32_t first = random_below(&fixture->random, KEYS - 100);
    for (uint32_t i = 0; i < 100; ++i) {
        bulk_set(&bulk, i, key_at(fixture, first + i), 7 + i);
    }
    if (random_below(&fixture->random, 3) == 0) {
        murHostEraseBatch(fixture->host, 100, bulk.keys, NULL, NULL, NULL);
    } else {
        murHostInsertBatch(fixture->host, MUR_MODE_ASSIGN, 100, bulk.keys, bulk_values(&bulk), NULL,
                           NULL, NULL);
    }
    bulk_close(&bulk);
}

/* Loads a snapshot of the table into the table, whose header must remain valid. */
static void load_own_snapshot(const MurHostTable *host) {
    const uint64_t size = murGetSnapshotSize(host);
    void *data = test_allocate(size);
    MurHostTable attached;
    assert_int_equal(murWriteSnapshot(host, data, size), VK_SUCCESS);
    assert_int_equal(murLoadSnapshotFromMemory(data, size, host), VK_SUCCESS);
    assert_int_equal(murHostAttach(host->pImage, size, &attached), VK_SUCCESS);
    free(data);
}

EACH_KIND(update_makes_both_tables_equal) {
    Fixture fixture = open_fixture(gpu, mirror_info(kind, 1000));
    update(&fixture);
    require_equal(&fixture);
    for (uint32_t i = 0; i < 60; ++i) {
        const uint32_t writes = random_below(&fixture.random, 4) * random_below(&fixture.random, 9);
        for (uint32_t j = 0; j < writes; ++j) {
            write_any(&fixture);
        }
        if (i % 4 == 3) {
            write_batch(&fixture, kind);
        }
        if (i == 30 || i == 50) {
            (i == 30 ? murHostRebuildFilter : murHostClear)(fixture.host);
        }
        if (i == 40) {
            load_own_snapshot(fixture.host);
        }
        update(&fixture);
        require_equal(&fixture);
    }
    close_fixture(&fixture);
}

EACH_KIND(update_copies_what_has_changed) {
    Fixture fixture = open_fixture(gpu, mirror_info(kind, 20000));
    const uint64_t size = murGetTableMemory(murGetMirrorTable(fixture.mirror)).size;
    update(&fixture);
    assert_in_range(murGetMirrorCopiedSize(fixture.mirror), size, size + 63);
    update(&fixture);
    assert_int_equal(murGetMirrorCopiedSize(fixture.mirror), 0);
    for (uint32_t i = 0; i < KEYS; i += 60) {
        murHostInsert(fixture.host, MUR_MODE_ASSIGN, key_at(&fixture, i), 9);
        update(&fixture); /* copies few units, a block of the filter, the header and the list */
        assert_in_range(murGetMirrorCopiedSize(fixture.mirror), 64, 12 * 64);
        require_equal(&fixture);
    }
    const uint64_t none = fixture.host->ref.flags & MUR_TABLE_ZERO ? 0 : UINT32_MAX;
    if (!kind_is_set(kind) && kind->format != MUR_FORMAT_K64V64) { /* counted in the header */
        assert_int_equal(murHostInsert(fixture.host, MUR_MODE_ASSIGN, 1, none).status,
                         MUR_INVALID_VALUE);
        update(&fixture);
        require_equal(&fixture);
    }
    murMirrorMarkDirty(fixture.mirror, MUR_MIRROR_TABLE, 0, 0);
    memset(fixture.memory.mapped, 0x5A, size); /* lost, as in a frame without a submit */
    update(&fixture);
    require_equal(&fixture);
    close_fixture(&fixture);
}

enum { CAPACITY = 3000, IMAGE = 1 << 16 };

/* Records the updates of several frames before it submits the first. If staging memory is reused
 * too early, results change. The tables are copied between the frames. */
static void run_frames(Gpu *gpu, uint32_t frames) {
    MurMirrorCreateInfo info = mirror_info(&table_kinds[KIND_k64v32_32_max], CAPACITY);
    info.framesInFlight = frames;
    Fixture fixture = open_fixture(gpu, info);
    const uint64_t size = murGetTableMemory(murGetMirrorTable(fixture.mirror)).size;
    assert_in_range(size, 1, IMAGE);
    Gpu lanes[FRAMES];
    GpuBuffer copies[FRAMES];
    uint8_t *images = test_allocate((size_t)FRAMES * IMAGE);
    for (uint32_t i = 0; i < frames; ++i) {
        gpu_open_lane(gpu, &lanes[i], gpu->queue, gpu->family);
        copies[i] = gpu_buffer(gpu, size);
    }
    for (uint32_t round = 0; round < 12; ++round) {
        for (uint32_t i = 0; i < frames; ++i) {
            const uint32_t writes = round % 3 == 0 ? CAPACITY : 1 + 40 * round;
            for (uint32_t j = 0; j < writes; ++j) {
                murHostInsert(fixture.host, MUR_MODE_ASSIGN,
                              random_below(&fixture.random, CAPACITY / 2), round * frames + i + 1);
            }
            VkCommandBuffer cmd = gpu_begin(&lanes[i]);
            gpu_require(record(&fixture, cmd, 0));
            const VkBufferCopy region = {.size = size};
            vkCmdCopyBuffer(cmd, fixture.memory.buffer, copies[i].buffer, 1, &region);
            memcpy(images + (size_t)i * IMAGE, fixture.host->pImage, size);
        }
        for (uint32_t i = 0; i < frames; ++i) {
            gpu_send(&lanes[i]);
        }
        for (uint32_t i = 0; i < frames; ++i) {
            gpu_wait(&lanes[i]);
            assert_memory_equal(copies[i].mapped, images + (size_t)i * IMAGE, size);
        }
        fixture.completed = fixture.frame;
    }
    for (uint32_t i = 0; i < frames; ++i) {
        gpu_free(gpu, &copies[i]);
        gpu_close_lane(&lanes[i]);
    }
    free(images);
    close_fixture(&fixture);
}

GPU_TEST(each_frame_in_flight_has_its_staging_memory) {
    for (uint32_t frames = 1; frames <= FRAMES; ++frames) {
        run_frames(gpu, frames);
    }
}

/* The staging memory fits one full copy. A second copy waits until the first is completed. */
GPU_TEST(update_without_staging_memory_is_not_ready) {
    MurMirrorCreateInfo info = mirror_info(&table_kinds[KIND_k64v32_32_max], CAPACITY);
    info.stagingSize = 1; /* raised to one full copy */
    Fixture fixture = open_fixture(gpu, info);
    update(&fixture);
    for (uint32_t i = 0; i < 20; ++i) {
        gpu_begin(gpu);
        fixture.completed = fixture.frame - 1;
        for (uint32_t j = 0; j < 80; ++j) {
            murHostInsert(fixture.host, MUR_MODE_ASSIGN, j, i);
            if (j % 40 == 39) {
                assert_int_equal(record(&fixture, gpu->cmd, 0), i == 0 ? VK_NOT_READY : VK_SUCCESS);
            }
        }
        gpu_submit(gpu);
        fixture.completed = fixture.frame;
        murHostErase(fixture.host, i);
        update(&fixture);
        require_equal(&fixture);
    }
    /* The staging memory fits the first update. The next two fail, and must keep their marks. */
    gpu_begin(gpu);
    for (uint32_t i = 0; i < 3; ++i) {
        for (uint32_t j = 0; j < (i == 1 ? CAPACITY / 2 : 50); ++j) {
            murHostInsert(fixture.host, MUR_MODE_ASSIGN, j + i % 2 * 80 + i * 17, 7 + i);
        }
        assert_int_equal(record(&fixture, gpu->cmd, 0), i == 0 ? VK_SUCCESS : VK_NOT_READY);
    }
    gpu_submit(gpu);
    fixture.completed = fixture.frame;
    update(&fixture);
    require_equal(&fixture);
    close_fixture(&fixture);
}

EACH_LINEAR_KIND(update_with_a_capacity_moves_all_entries) {
    Fixture fixture = open_fixture(gpu, mirror_info(kind, 300));
    const MurHostTable *host = fixture.host;
    uint64_t capacities[] = {300, 2000, 500, 500};
    update(&fixture);
    gpu_free(gpu, &fixture.memory); /* the library now allocates memory */
    fixture.memory = gpu_buffer(gpu, 1 << 16);
    for (uint32_t i = 0; i < 4; ++i) {
        for (uint32_t j = 0; j < 250; ++j) {
            murHostInsert(host, MUR_MODE_ASSIGN, key_at(&fixture, j), 1 + i + j);
        }
        murHostErase(host, key_at(&fixture, i));
        const MurTable before = murGetMirrorTable(fixture.mirror);
        gpu_begin(gpu);
        fixture.completed = fixture.frame;
        gpu_require(record(&fixture, gpu->cmd, capacities[i]));
        const MurTable table = murGetMirrorTable(fixture.mirror);
        assert_ptr_not_equal(table, before);
        assert_int_equal(murGetTableRef(table).capacity, capacities[i]);
        const MurBufferRange memory = murGetTableMemory(table);
        const VkBufferCopy region = {memory.offset, 0, memory.size};
        vkCmdCopyBuffer(gpu->cmd, memory.buffer, fixture.memory.buffer, 1, &region);
        gpu_submit(gpu);
        require_equal(&fixture);
        MurStats stats;
        murHostStats(host, &stats);
        assert_int_equal(stats.live, 249);
        assert_int_equal(stats.erased, 0);
    }
    gpu_begin(gpu);
    assert_int_equal(record(&fixture, gpu->cmd, 20), MUR_ERROR_TOO_LARGE);
    gpu_submit(gpu);
    assert_int_equal(host->ref.capacity, 500);
    close_fixture(&fixture);
}

GPU_TEST(update_copies_marked_payloads) {
    enum { BYTES = 10000 };
    MurMirrorCreateInfo info = mirror_info(&table_kinds[KIND_k32v32_32_max], 500);
    _Alignas(16) static uint8_t host[BYTES];
    GpuBuffer memory = gpu_buffer(gpu, BYTES);
    memset(host, 1, BYTES);
    info.payloads[0] = (MurMirrorPayload){host, memory.address, BYTES};
    Fixture fixture = open_fixture(gpu, info);
    update(&fixture);
    assert_memory_equal(memory.mapped, host, BYTES);
    for (uint32_t i = 0; i < 40; ++i) {
        const uint32_t at = random_below(&fixture.random, BYTES);
        const uint32_t size = 1 + random_below(&fixture.random, i < 20 ? 30 : BYTES - at);
        memset(host + at, (int)i + 2, size < BYTES - at ? size : BYTES - at);
        murMirrorMarkDirty(fixture.mirror, 0, at, i % 8 == 7 ? UINT64_MAX : size);
        murMirrorMarkDirty(fixture.mirror, 1, 0, BYTES); /* the mirror has no array 1 */
        murMirrorMarkDirty(fixture.mirror, 0, BYTES, 5);
        murHostInsert(fixture.host, MUR_MODE_ASSIGN, i, at);
        update(&fixture);
        require_equal(&fixture);
        assert_memory_equal(memory.mapped, host, BYTES);
        assert_true(i % 8 == 7 ||
                    murGetMirrorCopiedSize(fixture.mirror) <= size + size / 8 + 64 * 12);
    }
    close_fixture(&fixture);
    gpu_free(gpu, &memory);
}

GPU_TEST(commands_that_write_a_mirror_are_rejected) {
    const char *text = "a mirror's";
    const TableKind *kinds[] = {&table_kinds[KIND_k32v32_32_max],
                                &table_kinds[KIND_buckets_k32v32_32_max]};
    for (uint32_t i = 0; i < 2; ++i) {
        Fixture fixture = open_fixture(gpu, mirror_info(kinds[i], 500));
        const MurTable table = murGetMirrorTable(fixture.mirror);
        update(&fixture);
        GpuBuffer word = gpu_buffer(gpu, 4096);
        const MurBatch none = {.maxCount = 0};
        const MurExtract extract = {.countAddress = word.address};
        VkCommandBuffer cmd = gpu_begin(gpu);
        gpu_refused(gpu, murCmdClear(cmd, table), text);
        gpu_refused(gpu, murCmdInsert(cmd, table, MUR_MODE_ASSIGN, &none), text);
        gpu_refused(gpu, murCmdBuild(cmd, table, MUR_MODE_ASSIGN, &none), text);
        gpu_refused(gpu, murCmdErase(cmd, table, &none), text);
        gpu_refused(gpu, murCmdEraseWhere(cmd, table, &extract), text);
        gpu_refused(gpu, murCmdRebuildFilter(cmd, table), text);
        gpu_require(murCmdExtract(cmd, table, &extract));
        if (i == 1) {
            gpu_refused(gpu, record(&fixture, cmd, 500), "capacity is 500, expected 0");
        }
        gpu_submit(gpu);
        gpu_refused(gpu, murBlockingUpload(gpu->blocking, table, fixture.host->pImage, UINT32_MAX),
                    text);
        gpu_free(gpu, &word);
        close_fixture(&fixture);
    }
}

/* The update of frame 2 replaces a table and its staging memory, which frame 1 still uses. */
OBSERVED_CASE(replaced_tables_live_until_their_frame_is_complete) {
    const MurMirrorCreateInfo info = {.table = {.capacity = 100}, .framesInFlight = 3};
    static const uint32_t completed[] = {0, 0, 1, 1, 2}, freed[] = {0, 0, 0, 0, 2};
    MurMirror mirror;
    gpu_require(murCreateMirror(observed->context, &info, &mirror));
    for (uint32_t i = 0; i < 5; ++i) {
        const MurMirrorUpdate changes = {
            .frame = i + 1, .completedFrame = completed[i], .capacity = i == 1 ? 100 : 0};
        gpu_begin(gpu);
        gpu_require(murCmdUpdateMirror(gpu->cmd, mirror, &changes));
        gpu_submit(gpu);
        assert_int_equal(interpose_calls(ON_vkFreeMemory), freed[i]);
    }
    murDestroyMirror(mirror);
}

/* An update records a barrier after all earlier readers, and a barrier before all later readers. */
OBSERVED_CASE(updates_have_their_barriers) {
    const MurMirrorCreateInfo info = {.table = {.capacity = 100}, .framesInFlight = 1};
    MurMirror mirror;
    uint32_t count;
    gpu_require(murCreateMirror(observed->context, &info, &mirror));
    for (uint32_t i = 1; i <= 3; ++i) {
        const VkPipelineStageFlags given = i == 2 ? VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT : 0;
        const VkPipelineStageFlags readers = given ? given : VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
        const MurMirrorUpdate changes = {.frame = i, .completedFrame = i - 1, .readStages = given};
        murHostInsert(murGetMirrorHostTable(mirror), MUR_MODE_ASSIGN, i, i);
        gpu_begin(gpu);
        interpose_keep_records();
        gpu_require(murCmdUpdateMirror(gpu->cmd, mirror, &changes));
        const InterposedRecord *records = interpose_records(&count);
        assert_int_equal(count, 5);
        for (uint32_t j = 0; j < 5; j += 4) { /* records 0 and 4 are barriers */
            assert_int_equal(records[j].function, ON_vkCmdPipelineBarrier);
            const VkPipelineStageFlags outer = j == 0 ? records[j].before : records[j].after;
            assert_int_equal(outer & readers, readers);
            assert_int_equal(records[j].memory.srcAccessMask, VK_ACCESS_SHADER_WRITE_BIT);
        }
        assert_int_equal(records[0].after, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
        assert_int_equal(records[4].before, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
        assert_int_equal(records[4].memory.dstAccessMask, VK_ACCESS_MEMORY_READ_BIT);
        gpu_submit(gpu);
    }
    murDestroyMirror(mirror);
}

typedef struct Engine {
    Fixture fixture;
    GpuBuffer payload;
    Frames frames;      /* with copies of the table and, from IMAGE on, of the payload */
    MurHostTable table; /* in the copy of the last completed frame */
    Storm storm;
} Engine;

static void mark_payload(void *user, uint32_t item) {
    const Engine *engine = user;
    murMirrorMarkDirty(engine->fixture.mirror, 0, 4 * item, 4);
}

static void read_copy(void *user, uint32_t at) {
    Engine *engine = user;
    uint8_t *copy = engine->frames.flights[at].memory.mapped;
    engine->fixture.completed = engine->frames.flights[at].frame;
    engine->storm.copy = (const uint32_t *)(copy + IMAGE);
    gpu_require(murHostAttach(copy, IMAGE, &engine->table));
}

static MurHostTable update_on_gpu(void *user, bool reclaims) {
    Engine *engine = user;
    Fixture *fixture = &engine->fixture;
    if (reclaims && fixture->host->ref.flags & MUR_TABLE_BUCKETS) {
        murHostRebuildFilter(fixture->host);
        reclaims = false;
    }
    Flight *flight = &engine->frames.flights[frames_begin(&engine->frames, fixture->frame + 1)];
    VkCommandBuffer cmd = flight->lane.cmd;
    gpu_require(record(fixture, cmd, reclaims ? fixture->host->ref.capacity : 0));
    const MurBufferRange memory = murGetTableMemory(murGetMirrorTable(fixture->mirror));
    const VkBufferCopy region = {memory.offset, 0, memory.size};
    const VkBufferCopy payload = {0, IMAGE, 4 * STORM_ITEMS};
    vkCmdCopyBuffer(cmd, memory.buffer, flight->memory.buffer, 1, &region);
    vkCmdCopyBuffer(cmd, engine->payload.buffer, flight->memory.buffer, 1, &payload);
    gpu_barrier(&flight->lane);
    gpu_send(&flight->lane);
    if (engine->frames.pending == engine->storm.inFlight) {
        frames_complete(&engine->frames);
    }
    return engine->table;
}

static void run_storm(Gpu *gpu, const TableKind *kind, bool fresh, uint32_t flights) {
    Engine engine = {.fixture.gpu = gpu,
                     .payload = gpu_buffer(gpu, 4 * STORM_ITEMS),
                     .frames = {.judge = read_copy, .model = &engine},
                     .storm = {.fresh = fresh,
                               .frames = 20,
                               .seconds = test_full(), /* --long: over a minute for either keys */
                               .inFlight = flights,
                               .update = update_on_gpu,
                               .user = &engine,
                               .mark = mark_payload}};
    MurMirrorCreateInfo info = mirror_info(kind, fresh ? 600 : kind->flags ? 128 : 80);
    info.framesInFlight = flights;
    info.payloads[0] = (MurMirrorPayload){engine.storm.payload, engine.payload.address,
                                          4 * STORM_ITEMS};
    gpu_require(murCreateMirror(gpu->context, &info, &engine.fixture.mirror));
    engine.storm.host = engine.fixture.host = murGetMirrorHostTable(engine.fixture.mirror);
    frames_open(&engine.frames, gpu, flights, IMAGE + 4 * STORM_ITEMS);
    storm_run(&engine.storm);
    frames_drain(&engine.frames);
    assert_string_equal(engine.storm.fault, "");
    frames_close(&engine.frames);
    gpu_free(gpu, &engine.payload);
    murDestroyMirror(engine.fixture.mirror);
}

EACH_KIND(frames_agree_with_a_storm) {
    for (uint32_t flights = 1; flights <= FRAMES; ++flights) {
        if (test_full() || flights == 1 + kind->layout % FRAMES) {
            run_storm(gpu, kind, false, flights);
            run_storm(gpu, kind, true, flights);
        }
    }
}
