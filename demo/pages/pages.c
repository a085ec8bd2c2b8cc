/* murpages: a camera over a texture that is larger than its cache. README.md says more.
 * SPDX-License-Identifier: MIT */
#include "common/gpu_frames.h"
#include "common/png_file.h"
#include "common/say.h"
#include "pages.h"

#include <murmuration/pager.h>
#include <stdlib.h>
#include <string.h>

enum { EVERY = 20 };
GPU_SPIRV(pages_spv);

typedef struct Report { /* of a frame, read when the frame after the next one begins */
    MurPagerStats stats;
    uint32_t counts[PAGES_COUNTS];
} Report;

typedef struct Pages {
    Gpu gpu;
    GpuFrames inFlight;
    GpuKernel kernel;
    MurPager pager;
    GpuBuffer picture, reports, pinned;
    uint32_t frames, pool, budget;
    MurPagerStats stats; /* the last ones */
} Pages;

/* Each page of the store, where an engine would have decoded its tiles. */
static void fillStore(MurPager pager) {
    for (uint32_t level = 0; level < PAGES_LEVELS; ++level) {
        const uint32_t side = PAGES_SIDE >> level;
        for (uint32_t i = 0; i < side * side; ++i) {
            const uint32_t x = i % side, y = i / side;
            uint32_t *page = murGetPagerStorePage(pager, pages_page(level, x, y));
            page[pages_word(x, y)] = pages_texel(level, x, y);
        }
    }
}

/* The coarse pages are brought in before the first frame and stay: something is always there. */
static bool loadPinned(Pages *pages) {
    const uint32_t first = pages_first(PAGES_PINNED), count = PAGES_ALL - first;
    const MurPages list = {.maxCount = count, .pages = {pages->pinned.address, 4ull * count}};
    const MurPaging paging = {.frame = 0, .maxPages = count};
    Gpu *gpu = &pages->gpu;
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
    pages->stats.in = count;
    return gpuSubmit(gpu) && done;
}

static bool openPages(Pages *pages, const GpuOptions *options) {
    const MurPagerCreateInfo info = {
        .pageCount = PAGES_ALL,
        .pageSize = PAGES_SIZE,
        .pageFrameCount = pages->pool,
        .framesInFlight = 1,       /* a frame number is used in the dispatch that looked it up */
        .flags = MUR_PAGER_FORCE}; /* to be seen on devices, too, that have nothing to page */
    Gpu *gpu = &pages->gpu;
    if (!gpuOpen(gpu, options) || !gpuCreateFrames(gpu, &pages->inFlight) ||
        !gpuCheck(murCreatePager(gpu->context, &info, &pages->pager), "a pager") ||
        !gpuCreateKernel(gpu, "pages", pages_spv, pages_spv_size, sizeof(PagesPush),
                         &pages->kernel) ||
        !gpuCreateBuffer(gpu, 4ull * PAGES_PIXELS, GPU_HOST, "picture", &pages->picture) ||
        !gpuCreateBuffer(gpu, GPU_FRAMES * sizeof(Report), GPU_HOST, "reports", &pages->reports) ||
        !gpuCreateBuffer(gpu, 4ull * PAGES_ALL, GPU_HOST, "pinned", &pages->pinned)) {
        return false;
    }
    fillStore(pages->pager);
    return loadPinned(pages);
}

/* What a frame that is done has told. */
static bool readReport(Pages *pages, uint32_t frame) {
    const Report *report = (const Report *)pages->reports.mapped + frame % GPU_FRAMES;
    const uint32_t *counts = report->counts;
    if (frame % EVERY == 0 || frame + 1 == pages->frames) {
        printf("frame %u: %.2f%% of %u lookups answered at once, %u pages in, %u resident\n", frame,
               100.0 * counts[PAGES_AT_ONCE] / counts[PAGES_LOOKUPS], counts[PAGES_LOOKUPS],
               (uint32_t)(report->stats.in - pages->stats.in), report->stats.resident);
    }
    pages->stats = report->stats;
    return !counts[PAGES_WRONG] ||
           sayError("frame %u: %u lookups without the right answer", frame, counts[PAGES_WRONG]);
}

static bool runFrame(Pages *pages, uint32_t frame) {
    const VkDeviceSize report = frame % GPU_FRAMES * sizeof(Report);
    const PagesPush push = {.pager = murGetPagerRef(pages->pager, frame + 1),
                            .picture = pages->picture.address,
                            .counts = pages->reports.address + report + offsetof(Report, counts),
                            .frame = frame};
    const MurPaging paging = {.frame = frame + 1, /* 0 was loadPinned's */
                              .maxPages = pages->budget,
                              .stats = {pages->reports.address + report, sizeof(MurPagerStats)}};
    Gpu *gpu = &pages->gpu;
    memset((char *)pages->reports.mapped + report, 0, sizeof(Report));
    if (!gpuBeginFrame(gpu, &pages->inFlight)) {
        return false;
    }
    gpuFullBarrier(gpu); /* behind the murCmdPage of the frame before */
    gpuDispatch(gpu, &pages->kernel, &push, PAGES_PIXELS / PAGES_GROUP, 1, 1);
    gpuFullBarrier(gpu);
    const bool paged = gpuCheck(murCmdPage(gpu->cmd, pages->pager, &paging), "paging");
    gpuHostBarrier(gpu);
    return gpuSubmitFrame(gpu, &pages->inFlight, VK_NULL_HANDLE, VK_NULL_HANDLE) && paged;
}

static bool runPages(Pages *pages) {
    Gpu *gpu = &pages->gpu;
    bool done = true;
    for (uint32_t frame = 0; done && frame < pages->frames + GPU_FRAMES; ++frame) {
        const bool more = frame < pages->frames;
        done = more ? gpuAwaitFrame(gpu, &pages->inFlight)
                    : gpuCheck(vkDeviceWaitIdle(gpu->device), "waiting");
        done = done && (frame < GPU_FRAMES || readReport(pages, frame - GPU_FRAMES)) &&
               (!more || runFrame(pages, frame));
    }
    const MurPagerStats *stats = &pages->stats;
    printf("pages: %u hits, %u in, %u evictions, %u refused, %u deferred; %u of %u resident\n",
           (uint32_t)stats->hits, (uint32_t)stats->in, (uint32_t)stats->evictions,
           (uint32_t)stats->refused, (uint32_t)stats->deferred, stats->resident, PAGES_ALL);
    return done;
}

static bool readOptions(char **argv, Pages *pages, GpuOptions *options, FILE **png) {
    while (*++argv) {
        uint32_t *number = strcmp(*argv, "--frames") == 0   ? &pages->frames
                           : strcmp(*argv, "--pool") == 0   ? &pages->pool
                           : strcmp(*argv, "--budget") == 0 ? &pages->budget
                                                            : NULL;
        if (number && argv[1]) {
            *number = (uint32_t)atoi(*++argv);
        } else if (strcmp(*argv, "--validation") == 0) {
            options->validation = true;
        } else {
            *png = !*png && strstr(*argv, ".png") ? fopen(*argv, "wb") : NULL;
            if (!*png) {
                return sayError("%s is no option, nor a .png that can be written", *argv);
            }
        }
    }
    return (pages->frames && pages->budget && pages->pool >= 32 && pages->pool <= PAGES_ALL) ||
           sayError("--frames, --budget: from 1 on; --pool: 32 to %u", PAGES_ALL);
}

int main(int argc, char **argv) {
    GpuOptions options = {.application = "murpages", .device = -1};
    Pages pages = {.frames = 120, .pool = 512, .budget = 32};
    FILE *png = NULL;
    sayProgram("murpages");
    bool done = argc && readOptions(argv, &pages, &options, &png) && openPages(&pages, &options) &&
                runPages(&pages);
    done = done && (!png || pngWrite(png, pages.picture.mapped, PAGES_WIDTH, PAGES_HEIGHT));
    done = (!png || fclose(png) == 0) && done;
    done = done && (pages.gpu.messages == 0 || sayError("the validation layers complained"));
    gpuDestroyFrames(&pages.gpu, &pages.inFlight);
    gpuDestroyBuffer(&pages.gpu, &pages.picture);
    gpuDestroyBuffer(&pages.gpu, &pages.reports);
    gpuDestroyBuffer(&pages.gpu, &pages.pinned);
    gpuDestroyKernel(&pages.gpu, &pages.kernel);
    murDestroyPager(pages.pager);
    gpuClose(&pages.gpu);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
