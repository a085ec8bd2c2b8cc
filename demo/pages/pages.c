/* murpages: a camera over a texture that is larger than its cache. README.md says more.
 * SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* getopt_long */
#include "common/gpu_frames.h"
#include "common/png_file.h"
#include "common/say.h"
#include "pages.h"

#include <murmuration/pager.h>

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_POOL = 32, EVERY = 20 };

GPU_SPIRV(pages_spv);

static const char help[] =
    "Usage: murpages [OPTION]...\n"
    "Flies a camera over a texture of which a GPU cache holds a part, without a window.\n"
    "\n"
    "  --frames N     1 to 1000000; default 120\n"
    "  --pool N       pages of 4 KiB that the cache holds, 32 to 5461, which is all; default 512\n"
    "  --budget N     pages that come in a frame at most; default 32\n"
    "  --output FILE  the last frame, a PNG\n"
    "  --verify       compares all that is looked up with what it should be\n"
    "  --device N     the N-th Vulkan device, from 0; default the first GPU, else a software one\n"
    "  --validation   with the Vulkan validation layers; any message is an error\n"
    "  --help         this text\n";

/* What a frame tells, read when the frame after the next one begins. */
typedef struct Report {
    MurPagerStats stats;
    uint32_t counts[PAGES_COUNTS];
} Report;

typedef struct Pages {
    Gpu gpu;
    GpuFrames inFlight;
    GpuKernel kernel;
    MurPager pager;
    GpuBuffer picture, reports, pinned;
    uint32_t frames, pool, budget, verify;
    const char *output;
    uint64_t lookups, atOnce;
    MurPagerStats stats; /* the last ones */
} Pages;

/* ---- Once ----------------------------------------------------------------------------------- */

/* Each page of the store, where an engine would have decoded its tiles. */
static void fillStore(MurPager pager) {
    for (uint32_t level = 0; level < PAGES_LEVELS; ++level) {
        const uint32_t side = PAGES_SIDE >> level;
        for (uint32_t y = 0; y < side; ++y) {
            for (uint32_t x = 0; x < side; ++x) {
                uint32_t *page = murGetPagerStorePage(pager, pages_page(level, x, y));
                page[PAGES_TEXELS(y) * PAGES_TILE + PAGES_TEXELS(x)] = pages_texel(level, x, y);
            }
        }
    }
}

/* The coarse pages are brought in before the first frame and stay: something is always there. */
static bool loadPinned(Pages *pages) {
    const uint32_t first = pages_first(PAGES_PINNED), count = pages_first(PAGES_LEVELS) - first;
    const MurPages list = {.maxCount = count, .pages = {pages->pinned.address, 4ull * count}};
    const MurPaging paging = {.frame = 0, .maxPages = count};
    Gpu *gpu = &pages->gpu;
    pages->stats.in = count;
    for (uint32_t i = 0; i < count; ++i) {
        ((uint32_t *)pages->pinned.mapped)[i] = first + i;
    }
    if (!gpuBegin(gpu)) {
        return false;
    }
    bool done = gpuCheck(murCmdClearPager(gpu->cmd, pages->pager, MUR_PAGES_IN_STORE), "clearing");
    gpuFullBarrier(gpu);
    done = done && gpuCheck(murCmdPinPages(gpu->cmd, pages->pager, &list), "pinning");
    gpuFullBarrier(gpu);
    done = done &&
           gpuCheck(murCmdRequestPages(gpu->cmd, pages->pager, &list, 255, 0), "asking for pages");
    gpuFullBarrier(gpu);
    done = done && gpuCheck(murCmdPage(gpu->cmd, pages->pager, &paging), "paging");
    return gpuSubmit(gpu) && done;
}

static bool openPages(Pages *pages, const GpuOptions *options) {
    const MurPagerCreateInfo info = {
        .pageCount = pages_first(PAGES_LEVELS),
        .pageSize = PAGES_SIZE,
        .frameCount = pages->pool,
        .framesInFlight = 1,      /* a frame number is used in the dispatch that looked it up */
        .flags = MUR_PAGER_FORCE, /* to be seen on devices, too, that have nothing to page */
        .pName = "texture"};
    Gpu *gpu = &pages->gpu;
    if (!gpuOpen(gpu, options) || !gpuCreateFrames(gpu, &pages->inFlight) ||
        !gpuCheck(murCreatePager(gpu->context, &info, &pages->pager), "a pager") ||
        !gpuCreateKernel(gpu, "pages", pages_spv, pages_spv_size, sizeof(PagesPush),
                         &pages->kernel) ||
        !gpuCreateBuffer(gpu, 4ull * PAGES_WIDTH * PAGES_HEIGHT, GPU_HOST, "picture",
                         &pages->picture) ||
        !gpuCreateBuffer(gpu, GPU_FRAMES * sizeof(Report), GPU_HOST, "reports", &pages->reports) ||
        !gpuCreateBuffer(gpu, 4ull * info.pageCount, GPU_HOST, "pinned", &pages->pinned)) {
        return false;
    }
    fillStore(pages->pager);
    return loadPinned(pages);
}

static void closePages(Pages *pages) {
    Gpu *gpu = &pages->gpu;
    gpuDestroyFrames(gpu, &pages->inFlight);
    gpuDestroyBuffer(gpu, &pages->picture);
    gpuDestroyBuffer(gpu, &pages->reports);
    gpuDestroyBuffer(gpu, &pages->pinned);
    gpuDestroyKernel(gpu, &pages->kernel);
    murDestroyPager(pages->pager);
    gpuClose(gpu);
}

/* ---- Each frame ----------------------------------------------------------------------------- */

static double percent(uint64_t part, uint64_t whole) {
    return whole ? 100.0 * (double)part / (double)whole : 100.0;
}

/* What a frame that is done has told. */
static bool readReport(Pages *pages, uint32_t frame) {
    const Report *report = (const Report *)pages->reports.mapped + frame % GPU_FRAMES;
    const uint32_t *counts = report->counts;
    if (frame % EVERY == 0 || frame + 1 == pages->frames) {
        printf("frame %u: %.2f%% of %u lookups answered at once, %llu pages in, %u resident\n",
               frame, percent(counts[PAGES_AT_ONCE], counts[PAGES_LOOKUPS]), counts[PAGES_LOOKUPS],
               (unsigned long long)(report->stats.in - pages->stats.in), report->stats.resident);
    }
    pages->stats = report->stats;
    pages->lookups += counts[PAGES_LOOKUPS];
    pages->atOnce += counts[PAGES_AT_ONCE];
    return (!counts[PAGES_NOTHING] && !counts[PAGES_WRONG]) ||
           sayError("frame %u: %u lookups without an answer, %u with a wrong one", frame,
                    counts[PAGES_NOTHING], counts[PAGES_WRONG]);
}

static bool runFrame(Pages *pages, uint32_t frame) {
    const VkDeviceSize report = frame % GPU_FRAMES * sizeof(Report);
    const PagesPush push = {.pager = murGetPagerRef(pages->pager, frame + 1),
                            .picture = pages->picture.address,
                            .counts = pages->reports.address + report + offsetof(Report, counts),
                            .frame = frame,
                            .verify = pages->verify};
    const MurPaging paging = {.frame = frame + 1, /* 0 was loadPinned's */
                              .maxPages = pages->budget,
                              .stats = {pages->reports.address + report, sizeof(MurPagerStats)}};
    Gpu *gpu = &pages->gpu;
    if (!gpuAwaitFrame(gpu, &pages->inFlight) ||
        (frame >= GPU_FRAMES && !readReport(pages, frame - GPU_FRAMES))) {
        return false;
    }
    memset((char *)pages->reports.mapped + report, 0, sizeof(Report));
    if (!gpuBeginFrame(gpu, &pages->inFlight)) {
        return false;
    }
    gpuFullBarrier(gpu); /* behind the murCmdPage of the frame before */
    gpuDispatch(gpu, &pages->kernel, &push,
                (PAGES_WIDTH * PAGES_HEIGHT + PAGES_GROUP - 1) / PAGES_GROUP, 1, 1);
    gpuFullBarrier(gpu);
    const bool paged = gpuCheck(murCmdPage(gpu->cmd, pages->pager, &paging), "paging");
    gpuHostBarrier(gpu);
    return gpuSubmitFrame(gpu, &pages->inFlight, VK_NULL_HANDLE, VK_NULL_HANDLE) && paged;
}

static bool runPages(Pages *pages) {
    for (uint32_t frame = 0; frame < pages->frames; ++frame) {
        if (!runFrame(pages, frame)) {
            return false;
        }
    }
    bool done = gpuCheck(vkDeviceWaitIdle(pages->gpu.device), "waiting");
    const uint32_t left = pages->frames < GPU_FRAMES ? pages->frames : GPU_FRAMES;
    for (uint32_t frame = pages->frames - left; done && frame < pages->frames; ++frame) {
        done = readReport(pages, frame);
    }
    const MurPagerStats *stats = &pages->stats;
    const uint32_t all = pages_first(PAGES_LEVELS);
    printf("%llu lookups, %.2f%% answered at once, the others by a coarser page\n",
           (unsigned long long)pages->lookups, percent(pages->atOnce, pages->lookups));
    printf("pages: %llu hits, %llu misses, %llu in (%llu bytes), %llu evictions, %llu refused, "
           "%llu deferred; %u of %u resident\n",
           (unsigned long long)stats->hits, (unsigned long long)stats->misses,
           (unsigned long long)stats->in, (unsigned long long)stats->in * PAGES_SIZE,
           (unsigned long long)stats->evictions, (unsigned long long)stats->refused,
           (unsigned long long)stats->deferred, stats->resident, all);
    return done;
}

/* ---- The program ---------------------------------------------------------------------------- */

static bool number(const char *option, uint32_t least, uint32_t most, uint32_t *value) {
    char *end;
    const long is = strtol(optarg, &end, 10);
    *value = (uint32_t)is;
    return (end != optarg && !*end && is >= (long)least && is <= (long)most) ||
           sayError("--%s wants a number from %u to %u, not \"%s\"", option, least, most, optarg);
}

/* Whether to go on. *status: if not, how it ends. */
static bool readOptions(int argc, char **argv, Pages *pages, GpuOptions *options, int *status) {
    static const struct option names[] = {{"frames", required_argument, NULL, 'f'},
                                          {"pool", required_argument, NULL, 'p'},
                                          {"budget", required_argument, NULL, 'b'},
                                          {"output", required_argument, NULL, 'o'},
                                          {"device", required_argument, NULL, 'd'},
                                          {"verify", no_argument, NULL, 'v'},
                                          {"validation", no_argument, NULL, 'V'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    const uint32_t all = pages_first(PAGES_LEVELS);
    uint32_t device = 0;
    bool good = true;
    *status = EXIT_FAILURE;
    opterr = 0; /* getopt's own lines start with argv[0] */
    for (int code; good && (code = getopt_long(argc, argv, ":", names, NULL)) != -1;) {
        switch (code) {
        case 'f':
            good = number("frames", 1, 1000000, &pages->frames);
            break;
        case 'p':
            good = number("pool", LEAST_POOL, all, &pages->pool);
            break;
        case 'b':
            good = number("budget", 1, all, &pages->budget);
            break;
        case 'd':
            good = number("device", 0, 1000, &device);
            options->device = (int)device;
            break;
        case 'o':
            pages->output = optarg;
            break;
        case 'v':
            pages->verify = 1;
            break;
        case 'V':
            options->validation = true;
            break;
        case 'h':
            *status = fputs(help, stdout) >= 0 ? EXIT_SUCCESS : EXIT_FAILURE;
            return false;
        default:
            return sayError(code == ':' ? "%s wants a value; see --help"
                                        : "unknown option \"%s\"; see --help",
                            argv[optind - 1]);
        }
    }
    return good &&
           (optind == argc || sayError("unexpected argument \"%s\"; see --help", argv[optind]));
}

int main(int argc, char **argv) {
    GpuOptions options = {.application = "murpages", .device = -1};
    Pages pages = {.frames = 120, .pool = 512, .budget = 32};
    FILE *png = NULL;
    int status;
    sayProgram("murpages");
    if (!readOptions(argc, argv, &pages, &options, &status)) {
        return status;
    }
    bool done = !pages.output || (png = fopen(pages.output, "wb")) != NULL ||
                sayError("%s cannot be written", pages.output);
    done = done && openPages(&pages, &options) && runPages(&pages);
    done = done && (!png || pngWrite(png, pages.picture.mapped, PAGES_WIDTH, PAGES_HEIGHT) ||
                    sayError("%s could not be written", pages.output));
    done = (!png || fclose(png) == 0 || sayError("%s was not written", pages.output)) && done;
    done = done && (pages.gpu.messages == 0 || sayError("the validation layers complained"));
    closePages(&pages);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
