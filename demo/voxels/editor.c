/* The loop of the window. A frame: take what the frame before the last sent, read the user, record
 * edits, picture and text, show it. The host waits for nothing but that older frame.
 *
 * SPDX-License-Identifier: MIT */
#include "editor.h"

#include "build.h"
#include "common/gpu_swapchain.h"
#include "common/say.h"
#include "hud.h"
#include "output.h"
#include "shot.h"
#include "window.h"

#include <stdio.h>
#include <stdlib.h>

/* Timestamps of a frame; the world has its own. */
enum { STAMP_BEGIN, STAMP_TRACE, STAMP_TRACED, STAMP_END };

enum { STATS_EVERY = 20 }; /* frames between counts of the table */

typedef struct Editor {
    const Settings *settings;
    Source source;
    Window *window;
    Gpu gpu;
    World *world;
    GpuFrames frames;
    GpuSwapchain swapchain;
    Tracer tracer;
    Text text;
    Shots shots;
    Camera camera;
    View scene;
    Tools tools;
    Hud hud;
    HudNumbers numbers;
    Input input;
    double edits; /* milliseconds of the edits reported since the last frame's numbers */
    bool stale;   /* the swapchain must be made anew */
    bool shoot;   /* a picture is wanted */
    bool save;    /* the world is to be saved */
} Editor;

static bool openEditor(Editor *editor) {
    const Settings *settings = editor->settings;
    uint32_t extensions = 0;
    if (!sourceOpen(settings, &editor->source)) {
        return false;
    }
    editor->window = windowOpen("murvoxels", settings->width, settings->height);
    if (!editor->window) {
        return false;
    }
    const char *const *names = windowExtensions(&extensions);
    const GpuOptions options = {
        .application = "murvoxels",
        .device = settings->device,
        .validation = settings->validation,
        .extensions = names,
        .extensionCount = extensions,
        .createSurface = windowSurface,
        .user = editor->window,
    };
    Gpu *gpu = &editor->gpu;
    if (!gpuOpen(gpu, &options)) {
        return false;
    }
    (void)printf("device: %s\n", gpu->properties.deviceName);
    (void)fflush(stdout);
    return gpuCreateFrames(gpu, &editor->frames) &&
           tracerCreate(gpu, settings->fragment, false, settings->width, settings->height,
                        &editor->tracer) &&
           textCreate(gpu, &editor->text) && shotsCreate(gpu, settings->screenshot, &editor->shots);
}

static bool openWorld(Editor *editor) {
    double milliseconds;
    editor->world = buildWorld(&editor->gpu, editor->settings, &editor->source, &milliseconds);
    return editor->world != NULL;
}

static void start(Editor *editor) {
    const Settings *settings = editor->settings;
    const Source *source = &editor->source;
    Orbit orbit = source->isTerrain ? (Orbit){45, 28, 0.97f} : (Orbit){38, 26, 0.95f};
    if (settings->hasCamera) {
        orbit = (Orbit){settings->camera[0], settings->camera[1], settings->camera[2]};
    }
    editor->camera = cameraAround(source, &orbit, 0.45f,
                                  (float)settings->width / (float)settings->height);
    editor->scene = viewScene(source, orbit.yaw);
    editor->scene.mode = settings->mode;
    editor->hud.numbers = true;
    editor->numbers.frame = editor->numbers.trace = editor->numbers.edit = -1;
    editor->numbers.device = editor->gpu.properties.deviceName;
    toolsStart(&editor->tools, source);
    hudSay(&editor->hud, HUD_PLAIN, "H shows the keys");
}

static void closeEditor(Editor *editor) {
    Gpu *gpu = &editor->gpu;
    if (gpu->device) {
        gpuDestroyFrames(gpu, &editor->frames);
        shotsDestroy(&editor->shots);
        textDestroy(&editor->text);
        tracerDestroy(&editor->tracer);
        gpuDestroySwapchain(gpu, &editor->swapchain);
        worldDestroy(editor->world);
    }
    gpuClose(gpu);
    windowClose(editor->window);
    sourceClose(&editor->source);
}

/* ---- What earlier frames sent -------------------------------------------------------------- */

static void sayReport(Editor *editor, const WorldReport *report) {
    const uint32_t failed = report->poolFailed + report->tableFailed;
    if (report->floodFull) {
        hudSay(&editor->hud, HUD_WARNING,
               "the flood found too much and did nothing (--flood-bricks)");
    } else if (failed) {
        const char *what = report->poolFailed ? "pool is full (--pool-mib)"
                                              : "table is full (--table-slots)";
        hudSay(&editor->hud, HUD_WARNING, "partial: %u bricks left as they were, the %s", failed,
               what);
        (void)sayError("the edit is partial: %u bricks left as they were, the %s", failed, what);
    } else if (report->event != WORLD_EDITED) {
        hudSay(&editor->hud, HUD_PLAIN, "%s: %s",
               report->event == WORLD_UNDONE ? "undone" : "redone",
               editToolName(report->edit.tool));
    }
}

static void takeReports(Editor *editor) {
    WorldReport report;
    double milliseconds = -1;
    while (worldNextReport(editor->world, &report)) {
        toolsReport(&editor->tools, &report);
        sayReport(editor, &report);
        editor->numbers.last = report;
        editor->numbers.hasLast = true;
        if (report.milliseconds >= 0) {
            milliseconds = (milliseconds < 0 ? 0 : milliseconds) + report.milliseconds;
        }
    }
    editor->numbers.edit = milliseconds;
}

static bool takeFrame(Editor *editor) {
    HudNumbers *numbers = &editor->numbers;
    const GpuFrames *frames = &editor->frames;
    char path[256];
    if (!gpuAwaitFrame(&editor->gpu, &editor->frames)) {
        return false;
    }
    numbers->frame = gpuFrameMilliseconds(&editor->gpu, frames, STAMP_BEGIN, STAMP_END);
    numbers->trace = gpuFrameMilliseconds(&editor->gpu, frames, STAMP_TRACE, STAMP_TRACED);
    if (!shotsTake(&editor->shots, gpuFrameIndex(frames), path)) {
        hudSay(&editor->hud, HUD_WARNING, "the picture could not be written");
    } else if (path[0]) {
        hudSay(&editor->hud, HUD_GOOD, "picture: %s", path);
        (void)printf("picture: %s\n", path);
        (void)fflush(stdout);
    }
    return true;
}

static void takeNumbers(Editor *editor) {
    HudNumbers *numbers = &editor->numbers;
    World *world = editor->world;
    numbers->counts = editor->shots.counts;
    numbers->use = worldUse(world);
    numbers->table = worldTableStats(world);
    numbers->bytes = worldBytes(world) + editor->tracer.pixels.size;
    numbers->undos = worldUndos(world);
    numbers->redos = worldRedos(world);
    numbers->width = editor->swapchain.width;
    numbers->height = editor->swapchain.height;
    /* Smoothed: single frames are too short to read. */
    numbers->host += 0.1 * (1000 * editor->input.seconds - numbers->host);
}

/* ---- What the user wants ------------------------------------------------------------------- */

static void fly(Editor *editor) {
    const Input *input = &editor->input;
    const float speed = (input->fast   ? 480.0f
                         : input->slow ? 20.0f
                                       : 120.0f) *
                        (float)(input->seconds < 0.1 ? input->seconds : 0.1);
    cameraTurn(&editor->camera, input->turn[0] * 70, input->turn[1] * 70);
    cameraMove(&editor->camera, input->move[0] * speed, input->move[1] * speed,
               input->move[2] * speed);
}

static void undo(Editor *editor, bool back) {
    const bool done = back ? worldRecordUndo(editor->world) : worldRecordRedo(editor->world);
    if (!done) {
        hudSay(&editor->hud, HUD_PLAIN, "nothing to %s", back ? "undo" : "redo");
    }
}

static void runCommand(Editor *editor, Command command) {
    switch (command) {
    case COMMAND_UNDO:
        undo(editor, true);
        break;
    case COMMAND_REDO:
        undo(editor, false);
        break;
    case COMMAND_SAVE:
        editor->save = true;
        break;
    case COMMAND_SCREENSHOT:
        editor->shoot = true;
        break;
    case COMMAND_VIEW:
        editor->scene.mode = (editor->scene.mode + 1) % VIEW_MODES;
        break;
    case COMMAND_HUD:
        editor->hud.numbers = !editor->hud.numbers;
        break;
    case COMMAND_HELP:
        editor->hud.help = !editor->hud.help;
        break;
    default:
        (void)toolsCommand(&editor->tools, editor->world, command);
        break;
    }
}

static void sayAnswer(Editor *editor, EditAnswer answer) {
    if (answer == EDIT_LARGE) {
        hudSay(&editor->hud, HUD_WARNING, "that is too large for one edit, or nothing was copied");
    } else if (answer == EDIT_LARGE_UNDO) {
        hudSay(&editor->hud, HUD_WARNING, "too large to be undone: --undo-mib makes room");
    } else if (answer == EDIT_WRONG) {
        hudSay(&editor->hud, HUD_WARNING, "that edit is not possible");
    }
}

/* ---- A frame ------------------------------------------------------------------------------- */

static void recordPicture(Editor *editor) {
    Gpu *gpu = &editor->gpu;
    const GpuSwapchain *swapchain = &editor->swapchain;
    View view = viewFrom(&editor->scene, &editor->camera, swapchain->width, swapchain->height);
    const WorldRef world = worldRef(editor->world);
    view.masks = worldMasks(editor->world);
    view.flags |= VIEW_COUNTS | (swapchain->blueFirst ? VIEW_BLUE_FIRST : 0);
    toolsShow(&editor->tools, editor->world, &editor->source, &view);
    gpuTimestamp(gpu, STAMP_TRACE);
    tracerCmdDraw(&editor->tracer, &world, &view);
    gpuTimestamp(gpu, STAMP_TRACED);
    takeNumbers(editor);
    hudWrite(&editor->hud, &editor->text, &editor->numbers, &editor->tools, &editor->source,
             editor->scene.mode, editor->input.seconds);
    textCmdDraw(&editor->text, &editor->tracer.pixels, swapchain->width, swapchain->height,
                swapchain->blueFirst, editor->input.scale);
}

static bool recordFrame(Editor *editor) {
    Gpu *gpu = &editor->gpu;
    const uint32_t frame = gpuFrameIndex(&editor->frames);
    gpuTimestamp(gpu, STAMP_BEGIN);
    worldBeginFrame(editor->world, &editor->frames);
    takeReports(editor);
    for (uint32_t i = 0; i < editor->input.commandCount; ++i) {
        runCommand(editor, editor->input.commands[i]);
    }
    sayAnswer(editor, toolsFrame(&editor->tools, editor->world, &editor->camera, &editor->input));
    if (editor->frames.count % STATS_EVERY == 0) {
        (void)worldRecordStats(editor->world);
    }
    recordPicture(editor);
    shotsCmdCounts(&editor->shots, frame, &editor->tracer);
    if (editor->shoot) {
        editor->shoot = false;
        if (!shotsCmdPicture(&editor->shots, frame, &editor->tracer, editor->swapchain.blueFirst)) {
            return false;
        }
    }
    gpuCmdShow(gpu, &editor->swapchain, &editor->tracer.pixels);
    worldEndFrame(editor->world);
    gpuTimestamp(gpu, STAMP_END);
    return true;
}

/* Sizes follow the window. */
static bool resize(Editor *editor) {
    GpuSwapchain *swapchain = &editor->swapchain;
    const Input *input = &editor->input;
    editor->stale = false;
    if (!gpuCreateSwapchain(&editor->gpu, input->width, input->height, true, swapchain)) {
        return false;
    }
    return swapchain->width == 0 ||
           tracerResize(&editor->tracer, swapchain->width, swapchain->height);
}

static bool show(Editor *editor) {
    Gpu *gpu = &editor->gpu;
    GpuSwapchain *swapchain = &editor->swapchain;
    const VkSemaphore acquired = editor->frames.frames[gpuFrameIndex(&editor->frames)].acquired;
    GpuShow shown = gpuAcquire(gpu, swapchain, acquired);
    if (shown == GPU_SHOWN) {
        if (!gpuBeginFrame(gpu, &editor->frames) || !recordFrame(editor) ||
            !gpuSubmitFrame(gpu, &editor->frames, acquired, swapchain->drawn[swapchain->image])) {
            return false;
        }
        shown = gpuPresent(gpu, swapchain);
    }
    editor->stale = shown == GPU_STALE;
    return shown != GPU_LOST;
}

/* Between frames: waits for the device and for the disk. */
static void save(Editor *editor) {
    const char *path = editor->settings->save ? editor->settings->save : "murvoxels.world";
    Output output;
    editor->save = false;
    const bool written = outputOpen(path, &output) &&
                         buildSave(editor->world, &editor->source, output.file, path) &&
                         outputKeep(&output);
    outputClose(&output);
    hudSay(&editor->hud, written ? HUD_GOOD : HUD_WARNING,
           written ? "saved: %s" : "the world could not be saved in %s", path);
}

static bool runFrame(Editor *editor) {
    const Input *input = &editor->input;
    GpuSwapchain *swapchain = &editor->swapchain;
    windowPoll(editor->window, swapchain->width == 0 && editor->frames.count > 0, &editor->input);
    if (input->quit || input->width == 0 || input->height == 0) {
        return true;
    }
    if ((editor->stale || swapchain->width != input->width || swapchain->height != input->height) &&
        !resize(editor)) {
        return false;
    }
    if (swapchain->width == 0) {
        return true;
    }
    fly(editor);
    if (!takeFrame(editor) || !show(editor)) {
        return false;
    }
    if (editor->save) {
        save(editor);
    }
    return true;
}

bool editorRun(const Settings *settings) {
    Editor *editor = calloc(1, sizeof *editor);
    if (!editor) {
        return sayError("no memory");
    }
    editor->settings = settings;
    bool done = openEditor(editor) && openWorld(editor);
    if (done) {
        start(editor);
    }
    while (done && !editor->input.quit) {
        done = runFrame(editor);
    }
    closeEditor(editor);
    if (editor->gpu.messages) {
        done = sayError("the validation layers had %u messages", editor->gpu.messages);
    }
    free(editor);
    return done;
}
