/* SPDX-License-Identifier: MIT */
#include "canvas.h"

#include "common/say.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CLAIM, PAINT, MIPS, HISTORY, LOOK, VIEW }; /* kernels */
enum { VERSION = 4, MOST_UPDATED = 65536 / sizeof(CanvasDab) };

GPU_SPIRV(canvas_claim);
GPU_SPIRV(canvas_paint);
GPU_SPIRV(canvas_mips);
GPU_SPIRV(canvas_history);
GPU_SPIRV(canvas_look);
GPU_SPIRV(canvas_view);

/* ---- Opened and saved ----------------------------------------------------------------------- */

static bool createKernels(Canvas *canvas) {
    const uint32_t paints = sizeof(CanvasPush), shows = sizeof(CanvasViewPush);
    GpuKernel *kernels = canvas->kernels;
    Gpu *gpu = canvas->gpu;
    return gpuCreateKernel(gpu, GPU_CODE(canvas_claim), paints, &kernels[CLAIM]) &&
           gpuCreateKernel(gpu, GPU_CODE(canvas_paint), paints, &kernels[PAINT]) &&
           gpuCreateKernel(gpu, GPU_CODE(canvas_mips), paints, &kernels[MIPS]) &&
           gpuCreateKernel(gpu, GPU_CODE(canvas_history), paints, &kernels[HISTORY]) &&
           gpuCreateKernel(gpu, GPU_CODE(canvas_look), shows, &kernels[LOOK]) &&
           gpuCreateKernel(gpu, GPU_CODE(canvas_view), shows, &kernels[VIEW]);
}

static bool createMemory(Canvas *canvas) {
    const uint64_t sizes[CANVAS_PARTS] = {
        [CANVAS_PART_STATE] = 4 * CANVAS_STATE,
        [CANVAS_PART_LOG] = 8ull * canvas->now.logSize,
        [CANVAS_PART_FREE] = 4ull * canvas->now.tiles,
        [CANVAS_PART_SLOTS] = 16 * (murGetTableRef(canvas->table).slotCount + 1ull),
        [CANVAS_PART_TOUCHED] = 16ull * CANVAS_LEVELS * CANVAS_MAX_TILES,
        [CANVAS_PART_DABS] = CANVAS_DABS * sizeof(CanvasDab),
        [CANVAS_PART_PARTS] = sizeof(CanvasParts),
    };
    for (uint32_t i = 0; i < CANVAS_PARTS; ++i) {
        canvas->at[i + 1] = canvas->at[i] + (sizes[i] + 15) / 16 * 16;
    }
    return gpuCreateBuffer(canvas->gpu, canvas->at[CANVAS_PARTS], GPU_DEVICE, "a canvas",
                           &canvas->memory) &&
           gpuCreateBuffer(canvas->gpu, GPU_FRAMES * sizeof(CanvasReport), GPU_HOST, "reports",
                           &canvas->told);
}

static bool createTiles(Canvas *canvas, const MurPageFile *file) {
    const MurTableCreateInfo table = {.capacity = canvas->mostKeys + canvas->mostKeys / 4,
                                      .atomicWidth = MUR_ATOMIC_WIDTH_32,
                                      .pName = "tiles"};
    const MurPagerCreateInfo pager = {.pageCount = canvas->now.tiles,
                                      .pageSize = 1 << CANVAS_TILE_SHIFT,
                                      .pageFrameCount = canvas->pool,
                                      .framesInFlight = GPU_FRAMES,
                                      .maxRequests = canvas->now.tiles,
                                      .pFile = file,
                                      .maxFilePages = canvas->now.tiles,
                                      .pName = "texels"};
    canvas->used = calloc(canvas->now.tiles, sizeof *canvas->used);
    return (canvas->used || sayError("no memory for tiles")) &&
           gpuCheck(murCreateTable(canvas->gpu->context, &table, &canvas->table), "a table") &&
           gpuCheck(murCreatePager(canvas->gpu->context, &pager, &canvas->pager),
                    "memory for tiles");
}

/* Bytes of the parts in a content, and those before them. */
static uint64_t partsOf(const CanvasContent *content) {
    return 4 * CANVAS_STATE + 8ull * content->logSize + 4ull * content->tiles;
}

static uint64_t keysOf(const CanvasContent *content) {
    return sizeof *content + 8ull * content->room;
}

/* Which tiles the file has, and those that it does not know are free. False: it cannot be. */
static bool knowTiles(Canvas *canvas, CanvasContent *content) {
    uint32_t *state = (uint32_t *)(void *)((char *)content + keysOf(content));
    uint32_t *list = state + CANVAS_STATE + 2 * (size_t)content->logSize;
    bool is = state[CANVAS_FREE] < content->tiles;
    memset(canvas->used, 1, content->tiles);
    for (uint32_t i = 0; is && i < state[CANVAS_FREE]; ++i) {
        is = list[i] < content->tiles;
        canvas->used[is ? list[i] : 0] = false;
    }
    for (uint32_t tile = canvas->now.tiles - 1; is && tile >= content->tiles; --tile) {
        list[state[CANVAS_FREE]++] = tile; /* the last one is taken first */
    }
    state[CANVAS_KEYS] = content->keys;
    for (uint32_t i = 0; i < GPU_FRAMES; ++i) {
        memcpy((CanvasReport *)canvas->told.mapped + i, state + CANVAS_FREE, sizeof(CanvasReport));
    }
    return is || sayError("that is no painting");
}

/* Records that the canvas becomes the content, and that all tiles of a file are wanted. */
static bool cmdFill(Canvas *canvas, const GpuBuffer *content, const GpuBuffer *tiles) {
    Gpu *gpu = canvas->gpu;
    const CanvasContent *head = content->mapped;
    const uint64_t keys = content->address + sizeof *head, room = 4ull * head->room;
    const MurBatch batch = {
        .maxCount = head->keys, .keys = {keys, room}, .values = {keys + room, room}};
    const MurPages pages = {.maxCount = canvas->comes ? canvas->now.tiles - 1 : 0,
                            .pages = {tiles->address, tiles->size}};
    const MurPageContent first = canvas->comes ? MUR_PAGES_IN_FILE : MUR_PAGES_ZERO;
    bool done = gpuCheck(murCmdClear(gpu->cmd, canvas->table), "clearing") &&
                gpuCheck(murCmdClearPager(gpu->cmd, canvas->pager, first), "clearing");
    vkCmdFillBuffer(gpu->cmd, canvas->memory.buffer, canvas->at[CANVAS_PART_SLOTS],
                    canvas->at[CANVAS_PART_TOUCHED] - canvas->at[CANVAS_PART_SLOTS], 0);
    gpuCopy(canvas->gpu, content, keysOf(head), &canvas->memory, 0, partsOf(&canvas->now));
    gpuFullBarrier(gpu);
    return done &&
           gpuCheck(murCmdInsert(gpu->cmd, canvas->table, MUR_MODE_ASSIGN, &batch), "tiles") &&
           gpuCheck(murCmdRequestPages(gpu->cmd, canvas->pager, &pages, 0, 0), "tiles");
}

static bool fill(Canvas *canvas, const CanvasContent *from, uint64_t size) {
    Gpu *gpu = canvas->gpu;
    GpuBuffer content = {0}, tiles = {0};
    bool done = gpuCreateBuffer(gpu, keysOf(from) + partsOf(&canvas->now), GPU_HOST, "content",
                                &content) &&
                gpuCreateBuffer(gpu, 4ull * canvas->now.tiles, GPU_HOST, "all tiles", &tiles);
    if (done) {
        memset(content.mapped, 0, content.size);
        memcpy(content.mapped, from, size);
        for (uint32_t i = 1; i < canvas->now.tiles; ++i) {
            ((uint32_t *)tiles.mapped)[i - 1] = i;
        }
        done = knowTiles(canvas, content.mapped) && gpuBegin(gpu);
    }
    if (done) {
        done = cmdFill(canvas, &content, &tiles);
        done = gpuSubmit(gpu) && done;
    }
    gpuDestroyBuffer(gpu, &content);
    gpuDestroyBuffer(gpu, &tiles);
    return done;
}

bool canvasOpen(Gpu *gpu, const CanvasInfo *info, Canvas *canvas) {
    CanvasContent none = {.version = VERSION, .tiles = 1, .logSize = 1u << 16};
    const CanvasContent *content = info->content ? info->content : &none;
    while (none.logSize < 4 * info->tiles) {
        none.logSize *= 2;
    }
    *canvas = (Canvas){.gpu = gpu, .comes = info->content != NULL, .mostKeys = none.logSize};
    if (info->content &&
        (info->size < sizeof *content || content->version != VERSION ||
         info->size != keysOf(content) + partsOf(content) || content->tiles > info->tiles ||
         content->keys > canvas_least(content->room, canvas->mostKeys))) {
        return sayError("that is no painting");
    }
    canvas->now = *content;
    canvas->now.tiles = info->tiles;
    canvas->pool = canvas_least(info->pool, info->tiles);
    canvas->stroke = content->strokes;
    return createTiles(canvas, &info->file) && createMemory(canvas) && createKernels(canvas) &&
           fill(canvas, content, info->content ? info->size : sizeof none);
}

/* Of a frame that is done, one of the last two. */
static CanvasReport reportOf(const Canvas *canvas, uint64_t frame) {
    return ((const CanvasReport *)canvas->told.mapped)[frame % GPU_FRAMES];
}

bool canvasSave(Canvas *canvas, GpuBuffer *content) {
    CanvasContent *now = &canvas->now;
    now->keys = 0; /* those that have a tile are counted there */
    now->room = reportOf(canvas, canvas->frame - 1).keys;
    if (!gpuCreateBuffer(canvas->gpu, keysOf(now) + partsOf(now), GPU_HOST, "content", content)) {
        return false;
    }
    const uint64_t keys = content->address + sizeof *now, room = 4ull * now->room;
    const MurExtract extract = {.maxCount = now->room,
                                .countAddress = content->address + offsetof(CanvasContent, keys),
                                .keys = {keys, room},
                                .values = {keys + room, room},
                                .predicates = {{.compare = MUR_COMPARE_NOT_EQUAL}}};
    memcpy(content->mapped, now, sizeof *now);
    gpuCopy(canvas->gpu, &canvas->memory, 0, content, keysOf(now), partsOf(now));
    return !now->room ||
           gpuCheck(murCmdExtract(canvas->gpu->cmd, canvas->table, &extract), "tiles");
}

void canvasClose(Canvas *canvas) {
    if (!canvas->gpu) {
        return;
    }
    for (uint32_t i = 0; i < CANVAS_KERNELS; ++i) {
        gpuDestroyKernel(canvas->gpu, &canvas->kernels[i]);
    }
    gpuDestroyBuffer(canvas->gpu, &canvas->memory);
    gpuDestroyBuffer(canvas->gpu, &canvas->told);
    murDestroyTable(canvas->table);
    murDestroyPager(canvas->pager);
    free(canvas->used);
    *canvas = (Canvas){0};
}

/* ---- Frames --------------------------------------------------------------------------------- */

/* Brings in the tiles that were asked for, at most so many, behind a barrier. */
static void cmdPage(Canvas *canvas, uint32_t most, MurPagingFlags flags) {
    const MurPaging paging = {.frame = (uint32_t)canvas->frame, .maxPages = most, .flags = flags};
    canvas->broken |= !gpuCheck(murCmdPage(canvas->gpu->cmd, canvas->pager, &paging), "paging");
    gpuFullBarrier(canvas->gpu);
}

/* The frame's first murCmdPage only takes what has come from the file, and begins a checkpoint. */
void canvasBegin(Canvas *canvas, bool saves) {
    MurPagerFrame frame = {.frame = ++canvas->frame, .checkpoint = saves};
    MurPagingFlags flags = 0;
    CanvasParts parts = {.pager = murGetPagerRef(canvas->pager, (uint32_t)canvas->frame)};
    frame.completedFrame = canvas->frame > GPU_FRAMES ? canvas->frame - GPU_FRAMES : 0;
    canvas->report = reportOf(canvas, canvas->frame);
    canvas->takenBefore = canvas->taken;
    canvas->taken = 0;
    for (uint32_t i = 0; i < CANVAS_PARTS; ++i) {
        parts.at[i] = canvas->memory.address + canvas->at[i];
    }
    gpuFullBarrier(canvas->gpu); /* behind the frame before */
    vkCmdUpdateBuffer(canvas->gpu->cmd, canvas->memory.buffer, canvas->at[CANVAS_PART_PARTS],
                      sizeof parts, &parts);
    canvas->broken |= !gpuCheck(murBeginPagerFrame(canvas->pager, &frame, &flags), "paging");
    cmdPage(canvas, 0, flags);
}

void canvasEnd(Canvas *canvas) {
    const uint64_t at = canvas->frame % GPU_FRAMES * sizeof(CanvasReport);
    gpuFullBarrier(canvas->gpu);
    gpuCopy(canvas->gpu, &canvas->memory, 4 * CANVAS_FREE, &canvas->told, at, sizeof(CanvasReport));
    gpuHostBarrier(canvas->gpu);
}

void canvasRest(Canvas *canvas) {
    canvas->report = reportOf(canvas, canvas->frame);
}

static CanvasPush pushOf(const Canvas *canvas) {
    return (CanvasPush){.table = murGetTableRef(canvas->table),
                        .parts = canvas->memory.address + canvas->at[CANVAS_PART_PARTS],
                        .logMask = canvas->now.logSize - 1,
                        .tiles = canvas->now.tiles};
}

/* ---- History -------------------------------------------------------------------------------- */

/* What the strokes behind the first one, to the last one, have in the log. */
static void history(Canvas *canvas, uint32_t first, uint32_t last, bool drops) {
    CanvasPush push = pushOf(canvas);
    push.first = first % CANVAS_STROKES;
    push.last = last % CANVAS_STROKES;
    push.drops = drops;
    gpuDispatch(canvas->gpu, &canvas->kernels[HISTORY], &push, CANVAS_FEW, 1, 1);
    gpuFullBarrier(canvas->gpu);
}

/* A word of the state becomes what another one is. */
static void copyState(Canvas *canvas, uint32_t from, uint32_t to) {
    gpuCopy(canvas->gpu, &canvas->memory, 4ull * from, &canvas->memory, 4ull * to, 4);
    gpuFullBarrier(canvas->gpu);
}

/* The word that says where a stroke ends in the log. */
static uint32_t endOf(uint32_t stroke) {
    return CANVAS_ENDS + stroke % CANVAS_STROKES;
}

static void dropOldest(Canvas *canvas) {
    history(canvas, canvas->now.dropped, canvas->now.dropped + 1, true);
    copyState(canvas, endOf(++canvas->now.dropped), CANVAS_OLDEST);
    canvas->droppedIn = canvas->frame;
}

void canvasBeginStroke(Canvas *canvas) {
    CanvasContent *now = &canvas->now;
    if (now->applied < now->strokes) {
        history(canvas, now->applied, now->strokes, true);
        copyState(canvas, endOf(now->applied), CANVAS_LOGGED);
        canvas->droppedIn = canvas->frame; /* so that this stroke has their tiles */
    }
    if (now->applied - now->dropped == CANVAS_STROKES - 1) {
        dropOldest(canvas);
    }
    now->strokes = ++now->applied;
    ++canvas->stroke;
    copyState(canvas, CANVAS_LOGGED, endOf(now->applied));
}

void canvasUndo(Canvas *canvas, bool redo) {
    CanvasContent *now = &canvas->now;
    const uint32_t first = redo ? now->applied : now->applied - 1;
    if (redo ? now->applied < now->strokes : now->applied > now->dropped) {
        history(canvas, first, first + 1, false);
        now->applied = redo ? first + 1 : first;
    }
}

/* ---- Strokes -------------------------------------------------------------------------------- */

/* Is there room for as many new tiles, whatever the frames do that are not done? What the history
 * has gives way, the oldest first, but not the stroke itself. */
static CanvasDone makeRoom(Canvas *canvas, uint32_t need) {
    const CanvasReport *report = &canvas->report;
    const uint32_t keys = canvas->mostKeys - report->keys;
    const uint32_t log = canvas->now.logSize - (report->logged - report->oldest);
    const uint32_t taken = canvas->taken + canvas->takenBefore;
    if (taken + need <= canvas_least(canvas_least(keys, log), report->free)) {
        return CANVAS_DONE;
    }
    if (taken || canvas->droppedIn + GPU_FRAMES > canvas->frame) {
        return CANVAS_LATER; /* what there is now is not known */
    }
    if (need > keys || canvas->now.applied - canvas->now.dropped < 2) {
        return CANVAS_FULL;
    }
    dropOldest(canvas);
    return CANVAS_LATER;
}

static void cmdBatch(Canvas *canvas, CanvasPush *push, const CanvasBatch *batch) {
    uint32_t none[3 * CANVAS_LEVELS];
    Gpu *gpu = canvas->gpu;
    for (uint32_t i = 0; i < 3 * CANVAS_LEVELS; ++i) {
        none[i] = i % 3 == 0 ? 0 : i % 3 == 1 ? CANVAS_BLOCKS : 1;
    }
    vkCmdUpdateBuffer(gpu->cmd, canvas->memory.buffer, 0, sizeof none, none);
    gpuFullBarrier(gpu);
    gpuDispatch(gpu, &canvas->kernels[CLAIM], push, (batch->most + CANVAS_GROUP - 1) / CANVAS_GROUP,
                batch->count, 1);
    gpuFullBarrier(gpu);
    cmdPage(canvas, 2 * batch->need, 0);
    for (push->level = 0; push->level < CANVAS_LEVELS; ++push->level) {
        gpuDispatchIndirect(gpu, push->level ? &canvas->kernels[MIPS] : &canvas->kernels[PAINT],
                            push, &canvas->memory, 12ull * push->level);
        gpuFullBarrier(gpu);
    }
}

/* Tiles that are painted use two pages each, and those of two frames stay: with views (see
 * canvasHasRoom) they have room in the pool, so that none is refused. */
static uint32_t mostOf(const Canvas *canvas) {
    return canvas->pool / 16;
}

uint32_t canvasShift(const Canvas *canvas, uint32_t tiles) {
    uint32_t shift = 0, own = 4;            /* tiles of the next larger square, */
    uint32_t all = own + CANVAS_LEVELS - 1; /* and of all levels */
    while (own <= canvas_least(tiles, CANVAS_MAX_TILES) && all <= mostOf(canvas)) {
        ++shift;
        own *= 4;
        all += own - 1;
    }
    return shift;
}

CanvasDone canvasPaint(Canvas *canvas, const CanvasBrush *brush, const CanvasBatch *batch) {
    const CanvasDone room = canvas->taken + batch->need > mostOf(canvas)
                                ? CANVAS_LATER
                                : makeRoom(canvas, batch->need);
    if (room != CANVAS_DONE) {
        return room;
    }
    canvas->taken += batch->need;
    for (uint32_t i = 0; i < batch->count; i += MOST_UPDATED) {
        const uint32_t count = canvas_least(MOST_UPDATED, batch->count - i);
        const uint64_t at = canvas->at[CANVAS_PART_DABS] + i * sizeof(CanvasDab);
        vkCmdUpdateBuffer(canvas->gpu->cmd, canvas->memory.buffer, at, count * sizeof(CanvasDab),
                          batch->dabs + i);
    }
    CanvasPush push = pushOf(canvas);
    memcpy(push.color, brush->color, sizeof push.color);
    push.layer = brush->layer;
    push.stroke = canvas->stroke;
    push.batch = ++canvas->batch;
    push.dabs = batch->count;
    push.box = batch->box;
    cmdBatch(canvas, &push, batch);
    copyState(canvas, CANVAS_LOGGED, endOf(canvas->now.applied));
    return CANVAS_DONE;
}

/* ---- Views ---------------------------------------------------------------------------------- */

/* Tiles that a square of a view shows at most. */
static uint64_t tilesOf(const CanvasView *view, uint32_t side) {
    uint64_t tiles = 0;
    for (uint32_t layers = view->layers; layers; layers &= layers - 1) {
        ++tiles;
    }
    for (int i = 0; i < 2; ++i) {
        tiles *= 3 + ((uint64_t)canvas_least(side, view->size[i]) * view->step >> 23);
    }
    return tiles;
}

bool canvasHasRoom(const Canvas *canvas, const CanvasView *view, uint32_t side) {
    return tilesOf(view, side) <= canvas->pool / 8 * 3;
}

void canvasCmdView(Canvas *canvas, const CanvasView *view, uint32_t side,
                   const GpuBuffer *picture) {
    CanvasViewPush push = {.table = murGetTableRef(canvas->table),
                           .parts = canvas->memory.address + canvas->at[CANVAS_PART_PARTS],
                           .picture = picture->address,
                           .view = *view};
    uint32_t groups[2];
    for (int i = 0; i < 2; ++i) {
        const uint32_t pixels = canvas_least(side, view->size[i] - view->from[i]);
        groups[i] = (pixels + CANVAS_VIEW_GROUP - 1) / CANVAS_VIEW_GROUP;
    }
    push.view.flags |= canvas->comes ? CANVAS_COMES : 0;
    gpuDispatch(canvas->gpu, &canvas->kernels[LOOK], &push, groups[0], groups[1], 1);
    gpuFullBarrier(canvas->gpu);
    cmdPage(canvas, (uint32_t)tilesOf(view, side), 0);
    gpuDispatch(canvas->gpu, &canvas->kernels[VIEW], &push, groups[0], groups[1], 1);
}

CanvasPlace canvasPlace(double x, double y) {
    const double at[] = {x, y};
    CanvasPlace place;
    for (int i = 0; i < 2; ++i) {
        const double near = fmin(fmax(at[i], -1.0 * CANVAS_PIXELS), 2.0 * CANVAS_PIXELS);
        place.at[i] = (int32_t)floor(near * CANVAS_FRACTION);
    }
    return place;
}

CanvasView canvasView(const Canvas *canvas, CanvasPlace middle, double step, uint32_t width,
                      uint32_t height) {
    const uint64_t fine = (uint64_t)(step * 65536);
    CanvasView view = {.size = {width, height}, .layers = (1u << CANVAS_LAYERS) - 1, .soft = 255};
    for (;; ++view.level) {
        view.step = (uint32_t)(fine >> view.level);
        if (view.level == CANVAS_LEVELS - 1 ||
            (fine >> view.level <= CANVAS_MAX_STEP &&
             (!canvas || canvasHasRoom(canvas, &view, UINT32_MAX)))) {
            break;
        }
    }
    if (step <= 0.25 || view.step == 65536) {
        view.soft = 0; /* pixels are looked at; or each is a texel */
    }
    /* The middle of the first pixel, in texels with 16 bits of fraction. Bilinear weights count
     * from the middle of a texel. */
    for (int i = 0; i < 2; ++i) {
        int64_t at = (int64_t)middle.at[i] * (65536 / CANVAS_FRACTION) / ((int64_t)1 << view.level);
        at += view.step / 2 - (int64_t)view.step * view.size[i] / 2 - (view.soft ? 32768 : 0);
        view.fraction[i] = (uint32_t)at & 0xFFFFu;
        view.first[i] = (int)((at - view.fraction[i]) / 65536);
    }
    return view;
}
