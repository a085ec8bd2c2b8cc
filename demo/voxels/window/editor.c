/* The loop of the window. A frame: take the data of the frame before the last, read the input,
 * record edits, picture and text, show it. The host waits for nothing but that older frame.
 * SPDX-License-Identifier: MIT */
#include "editor_internal.h"

#include "common/message.h"
#include "common/places.h"
#include "edit/edit.h"
#include "edit/fit.h"

#include <murmuration/buckets.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATS_EVERY = 20 }; /* frames between counts of the table */

static bool openEditor(Editor *editor) {
    const Settings *settings = editor->settings;
    GpuOptions options = {
        .application = "murvoxels",
        .device = settings->device,
        .validation = settings->validation,
    };
    if (!sourceOpen(&settings->source, &editor->source)) {
        return false;
    }
    editor->window = windowOpen("murvoxels", settings->width, settings->height, &options);
    if (!editor->window) {
        return false;
    }
    Gpu *gpu = &editor->gpu;
    if (!gpuOpen(gpu, &options)) {
        return false;
    }
    (void)printf("device: %s\n", gpu->properties.deviceName);
    (void)fflush(stdout);
    if (editor->source.isTerrain && !settings->source.terrainSize && !gpuIsSlow(gpu) &&
        !sourceOpen(&(SourceOptions){.terrainSize = 2048, .seed = settings->source.seed},
                    &editor->source)) {
        return false;
    }
    if (!gpuCreateFrames(gpu, &editor->frames) ||
        !tracerCreate(gpu, settings->width, settings->height, &editor->tracer)) {
        return false;
    }
    editor->tracer.enough = settings->samples ? settings->samples : editor->tracer.light.pictures;
    bool made = textCreate(gpu, &editor->text);
    for (uint32_t i = 0; i < GPU_FRAMES && made; ++i) {
        made = gpuCreateBuffer(gpu, sizeof(ViewCounts), GPU_HOST, "counts of a frame",
                               &editor->counts[i]);
        if (made) {
            memset(editor->counts[i].mapped, 0, sizeof(ViewCounts));
        }
    }
    return made;
}

bool editorOpenWorld(Editor *editor) {
    double milliseconds;
    editor->world = buildWorld(&editor->gpu, &editor->settings->room, &editor->source,
                               editor->world, &milliseconds);
    return editor->world != NULL;
}

void editorTitle(Editor *editor) {
    editor->titled = editor->document.unsaved;
    windowTitle(editor->window, fileName(editor->document.path), editor->titled);
}

float editorAspect(const Editor *editor) {
    const GpuSwapchain *swapchain = &editor->swapchain;
    return swapchain->height ? (float)swapchain->width / (float)swapchain->height
                             : (float)editor->settings->width / (float)editor->settings->height;
}

void editorStart(Editor *editor) {
    Source *source = &editor->source;
    const Settings *settings = editor->settings;
    const uint32_t mode = editor->scene.mode;
    memcpy(editor->low, source->low, sizeof editor->low);
    memcpy(editor->high, source->high, sizeof editor->high);
    editor->camera = viewStart(source, settings->hasCamera ? settings->camera : NULL, 0.45f,
                               editorAspect(editor));
    editor->scene = viewScene(source, editor->camera.yaw);
    editor->scene.mode = mode;
    editor->grid = !source->isTerrain;
    editor->framed = source->isTerrain || settings->hasCamera;
    editor->numbers = (HudNumbers){.frame = -1,
                                   .trace = -1,
                                   .passes = {-1, -1, -1},
                                   .edit = -1,
                                   .device = editor->gpu.properties.deviceName};
    toolsStart(&editor->tools, source);
    for (int i = 0; i < 3; ++i) {
        editor->pivot[i] = ((double)source->low[i] + source->high[i]) / 2;
    }
    hudSay(&editor->hud, source->omitted[0] ? HUD_WARNING : HUD_PLAIN, "%s",
           source->omitted[0] ? source->omitted : widgetSays("# shows the keys", COMMAND_HELP));
}

void editorDocument(Editor *editor) {
    Document *document = &editor->document;
    (void)snprintf(document->omitted, sizeof document->omitted, "%s", editor->source.omitted);
    (void)snprintf(editor->hud.folder, sizeof editor->hud.folder, "%.*s",
                   (int)(fileName(document->path) - document->path), document->path);
    editorTitle(editor);
    if (document->seen.file) {
        placesRemember(document->path);
    }
    if (document->copy) {
        hudSay(&editor->hud, HUD_WARNING, "another editor has this file; this is a copy: %s",
               fileName(document->path));
    }
    if (documentIsLost(document)) {
        editorAsk(editor, ASKED_RECOVER);
    }
}

/* Without any other wish: the last file? */
static void offerLast(Editor *editor) {
    const SourceOptions *source = &editor->settings->source;
    char recent[PLACES_RECENT][DOCUMENT_PATH];
    if (!source->vox && !source->load && !source->emptySize && !editor->settings->save &&
        !editor->hud.asked && placesRecent(recent)) {
        editorWant(editor, recent[0]);
        editorAsk(editor, ASKED_LAST);
    }
}

static void closeEditor(Editor *editor) {
    Gpu *gpu = &editor->gpu;
    if (gpu->device) {
        gpuDestroyFrames(gpu, &editor->frames);
        for (uint32_t i = 0; i < GPU_FRAMES; ++i) {
            gpuDestroyBuffer(gpu, &editor->counts[i]);
        }
        textDestroy(&editor->text);
        tracerDestroy(&editor->tracer);
        gpuDestroySwapchain(gpu, &editor->swapchain);
        worldDestroy(editor->world);
    }
    gpuClose(gpu);
    windowClose(editor->window);
    sourceClose(&editor->source);
    documentClose(&editor->document);
    dialogClose(&editor->hud.dialog);
}

/* ---- Results of earlier frames ------------------------------------------------------------- */

static void sayReport(Editor *editor, const WorldReport *report) {
    char words[WORLD_WORDS];
    if (trafficTrouble(report, words)) {
        hudSay(&editor->hud, HUD_WARNING, "%s", words);
        (void)sayError("%s", words);
    } else if (report->event >= WORLD_UNDONE && report->event <= WORLD_REDONE &&
               !editor->tools.moved) {
        hudSay(&editor->hud, HUD_PLAIN, "%s: %s",
               report->event == WORLD_UNDONE ? "undone" : "redone",
               editToolName(report->edit.tool));
    }
}

static void takeReports(Editor *editor) {
    WorldReport report;
    double milliseconds = -1;
    while (trafficNext(&editor->world->traffic, &report)) {
        lightEdited(&editor->tracer.light, &report);
        if (report.changes > 0) {
            if (!editor->world->store.options.undoBytes) {
                documentChanged(&editor->document);
            }
            editorWiden(editor, &report.edit);
        }
        sayReport(editor, &report);
        editor->numbers.last = report;
        editor->numbers.hasLast = true;
        if (report.milliseconds >= 0) {
            milliseconds = (milliseconds < 0 ? 0 : milliseconds) + report.milliseconds;
        }
    }
    editor->numbers.edit = milliseconds;
    documentAt(&editor->document, (uint64_t)paletteState(&editor->tools.palette) << 32 |
                                      historyState(&editor->world->history));
}

static bool takeFrame(Editor *editor) {
    HudNumbers *numbers = &editor->numbers;
    const GpuFrames *frames = &editor->frames;
    if (!gpuAwaitFrame(&editor->gpu, &editor->frames)) {
        return false;
    }
    numbers->frame = gpuFrameMilliseconds(&editor->gpu, frames, GPU_FRAME_BEGIN, GPU_FRAME_END);
    for (uint32_t i = 0; i < TRACER_PASSES && editor->tracer.drawn[gpuFrameIndex(frames)]; ++i) {
        const uint32_t from = TRACER_BEGIN + i;
        numbers->trace = gpuFrameMilliseconds(&editor->gpu, frames, TRACER_BEGIN, TRACER_END);
        numbers->passes[i] = gpuFrameMilliseconds(&editor->gpu, frames, from, from + 1);
    }
    memcpy(&numbers->counts, editor->counts[gpuFrameIndex(frames)].mapped, sizeof numbers->counts);
    return true;
}

static void takeNumbers(Editor *editor) {
    HudNumbers *numbers = &editor->numbers;
    World *world = editor->world;
    numbers->use = worldUse(world);
    numbers->table = worldTableStats(world);
    numbers->bytes = storeBytes(&world->store) + editor->tracer.pixels.size +
                     editor->tracer.sums.size + editor->swapchain.pixels.size +
                     lightBytes(&editor->tracer.light);
    numbers->dense = fitDense(editor->low, editor->high);
    numbers->measures = !editor->onPanel && !editor->hud.asked && !editor->input.drag &&
                        toolsMeasure(&editor->tools, numbers->at, numbers->size);
    numbers->width = editor->swapchain.width;
    numbers->height = editor->swapchain.height;
    numbers->scale = editor->input.scale;
    /* Smoothed: single frames are too short to read. */
    numbers->host += 0.1 * (1000 * editor->input.seconds - numbers->host);
}

/* ---- A frame ------------------------------------------------------------------------------- */

/* The picture is kept as it is, and may be drawn in parts; text lies over a copy of it. */
static bool recordPicture(Editor *editor) {
    Gpu *gpu = &editor->gpu;
    const GpuSwapchain *swapchain = &editor->swapchain;
    View view = viewFrom(&editor->scene, &editor->camera, swapchain->width, swapchain->height);
    const WorldRef world = editor->world->store.ref;
    view.masks = editor->world->store.buffers[WORLD_MASKS].address;
    view.flags |= swapchain->blueFirst ? VIEW_BLUE_FIRST : 0;
    if (!editor->onPanel && !editor->hud.asked && !editor->input.drag) {
        toolsShow(&editor->tools, editor->world, &editor->source, &view);
    }
    view.flags |= editor->grid ? VIEW_GRID : 0;
    viewRoom(&view, editor->tools.room.low, editor->tools.room.high,
             editor->tools.room.walls, /* walls that take strokes are shown */
             editor->source.mirror, editor->source.mirrorSum);
    if (!tracerCmdGoOn(&editor->tracer, &editor->frames, &world, &view, editor->working > 0)) {
        return false;
    }
    gpuFullBarrier(gpu);
    gpuCopy(gpu, &editor->tracer.pixels, 0, &swapchain->pixels, 0, swapchain->pixels.size);
    gpuTransferBarrier(gpu);
    takeNumbers(editor);
    panelsWrite(&editor->hud, &editor->text, &editor->numbers, &editor->tools, &editor->source,
                editor->scene.mode);
    if (!editor->framed) { /* now the area between the panels is known */
        editorFrame(editor, 1);
    }
    textCmdDraw(&editor->text, &swapchain->pixels, swapchain->blueFirst);
    return true;
}

static uint32_t framesLeft(bool again, uint32_t left) {
    return again ? GPU_FRAMES : left - (left > 0);
}

/* Files and pictures of the window include all earlier input: edits that start at a
 * pick, and those that wait for others, are made frames later, and reported later still. */
static void settle(Editor *editor) {
    const Tools *tools = &editor->tools;
    const uint32_t operations = editor->world->traffic.sequence;
    const bool works = tools->sent[gpuFrameIndex(&editor->frames)].wantedCount || tools->count ||
                       operations != editor->operations || worldUse(editor->world).waiting;
    editor->operations = operations;
    editor->working = framesLeft(works, editor->working);
    editor->unsettled = framesLeft(works || editor->input.commandCount, editor->unsettled);
    editor->awake = framesLeft(editor->input.came, editor->awake);
}

/* Keys, buttons and typed text, in their order. */
static void readUser(Editor *editor) {
    const Input *input = &editor->input;
    uint32_t typed = 0;
    for (uint32_t i = 0; i <= input->commandCount; ++i) {
        for (; typed < input->typedCount && input->typed[typed].after <= i; ++typed) {
            if (editor->hud.dialog.open) {
                dialogType(&editor->hud.dialog, input->typed[typed].character);
            }
        }
        if (i < input->commandCount) {
            editorCommand(editor, input->commands[i]);
        }
    }
}

static bool recordFrame(Editor *editor) {
    Gpu *gpu = &editor->gpu;
    const uint32_t frame = gpuFrameIndex(&editor->frames);
    worldBeginFrame(editor->world, &editor->frames);
    takeReports(editor);
    editorGrant(editor);
    readUser(editor);
    editorPanels(editor);
    toolsFrame(&editor->tools, editor->world, frame, &editor->camera, &editor->input);
    settle(editor);
    if (editor->tools.palette.changed) {
        editor->tools.palette.changed = false;
        if (viewPalette(&editor->scene, &editor->source)) {
            lightForget(&editor->tracer.light);
        }
    }
    if (editor->tools.words) {
        hudSay(&editor->hud, HUD_WARNING, "%s", editor->tools.words);
        editor->tools.words = NULL;
    }
    if (editor->frames.count % STATS_EVERY == 0) {
        (void)trafficStats(&editor->world->traffic, &editor->world->store);
    }
    if (!recordPicture(editor)) {
        return false;
    }
    gpuCopy(gpu, &editor->tracer.counts, 0, &editor->counts[frame], 0, sizeof(ViewCounts));
    gpuHostBarrier(gpu);
    gpuCmdShow(gpu, &editor->swapchain);
    worldEndFrame(editor->world);
    return true;
}

/* Sizes follow the window. */
static bool resize(Editor *editor) {
    GpuSwapchain *swapchain = &editor->swapchain;
    const Input *input = &editor->input;
    if (!gpuCreateSwapchain(&editor->gpu, input->width, input->height, true, swapchain)) {
        return false;
    }
    if (swapchain->width == 0) {
        return true;
    }
    return tracerResize(&editor->tracer, swapchain->width, swapchain->height);
}

static bool draw(void *user, VkSemaphore acquired, VkSemaphore drawn) {
    Editor *editor = user;
    return gpuBeginFrame(&editor->gpu, &editor->frames) && recordFrame(editor) &&
           gpuSubmitFrame(&editor->gpu, &editor->frames, acquired, drawn);
}

/* There is nothing more to draw, nothing is on its way, and the user does nothing. */
static bool rests(const Editor *editor) {
    return tracerIsDone(&editor->tracer) && !editor->awake && !editor->unsettled &&
           !editor->working && editor->pending == ASKED_NOTHING && !editor->hud.news &&
           !toolsBusy(&editor->tools);
}

static bool runFrame(Editor *editor) {
    Input *input = &editor->input;
    GpuSwapchain *swapchain = &editor->swapchain;
    const bool rested = rests(editor);
    if (tracerIsSlow(&editor->tracer)) { /* one frame at a time has the lowest latency */
        (void)vkDeviceWaitIdle(editor->gpu.device);
    }
    windowPoll(editor->window, rested || (swapchain->width == 0 && editor->frames.count > 0),
               input);
    hudPass(&editor->hud, input->seconds);
    if (input->quit) {
        editorWish(editor, ASKED_LEAVE);
    }
    if (input->dropped[0]) {
        editorWant(editor, input->dropped);
        editorWish(editor, ASKED_OPEN);
    }
    if ((editor->leaves && !editor->save) || input->width == 0 || input->height == 0) {
        return true;
    }
    const bool resized = gpuIsStale(swapchain, input->width, input->height);
    if (rested && !resized && !input->came && !editor->hud.news) {
        return editorBetweenFrames(editor);
    }
    input->seconds = rested ? 0 : input->seconds; /* nothing moved in this time */
    if (resized && !resize(editor)) {
        return false;
    }
    if (swapchain->width == 0) {
        return true;
    }
    editorMoveView(editor);
    return takeFrame(editor) &&
           gpuShowFrame(&editor->gpu, &editor->frames, swapchain, draw, editor) &&
           editorBetweenFrames(editor);
}

/* ---- The start ------------------------------------------------------------------------------ */

static bool drawGreeting(void *user, VkSemaphore acquired, VkSemaphore drawn) {
    Editor *editor = user;
    Gpu *gpu = &editor->gpu;
    const GpuSwapchain *swapchain = &editor->swapchain;
    if (!gpuBeginFrame(gpu, &editor->frames)) {
        return false;
    }
    vkCmdFillBuffer(gpu->cmd, swapchain->pixels.buffer, 0, VK_WHOLE_SIZE, 0xFF302C28);
    gpuTransferBarrier(gpu);
    editor->numbers = (HudNumbers){
        .width = swapchain->width, .height = swapchain->height, .scale = editor->input.scale};
    panelsWrite(&editor->hud, &editor->text, &editor->numbers, &editor->tools, &editor->source, 0);
    textCmdDraw(&editor->text, &swapchain->pixels, swapchain->blueFirst);
    gpuCmdShow(gpu, swapchain);
    return gpuSubmitFrame(gpu, &editor->frames, acquired, drawn);
}

/* Shows the message or the question, until it is answered, before there is a world. */
static bool greet(Editor *editor) {
    bool drawn = false;
    while ((!drawn || editor->hud.asked) && !editor->leaves) {
        Input *input = &editor->input;
        GpuSwapchain *swapchain = &editor->swapchain;
        windowPoll(editor->window, drawn, input);
        editor->leaves = input->quit;
        if (input->width == 0 || input->height == 0) {
            continue;
        }
        if (gpuIsStale(swapchain, input->width, input->height) && !resize(editor)) {
            return false;
        }
        readUser(editor);
        drawn = swapchain->width > 0;
        if (drawn &&
            !(gpuAwaitFrame(&editor->gpu, &editor->frames) &&
              gpuShowFrame(&editor->gpu, &editor->frames, swapchain, drawGreeting, editor))) {
            return false;
        }
    }
    return true;
}

/* The last file is offered before the world is made, which takes seconds on a software device. */
static bool begin(Editor *editor) {
    editor->scene.mode = editor->settings->mode;
    editor->hud.hidden = true;
    editorTitle(editor);
    offerLast(editor);
    if (editor->hud.asked && !greet(editor)) {
        return false;
    }
    const bool opens = editor->opens;
    editor->opens = false;
    hudSay(&editor->hud, HUD_WARNING, "making the world ...");
    bool fine = greet(editor) && (!opens || editor->leaves || editorOpenNext(editor));
    editor->hud.hidden = false;
    if (fine && !editor->world && !editor->leaves) {
        fine = editorOpenWorld(editor);
        if (fine) {
            editorStart(editor);
            editorDocument(editor);
        }
    }
    return fine;
}

bool editorRun(const Settings *settings) {
    Editor *editor = calloc(1, sizeof *editor);
    if (!editor) {
        return sayError("no memory");
    }
    editor->settings = settings;
    documentOpen(&editor->document, &settings->source, settings->save, NULL, settings->autosave);
    bool done = openEditor(editor) && begin(editor);
    while (done && !(editor->leaves && !editor->save)) {
        done = runFrame(editor);
    }
    closeEditor(editor);
    if (editor->gpu.messages) {
        done = sayError("the validation layers had %u messages", editor->gpu.messages);
    }
    free(editor);
    return done;
}
