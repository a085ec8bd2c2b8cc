/* Scenes of commands that one kind of tables has: rows, buckets with ages.
 *
 * SPDX-License-Identifier: MIT */
#include "scene.h"

#include <device/device.h>

/* Some two have equal rows. */
static void set_rows(void *rows, uint32_t count) {
    for (uint32_t i = 0; i < 2 * count; ++i) {
        ((uint32_t *)rows)[i] = mur_hash(i / 2 * 2 % 900 + i % 2, 3);
    }
}

void scene_fill_rows(Scene *scene, MurBlocking blocking, MurTable table) {
    if (scene->bare) {
        return;
    }
    const MurPredicate some = {
        .word = MUR_PREDICATE_KEY_LOW, .compare = MUR_COMPARE_EQUAL, .mask = 7};
    uint32_t erased;
    GpuBuffer rows = gpu_buffer(scene->gpu, 8ull * scene->info->filled);
    set_rows(rows.mapped, scene->info->filled);
    const MurRowBatch batch = {.maxCount = scene->info->filled, .rows = gpu_array(&rows)};
    gpu_require(murBlockingClear(blocking, table));
    GPU_RUN(scene->gpu, murCmdInsertRows(scene->gpu->cmd, table, &batch));
    gpu_require(murBlockingEraseWhere(blocking, table, 1, &some, 0, NULL, NULL, NULL, &erased));
    gpu_free(scene->gpu, &rows);
}

/* exclusive: of another array. */
void scene_give_rows(Scene *scene) {
    const SceneInfo *info = scene->info;
    const uint64_t count = info->count;
    const uint32_t all = info->filled + info->count;
    MurRowBatch *batch = &scene->test.rows;
    *batch = (MurRowBatch){.maxCount = info->count, .rows = scene_give(scene, 8ull * all)};
    set_rows(scene->buffers[scene->memoryCount - 1].mapped, all);
    if (info->exclusive) {
        batch->queries = scene_give(scene, 8 * count);
        set_rows(scene->buffers[scene->memoryCount - 1].mapped, info->count);
    } else {
        batch->numbers = scene_give(scene, 4 * count);
        for (uint32_t i = 0; i < info->count; ++i) {
            ((uint32_t *)scene->buffers[scene->memoryCount - 1].mapped)[i] = i < info->known
                                                                                 ? 2 * i
                                                                                 : info->filled + i;
        }
    }
    batch->found = scene_give(scene, 4 * count);
    batch->statuses = scene_give(scene, 4 * count);
    batch->countAddress = scene_give(scene, 4).address;
    *(uint32_t *)scene->buffers[scene->memoryCount - 1].mapped = info->count - 3;
}

enum { FRAME = 50 };

/* Entries were used in several frames, or not yet. */
void scene_give_age(Scene *scene) {
    const MurTableRef ref = scene->table->shape.ref;
    const uint32_t ages = MUR_AGES_START(scene->info->format, ref.flags, ref.slotCount);
    uint32_t *words = scene->buffers[0].mapped;
    for (uint32_t i = 0; i < ref.slotCount && !scene->bare; ++i) {
        words[ages + i] = i % 7 ? FRAME - i % 7 : MUR_AGE_UNTOUCHED;
    }
    const uint32_t count = scene->info->count;
    scene->test.age = (MurAge){.frame = FRAME,
                               .maxAge = 3,
                               .live = scene_give(scene, 4ull * count),
                               .maxLive = count,
                               .erased = scene_give(scene, 4ull * count),
                               .maxErased = count,
                               .groupEntries = 64,
                               .result = scene_give(scene, sizeof(MurAgeResult))};
}
