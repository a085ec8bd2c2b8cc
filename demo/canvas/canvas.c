/* SPDX-License-Identifier: MIT */
#include "canvas.h"

#include "common/say.h"

#include <stdlib.h>
#include <string.h>

enum {
    KERNEL_CLAIM,
    KERNEL_PAINT,
    KERNEL_MIPS,
    KERNEL_SETTLE,
    KERNEL_HISTORY,
    KERNEL_LOOK, /* this and the next ones have CanvasViewPush */
    KERNEL_VIEW,
    KERNEL_WHOLE
};
enum { FRAME_DABS = 4 * CANVAS_DABS, VERSION = 2 };

GPU_SPIRV(canvas_claim);
GPU_SPIRV(canvas_paint);
GPU_SPIRV(canvas_mips);
GPU_SPIRV(canvas_settle);
GPU_SPIRV(canvas_history);
GPU_SPIRV(canvas_look);
GPU_SPIRV(canvas_view);
GPU_SPIRV(canvas_view_whole);

/* ---- What it is made of --------------------------------------------------------------------- */

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
        {"look", canvas_look, canvas_look_size},
        {"view", canvas_view, canvas_view_size},
        {"view of whole texels", canvas_view_whole, canvas_view_whole_size},
    };
    bool made = true;
    for (uint32_t i = 0; i < CANVAS_KERNELS && made; ++i) {
        made = gpuCreateKernel(canvas->gpu, kernels[i].name, kernels[i].code, kernels[i].size,
                               i < KERNEL_LOOK ? sizeof(CanvasPush) : sizeof(CanvasViewPush),
                               &canvas->kernels[i]);
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
        [CANVAS_PART_FREE] = {"free tiles", 4ull * canvas->tiles},
        [CANVAS_PART_SLOTS] = {"slots", 16 * slots},
        [CANVAS_PART_TOUCHED] = {"touched tiles", 16ull * CANVAS_LEVELS * CANVAS_MAX_TILES},
        [CANVAS_PART_MASKS] = {"dabs of tiles", 4ull * CANVAS_MASK * CANVAS_MAX_TILES},
        [CANVAS_PART_PAIRS] = {"tiles of dabs", 4ull * CANVAS_PAIRS},
        [CANVAS_PART_LOG] = {"undo", 8ull * canvas->logSize},
        [CANVAS_PART_DABS] = {"dabs", CANVAS_DABS * sizeof(CanvasDab)},
    };
    Gpu *gpu = canvas->gpu;
    bool made =
        gpuCreateBuffer(gpu, sizeof(CanvasParts), GPU_DEVICE, "addresses", &canvas->addresses) &&
        gpuCreateBuffer(gpu, GPU_FRAMES * FRAME_DABS * sizeof(CanvasDab), GPU_HOST, "new dabs",
                        &canvas->staging) &&
        gpuCreateBuffer(gpu, GPU_FRAMES * sizeof(CanvasReport), GPU_HOST, "reports", &canvas->told);
    for (uint32_t i = 0; i < CANVAS_PARTS && made; ++i) {
        made = gpuCreateBuffer(gpu, parts[i].size, GPU_DEVICE, parts[i].name, &canvas->parts[i]);
    }
    return made;
}

static bool createTiles(Canvas *canvas, const CanvasInfo *info) {
    const MurTableCreateInfo table = {.capacity = canvas->keys + canvas->keys / 4,
                                      .atomicWidth = MUR_ATOMIC_WIDTH_32,
                                      .pName = "tiles"};
    const MurPagerCreateInfo pager = {.pageCount = canvas->tiles,
                                      .pageSize = 1 << CANVAS_TILE_SHIFT,
                                      .pageFrameCount = canvas->pool,
                                      .framesInFlight = GPU_FRAMES,
                                      .maxRequests = canvas->tiles,
                                      .pFile = &info->file,
                                      .maxFilePages = canvas->tiles,
                                      .pName = "texels"};
    canvas->used = calloc(canvas->tiles, sizeof *canvas->used);
    return (canvas->used || sayError("no memory for tiles")) &&
           gpuCheck(murCreateTable(canvas->gpu->context, &table, &canvas->table), "a table") &&
           gpuCheck(murCreatePager(canvas->gpu->context, &pager, &canvas->pager),
                    "memory for tiles");
}

/* ---- Opened and saved ----------------------------------------------------------------------- */

static uint64_t sizeOf(const CanvasContent *content) {
    return sizeof *content + 4 * (CANVAS_STATE + 2ull * content->keys + 2ull * content->logSize);
}

/* Word of the state that says where a stroke ends in the log. */
static uint32_t endOf(uint32_t stroke) {
    return CANVAS_ENDS + stroke % CANVAS_STROKES;
}

static bool use(Canvas *canvas, uint32_t tile) {
    if (tile < canvas->tiles) {
        canvas->used[tile] = true;
    }
    return tile < canvas->tiles;
}

/* What the parts are to be, as words: state, keys, their tiles, log, the tiles that are free and,
 * behind them, those that are not. False: it cannot be. */
static bool layOut(Canvas *canvas, const CanvasContent *content, uint32_t *words) {
    const uint32_t n = content->keys, *state = (const uint32_t *)(content + 1);
    const uint32_t *keys = state + CANVAS_STATE, *log = keys + 2 * (size_t)n;
    const uint32_t first = state[endOf(content->dropped)], end = state[endOf(content->strokes)];
    uint32_t *toKeys = words + CANVAS_STATE, *toLog = toKeys + 2 * (size_t)n;
    uint32_t *list = toLog + 2 * (size_t)canvas->logSize, taken = canvas->tiles - 1;
    bool is = n <= canvas->keys && end - first <= content->logSize &&
              content->logSize <= canvas->logSize;
    memcpy(words, state, 4 * CANVAS_STATE);
    words[CANVAS_FREE] = words[CANVAS_KEYS] = words[CANVAS_FAILED] = 0;
    for (uint32_t i = 0; is && i < n; ++i) {
        is = use(canvas, keys[n + i]);
        if (keys[n + i]) {
            toKeys[words[CANVAS_KEYS]] = keys[i];
            toKeys[n + words[CANVAS_KEYS]++] = keys[n + i];
        }
    }
    for (uint32_t at = first; is && at != end; ++at) {
        const uint32_t *entry = log + 2 * (size_t)(at & (content->logSize - 1));
        memcpy(toLog + 2 * (size_t)(at & (canvas->logSize - 1)), entry, 8);
        is = use(canvas, entry[1]);
    }
    for (uint32_t tile = canvas->tiles - 1; tile > 0; --tile) { /* the last is taken first */
        list[canvas->used[tile] ? --taken : words[CANVAS_FREE]++] = tile;
    }
    return is;
}

/* Records that the parts become the words, and that all pages are wanted, if there is a file. */
static bool cmdFill(Canvas *canvas, uint32_t keys, const GpuBuffer *words) {
    Gpu *gpu = canvas->gpu;
    const GpuBuffer *parts = canvas->parts;
    const uint64_t log = 4 * (CANVAS_STATE + 2ull * keys), list = log + 8ull * canvas->logSize;
    const VkBufferCopy copies[] = {{0, 0, 4 * CANVAS_STATE},
                                   {log, 0, 8ull * canvas->logSize},
                                   {list, 0, 4ull * canvas->tiles}};
    const MurBatch batch = {
        .maxCount = ((const uint32_t *)words->mapped)[CANVAS_KEYS],
        .keys = {words->address + 4 * CANVAS_STATE, 4ull * keys},
        .values = {words->address + 4 * CANVAS_STATE + 4ull * keys, 4ull * keys}};
    const MurPages pages = {.maxCount = canvas->comes ? canvas->tiles - 1 : 0,
                            .pages = {words->address + list, 4ull * canvas->tiles}};
    bool done = gpuCheck(murCmdClear(gpu->cmd, canvas->table), "clearing") &&
                gpuCheck(murCmdClearPager(gpu->cmd, canvas->pager,
                                          canvas->comes ? MUR_PAGES_IN_FILE : MUR_PAGES_ZERO),
                         "clearing");
    vkCmdFillBuffer(gpu->cmd, parts[CANVAS_PART_SLOTS].buffer, 0, VK_WHOLE_SIZE, 0);
    vkCmdFillBuffer(gpu->cmd, parts[CANVAS_PART_MASKS].buffer, 0, VK_WHOLE_SIZE, 0);
    gpuFullBarrier(gpu);
    vkCmdCopyBuffer(gpu->cmd, words->buffer, parts[CANVAS_PART_STATE].buffer, 1, &copies[0]);
    vkCmdCopyBuffer(gpu->cmd, words->buffer, parts[CANVAS_PART_LOG].buffer, 1, &copies[1]);
    vkCmdCopyBuffer(gpu->cmd, words->buffer, parts[CANVAS_PART_FREE].buffer, 1, &copies[2]);
    return done &&
           gpuCheck(murCmdInsert(gpu->cmd, canvas->table, MUR_MODE_ASSIGN, &batch), "tiles") &&
           gpuCheck(murCmdRequestPages(gpu->cmd, canvas->pager, &pages, 0, 0), "asking for tiles");
}

static bool fill(Canvas *canvas, const CanvasContent *content) {
    Gpu *gpu = canvas->gpu;
    GpuBuffer words = {0};
    const uint64_t size = 4 * (CANVAS_STATE + 2ull * content->keys + 2ull * canvas->logSize +
                               canvas->tiles);
    bool done = gpuCreateBuffer(gpu, size, GPU_HOST, "content", &words) &&
                (layOut(canvas, content, words.mapped) || sayError("that is no painting")) &&
                gpuBegin(gpu);
    if (done) {
        done = cmdFill(canvas, content->keys, &words);
        done = gpuSubmit(gpu) && done;
        const uint32_t *state = words.mapped;
        canvas->report = (CanvasReport){state[CANVAS_FREE], state[CANVAS_LOGGED],
                                        state[CANVAS_KEYS], 0, state[endOf(content->dropped)]};
        canvas->strokes = canvas->stroke = content->strokes;
        canvas->applied = content->applied;
        canvas->dropped = content->dropped;
    }
    gpuDestroyBuffer(gpu, &words);
    return done;
}

bool canvasOpen(Gpu *gpu, const CanvasInfo *info, Canvas *canvas) {
    static const struct {
        CanvasContent content;
        uint32_t state[CANVAS_STATE];
    } none;
    const CanvasContent *content = info->content ? info->content : &none.content;
    *canvas = (Canvas){.gpu = gpu, .tiles = info->tiles, .comes = info->content != NULL};
    canvas->pool = canvas_least(info->pool, info->tiles);
    for (canvas->logSize = 1u << 16; canvas->logSize < 4 * canvas->tiles;) {
        canvas->logSize *= 2;
    }
    canvas->keys = canvas->logSize; /* of tiles that were ever painted */
    return ((!info->content ||
             (info->contentSize >= sizeof *content && content->version == VERSION &&
              info->contentSize == sizeOf(content))) ||
            sayError("that is no painting")) &&
           createTiles(canvas, info) && createParts(canvas) && createKernels(canvas) &&
           fill(canvas, content);
}

bool canvasSave(Canvas *canvas, GpuBuffer *content) {
    Gpu *gpu = canvas->gpu;
    const CanvasContent head = {VERSION,         canvas->strokes,     canvas->applied,
                                canvas->dropped, canvas->report.keys, canvas->logSize};
    const uint64_t state = sizeof head, keys = state + 4 * CANVAS_STATE, size = 4ull * head.keys;
    const VkBufferCopy copies[] = {{0, state, 4 * CANVAS_STATE},
                                   {0, keys + 2 * size, 8ull * head.logSize}};
    if (!gpuCreateBuffer(gpu, sizeOf(&head), GPU_HOST, "content", content)) {
        return false;
    }
    memcpy(content->mapped, &head, sizeof head);
    const MurExtract extract = {.maxCount = head.keys,
                                .countAddress = content->address + offsetof(CanvasContent, keys),
                                .keys = {content->address + keys, size},
                                .values = {content->address + keys + size, size}};
    vkCmdCopyBuffer(gpu->cmd, canvas->parts[CANVAS_PART_STATE].buffer, content->buffer, 1,
                    &copies[0]);
    vkCmdCopyBuffer(gpu->cmd, canvas->parts[CANVAS_PART_LOG].buffer, content->buffer, 1,
                    &copies[1]);
    return !head.keys || gpuCheck(murCmdExtract(gpu->cmd, canvas->table, &extract), "tiles");
}

void canvasClose(Canvas *canvas) {
    Gpu *gpu = canvas->gpu;
    GpuBuffer *const others[] = {&canvas->addresses, &canvas->staging, &canvas->told};
    if (!gpu) {
        return;
    }
    for (uint32_t i = 0; i < CANVAS_PARTS; ++i) {
        gpuDestroyBuffer(gpu, &canvas->parts[i]);
    }
    for (uint32_t i = 0; i < CANVAS_KERNELS; ++i) {
        gpuDestroyKernel(gpu, &canvas->kernels[i]);
    }
    for (uint32_t i = 0; i < sizeof others / sizeof *others; ++i) {
        gpuDestroyBuffer(gpu, others[i]);
    }
    murDestroyTable(canvas->table);
    murDestroyPager(canvas->pager);
    free(canvas->used);
    *canvas = (Canvas){0};
}

/* ---- Frames --------------------------------------------------------------------------------- */

/* Brings in the tiles that were asked for, at most so many. */
static void cmdPage(Canvas *canvas, uint32_t most, MurPagingFlags flags) {
    const MurPaging paging = {.frame = (uint32_t)canvas->frame, .maxPages = most, .flags = flags};
    gpuFullBarrier(canvas->gpu);
    canvas->broken |= !gpuCheck(murCmdPage(canvas->gpu->cmd, canvas->pager, &paging), "paging");
    gpuFullBarrier(canvas->gpu);
}

/* The report of a frame that is done, if it is news. */
static void learn(Canvas *canvas, uint64_t frame) {
    if (frame > canvas->known) {
        canvas->report = ((const CanvasReport *)canvas->told.mapped)[frame % GPU_FRAMES];
        canvas->known = frame;
    }
}

/* The frame's first murCmdPage only takes what has come from the file, and begins a checkpoint. */
void canvasBegin(Canvas *canvas, bool saves) {
    MurPagerFrame frame = {.frame = ++canvas->frame, .checkpoint = saves};
    MurPagingFlags flags = 0;
    CanvasParts parts = {.pager = murGetPagerRef(canvas->pager, (uint32_t)canvas->frame)};
    frame.completedFrame = frame.frame > GPU_FRAMES ? frame.frame - GPU_FRAMES : 0;
    learn(canvas, frame.completedFrame);
    canvas->taken[canvas->frame % GPU_FRAMES] = canvas->staged = 0;
    for (uint32_t i = 0; i < CANVAS_PARTS; ++i) {
        parts.at[i] = canvas->parts[i].address;
    }
    gpuFullBarrier(canvas->gpu); /* behind the frame before */
    vkCmdUpdateBuffer(canvas->gpu->cmd, canvas->addresses.buffer, 0, sizeof parts, &parts);
    canvas->broken |= !gpuCheck(murBeginPagerFrame(canvas->pager, &frame, &flags), "paging");
    cmdPage(canvas, 0, flags);
}

void canvasEnd(Canvas *canvas) {
    const uint64_t at = canvas->frame % GPU_FRAMES * sizeof(CanvasReport);
    const VkBufferCopy report[] = {
        {4 * CANVAS_FREE, at, offsetof(CanvasReport, oldest)},
        {4ull * endOf(canvas->dropped), at + offsetof(CanvasReport, oldest), 4}};
    gpuFullBarrier(canvas->gpu);
    vkCmdCopyBuffer(canvas->gpu->cmd, canvas->parts[CANVAS_PART_STATE].buffer, canvas->told.buffer,
                    2, report);
    gpuHostBarrier(canvas->gpu);
}

void canvasRest(Canvas *canvas) {
    learn(canvas, canvas->frame);
    memset(canvas->taken, 0, sizeof canvas->taken);
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

/* What the strokes behind the first one, to the last one, have in the log. */
static void history(Canvas *canvas, uint32_t first, uint32_t last, uint32_t phase) {
    CanvasPush push = pushOf(canvas);
    push.first = first % CANVAS_STROKES;
    push.last = last % CANVAS_STROKES;
    push.phase = phase;
    groups(canvas, KERNEL_HISTORY, &push, CANVAS_FEW * CANVAS_GROUP);
}

/* A word of the state becomes what another one is. */
static void copyState(Canvas *canvas, uint32_t from, uint32_t to) {
    const VkBuffer state = canvas->parts[CANVAS_PART_STATE].buffer;
    const VkBufferCopy copy = {4ull * from, 4ull * to, 4};
    vkCmdCopyBuffer(canvas->gpu->cmd, state, state, 1, &copy);
    gpuFullBarrier(canvas->gpu);
}

/* ---- Strokes -------------------------------------------------------------------------------- */

static void dropOldest(Canvas *canvas) {
    history(canvas, canvas->dropped, canvas->dropped + 1, CANVAS_PHASE_DROP);
    ++canvas->dropped;
    canvas->droppedIn = canvas->frame;
}

void canvasBeginStroke(Canvas *canvas) {
    if (canvas->applied < canvas->strokes) {
        history(canvas, canvas->applied, canvas->strokes, CANVAS_PHASE_DROP);
        copyState(canvas, endOf(canvas->applied), CANVAS_LOGGED);
    }
    if (canvas->applied - canvas->dropped == CANVAS_STROKES - 1) {
        dropOldest(canvas);
    }
    canvas->strokes = ++canvas->applied;
    ++canvas->stroke;
    copyState(canvas, CANVAS_LOGGED, endOf(canvas->applied));
}

/* Is there room for as many new tiles, whatever the frames do that are not done? What the history
 * has gives way, the oldest first, but not the stroke itself. */
static CanvasDone makeRoom(Canvas *canvas, uint32_t need) {
    const CanvasReport *report = &canvas->report;
    uint32_t taken = need;
    for (uint32_t i = 0; i < GPU_FRAMES; ++i) {
        taken += canvas->taken[i];
    }
    const bool fits = report->keys + taken <= canvas->keys;
    if (fits && taken <= report->free &&
        report->logged - report->oldest + taken <= canvas->logSize) {
        return CANVAS_DONE;
    }
    if (taken > need || canvas->droppedIn + GPU_FRAMES > canvas->frame) {
        return CANVAS_LATER; /* what there is now is not known */
    }
    if (!fits || canvas->applied - canvas->dropped < 2) {
        return CANVAS_FULL;
    }
    dropOldest(canvas);
    return CANVAS_LATER;
}

static void cmdBatch(Canvas *canvas, CanvasPush *push, uint32_t need) {
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
    cmdPage(canvas, 2 * need, 0);
    for (push->level = 0; push->level < CANVAS_LEVELS; ++push->level) {
        gpuDispatchIndirect(gpu, &canvas->kernels[push->level ? KERNEL_MIPS : KERNEL_PAINT], push,
                            state, 12ull * push->level);
        gpuFullBarrier(gpu);
    }
    gpuDispatchIndirect(gpu, &canvas->kernels[KERNEL_SETTLE], push, state, 0);
    gpuFullBarrier(gpu);
}

/* Tiles that are painted use two pages each, and those of two frames stay: with views (see
 * canvasHasRoom) they have room in the pool, so that none is refused. */
uint32_t canvasMost(const Canvas *canvas) {
    return canvas_least(CANVAS_MAX_TILES, canvas->pool / 16);
}

CanvasDone canvasPaint(Canvas *canvas, const CanvasBrush *brush, const CanvasDab *dabs,
                       uint32_t count, uint32_t skip, uint32_t pairs, uint32_t need) {
    Gpu *gpu = canvas->gpu;
    const uint64_t parity = canvas->frame % GPU_FRAMES;
    if (canvas->staged + count > FRAME_DABS || canvas->taken[parity] + need > canvasMost(canvas)) {
        return CANVAS_LATER;
    }
    const CanvasDone room = makeRoom(canvas, need);
    if (room != CANVAS_DONE) {
        return room;
    }
    const VkBufferCopy copy = {.srcOffset = (parity * FRAME_DABS + canvas->staged) *
                                            sizeof(CanvasDab),
                               .size = count * sizeof(CanvasDab)};
    memcpy((char *)canvas->staging.mapped + copy.srcOffset, dabs, copy.size);
    canvas->staged += count;
    canvas->taken[parity] += need;
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
    cmdBatch(canvas, &push, need);
    copyState(canvas, CANVAS_LOGGED, endOf(canvas->applied));
    return CANVAS_DONE;
}

void canvasUndo(Canvas *canvas) {
    if (canvas->applied > canvas->dropped) {
        history(canvas, canvas->applied - 1, canvas->applied, CANVAS_PHASE_EXCHANGE);
        --canvas->applied;
    }
}

void canvasRedo(Canvas *canvas) {
    if (canvas->applied < canvas->strokes) {
        history(canvas, canvas->applied, canvas->applied + 1, CANVAS_PHASE_EXCHANGE);
        ++canvas->applied;
    }
}

/* ---- Views ---------------------------------------------------------------------------------- */

/* Tiles that a square of a view shows at most. */
static uint64_t tilesOf(const CanvasView *view, uint32_t side) {
    uint64_t tiles = 0;
    for (uint32_t layers = view->layers; layers; layers &= layers - 1) {
        ++tiles;
    }
    tiles *= 3 + ((uint64_t)canvas_least(side, view->width) * view->step >> 23);
    tiles *= 3 + ((uint64_t)canvas_least(side, view->height) * view->step >> 23);
    return tiles;
}

bool canvasHasRoom(const Canvas *canvas, const CanvasView *view, uint32_t side) {
    return tilesOf(view, side) <= canvas->pool / 8 * 3;
}

void canvasCmdView(Canvas *canvas, const CanvasView *view, uint32_t side,
                   const GpuBuffer *picture) {
    CanvasViewPush push = {.table = murGetTableRef(canvas->table),
                           .parts = canvas->addresses.address,
                           .picture = picture->address,
                           .view = *view};
    const bool texels = view->step == 65536 && !((view->fractionX | view->fractionY) & 0xFF00u);
    const uint32_t x = canvas_least(side, view->width - view->x), group = CANVAS_VIEW_GROUP;
    const uint32_t y = canvas_least(side, view->height - view->y);
    push.view.flags |= canvas->comes ? CANVAS_COMES : 0;
    gpuDispatch(canvas->gpu, &canvas->kernels[KERNEL_LOOK], &push, (x + group - 1) / group,
                (y + group - 1) / group, 1);
    cmdPage(canvas, (uint32_t)tilesOf(view, side), 0);
    gpuDispatch(canvas->gpu, &canvas->kernels[!view->soft || texels ? KERNEL_WHOLE : KERNEL_VIEW],
                &push, (x + group - 1) / group, (y + group - 1) / group, 1);
}

CanvasView canvasView(const Canvas *canvas, int64_t x, int64_t y, uint64_t step, uint32_t width,
                      uint32_t height) {
    CanvasView view = {
        .width = width, .height = height, .layers = (1u << CANVAS_LAYERS) - 1, .soft = 255};
    for (;; ++view.level) {
        view.step = (uint32_t)(step >> view.level);
        if (view.level == CANVAS_LEVELS - 1 ||
            (step >> view.level <= CANVAS_MAX_STEP &&
             (!canvas || canvasHasRoom(canvas, &view, UINT32_MAX)))) {
            break;
        }
    }
    if (step <= 65536 / 4) {
        view.soft = 0; /* pixels are looked at */
    }
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
