/* Kernels access exactly the memory that they declare. Each step (dispatch) of a scene (a command
 * with its memory) runs alone, several times from the same memory: unchanged, and with one region
 * changed. If the change affects the results, the step reads the region. If the step changes the
 * region, it writes it. All steps together must show all declared accesses, and no others.
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "scene.h"

#include "support/seed.h"
#include "support/watchdog.h"

#include <objects/objects.h>

#include <stdlib.h>
#include <string.h>

/* Per kernel: the accesses that its steps have shown so far. */
static Touched shown[MUR_KERNEL_COUNT];

/* The part of the scene's memory, in bytes, at one address in a step's push constants. */
typedef struct Region {
    uint64_t begin, end; /* both are 0 if the step has no such address */
} Region;
enum { REGIONS = 16 };

typedef struct Bench {
    MurContext context;
    Scene scene;
    MurPlan plan;
    uint64_t size; /* size of each of the following copies, in bytes */
    uint8_t *now;
    uint8_t *before; /* memory before the step */
    uint8_t *after;
    uint8_t *changed; /* memory before the step, with one region changed */
    Region regions[REGIONS];
} Bench;

static const char *name_of(const MurStep *step, uint32_t region) {
    return kernel_addresses(step->kernel)[region].member;
}

/* Runs one step on the current memory. */
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

static void run_from(const Bench *bench, const uint8_t *memory, const MurStep *step) {
    memcpy(bench->now, memory, bench->size);
    run_step(bench, step);
}

/* Finds the region of each address: it ends where the next region in the same memory begins. */
static void find_regions(Bench *bench, const MurStep *step) {
    const PlanCase *test = &bench->scene.test;
    const uint64_t start = bench->scene.memory.address;
    const Address *all = kernel_addresses(step->kernel);
    memset(bench->regions, 0, sizeof bench->regions);
    for (uint32_t i = 0; all[i].member; ++i) {
        const uint64_t address = step_address(step, &all[i]);
        const uint32_t memory = case_memory_at(test, address);
        if (address && memory == CASE_MEMORY) {
            fail_msg("%s: %s is nowhere in memory", bench->scene.info->name, all[i].member);
        } else if (address) {
            const uint64_t end = test->memory[memory].address + test->memory[memory].size;
            bench->regions[i] = (Region){address - start, end - start};
        }
    }
    for (uint32_t i = 0; i < REGIONS; ++i) {
        for (uint32_t j = 0; j < REGIONS; ++j) {
            Region *a = &bench->regions[i];
            const Region *b = &bench->regions[j];
            a->end = b->begin > a->begin && b->begin < a->end ? b->begin : a->end;
        }
    }
}

static uint32_t region_of(const Bench *bench, uint64_t at) {
    uint32_t i = 0;
    while (i < REGIONS && (at < bench->regions[i].begin || at >= bench->regions[i].end)) {
        ++i;
    }
    return i;
}

static void judge_writes(const Bench *bench, const MurStep *step) {
    const uint32_t declared = kernel_touches(step->kernel).writes;
    for (uint64_t at = 0; at < bench->size; ++at) {
        if (bench->before[at] == bench->after[at]) {
            continue;
        }
        const uint32_t region = region_of(bench, at);
        if (region == REGIONS || !(declared >> region & 1)) {
            fail_msg("%s: %s writes byte %llu, %s, undeclared", bench->scene.info->name,
                     mur_kernels[step->kernel].name, (unsigned long long)at,
                     region == REGIONS ? "which it is not given" : name_of(step, region));
        }
        shown[step->kernel].writes |= 1u << region;
    }
}

/* Returns whether the kernel does not check the content of this region, because earlier kernels
 * wrote it. Some kernels use hashes or a flag in scratch memory without a check. */
static bool trusts(const MurStep *step, uint32_t region) {
    const MurKernel kernel = step->kernel;
    return strcmp(name_of(step, region), "scratch") == 0 &&
           (kernel == MUR_KERNEL_INSERT_SLICES || kernel == MUR_KERNEL_SLICES_OVERFLOW ||
            (kernel >= MUR_KERNEL_GROUP_COUNT && kernel <= MUR_KERNEL_GROUP_ASCEND) ||
            (kernel >= MUR_KERNEL_BUILD_SLICES && kernel <= MUR_KERNEL_BUILD_EXACT));
}

/* Changes the words of a region to 0 or 1, because kernels may use words as indices. careful: sets
 * only every second word, to 0. */
static void change(const Bench *bench, const Region *region, bool careful) {
    memcpy(bench->changed, bench->before, bench->size);
    for (uint64_t i = region->begin; i < region->end; i += 4) {
        uint32_t word;
        memcpy(&word, bench->changed + i, 4);
        word = !careful ? word == 0 : (i - region->begin) / 4 % 2 ? 0 : word;
        memcpy(bench->changed + i, &word, 4);
    }
}

/* Returns whether the results depend on the changed region: a byte outside of the region differs
 * between the runs, or a written byte inside. */
static bool shows(const Bench *bench, const Region *region) {
    bool differs = memcmp(bench->now, bench->after, region->begin) != 0 ||
                   memcmp(bench->now + region->end, bench->after + region->end,
                          bench->size - region->end) != 0;
    for (uint64_t at = region->begin; at < region->end && !differs; ++at) {
        const bool left = bench->before[at] == bench->after[at] &&
                          bench->now[at] == bench->changed[at];
        differs = bench->now[at] != bench->after[at] && !left;
    }
    return differs;
}

static void judge_reads(const Bench *bench, const MurStep *step) {
    for (uint32_t i = 0; i < REGIONS; ++i) {
        const Region *region = &bench->regions[i];
        if (region->end == 0 || shown[step->kernel].reads >> i & 1) {
            continue; /* the step has no such address, or the read was already shown */
        }
        change(bench, region, trusts(step, i));
        run_from(bench, bench->changed, step);
        if (shows(bench, region)) {
            if (!(kernel_touches(step->kernel).reads >> i & 1)) {
                fail_msg("%s: %s reads %s, undeclared", bench->scene.info->name,
                         mur_kernels[step->kernel].name, name_of(step, i));
            }
            shown[step->kernel].reads |= 1u << i;
        }
    }
}

static void run_and_judge(Bench *bench, const MurStep *step) {
    find_regions(bench, step);
    memcpy(bench->before, bench->now, bench->size);
    run_step(bench, step);
    memcpy(bench->after, bench->now, bench->size);
    judge_writes(bench, step);
    /* On GPUs, workgroups run concurrently in any order, so different results prove nothing. */
    if (bench->scene.gpu->software) {
        run_from(bench, bench->before, step);
        if (memcmp(bench->now, bench->after, bench->size) != 0) {
            fail_msg("%s: %s does not do the same twice", bench->scene.info->name,
                     mur_kernels[step->kernel].name);
        }
        judge_reads(bench, step);
    }
    memcpy(bench->now, bench->after, bench->size);
}

/* If the GPU decides which of two kernels does the work, only one of the two may write. */
static void judge_alternates(const Bench *bench, const MurStep *a, const MurStep *b) {
    run_from(bench, bench->before, a);
    bool idle = memcmp(bench->now, bench->before, bench->size) == 0;
    run_from(bench, bench->before, b);
    idle = idle || memcmp(bench->now, bench->before, bench->size) == 0;
    if (!idle) {
        fail_msg("%s: %s and %s both write", bench->scene.info->name, mur_kernels[a->kernel].name,
                 mur_kernels[b->kernel].name);
    }
    memcpy(bench->now, bench->after, bench->size);
}

static void run_scene(Gpu *gpu, const SceneInfo *info) {
    Bench bench = {.context = gpu->context,
                   .scene = scene_open(gpu, gpu->context, gpu->blocking, info)};
    bench.plan = case_plan(&bench.scene.test);
    bench.size = scene_size(&bench.scene);
    bench.now = bench.scene.memory.mapped;
    bench.before = test_allocate(3 * bench.size);
    bench.after = bench.before + bench.size;
    bench.changed = bench.after + bench.size;
    if (!gpu->software && info->verb == VERB_PAGER_CLEAR && !bench.scene.test.pager.resident) {
        /* The clear kernel writes these only in unified memory, where the pool is the store. */
        shown[MUR_KERNEL_PAGER_CLEAR].writes |= kernel_touches(MUR_KERNEL_PAGER_CLEAR).writes;
    }
    print_message("  %s, %s\n", info->name, bench.plan.path);
    for (uint32_t i = 0; i < bench.plan.stepCount; ++i) {
        const MurStep *step = &bench.plan.steps[i];
        if (i && kernels_alternate(step[-1].kernel, step->kernel)) {
            judge_alternates(&bench, step - 1, step);
        }
        run_and_judge(&bench, step);
    }
    free(bench.before);
    scene_close(&bench.scene);
}

/* Fails if no step has shown an access that kernels.def declares for this kernel. */
static bool has_shown(MurKernel kernel, const char *what, uint32_t missing) {
    for (uint32_t i = 0; missing >> i != 0; ++i) {
        if (missing >> i & 1) {
            print_error("%s declares to %s %s, but never does\n", mur_kernels[kernel].name, what,
                        kernel_addresses(kernel)[i].member);
        }
    }
    return missing == 0;
}

/* Returns whether only the long tier runs the scene: its kernels differ from those of another scene
 * only in the format, or its table is very large, or its value groups need two levels of bins. */
static bool is_long(const SceneInfo *info) {
    const bool large = info->capacity > 1u << 20;
    const bool other = info->format != MUR_FORMAT_K32V32 && info->format != MUR_FORMAT_R32;
    const bool levels = info->verb == VERB_GROUP && info->way == WAY_SORTED && !info->words;
    return (other && info->verb < VERB_MULTI_INSERT) || (large && info->verb == VERB_INSERT) ||
           (levels && !info->ascending);
}

GPU_TEST(kernels_access_what_they_declare) {
    watchdog(600);
    for (uint32_t i = 0; i < scene_count; ++i) {
        SceneInfo info = scene_infos[i];
        info.wide &= test_full(); /* 64-bit atomics need other shader modules */
        if (test_full() || !is_long(&info)) {
            run_scene(gpu, &info);
        }
    }
    bool all = true;
    for (MurKernel i = 0; i < MUR_KERNEL_COUNT; ++i) {
        if (i == MUR_KERNEL_MIRROR) {
            continue; /* tests/mirror compares every byte that this kernel reads and writes */
        }
        const Touched declared = kernel_touches(i);
        const uint32_t reads = gpu->software ? declared.reads & ~shown[i].reads : 0;
        all &= has_shown(i, "read", reads);
        all &= has_shown(i, "write", declared.writes & ~shown[i].writes);
    }
    assert_true(all);
}

int main(void) {
    /* With one thread, the software device runs workgroups in order, which is reproducible. */
    setenv("LP_NUM_THREADS", "0", 1);
    return cases_run();
}
