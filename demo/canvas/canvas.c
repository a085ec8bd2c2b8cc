/* SPDX-License-Identifier: MIT */
#include "canvas.h"

#include "common/say.h"

#include <string.h>

enum { KERNEL_CLAIM, KERNEL_PAINT, KERNEL_MIPS, KERNEL_SETTLE, KERNEL_HISTORY };
enum { FRAME_DABS = 4 * CANVAS_DABS };

GPU_SPIRV(canvas_claim);
GPU_SPIRV(canvas_paint);
GPU_SPIRV(canvas_mips);
GPU_SPIRV(canvas_settle);
GPU_SPIRV(canvas_history);
GPU_SPIRV(canvas_view);
GPU_SPIRV(canvas_view_whole);

/* Written by the GPU, read by the host when the frame is done. */
typedef struct Told {
    CanvasReport reports[GPU_FRAMES];
    uint32_t ends[CANVAS_STROKES]; /* of strokes in the log, by their number */
} Told;

static bool createKernels(Canvas *canvas) {
    const struct {
        const char *name;
        const uint32_t *code;
        size_t size;
    } kernels[CANVAS_KERNELS] = {
        {"claim", canvas_claim, canvas_claim_size},
        {"paint", canvas_paint, canvas_paint_size},
        {"mips", canvas_mips, canvas_mips_size},
        {"settle", canvas_settle, canvas_settle_size},
        {"history", canvas_history, canvas_history_size},
    };
    bool made = gpuCreateKernel(canvas->gpu, "view", canvas_view, canvas_view_size,
                                sizeof(CanvasViewPush), &canvas->views[0]) &&
                gpuCreateKernel(canvas->gpu, "view of whole texels", canvas_view_whole,
                                canvas_view_whole_size, sizeof(CanvasViewPush), &canvas->views[1]);
    for (uint32_t i = 0; i < CANVAS_KERNELS && made; ++i) {
        made = gpuCreateKernel(canvas->gpu, kernels[i].name, kernels[i].code, kernels[i].size,
                               sizeof(CanvasPush), &canvas->kernels[i]);
    }
    return made;
}

static bool createParts(Canvas *canvas) {
    const uint64_t slots = murGetTableRef(canvas->table).slotCount + 1ull;
    const struct {
        const char *name;
        uint64_t size;
    } parts[CANVAS_PARTS] = {
        [CANVAS_PART_STATE] = {"state", 4 * CANVAS_STATE},
        [CANVAS_PART_POOL] = {"tiles", (uint64_t)canvas->tiles << CANVAS_TILE_SHIFT},
        [CANVAS_PART_FREE] = {"free tiles", 4ull * canvas->tiles},
        [CANVAS_PART_SLOTS] = {"slots", 16 * slots},
        [CANVAS_PART_TOUCHED] = {"touched tiles", 16ull * CANVAS_LEVELS * CANVAS_MAX_TILES},
        [CANVAS_PART_MASKS] = {"dabs of tiles", 4ull * CANVAS_MASK * CANVAS_MAX_TILES},
        [CANVAS_PART_PAIRS] = {"tiles of dabs", 4ull * CANVAS_PAIRS},
        [CANVAS_PART_LOG] = {"undo", 8ull * canvas->logSize},
        [CANVAS_PART_DABS] = {"dabs", CANVAS_DABS * sizeof(CanvasDab)},
        [CANVAS_PART_BORN] = {"strokes of tiles", 4ull * canvas->tiles},
    };
    Gpu *gpu = canvas->gpu;
    bool made = gpuCreateBuffer(gpu, 8 * CANVAS_PARTS, GPU_HOST, "addresses", &canvas->addresses) &&
                gpuCreateBuffer(gpu, GPU_FRAMES * FRAME_DABS * sizeof(CanvasDab), GPU_HOST,
                                "new dabs", &canvas->staging) &&
                gpuCreateBuffer(gpu, sizeof(Told), GPU_HOST, "reports", &canvas->told);
    for (uint32_t i = 0; i < CANVAS_PARTS && made; ++i) {
        made = gpuCreateBuffer(gpu, parts[i].size, GPU_DEVICE, parts[i].name, &canvas->parts[i]);
        ((uint64_t *)canvas->addresses.mapped)[i] = canvas->parts[i].address;
    }
    return made;
}

/* Where the log ends is where the stroke does. */
static void noteEnd(Canvas *canvas) {
    const VkBufferCopy end = {.srcOffset = 4 * CANVAS_LOGGED,
                              .dstOffset = offsetof(Told, ends) +
                                           4ull * (canvas->stroke % CANVAS_STROKES),
                              .size = 4};
    vkCmdCopyBuffer(canvas->gpu->cmd, canvas->parts[CANVAS_PART_STATE].buffer, canvas->told.buffer,
                    1, &end);
    gpuFullBarrier(canvas->gpu);
}

/* Records what the table and the log are. */
static bool cmdContent(Canvas *canvas, const CanvasContent *content, const GpuBuffer *words) {
    Gpu *gpu = canvas->gpu;
    const uint32_t n = content->pairCount, log = 2 * n, list = log + 2 * content->logCount;
    const MurBatch batch = {.maxCount = n,
                            .keys = {words->address, 4ull * n},
                            .values = {words->address + 4ull * n, 4ull * n}};
    const VkBufferCopy entries = {4ull * log, 0, 8ull * content->logCount};
    const VkBufferCopy free = {4ull * list, 0, 4ull * canvas->tiles};
    if (content->logCount) {
        vkCmdCopyBuffer(gpu->cmd, words->buffer, canvas->parts[CANVAS_PART_LOG].buffer, 1,
                        &entries);
    }
    vkCmdCopyBuffer(gpu->cmd, words->buffer, canvas->parts[CANVAS_PART_FREE].buffer, 1, &free);
    return gpuCheck(murCmdInsert(gpu->cmd, canvas->table, MUR_MODE_ASSIGN, &batch), "tiles");
}

bool canvasLoad(Canvas *canvas, const CanvasContent *content) {
    static const uint32_t zeroed[] = {CANVAS_PART_SLOTS, CANVAS_PART_MASKS, CANVAS_PART_STATE,
                                      CANVAS_PART_BORN};
    Gpu *gpu = canvas->gpu;
    GpuBuffer words = {0};
    const uint64_t most = 2ull * content->pairCount + 2ull * content->logCount + canvas->tiles;
    if (!gpuCreateBuffer(gpu, 4 * most, GPU_HOST, "content", &words)) {
        return false;
    }
    uint32_t *to = words.mapped, free = 0;
    for (uint32_t i = 0; i < 2 * content->pairCount; ++i) { /* first the keys */
        to[i] = content->pairs[2 * (i % content->pairCount) + i / content->pairCount];
    }
    to += 2 * (size_t)content->pairCount;
    for (uint32_t i = 0; i < 2 * content->logCount; ++i) {
        *to++ = content->log[i];
    }
    for (uint32_t i = canvas->tiles - 1; i > 0; --i) { /* the last is taken first */
        if (!content->used || !content->used[i]) {
            to[free++] = i;
        }
    }
    canvas->strokeCount = canvas->stroke = content->strokes;
    canvas->applied = content->applied;
    for (uint32_t i = 0, end = 0; i < content->strokes; ++i) {
        const uint32_t first = end;
        end += content->counts[i];
        canvas->strokes[i] = (CanvasStroke){i + 1, 0, first, end};
    }
    canvas->report = (CanvasReport){free, content->logCount, content->pairCount, 0};
    bool done = gpuBegin(gpu) && gpuCheck(murCmdClear(gpu->cmd, canvas->table), "clearing");
    if (done) {
        for (uint32_t i = 0; i < sizeof zeroed / sizeof *zeroed; ++i) {
            vkCmdFillBuffer(gpu->cmd, canvas->parts[zeroed[i]].buffer, 0, VK_WHOLE_SIZE, 0);
        }
        vkCmdFillBuffer(gpu->cmd, canvas->told.buffer, 0, VK_WHOLE_SIZE, 0);
        gpuFullBarrier(gpu);
        vkCmdUpdateBuffer(gpu->cmd, canvas->parts[CANVAS_PART_STATE].buffer, 4 * CANVAS_FREE,
                          sizeof canvas->report, &canvas->report);
        done = cmdContent(canvas, content, &words);
        gpuFullBarrier(gpu);
        noteEnd(canvas);
        done = gpuSubmit(gpu) && done;
    }
    gpuDestroyBuffer(gpu, &words);
    return done;
}

bool canvasOpen(Gpu *gpu, uint32_t tiles, Canvas *canvas) {
    memset(canvas, 0, sizeof *canvas);
    canvas->gpu = gpu;
    canvas->tiles = tiles;
    for (canvas->logSize = 1u << 16; canvas->logSize < 4 * tiles;) {
        canvas->logSize *= 2;
    }
    canvas->keys = canvas->logSize; /* of tiles that were ever painted */
    const MurTableCreateInfo info = {.capacity = canvas->keys + canvas->keys / 4,
                                     .atomicWidth = MUR_ATOMIC_WIDTH_32,
                                     .pName = "tiles"};
    return gpuCheck(murCreateTable(gpu->context, &info, &canvas->table), "a table") &&
           createParts(canvas) && createKernels(canvas) && canvasLoad(canvas, &(CanvasContent){0});
}

void canvasClose(Canvas *canvas) {
    Gpu *gpu = canvas->gpu;
    for (uint32_t i = 0; i < CANVAS_PARTS && gpu; ++i) {
        gpuDestroyBuffer(gpu, &canvas->parts[i]);
    }
    for (uint32_t i = 0; i < CANVAS_KERNELS && gpu; ++i) {
        gpuDestroyKernel(gpu, &canvas->kernels[i]);
    }
    if (gpu) {
        gpuDestroyKernel(gpu, &canvas->views[0]);
        gpuDestroyKernel(gpu, &canvas->views[1]);
        gpuDestroyBuffer(gpu, &canvas->addresses);
        gpuDestroyBuffer(gpu, &canvas->staging);
        gpuDestroyBuffer(gpu, &canvas->told);
    }
    murDestroyTable(canvas->table);
    *canvas = (Canvas){0};
}

/* ---- Frames ------------------------------------------------------------------------------- */

/* What strokes have in the log, of those whose last frame is known to be done by now. */
static void learnStrokes(Canvas *canvas, uint64_t known) {
    const uint32_t *ends = ((const Told *)canvas->told.mapped)->ends;
    for (uint32_t i = canvas->strokeCount; i > 0 && canvas->strokes[i - 1].frame > canvas->known;) {
        CanvasStroke *stroke = &canvas->strokes[--i];
        if (stroke->frame <= known) {
            stroke->first = ends[(stroke->number - 1) % CANVAS_STROKES];
            stroke->end = ends[stroke->number % CANVAS_STROKES];
        }
    }
    canvas->known = known;
}

void canvasBegin(Canvas *canvas, uint64_t frame) {
    const Told *told = canvas->told.mapped;
    canvas->frame = frame + 1;
    if (frame >= GPU_FRAMES) {
        learnStrokes(canvas, frame + 1 - GPU_FRAMES);
        canvas->report = told->reports[frame % GPU_FRAMES];
    }
    canvas->taken[frame % GPU_FRAMES] = 0;
    canvas->staged = 0;
}

void canvasEnd(Canvas *canvas) {
    const VkBufferCopy report = {
        .srcOffset = 4 * CANVAS_FREE,
        .dstOffset = (canvas->frame - 1) % GPU_FRAMES * sizeof(CanvasReport),
        .size = sizeof(CanvasReport),
    };
    gpuFullBarrier(canvas->gpu);
    vkCmdCopyBuffer(canvas->gpu->cmd, canvas->parts[CANVAS_PART_STATE].buffer, canvas->told.buffer,
                    1, &report);
    gpuHostBarrier(canvas->gpu);
}

static CanvasPush pushOf(const Canvas *canvas) {
    return (CanvasPush){.table = murGetTableRef(canvas->table),
                        .parts = canvas->addresses.address,
                        .logMask = canvas->logSize - 1,
                        .tiles = canvas->tiles};
}

static void groups(Canvas *canvas, uint32_t kernel, const CanvasPush *push, uint32_t items) {
    gpuDispatch(canvas->gpu, &canvas->kernels[kernel], push,
                (items + CANVAS_GROUP - 1) / CANVAS_GROUP, 1, 1);
    gpuFullBarrier(canvas->gpu);
}

static void history(Canvas *canvas, const CanvasStroke *stroke, uint32_t phase) {
    CanvasPush push = pushOf(canvas);
    push.first = stroke->first;
    push.count = stroke->end - stroke->first;
    push.phase = phase;
    if (push.count) {
        groups(canvas, KERNEL_HISTORY, &push, push.count);
    }
}

/* ---- Strokes -------------------------------------------------------------------------------- */

/* The last strokes, which were undone, or the oldest one. */
static void dropStrokes(Canvas *canvas, uint32_t first, uint32_t count) {
    for (uint32_t i = first; i < first + count; ++i) {
        history(canvas, &canvas->strokes[i], CANVAS_PHASE_DROP);
    }
    canvas->strokeCount -= count;
    memmove(canvas->strokes + first, canvas->strokes + first + count,
            (canvas->strokeCount - first) * sizeof *canvas->strokes);
}

/* Gives the oldest stroke up, once it is known what it has. */
static bool dropOldest(Canvas *canvas) {
    if (canvas->strokes[0].frame > canvas->known) {
        return false;
    }
    canvas->oldest = canvas->strokes[0].end;
    canvas->dropped = canvas->frame;
    --canvas->applied;
    dropStrokes(canvas, 0, 1);
    return true;
}

CanvasDone canvasBeginStroke(Canvas *canvas) {
    uint32_t unknown = 0; /* strokes whose ends the host has yet to read */
    while (unknown < canvas->applied &&
           canvas->strokes[canvas->applied - 1 - unknown].frame > canvas->known) {
        ++unknown;
    }
    if (unknown > CANVAS_STROKES / 4 ||
        (canvas->applied == CANVAS_STROKES - 1 && !dropOldest(canvas))) {
        return CANVAS_LATER;
    }
    dropStrokes(canvas, canvas->applied, canvas->strokeCount - canvas->applied);
    canvas->strokes[canvas->applied] = (CanvasStroke){++canvas->stroke, canvas->frame, 0, 0};
    canvas->strokeCount = ++canvas->applied;
    noteEnd(canvas);
    return CANVAS_DONE;
}

/* Is there room for as many new tiles, whatever the frames do that are not done? What the history
 * has gives way, the oldest first, but not the stroke itself. */
static CanvasDone makeRoom(Canvas *canvas, uint32_t need) {
    uint32_t taken = need;
    for (uint32_t i = 0; i < GPU_FRAMES; ++i) {
        taken += canvas->taken[i];
    }
    const bool fits = canvas->report.keys + taken <= canvas->keys;
    if (fits && taken <= canvas->report.free &&
        canvas->report.logged - canvas->oldest + taken <= canvas->logSize) {
        return CANVAS_DONE;
    }
    if (taken > need || canvas->dropped > canvas->known) {
        return CANVAS_LATER; /* what there is now is not known */
    }
    if (!fits || canvas->applied < 2) {
        return CANVAS_FULL;
    }
    (void)dropOldest(canvas);
    return CANVAS_LATER;
}

static void cmdBatch(Canvas *canvas, CanvasPush *push) {
    static const uint32_t none[3 * CANVAS_LEVELS] = {
#define NONE 0, CANVAS_BLOCKS, 1
        NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE};
    Gpu *gpu = canvas->gpu;
    const GpuBuffer *state = &canvas->parts[CANVAS_PART_STATE];
    vkCmdUpdateBuffer(gpu->cmd, state->buffer, 0, sizeof none, none);
    gpuFullBarrier(gpu);
    push->phase = CANVAS_PHASE_CLAIM;
    groups(canvas, KERNEL_CLAIM, push, push->pairs);
    push->phase = CANVAS_PHASE_MARK;
    groups(canvas, KERNEL_CLAIM, push, push->pairs);
    for (push->level = 0; push->level < CANVAS_LEVELS; ++push->level) {
        gpuDispatchIndirect(gpu, &canvas->kernels[push->level ? KERNEL_MIPS : KERNEL_PAINT], push,
                            state, 12ull * push->level);
        gpuFullBarrier(gpu);
    }
    gpuDispatchIndirect(gpu, &canvas->kernels[KERNEL_SETTLE], push, state, 0);
    gpuFullBarrier(gpu);
}

CanvasDone canvasPaint(Canvas *canvas, const CanvasBrush *brush, const CanvasDab *dabs,
                       uint32_t count, uint32_t skip, uint32_t pairs, uint32_t need) {
    Gpu *gpu = canvas->gpu;
    if (canvas->staged + count > FRAME_DABS) {
        return CANVAS_LATER;
    }
    const CanvasDone room = makeRoom(canvas, need);
    if (room != CANVAS_DONE) {
        return room;
    }
    const uint64_t parity = (canvas->frame - 1) % GPU_FRAMES;
    const VkBufferCopy copy = {.srcOffset = (parity * FRAME_DABS + canvas->staged) *
                                            sizeof(CanvasDab),
                               .size = count * sizeof(CanvasDab)};
    memcpy((char *)canvas->staging.mapped + copy.srcOffset, dabs, copy.size);
    canvas->staged += count;
    canvas->taken[parity] += need;
    canvas->strokes[canvas->applied - 1].frame = canvas->frame;
    vkCmdCopyBuffer(gpu->cmd, canvas->staging.buffer, canvas->parts[CANVAS_PART_DABS].buffer, 1,
                    &copy);
    CanvasPush push = pushOf(canvas);
    memcpy(push.color, brush->color, sizeof push.color);
    push.layer = brush->layer;
    push.stroke = canvas->stroke;
    push.batch = ++canvas->batch;
    push.dabs = count;
    push.pairs = pairs;
    push.skip = skip;
    cmdBatch(canvas, &push);
    noteEnd(canvas);
    return CANVAS_DONE;
}

CanvasDone canvasUndo(Canvas *canvas) {
    if (canvas->applied && canvas->strokes[canvas->applied - 1].frame > canvas->known) {
        return CANVAS_LATER;
    }
    if (canvas->applied) {
        history(canvas, &canvas->strokes[--canvas->applied], CANVAS_PHASE_EXCHANGE);
    }
    return CANVAS_DONE;
}

CanvasDone canvasRedo(Canvas *canvas) {
    if (canvas->applied < canvas->strokeCount) {
        history(canvas, &canvas->strokes[canvas->applied++], CANVAS_PHASE_EXCHANGE);
    }
    return CANVAS_DONE;
}

/* ---- Views ---------------------------------------------------------------------------------- */

void canvasCmdView(Canvas *canvas, const CanvasView *view, const GpuBuffer *picture) {
    const CanvasViewPush push = {.table = murGetTableRef(canvas->table),
                                 .pool = canvas->parts[CANVAS_PART_POOL].address,
                                 .picture = picture->address,
                                 .view = *view};
    const bool texels = view->step == 65536 && !((view->fractionX | view->fractionY) & 0xFF00u);
    gpuDispatch(canvas->gpu, &canvas->views[!view->soft || texels], &push,
                (view->width + CANVAS_VIEW_GROUP - 1) / CANVAS_VIEW_GROUP,
                (view->height + CANVAS_VIEW_GROUP - 1) / CANVAS_VIEW_GROUP, 1);
}

CanvasView canvasView(int64_t x, int64_t y, uint64_t step, uint32_t width, uint32_t height) {
    CanvasView view = {
        .width = width, .height = height, .layers = (1u << CANVAS_LAYERS) - 1, .soft = 255};
    while (step >> view.level > CANVAS_MAX_STEP && view.level < CANVAS_LEVELS - 1) {
        ++view.level;
    }
    if (step <= 65536 / 4) {
        view.soft = 0; /* pixels are looked at */
    }
    view.step = (uint32_t)(step >> view.level);
    /* The middle of the first pixel, in texels with 16 bits of fraction. Bilinear weights count
     * from the middle of a texel. */
    int64_t left = x * (65536 / CANVAS_FRACTION), top = y * (65536 / CANVAS_FRACTION);
    const int64_t half = view.soft ? 32768 : 0, scale = (int64_t)1 << view.level;
    left = left / scale - (int64_t)view.step * width / 2 + view.step / 2 - half;
    top = top / scale - (int64_t)view.step * height / 2 + view.step / 2 - half;
    if (view.step == 65536) { /* a texel a pixel: sharp, and quicker */
        left = (left + 32768) & ~(int64_t)65535;
        top = (top + 32768) & ~(int64_t)65535;
    }
    view.fractionX = (uint32_t)left & 0xFFFFu;
    view.fractionY = (uint32_t)top & 0xFFFFu;
    view.left = (int32_t)((left - view.fractionX) / 65536);
    view.top = (int32_t)((top - view.fractionY) / 65536);
    return view;
}
