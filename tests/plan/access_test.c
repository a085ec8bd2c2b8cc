/* What kernels declare to read and to write is what they do. Each step of each scene's plan runs
 * alone from the same memory several times: as it is, and with what it is given changed, one piece
 * after the other. A piece whose change shows in the results is read; a piece that changes is
 * written. All kernels together must have shown all that they declare, and none anything else.
 *
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "scene.h"

#include "hazard.h"
#include "support/seed.h"
#include "support/watchdog.h"

#include <device/device.h>

#include <stdlib.h>
#include <string.h>

/* What all steps so far have shown. */
static Touched shown[MUR_KERNEL_COUNT];

/* A part of a buffer that a step's push constants point to. */
typedef struct Region {
    MurTouches bit;
    uint32_t buffer;
    uint64_t begin, end;
} Region;
enum { REGIONS = 16 };

typedef struct Bench {
    MurContext context;
    Scene scene;
    MurPlan plan;
    uint8_t *before[CASE_MEMORY]; /* the step */
    uint8_t *after[CASE_MEMORY];
    uint8_t *changed[CASE_MEMORY]; /* before it, with one region changed */
    Region regions[REGIONS];
    uint32_t regionCount;
} Bench;

static const char *bit_name(MurTouches bit) {
    static const char *const names[] = {
        "the table",     "the source",  "keys",      "values",     "statuses",
        "slots",         "the count",   "scratch",   "counters",   "sorted keys",
        "sorted values", "places",      "sorted",    "results",    "the slot map",
        "the result",    "statistics",  "offsets",   "indices",    "the total",
        "old values",    "status bits", "the pager", "the pool",   "the store",
        "pages",         "the lists",   "the state", "partitions", "the entries that stay",
        "those that go"};
    uint32_t index = 0;
    while ((1u << index) < (uint32_t)bit) {
        ++index;
    }
    return names[index];
}

static void take(const Bench *bench, uint8_t *const *copy) {
    for (uint32_t i = 0; i < bench->scene.memoryCount; ++i) {
        memcpy(copy[i], bench->scene.buffers[i].mapped, bench->scene.buffers[i].size);
    }
}

static void put(const Bench *bench, uint8_t *const *copy) {
    for (uint32_t i = 0; i < bench->scene.memoryCount; ++i) {
        memcpy(bench->scene.buffers[i].mapped, copy[i], bench->scene.buffers[i].size);
    }
}

/* Runs one step on what is in memory. */
static void run_step(const Bench *bench, const MurStep *step) {
    Gpu *gpu = bench->scene.gpu;
    const uint32_t variant = mur_pipeline_variant(step->kernel, bench->plan.tableFlags);
    VkCommandBuffer cmd = gpu_begin(gpu);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE,
                      (VkPipeline)bench->context->pipelines[step->kernel][variant]);
    vkCmdPushConstants(cmd, bench->context->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, MUR_PUSH_BYTES,
                       &step->push);
    vkCmdDispatch(cmd, (uint32_t)step->groups, 1, 1);
    gpu_submit(gpu);
}

/* ---- Regions -------------------------------------------------------------------------------- */

static void add_region(Bench *bench, MurTouches bit, uint64_t address) {
    const Scene *scene = &bench->scene;
    for (uint32_t i = 0; i < scene->memoryCount; ++i) {
        const Memory *memory = &scene->memory[i];
        if (address >= memory->address && address - memory->address < memory->size) {
            assert_true(bench->regionCount < REGIONS);
            bench->regions[bench->regionCount++] = (Region){bit, i, address - memory->address,
                                                            memory->size};
            return;
        }
    }
    fail_msg("%s: %s is nowhere in memory", scene->info->name, bit_name(bit));
}

/* Each ends where the next one in the same buffer begins. */
static void find_regions(Bench *bench, const MurStep *step) {
    bench->regionCount = 0;
    for (uint32_t bit = 1; bit != 0; bit <<= 1) {
        uint64_t address = 0;
        if (step_address(step, (MurTouches)bit, &address) && address) {
            add_region(bench, (MurTouches)bit, address);
        }
    }
    for (uint32_t i = 0; i < bench->regionCount; ++i) {
        for (uint32_t j = 0; j < bench->regionCount; ++j) {
            Region *a = &bench->regions[i];
            const Region *b = &bench->regions[j];
            if (a->buffer == b->buffer && b->begin > a->begin && b->begin < a->end) {
                a->end = b->begin;
            }
        }
    }
}

static const Region *region_of(const Bench *bench, uint32_t buffer, uint64_t at) {
    for (uint32_t i = 0; i < bench->regionCount; ++i) {
        const Region *region = &bench->regions[i];
        if (region->buffer == buffer && at >= region->begin && at < region->end) {
            return region;
        }
    }
    return NULL;
}

/* ---- Judging -------------------------------------------------------------------------------- */

static void judge_writes(Bench *bench, const MurStep *step) {
    const MurKernelInfo *kernel = &mur_kernels[step->kernel];
    for (uint32_t i = 0; i < bench->scene.memoryCount; ++i) {
        if (memcmp(bench->before[i], bench->after[i], bench->scene.buffers[i].size) == 0) {
            continue;
        }
        for (uint64_t at = 0; at < bench->scene.buffers[i].size; ++at) {
            if (bench->before[i][at] == bench->after[i][at]) {
                continue;
            }
            const Region *region = region_of(bench, i, at);
            if (!region || !(kernels_touch[step->kernel].writes & region->bit)) {
                fail_msg("%s: %s writes byte %llu of %s, %s, undeclared", bench->scene.info->name,
                         kernel->name, (unsigned long long)at, bench->scene.memory[i].name,
                         region ? bit_name(region->bit) : "which it is not given");
            }
            shown[step->kernel].writes |= region->bit;
        }
    }
}

/* Those that index shared memory by the hashes in scratch memory, and rely on the flag there, since
 * the kernels before them have written both. */
static bool trusts(MurKernel kernel, MurTouches bit) {
    return bit == MUR_TOUCHES_SCRATCH &&
           (kernel == MUR_KERNEL_INSERT_SLICES || kernel == MUR_KERNEL_SLICES_REST ||
            (kernel >= MUR_KERNEL_GROUP_COUNT && kernel <= MUR_KERNEL_GROUP_PLACE) ||
            (kernel >= MUR_KERNEL_BUILD_SLICES && kernel <= MUR_KERNEL_BUILD_EXACT));
}

/* Every word, to something that kernels can stand: scratch memory holds indices, which must stay
 * small. Careful: values and some counts only. */
static void change(const Bench *bench, const Region *region, bool careful) {
    uint8_t *bytes = bench->changed[region->buffer];
    memcpy(bytes, bench->before[region->buffer], bench->scene.buffers[region->buffer].size);
    for (uint64_t i = region->begin; i < region->end; i += 4) {
        uint32_t word;
        memcpy(&word, bytes + i, 4);
        word = !careful ? word == 0 : i / 4 % 2 ? 0 : word;
        memcpy(bytes + i, &word, 4);
    }
}

/* After a run with the region changed: does a byte show it? Inside the region a byte may be
 * written, as before, or left alone. */
static bool shows(const Bench *bench, const Region *region) {
    for (uint32_t i = 0; i < bench->scene.memoryCount; ++i) {
        const uint8_t *now = bench->scene.buffers[i].mapped;
        const uint64_t size = bench->scene.buffers[i].size;
        if (i != region->buffer) {
            if (memcmp(now, bench->after[i], size) != 0) {
                return true;
            }
            continue;
        }
        for (uint64_t at = 0; at < size; ++at) {
            const bool inside = at >= region->begin && at < region->end;
            const bool left = inside && bench->before[i][at] == bench->after[i][at] &&
                              now[at] == bench->changed[i][at];
            if (now[at] != bench->after[i][at] && !left) {
                return true;
            }
        }
    }
    return false;
}

static void judge_reads(Bench *bench, const MurStep *step) {
    const MurKernelInfo *kernel = &mur_kernels[step->kernel];
    for (uint32_t i = 0; i < bench->regionCount; ++i) {
        const Region *region = &bench->regions[i];
        if (shown[step->kernel].reads & region->bit) {
            continue; /* another step has */
        }
        change(bench, region, trusts(step->kernel, region->bit));
        put(bench, bench->before);
        memcpy(bench->scene.buffers[region->buffer].mapped, bench->changed[region->buffer],
               bench->scene.buffers[region->buffer].size);
        run_step(bench, step);
        if (shows(bench, region)) {
            if (!(kernels_touch[step->kernel].reads & region->bit)) {
                fail_msg("%s: %s reads %s, undeclared", bench->scene.info->name, kernel->name,
                         bit_name(region->bit));
            }
            shown[step->kernel].reads |= region->bit;
        }
    }
}

/* The same twice, or nothing can be said of what is read: a GPU that runs workgroups side by
 * side. */
static bool is_repeatable(Bench *bench, const MurStep *step) {
    put(bench, bench->before);
    run_step(bench, step);
    for (uint32_t i = 0; i < bench->scene.memoryCount; ++i) {
        if (memcmp(bench->scene.buffers[i].mapped, bench->after[i], bench->scene.buffers[i].size) !=
            0) {
            return false;
        }
    }
    return true;
}

static void run_and_judge(Bench *bench, const MurStep *step) {
    find_regions(bench, step);
    take(bench, bench->before);
    run_step(bench, step);
    take(bench, bench->after);
    judge_writes(bench, step);
    /* A GPU runs workgroups side by side, in any order: what a change shows there tells nothing. */
    if (bench->scene.gpu->software) {
        if (!is_repeatable(bench, step)) {
            fail_msg("%s: %s does not do the same twice", bench->scene.info->name,
                     mur_kernels[step->kernel].name);
        }
        judge_reads(bench, step);
    }
    put(bench, bench->after);
}

/* Of two kernels that alternate, one does nothing, from the same memory. */
static void judge_alternates(Bench *bench, const MurStep *a, const MurStep *b) {
    bool idle = false;
    for (int i = 0; i < 2; ++i) {
        put(bench, bench->before);
        run_step(bench, i ? b : a);
        bool same = true;
        for (uint32_t j = 0; j < bench->scene.memoryCount; ++j) {
            same = same && memcmp(bench->scene.buffers[j].mapped, bench->before[j],
                                  bench->scene.buffers[j].size) == 0;
        }
        idle = idle || same;
    }
    if (!idle) {
        fail_msg("%s: %s and %s both write", bench->scene.info->name, mur_kernels[a->kernel].name,
                 mur_kernels[b->kernel].name);
    }
}

static void run_scene(Gpu *gpu, const SceneInfo *info) {
    Bench bench = {.context = gpu->context,
                   .scene = scene_open(gpu, gpu->context, gpu->blocking, info)};
    bench.plan = case_plan(&bench.scene.test);
    if (!gpu->software && info->verb == VERB_PAGER_CLEAR && !bench.scene.test.pager.resident) {
        /* Frames are cleared only where they are the store's pages: where memory is all one. */
        shown[MUR_KERNEL_PAGER_CLEAR].writes |= MUR_TOUCHES_POOL;
    }
    for (uint32_t i = 0; i < bench.scene.memoryCount; ++i) {
        const size_t size = bench.scene.buffers[i].size;
        bench.before[i] = test_allocate(3 * size);
        bench.after[i] = bench.before[i] + size;
        bench.changed[i] = bench.after[i] + size;
    }
    print_message("  %s, %s\n", info->name, bench.plan.way);
    for (uint32_t i = 0; i < bench.plan.stepCount; ++i) {
        const MurStep *step = &bench.plan.steps[i];
        if (i && kernels_alternate(step[-1].kernel, step->kernel)) {
            uint8_t *now[CASE_MEMORY];
            for (uint32_t j = 0; j < bench.scene.memoryCount; ++j) {
                now[j] = test_allocate(bench.scene.buffers[j].size);
            }
            take(&bench, now);
            judge_alternates(&bench, step - 1, step);
            put(&bench, now);
            for (uint32_t j = 0; j < bench.scene.memoryCount; ++j) {
                free(now[j]);
            }
        }
        run_and_judge(&bench, step);
    }
    for (uint32_t i = 0; i < bench.scene.memoryCount; ++i) {
        free(bench.before[i]);
    }
    scene_close(&bench.scene);
}

static void report(const char *kernel, const char *what, uint32_t bits) {
    for (uint32_t bit = 1; bit != 0; bit <<= 1) {
        if (bits & bit) {
            print_error("%s declares to %s %s, but never does\n", kernel, what,
                        bit_name((MurTouches)bit));
        }
    }
}

/* For the long tier: a kernel in another format of tables, another module of the same source; and
 * of the two ways to split a very large table's keys, which have the same kernels, one. */
static bool is_long(const SceneInfo *info) {
    const bool large = info->capacity > 1u << 20;
    const bool other = info->format != MUR_FORMAT_K32V32 && info->format != MUR_FORMAT_R32;
    return (other && info->verb < VERB_MULTI_INSERT) || (large && info->verb == VERB_INSERT);
}

GPU_TEST(kernels_touch_what_they_declare) {
    watchdog(600);
    for (uint32_t i = 0; i < scene_count; ++i) {
        SceneInfo info = scene_infos[i];
        info.wide &= test_full(); /* another module, too */
        if (test_full() || !is_long(&info)) {
            run_scene(gpu, &info);
        }
    }
    bool all = true;
    for (uint32_t i = 0; i < MUR_KERNEL_COUNT; ++i) {
        const uint32_t reads = gpu->software ? kernels_touch[i].reads & ~shown[i].reads : 0;
        const uint32_t writes = kernels_touch[i].writes & ~shown[i].writes;
        report(mur_kernels[i].name, "read", reads);
        report(mur_kernels[i].name, "write", writes);
        all = all && !reads && !writes;
    }
    assert_true(all);
}

int main(void) {
    /* One workgroup after the other, so that a step does the same twice. */
    setenv("LP_NUM_THREADS", "0", 1);
    return cases_run();
}
