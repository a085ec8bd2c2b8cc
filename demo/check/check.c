/* murcheck: checks the library's core promises on a device, one line for each. Run it if you
 * suspect a driver, and send its output with a report (the manual's page drivers.md).
 * SPDX-License-Identifier: MIT */
#include "check.h"
#include "common/gpu.h"
#include "common/options.h"
#include "common/message.h"
#include "common/clock.h"

#include <murmuration/buckets.h>
#include <murmuration/tuning.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

GPU_SPIRV(check_32_spv);
GPU_SPIRV(check_64_spv);
GPU_SPIRV(check_32_combine_spv);
GPU_SPIRV(check_64_combine_spv);

enum { ITEMS = 30001, RACED_KEYS = 2048, FRAMES = 8 };

typedef struct Settings {
    uint32_t device;
    const char *only;
    bool validation;
} Settings;

/* The arrays of a batch. Keys and values have up to 64 bits. */
typedef struct Check {
    Gpu gpu;
    GpuBuffer keys, values, found, statuses, scratch, results;
    bool wideKeys, wideValues, hasValues; /* of the checked table */
    const char *only;                     /* a part of the checked lines; NULL: all lines */
    uint32_t failed, passed;
} Check;

/* How a batch reaches the table. */
typedef enum Path { DIRECT, SORTED, PARTITIONED, BUILD } Path;

/* ---- Bulk commands ---- */

static void setKey(Check *check, uint32_t i, uint32_t number) {
    if (check->wideKeys) {
        ((uint64_t *)check->keys.mapped)[i] = (uint64_t)number << 32 | (number * 0x9E3779B1u);
    } else {
        ((uint32_t *)check->keys.mapped)[i] = number * 0x9E3779B1u;
    }
}

/* Keys first, first + 1, ..., and value i + 1 for the key i. */
static void setItems(Check *check, uint32_t first) {
    for (uint32_t i = 0; i < ITEMS; ++i) {
        setKey(check, i, first + i);
        if (check->wideValues) {
            ((uint64_t *)check->values.mapped)[i] = (uint64_t)(i + 1) << 33;
        } else {
            ((uint32_t *)check->values.mapped)[i] = i + 1;
        }
    }
}

static MurArray array(const GpuBuffer *buffer) {
    return (MurArray){buffer->address, buffer->size};
}

static MurBatch batch(const Check *check, MurCommand command, Path path) {
    MurBatch result = {.maxCount = ITEMS, .keys = array(&check->keys)};
    result.flags = path == PARTITIONED ? MUR_BATCH_EXCLUSIVE : 0;
    if (path != DIRECT) {
        result.scratch = array(&check->scratch);
    }
    if (path <= SORTED) {
        result.statuses = array(&check->statuses);
    }
    if (check->hasValues) {
        result.values = array(command == MUR_COMMAND_INSERT ? &check->values : &check->found);
    }
    return result;
}

/* Do the items have these statuses, those with even numbers and those with odd ones? */
static bool haveStatuses(Check *check, const char *what, uint32_t even, uint32_t odd) {
    const uint32_t *statuses = check->statuses.mapped;
    for (uint32_t i = 0; i < ITEMS; ++i) {
        const uint32_t expected = i % 2 ? odd : even;
        if (statuses[i] != expected) {
            return sayError("%s: item %u is %s, expected %s", what, i, murStatusName(statuses[i]),
                            murStatusName(expected));
        }
    }
    return true;
}

static bool hasValues(Check *check) {
    const size_t size = check->wideValues ? 8 : 4;
    if (check->hasValues && memcmp(check->found.mapped, check->values.mapped, ITEMS * size) != 0) {
        return sayError("find: a value differs from the inserted value");
    }
    return true;
}

static bool run(Check *check, MurTable table, MurCommand command, Path path) {
    Gpu *gpu = &check->gpu;
    const MurBatch items = batch(check, command, path);
    VkResult result = VK_SUCCESS;
    memset(check->statuses.mapped, 0xFF, check->statuses.size);
    if (!gpuBegin(gpu)) {
        return false;
    }
    if (command == MUR_COMMAND_INSERT && path == BUILD) {
        result = murCmdBuild(gpu->cmd, table, MUR_MODE_ASSIGN, &items);
    } else if (command == MUR_COMMAND_INSERT) {
        result = murCmdInsert(gpu->cmd, table, MUR_MODE_ASSIGN, &items);
    } else if (command == MUR_COMMAND_FIND) {
        result = murCmdFind(gpu->cmd, table, &items);
    } else {
        result = murCmdErase(gpu->cmd, table, &items);
    }
    gpuHostBarrier(gpu);
    return gpuSubmit(gpu) && gpuCheck(result, "a batch");
}

static bool clear(Check *check, MurTable table) {
    return gpuBegin(&check->gpu) && gpuCheck(murCmdClear(check->gpu.cmd, table), "clear") &&
           gpuSubmit(&check->gpu);
}

static bool findsAll(Check *check, MurTable table, Path path) {
    memset(check->found.mapped, 0, check->found.size);
    return run(check, table, MUR_COMMAND_FIND, path) &&
           haveStatuses(check, "find", MUR_FOUND, MUR_FOUND) && hasValues(check);
}

/* Every key is inserted once, found with its value, and absent after an erase. */
static bool checkBatches(Check *check, MurTable table, const MurTableCreateInfo *info,
                         uint32_t variant) {
    const Path path = (Path)variant;
    (void)info;
    setItems(check, 1);
    bool done = clear(check, table) && run(check, table, MUR_COMMAND_INSERT, path) &&
                (path > SORTED || haveStatuses(check, "insert", MUR_INSERTED, MUR_INSERTED)) &&
                findsAll(check, table, path > SORTED ? DIRECT : path);
    if (!done || path > SORTED) {
        return done;
    }
    done = run(check, table, MUR_COMMAND_INSERT, path) &&
           haveStatuses(check, "second insert", MUR_EXISTED, MUR_EXISTED);
    setItems(check, 1 + ITEMS);
    done = done && run(check, table, MUR_COMMAND_FIND, path) &&
           haveStatuses(check, "find of absent keys", MUR_ABSENT, MUR_ABSENT);
    for (uint32_t i = 0; i < ITEMS; ++i) {
        setKey(check, i, 1 + i + (i % 2 ? ITEMS : 0));
    }
    done = done && run(check, table, MUR_COMMAND_ERASE, path) &&
           haveStatuses(check, "erase", MUR_ERASED, MUR_ABSENT);
    setItems(check, 1);
    return done && run(check, table, MUR_COMMAND_FIND, path) &&
           haveStatuses(check, "find after erase", MUR_ABSENT, MUR_FOUND);
}

/* Entries that moved to a table of another size and seed keep their values. */
static bool checkRehash(Check *check, MurTable table, const MurTableCreateInfo *info,
                        uint32_t variant) {
    (void)variant;
    Gpu *gpu = &check->gpu;
    MurTableCreateInfo larger = *info;
    larger.capacity *= 2;
    larger.seed += 1;
    MurTable destination = NULL;
    setItems(check, 1);
    const bool done = clear(check, table) && run(check, table, MUR_COMMAND_INSERT, DIRECT) &&
                      gpuCheck(murCreateTable(gpu->context, &larger, &destination), "a table") &&
                      gpuBegin(gpu) &&
                      gpuCheck(murCmdRehash(gpu->cmd, table, destination, NULL), "rehash") &&
                      gpuSubmit(gpu) && findsAll(check, destination, DIRECT);
    murDestroyTable(destination);
    return done;
}

/* Finds in the same command buffer see the inserts before the barrier. */
static bool checkBarriers(Check *check, MurTable table, const MurTableCreateInfo *info,
                          uint32_t variant) {
    (void)info;
    (void)variant;
    Gpu *gpu = &check->gpu;
    const MurBatch inserts = batch(check, MUR_COMMAND_INSERT, DIRECT);
    const MurBatch finds = batch(check, MUR_COMMAND_FIND, DIRECT);
    for (uint32_t frame = 0; frame < FRAMES; ++frame) {
        setItems(check, 1 + frame);
        memset(check->found.mapped, 0, check->found.size);
        if (!gpuBegin(gpu)) {
            return false;
        }
        VkResult result = murCmdClear(gpu->cmd, table);
        result = result ? result : murCmdBarrier(gpu->cmd, table);
        result = result ? result : murCmdInsert(gpu->cmd, table, MUR_MODE_ASSIGN, &inserts);
        result = result ? result : murCmdBarrier(gpu->cmd, table);
        result = result ? result : murCmdFind(gpu->cmd, table, &finds);
        gpuHostBarrier(gpu);
        if (!gpuSubmit(gpu) || !gpuCheck(result, "a frame") ||
            !haveStatuses(check, "find after a barrier", MUR_FOUND, MUR_FOUND) ||
            !hasValues(check)) {
            return false;
        }
    }
    return true;
}

/* ---- Calls in a shader that compete for the same keys ---- */

static bool runPhase(Check *check, const GpuKernel *kernel, MurTable table, uint32_t phase,
                     uint32_t successes) {
    CheckKey *results = check->results.mapped;
    for (uint32_t i = 0; i < RACED_KEYS; ++i) {
        results[i] = (CheckKey){.leastSlot = UINT32_MAX};
    }
    const CheckPush push = {murGetTableRef(table), check->results.address, RACED_KEYS, phase};
    if (!gpuBegin(&check->gpu)) {
        return false;
    }
    gpuDispatch(&check->gpu, kernel, &push, RACED_KEYS * CHECK_COPIES / 64, 1, 1);
    gpuHostBarrier(&check->gpu);
    if (!gpuSubmit(&check->gpu)) {
        return false;
    }
    for (uint32_t i = 0; i < RACED_KEYS; ++i) {
        if (results[i].successes != successes || results[i].failures != 0) {
            return sayError("phase %u, key %u: %u successful calls, expected %u; %u wrong results",
                            phase, i, results[i].successes, successes, results[i].failures);
        }
        if (results[i].leastSlot != results[i].mostSlot) {
            return sayError("phase %u, key %u: slots %u and %u, expected one slot", phase, i,
                            results[i].leastSlot, results[i].mostSlot);
        }
    }
    return true;
}

/* One of the competing inserts succeeds, sums are exact, lookups do not miss keys while others are
 * inserted, and one erase succeeds. */
static bool checkRace(Check *check, MurTable table, const MurTableCreateInfo *info,
                      uint32_t combined) {
    const bool wide = info->atomicWidth == MUR_ATOMIC_WIDTH_64;
    const uint32_t *code = combined ? wide ? check_64_combine_spv : check_32_combine_spv
                           : wide   ? check_64_spv
                                    : check_32_spv;
    const size_t size = combined ? wide ? check_64_combine_spv_size : check_32_combine_spv_size
                        : wide   ? check_64_spv_size
                                 : check_32_spv_size;
    GpuKernel kernel = {0};
    bool done = clear(check, table) &&
                gpuCreateKernel(&check->gpu, "check", code, size, sizeof(CheckPush), &kernel);
    for (uint32_t round = 0; done && round < 4; ++round) {
        done = clear(check, table) && runPhase(check, &kernel, table, CHECK_INSERT, 1) &&
               runPhase(check, &kernel, table, CHECK_ADD, CHECK_COPIES) &&
               runPhase(check, &kernel, table, CHECK_MIXED, CHECK_COPIES / 2) &&
               runPhase(check, &kernel, table, CHECK_ERASE, 1);
    }
    gpuDestroyKernel(&check->gpu, &kernel);
    return done;
}

/* ---- Tables and lines ---- */

typedef struct Type {
    const char *name;
    MurType (*type)(void);
    bool wideKeys, wideValues, hasValues;
    bool widths[2]; /* may be written with 32-bit and 64-bit atomics */
} Type;

static const Type types[] = {
    {"32-bit keys and values", murTypeK32V32, false, false, true, {true, true}},
    {"64-bit keys, 32-bit values", murTypeK64V32, true, false, true, {true, true}},
    {"64-bit keys and values", murTypeK64V64, true, true, true, {false, true}},
    {"set of 32-bit keys", murTypeK32, false, false, false, {true, false}},
    {"set of 64-bit keys", murTypeK64, true, false, false, {false, true}},
};

typedef struct Promise {
    const char *name;
    bool (*holds)(Check *check, MurTable table, const MurTableCreateInfo *info, uint32_t variant);
    uint32_t variant; /* a Path; combined calls or not */
    bool competing;   /* calls of check.comp, which is for 32-bit keys and values */
} Promise;

static const Promise promises[] = {
    {"batches", checkBatches, DIRECT, false},
    {"sorted batches", checkBatches, SORTED, false},
    {"partitioned batches", checkBatches, PARTITIONED, false},
    {"build", checkBatches, BUILD, false},
    {"rehash", checkRehash, 0, false},
    {"barriers", checkBarriers, 0, false},
    {"competing calls", checkRace, false, true},
    {"combined calls", checkRace, true, true},
};

static void checkType(Check *check, const Type *type, bool wide) {
    Gpu *gpu = &check->gpu;
    const MurTableCreateInfo info = {
        .capacity = 2 * ITEMS,
        .seed = 0x5EED,
        .type = type->type(),
        .atomicWidth = wide ? MUR_ATOMIC_WIDTH_64 : MUR_ATOMIC_WIDTH_32,
        .emptyValue = MUR_EMPTY_VALUE_ZERO,
        .kernels = {murKernelsLargeBatches(), murKernelsBuild(), murKernelsRehash()},
        .pName = type->name,
    };
    check->wideKeys = type->wideKeys;
    check->wideValues = type->wideValues;
    check->hasValues = type->hasValues;
    MurTable table = NULL;
    const bool made = gpuCheck(murCreateTable(gpu->context, &info, &table), type->name);
    for (size_t i = 0; i < sizeof promises / sizeof promises[0]; ++i) {
        const Promise *promise = &promises[i];
        char line[128];
        (void)snprintf(line, sizeof line, "%s, %s, %u-bit atomics", promise->name, type->name,
                       wide ? 64 : 32);
        if ((check->only && !strstr(line, check->only)) ||
            (promise->competing && type->type != murTypeK32V32)) {
            continue;
        }
        const double start = secondsNow();
        const bool holds = made && promise->holds(check, table, &info, promise->variant);
        printf("%-6s %s (%.2f s)\n", holds ? "ok" : "WRONG", line, secondsNow() - start);
        (void)fflush(stdout);
        check->passed += holds;
        check->failed += !holds;
    }
    murDestroyTable(table);
}

static bool openBuffers(Check *check) {
    Gpu *gpu = &check->gpu;
    return gpuCreateBuffer(gpu, 8 * ITEMS, GPU_HOST, "keys", &check->keys) &&
           gpuCreateBuffer(gpu, 8 * ITEMS, GPU_HOST, "values", &check->values) &&
           gpuCreateBuffer(gpu, 8 * ITEMS, GPU_HOST, "found", &check->found) &&
           gpuCreateBuffer(gpu, 4 * ITEMS, GPU_HOST, "statuses", &check->statuses) &&
           gpuCreateBuffer(gpu, 128 * ITEMS, GPU_DEVICE, "scratch", &check->scratch) &&
           gpuCreateBuffer(gpu, sizeof(CheckKey) * RACED_KEYS, GPU_HOST, "results",
                           &check->results);
}

static void close(Check *check) {
    GpuBuffer *const buffers[] = {&check->keys,     &check->values,  &check->found,
                                  &check->statuses, &check->scratch, &check->results};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; ++i) {
        gpuDestroyBuffer(&check->gpu, buffers[i]);
    }
    gpuClose(&check->gpu);
}

/* Small batches use the paths of large ones, too. */
static bool setTuning(Gpu *gpu) {
    MurTuning tuning = murGetTuning(gpu->context);
    tuning.sortWriteMinCacheRatio = tuning.sortReadMinCacheRatio = tuning.sortMinBatchFraction = 0;
    tuning.partitionInsertMinItems = tuning.buildMinItems = tuning.buildMinItemsWhenFull = 0;
    tuning.partitionInsertMinBatchFraction = 0;
    return gpuCheck(murSetTuning(gpu->context, &tuning), "tuning");
}

static void printDevice(const Gpu *gpu) {
    VkPhysicalDeviceDriverProperties driver = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &driver};
    vkGetPhysicalDeviceProperties2(gpu->physicalDevice, &properties);
    const uint32_t api = gpu->properties.apiVersion;
    printf("device %s\ndriver %s %s, Vulkan %u.%u.%u\n64-bit atomics: %s\n",
           gpu->properties.deviceName, driver.driverName, driver.driverInfo,
           VK_API_VERSION_MAJOR(api), VK_API_VERSION_MINOR(api), VK_API_VERSION_PATCH(api),
           gpu->features & MUR_FEATURE_INT64_ATOMICS ? "yes" : "no");
}

static void checkAll(Check *check) {
    const bool wide = check->gpu.features & MUR_FEATURE_INT64_ATOMICS;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i) {
        for (uint32_t width = 0; width < 2; ++width) {
            if (types[i].widths[width] && (width == 0 || wide)) {
                checkType(check, &types[i], width == 1);
            }
        }
    }
    printf("%u promises hold, %u do not\n", check->passed, check->failed);
}

#define OPTION_INTO Settings
static const Option options[] = {
    OPTION_HEADING("usage: murcheck [OPTION]...\n"
                   "Checks the hash table's core promises on a device, in under a minute.\n"),
    OPTION_NUMBER("device", "N", device, 0, 64, "the device's index; without it, the best device"),
    OPTION_TEXT("only", "TEXT", only, "check only lines that contain TEXT, for example \"rehash\""),
    OPTION_FLAG("validation", validation, "use the Khronos validation layers"),
    OPTION_HELP("print this text"),
};

int main(int argc, char **argv) {
    sayProgram("murcheck");
    Settings settings = {.device = UINT32_MAX};
    int status;
    const size_t count = sizeof options / sizeof options[0];
    if (!optionsRead(options, count, argc, argv, 0, &settings, &status)) {
        return status;
    }
    const GpuOptions gpu = {.application = "murcheck",
                            .device = settings.device == UINT32_MAX ? -1 : (int)settings.device,
                            .optional = MUR_FEATURE_INT64_ATOMICS,
                            .validation = settings.validation};
    Check check = {.only = settings.only};
    const bool opened = gpuOpen(&check.gpu, &gpu) && openBuffers(&check) && setTuning(&check.gpu);
    if (opened) {
        printDevice(&check.gpu);
        checkAll(&check);
    }
    const bool clean = check.gpu.messages == 0 ||
                       sayError("the validation layers reported messages");
    close(&check);
    return opened && clean && check.passed > 0 && check.failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
