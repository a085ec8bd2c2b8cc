/* Host time of the first table of a context: number of pipelines, time of their creation, and size
 * of a program that links them. SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "trial.h"
#include "common/clock.h"

#include <murmuration/multi.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct Kind {
    const char *name;
    MurType (*type)(void);
    bool wide;                   /* requires 64-bit atomics */
    MurKernels (*kernels)(void); /* NULL: no kernel set */
} Kind;

/* Each type by default, and K32V32 with each kernel set. Types share kernels, and drivers may cache
 * them within a process, so the most common type comes first. */
static const Kind kinds[] = {
    {"K32V32", murTypeK32V32, false, NULL},
    {"K32V32 for scratch memory", murTypeK32V32, false, murKernelsLargeBatches},
    {"K32V32 for build", murTypeK32V32, false, murKernelsBuild},
    {"K32V32 for rehash", murTypeK32V32, false, murKernelsRehash},
    {"K64V32", murTypeK64V32, false, NULL},
    {"K64V32 for many values a key", murTypeMultiK32, false, NULL},
    {"K64V64", murTypeK64V64, true, NULL},
    {"K64", murTypeK64, true, NULL},
    {"K32", murTypeK32, false, NULL},
};
enum { KINDS = sizeof kinds / sizeof kinds[0], QUICK_KINDS = 2 };

static MurTableCreateInfo tableInfo(const Kind *kind) {
    return (MurTableCreateInfo){
        .capacity = 1024,
        .type = kind->type(),
        .emptyValue = kind->type == murTypeMultiK32 ? MUR_EMPTY_VALUE_ZERO : MUR_EMPTY_VALUE_MAX,
        .kernels = {kind->kernels ? kind->kernels() : NULL},
        .pName = "first table",
    };
}

/* Counts the pipelines that the library reports. */
static void onLog(void *user, MurLogSeverity severity, const char *message) {
    uint32_t *pipelines = user;
    if (severity == MUR_LOG_INFO) {
        *pipelines += strncmp(message, "pipeline ", 9) == 0;
    } else {
        (void)sayError("%s", message);
    }
}

/* Creates a context and its first table with this pipeline cache. */
static bool firstTable(Bench *bench, const Kind *kind, VkPipelineCache cache, uint32_t *pipelines,
                       double *time) {
    const Gpu *gpu = &bench->gpu;
    const MurContextCreateInfo contextInfo = {
        .instance = gpu->instance,
        .physicalDevice = gpu->physicalDevice,
        .device = gpu->device,
        .getInstanceProcAddr = vkGetInstanceProcAddr,
        .enabledFeatures = gpu->features,
        .pipelineCache = cache,
        .pfnLog = onLog,
        .pLogUserData = pipelines,
    };
    const MurTableCreateInfo info = tableInfo(kind);
    MurContext context;
    MurTable table = VK_NULL_HANDLE;
    *pipelines = 0;
    if (!gpuCheck(murCreateContext(&contextInfo, &context), "creating a context")) {
        return false;
    }
    const double begin = secondsNow();
    const VkResult result = murCreateTable(context, &info, &table);
    *time = 1e3 * (secondsNow() - begin);
    murDestroyTable(table);
    murDestroyContext(context);
    return gpuCheck(result, "creating a table") &&
           (*pipelines > 0 || sayError("start: the library tells of no pipelines"));
}

static bool createCache(Bench *bench, const void *data, size_t size, VkPipelineCache *cache) {
    const VkPipelineCacheCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
        .initialDataSize = size,
        .pInitialData = data,
    };
    return gpuCheck(vkCreatePipelineCache(bench->gpu.device, &info, NULL, cache),
                    "creating a pipeline cache");
}

/* Returns text about the driver's disk cache, which must be disabled: it precedes an empty
 * VkPipelineCache. */
static const char *diskCache(const Gpu *gpu) {
    VkPhysicalDeviceDriverProperties driver = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES,
    };
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
        .pNext = &driver,
    };
    vkGetPhysicalDeviceProperties2(gpu->physicalDevice, &properties);
    const bool nvidia = driver.driverID == VK_DRIVER_ID_NVIDIA_PROPRIETARY;
    const char *value = getenv(nvidia ? "__GL_SHADER_DISK_CACHE" : "MESA_SHADER_CACHE_DISABLE");
    const bool off = value && (strcmp(value, nvidia ? "0" : "1") == 0 ||
                               (!nvidia && strcmp(value, "true") == 0));
    return off ? "driver's cache off" : "driver's cache not off";
}

static bool timeRow(Bench *bench, const Kind *kind, const char *operation, double time,
                    uint32_t reps) {
    Row row = {.suite = "start", .operation = operation, .rate = time, .unit = "ms", .reps = reps};
    benchSay(&row, "%s, %s", kind->name, diskCache(&bench->gpu));
    return benchRow(bench, &row);
}

static bool countRow(Bench *bench, const Kind *kind, uint32_t pipelines) {
    Row row = {
        .suite = "start", .operation = "pipelines", .rate = pipelines, .unit = "made", .reps = 1};
    benchSay(&row, "%s", kind->name);
    return benchRow(bench, &row);
}

/* Times the first table, the only one that can be cold. Leaves the cache filled. */
static bool cold(Bench *bench, const Kind *kind, VkPipelineCache cache) {
    uint32_t pipelines;
    double time;
    return firstTable(bench, kind, cache, &pipelines, &time) && countRow(bench, kind, pipelines) &&
           timeRow(bench, kind, "cold table", time, 1);
}

static bool warm(Bench *bench, const Kind *kind, const void *data, size_t size) {
    const uint32_t reps = bench->options.quick ? 1 : bench->options.reps;
    double times[BENCH_MAX_REPS];
    bool done = true;
    for (uint32_t i = 0; i < reps && done; ++i) {
        VkPipelineCache cache = VK_NULL_HANDLE;
        uint32_t pipelines;
        done = createCache(bench, data, size, &cache) &&
               firstTable(bench, kind, cache, &pipelines, &times[i]);
        vkDestroyPipelineCache(bench->gpu.device, cache, NULL);
    }
    return done && timeRow(bench, kind, "warm table", secondsMedian(times, reps), reps);
}

static bool oneKind(Bench *bench, const Kind *kind) {
    const VkDevice device = bench->gpu.device;
    VkPipelineCache cache = VK_NULL_HANDLE;
    size_t size = 0;
    void *data = NULL;
    bool done = createCache(bench, NULL, 0, &cache) && cold(bench, kind, cache) &&
                gpuCheck(vkGetPipelineCacheData(device, cache, &size, NULL), "asking for a cache");
    if (done) {
        data = malloc(size + 1);
        done = data ? gpuCheck(vkGetPipelineCacheData(device, cache, &size, data),
                               "reading a pipeline cache")
                    : sayError("no memory for a pipeline cache");
    }
    vkDestroyPipelineCache(device, cache, NULL);
    done = done && warm(bench, kind, data, size);
    free(data);
    return done;
}

/* Adds the size of the executable of the tutorial, which is the smallest program with the library.
 * It must be in the same folder. */
static bool sizeRow(Bench *bench) {
    const char *program = bench->options.program;
    const char *slash = program ? strrchr(program, '/') : NULL;
    char path[4096];
    struct stat file;
    const int length =
        slash ? snprintf(path, sizeof path, "%.*s/murminimal", (int)(slash - program), program) : 0;
    if (length <= 0 || (size_t)length >= sizeof path || stat(path, &file) != 0) {
        return true;
    }
    const Row row = {.suite = "start",
                     .operation = "linked size",
                     .variant = "murminimal, the file as it was built",
                     .rate = 1e-6 * (double)file.st_size,
                     .unit = "MB",
                     .reps = 1};
    return benchRow(bench, &row);
}

/* Adds rows: bytes per pair, from the requirements of a table. */
static bool memoryRows(Bench *bench, uint64_t capacity) {
    static const double loads[] = {0.5, 0.6, 0.7, 0.8, 0.9, 0.95};
    const MurTableCreateInfo info = {.capacity = capacity};
    MurTableRequirements needs;
    bool done = gpuCheck(murGetTableRequirements(bench->gpu.context, &info, &needs), "memory");
    for (size_t i = 0; i < sizeof loads / sizeof loads[0] && done; ++i) {
        Row row = {.suite = "start",
                   .operation = "bytes a pair",
                   .pairs = (uint32_t)((double)capacity * loads[i]),
                   .capacity = capacity,
                   .load = loads[i],
                   .format = "K32V32",
                   .tableBytes = needs.size,
                   .unit = "B",
                   .reps = 1};
        row.rate = (double)needs.size / row.pairs;
        benchSay(&row, "%llu B in all", (unsigned long long)needs.size);
        done = benchRow(bench, &row);
    }
    return done;
}

bool suiteStart(Bench *bench) {
    const uint32_t count = bench->options.quick ? QUICK_KINDS : KINDS;
    for (uint32_t i = 0; i < count; ++i) {
        if ((trialWide(bench) || !kinds[i].wide) && !oneKind(bench, &kinds[i])) {
            return false;
        }
    }
    return sizeRow(bench) && memoryRows(bench, 1u << 10) && memoryRows(bench, 1u << 25);
}
