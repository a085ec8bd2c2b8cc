/* SPDX-License-Identifier: MIT */
#include "canvas.h"

#include "common/message.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { CLAIM, PAINT, MIPS, HISTORY, LOOK, VIEW }; /* kernels */

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
    MurTableCreateInfo table = {.capacity = canvas->now.logSize + canvas->now.logSize / 4,
                                .atomicWidth = MUR_ATOMIC_WIDTH_32,
                                .pName = "tiles"};
    MurTableRequirements needs = {0};
    Gpu *gpu = canvas->gpu;
    bool done = gpuCheck(murGetTableRequirements(gpu->context, &table, &needs), "a table");
    const uint64_t sizes[CANVAS_PARTS] = {
        [CANVAS_PART_STATE] = 4 * CANVAS_STATE,
        [CANVAS_PART_LOG] = 8ull * canvas->now.logSize,
        [CANVAS_PART_TABLE] = needs.size,
        [CANVAS_PART_FREE] = 4ull * canvas->now.tiles,
        [CANVAS_PART_SLOTS] = 16 * (needs.slotCount + 1ull),
        [CANVAS_PART_TOUCHED] = 16ull * CANVAS_LEVELS * CANVAS_MAX_TILES,
        [CANVAS_PART_DABS] = CANVAS_DABS * sizeof(CanvasDab),
        [CANVAS_PART_PARTS] = sizeof(CanvasParts),
    };
    for (uint32_t i = 0; i < CANVAS_PARTS; ++i) {
        canvas->at[i + 1] = canvas->at[i] + (sizes[i] + 255) / 256 * 256;
    }
    done =
        done &&
        gpuCreateBuffer(gpu, canvas->at[CANVAS_PARTS], GPU_DEVICE, "a canvas", &canvas->memory) &&
        gpuCreateBuffer(gpu, GPU_FRAMES * sizeof(CanvasReport), GPU_HOST, "reports", &canvas->told);
    table.memory = (MurBufferRange){canvas->memory.buffer, canvas->at[CANVAS_PART_TABLE],
                                    needs.size};
    return done && gpuCheck(murCreateTable(gpu->context, &table, &canvas->table), "a table");
}

static bool createTiles(Canvas *canvas, const MurPageFile *file, uint32_t host) {
    const MurPagerCreateInfo pager = {.pageCount = canvas->now.tiles,
                                      .pageSize = 1 << CANVAS_TILE_SHIFT,
                                      .poolPageCount = canvas->pool,
                                      .framesInFlight = GPU_FRAMES,
                                      .maxRequests = canvas->now.tiles,
                                      .pFile = file,
                                      .maxFilePages = canvas->now.tiles,
                                      .hostPageCount = host,
                                      .pName = "texels"};
    return gpuCheck(murCreatePager(canvas->gpu->context, &pager, &canvas->pager),
                    "memory for tiles");
}

/* Bytes of a content after its head. */
static uint64_t restOf(const Canvas *canvas, uint32_t tiles) {
    return canvas->at[CANVAS_PART_FREE] + 4ull * tiles;
}

/* Records that the canvas is new, or has the content, whose first bytes are a list of all tiles:
 * they are wanted from the file. */
static bool cmdFill(Canvas *canvas, const GpuBuffer *content) {
    const uint64_t list = 4ull * canvas->now.tiles;
    const MurPageList all = {.maxCount = canvas->now.tiles - 1, .pages = {content->address, list}};
    Gpu *gpu = canvas->gpu;
    vkCmdFillBuffer(gpu->cmd, canvas->memory.buffer, 0, VK_WHOLE_SIZE, 0);
    gpuFullBarrier(gpu);
    if (content->size == list) {
        return gpuCheck(murCmdClearPager(gpu->cmd, canvas->pager, MUR_PAGES_ZERO), "tiles") &&
               gpuCheck(murCmdClear(gpu->cmd, canvas->table), "a table");
    }
    gpuCopy(gpu, content, list, &canvas->memory, 0, content->size - list);
    return gpuCheck(murCmdClearPager(gpu->cmd, canvas->pager, MUR_PAGES_IN_FILE), "tiles") &&
           (canvas->cached ||
            gpuCheck(murCmdRequestPages(gpu->cmd, canvas->pager, &all, 0, 0), "tiles"));
}

/* Waits until the canvas is new, or has the content after its head. */
static bool fill(Canvas *canvas, const CanvasInfo *info, uint64_t head) {
    Gpu *gpu = canvas->gpu;
    GpuBuffer content = {0};
    const uint64_t list = 4ull * canvas->now.tiles, size = info->size ? info->size - head : 0;
    bool done = gpuCreateBuffer(gpu, list + size, GPU_HOST, "content", &content) && gpuBegin(gpu);
    if (done) {
        uint32_t *tiles = content.mapped;
        for (uint32_t i = 1; i < canvas->now.tiles; ++i) {
            tiles[i - 1] = i;
        }
        if (size) {
            memcpy(tiles + canvas->now.tiles, (const char *)info->content + head, size);
        }
        done = cmdFill(canvas, &content);
        canvasEnd(canvas);
        done = gpuSubmit(gpu) && done;
        canvasRest(canvas);
    }
    gpuDestroyBuffer(gpu, &content);
    return done;
}

bool canvasOpen(Gpu *gpu, const CanvasInfo *info, Canvas *canvas) {
    CanvasContent now = {.version = CANVAS_VERSION, .tiles = info->tiles, .logSize = 1u << 16};
    uint64_t head = sizeof now;
    while (now.logSize < 4 * info->tiles) {
        now.logSize *= 2;
    }
    if (info->size >= sizeof now) {
        memcpy(&now, info->content, sizeof now);
    }
    if (now.version == 5) { /* it has no view */
        head = offsetof(CanvasContent, look);
        memset((char *)&now + head, 0, sizeof now - head);
        now.version = CANVAS_VERSION;
    }
    const uint32_t tiles = now.tiles;
    now.tiles = info->tiles;
    *canvas = (Canvas){.gpu = gpu,
                       .now = now,
                       .stroke = now.strokes,
                       .pool = canvas_least(info->pool, info->tiles),
                       .cached = info->host && info->host < info->tiles};
    if (now.version != CANVAS_VERSION) {
        return sayError(
            "the painting has version %u, expected 5 or %u: use the program that saved it",
            now.version, CANVAS_VERSION);
    }
    return createMemory(canvas) && createTiles(canvas, &info->file, info->host) &&
           createKernels(canvas) &&
           (!info->size || (tiles <= info->tiles && info->size == head + restOf(canvas, tiles)) ||
            sayError("that is no painting")) &&
           fill(canvas, info, head);
}

bool canvasSave(Canvas *canvas, GpuBuffer *content) {
    const uint64_t size = sizeof canvas->now + restOf(canvas, canvas->now.tiles);
    if (!gpuCreateBuffer(canvas->gpu, size, GPU_HOST, "content", content)) {
        return false;
    }
    memcpy(content->mapped, &canvas->now, sizeof canvas->now);
    gpuCopy(canvas->gpu, &canvas->memory, 0, content, sizeof canvas->now,
            size - sizeof canvas->now);
    return true;
}

bool canvasCmdEntries(Canvas *canvas, const GpuBuffer *entries) {
    const uint64_t most = canvas->now.tiles, address = entries->address;
    const MurExtract extract = {.maxCount = canvas->now.tiles,
                                .countAddress = address,
                                .keys = {address + 4, 4 * most},
                                .values = {address + 4 + 4 * most, 4 * most},
                                .predicates = {{.compare = MUR_COMPARE_NOT_EQUAL}}};
    return gpuCheck(murCmdExtract(canvas->gpu->cmd, canvas->table, &extract), "entries");
}

void canvasClose(Canvas *canvas) {
    if (!canvas->gpu) {
        return;
    }
    for (uint32_t i = 0; i < CANVAS_KERNELS; ++i) {
        gpuDestroyKernel(canvas->gpu, &canvas->kernels[i]);
    }
    murDestroyTable(canvas->table);
    gpuDestroyBuffer(canvas->gpu, &canvas->memory);
    gpuDestroyBuffer(canvas->gpu, &canvas->told);
    murDestroyPager(canvas->pager);
    *canvas = (Canvas){0};
}

/* ---- Frames --------------------------------------------------------------------------------- */

/* Brings in the tiles that were requested, at most N, and records a barrier. */
static void cmdPage(Canvas *canvas, uint32_t most, MurPagerUpdateFlags flags) {
    const MurPagerUpdate paging = {
        .frame = (uint32_t)canvas->frame, .maxPages = most, .flags = flags};
    canvas->broken |= !gpuCheck(murCmdUpdatePager(canvas->gpu->cmd, canvas->pager, &paging),
                                "paging");
    gpuFullBarrier(canvas->gpu);
}

/* The frame's first murCmdUpdatePager only takes what has come from the file, and begins a
 * checkpoint. */
void canvasBegin(Canvas *canvas, bool saves) {
    MurPagerFrame frame = {.frame = ++canvas->frame, .checkpoint = saves};
    MurPagerUpdateFlags flags = 0;
    CanvasParts parts = {.pager = murGetPagerRef(canvas->pager, (uint32_t)canvas->frame)};
    if (canvas->cached) {
        frame.completedFrame = canvas->frame - 1; /* painterBegin has waited for it */
    } else if (canvas->frame > GPU_FRAMES) {
        frame.completedFrame = canvas->frame - GPU_FRAMES;
        canvasRest(canvas); /* what that one has told */
    }
    canvas->takenBefore = canvas->cached ? 0 : canvas->taken;
    canvas->taken = 0;
    for (uint32_t i = 0; i < CANVAS_PARTS; ++i) {
        parts.at[i] = canvas->memory.address + canvas->at[i];
    }
    gpuFullBarrier(canvas->gpu); /* behind the frame before */
    gpuUpdate(canvas->gpu, &parts, &canvas->memory, canvas->at[CANVAS_PART_PARTS], sizeof parts);
    if (canvas->cached) {
        gpuUpdate(canvas->gpu, &(uint32_t){0}, &canvas->memory, 4 * CANVAS_FAILED, 4);
    }
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
    canvas->report = ((const CanvasReport *)canvas->told.mapped)[canvas->frame % GPU_FRAMES];
}

uint32_t canvasTiles(const Canvas *canvas) {
    return canvas->report.used - canvas->report.free;
}

static CanvasPush pushOf(const Canvas *canvas) {
    return (CanvasPush){.table = murGetTableRef(canvas->table),
                        .parts = canvas->memory.address + canvas->at[CANVAS_PART_PARTS],
                        .logMask = canvas->now.logSize - 1,
                        .tiles = canvas->now.tiles};
}

/* ---- History -------------------------------------------------------------------------------- */

/* Dispatches for the log's entries of the strokes after the first one, to the last one. */
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

void canvasBeginStroke(Canvas *canvas, const CanvasBrush *brush) {
    CanvasContent *now = &canvas->now;
    if (now->applied < now->strokes) {
        history(canvas, now->applied, now->strokes, true);
        copyState(canvas, endOf(now->applied), CANVAS_LOGGED);
        canvas->droppedIn = canvas->frame; /* so that this stroke has their tiles */
    }
    if (now->applied - now->dropped == CANVAS_STROKES - 1) {
        dropOldest(canvas);
    }
    canvas->droppable = now->dropped;
    if (!canvas->asks || canvas->agreed) {
        canvas->droppable += (now->applied - now->dropped) / 2;
    }
    canvas->agreed = false;
    now->strokes = ++now->applied;
    ++canvas->stroke;
    canvas->brush = *brush;
    copyState(canvas, CANVAS_LOGGED, endOf(now->applied));
}

void canvasUndo(Canvas *canvas, bool redo) {
    CanvasContent *now = &canvas->now;
    if (redo && now->applied < now->strokes) {
        history(canvas, now->applied, now->applied + 1, false);
        ++now->applied;
    } else if (!redo && now->applied > now->dropped) {
        --now->applied;
        history(canvas, now->applied, now->applied + 1, false);
    }
}

/* ---- Strokes -------------------------------------------------------------------------------- */

/* Is there room for as many new tiles, whatever the frames do that are not done? If there is none,
 * drops the oldest stroke of the history. One stroke drops the older half at most: one that is
 * longer than intended must not cost all undo. */
static CanvasDone makeRoom(Canvas *canvas, uint32_t need) {
    const CanvasReport *report = &canvas->report;
    const uint32_t keys = canvas->now.logSize - report->keys;
    const uint32_t log = canvas->now.logSize - (report->logged - report->oldest);
    const uint32_t taken = canvas->taken + canvas->takenBefore;
    const uint32_t free = canvas->now.tiles - 1 - canvasTiles(canvas);
    if (taken + need <= canvas_least(canvas_least(keys, log), free)) {
        return CANVAS_DONE;
    }
    if (taken || canvas->droppedIn + GPU_FRAMES > canvas->frame) {
        return CANVAS_LATER; /* what there is now is not known */
    }
    if (need > keys || canvas->now.dropped >= canvas->droppable) {
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
    gpuUpdate(gpu, none, &canvas->memory, 0, sizeof none);
    gpuFullBarrier(gpu);
    gpuDispatch(gpu, &canvas->kernels[CLAIM], push, (batch->most + CANVAS_GROUP - 1) / CANVAS_GROUP,
                batch->fresh, 1);
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
    /* four of a level have one above them: all levels have a third more, and the last ones */
    const uint32_t own = (mostOf(canvas) - CANVAS_LEVELS) / 4 * 3;
    const uint32_t most = canvas_least(canvas_least(tiles, CANVAS_MAX_TILES), own);
    uint32_t shift = 0;
    while (4u << 2 * shift <= most) {
        ++shift;
    }
    return shift;
}

CanvasDone canvasPaint(Canvas *canvas, const CanvasBatch *batch) {
    const CanvasDone room = canvas->taken + batch->need > mostOf(canvas)
                                ? CANVAS_LATER
                                : makeRoom(canvas, batch->need);
    if (room != CANVAS_DONE) {
        return room;
    }
    canvas->taken += batch->need;
    gpuUpdate(canvas->gpu, batch->dabs, &canvas->memory, canvas->at[CANVAS_PART_DABS],
              batch->count * sizeof(CanvasDab));
    CanvasPush push = pushOf(canvas);
    memcpy(push.color, canvas->brush.color, sizeof push.color);
    push.layer = canvas->brush.layer;
    push.stroke = canvas->stroke;
    push.batch = ++canvas->batch;
    push.dabs = batch->count;
    push.box = batch->box;
    cmdBatch(canvas, &push, batch);
    copyState(canvas, CANVAS_LOGGED, endOf(canvas->now.applied));
    return CANVAS_DONE;
}

/* ---- Views ---------------------------------------------------------------------------------- */

/* Tiles that a view shows at most. */
static uint64_t tilesOf(const CanvasView *view) {
    uint64_t tiles = CANVAS_LAYERS;
    for (int i = 0; i < 2; ++i) {
        tiles *= 3 + ((uint64_t)view->size[i] * view->step >> 23);
    }
    return tiles;
}

bool canvasHasRoom(const Canvas *canvas, const CanvasView *view) {
    return canvas->now.tiles <= canvas->pool || tilesOf(view) <= canvas->pool / 8 * 3;
}

void canvasCmdView(Canvas *canvas, const CanvasView *view, const GpuBuffer *picture) {
    const CanvasViewPush push = {.table = murGetTableRef(canvas->table),
                                 .parts = canvas->memory.address + canvas->at[CANVAS_PART_PARTS],
                                 .picture = picture->address,
                                 .view = *view};
    const uint32_t across = (view->size[0] + CANVAS_VIEW_GROUP - 1) / CANVAS_VIEW_GROUP;
    const uint32_t down = (view->size[1] + CANVAS_VIEW_GROUP - 1) / CANVAS_VIEW_GROUP;
    gpuDispatch(canvas->gpu, &canvas->kernels[LOOK], &push, across, down, 1);
    gpuFullBarrier(canvas->gpu);
    cmdPage(canvas, (uint32_t)tilesOf(view), 0);
    gpuDispatch(canvas->gpu, &canvas->kernels[VIEW], &push, across, down, 1);
}

static int32_t placeOf(double at) {
    const double near = fmin(fmax(at, -1.0 * CANVAS_PIXELS), 2.0 * CANVAS_PIXELS);
    return (int32_t)floor(near * CANVAS_FRACTION);
}

CanvasPlace canvasPlace(double x, double y) {
    return (CanvasPlace){{placeOf(x), placeOf(y)}};
}

CanvasView canvasView(const Canvas *canvas, CanvasPlace middle, double step, uint32_t width,
                      uint32_t height) {
    const uint64_t fine = (uint64_t)(step * 65536);
    CanvasView view = {.size = {width, height}, .soft = 255};
    for (;; ++view.level) {
        view.step = (uint32_t)(fine >> view.level);
        if (view.level == CANVAS_LEVELS - 1 ||
            (fine >> view.level <= CANVAS_MAX_STEP && (!canvas || canvasHasRoom(canvas, &view)))) {
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
