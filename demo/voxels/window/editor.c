/* The loop of the window. A frame: take what the frame before the last sent, read the user, record
 * edits, picture and text, show it. The host waits for nothing but that older frame.
 *
 * SPDX-License-Identifier: MIT */
#include "editor.h"

#include "edit/build.h"
#include "common/gpu_swapchain.h"
#include "common/say.h"
#include "document.h"
#include "model/output.h"
#include "hud.h"
#include "view/shot.h"
#include "window.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Timestamps of a frame; the world has its own. */
enum { STAMP_BEGIN, STAMP_TRACE, STAMP_TRACED, STAMP_END };

enum { STATS_EVERY = 20 }; /* frames between counts of the table */

/* What the user is asked, and cannot do anything else before the answer. */
typedef enum Asked { ASKED_NOTHING, ASKED_LEAVE, ASKED_OPEN, ASKED_RECOVER } Asked;

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
    Document document;
    Hud hud;
    HudNumbers numbers;
    Input input;
    uint32_t low[3], high[3]; /* what there is to see */
    double pivot[3];          /* what the mouse turns the view about */
    Drag drag;                /* of the frame before */
    Asked asked;
    char wanted[INPUT_PATH]; /* a file that is to be opened */
    HudArea grabbed;         /* a bar that the mouse holds */
    bool onPanel;            /* the mouse went down on a panel */
    double edits;            /* milliseconds of the edits reported since the last frame's numbers */
    bool stale;              /* the swapchain must be made anew */
    bool shoot;              /* a picture of the window is wanted */
    bool draw;               /* and a fine one */
    bool save, export;       /* the world is to be saved */
    bool opens;              /* wanted is to be opened */
    bool recovers;           /* lost work is */
    bool leaves;
    bool titled; /* as unsaved */
} Editor;

static bool openEditor(Editor *editor) {
    const Settings *settings = editor->settings;
    uint32_t extensions = 0;
    if (!sourceOpen(&settings->source, &editor->source)) {
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
    editor->world = buildWorld(&editor->gpu, &editor->settings->room, &editor->source,
                               &milliseconds);
    return editor->world != NULL;
}

static void say(Editor *editor, bool good, const char *what, const char *path) {
    hudSay(&editor->hud, good ? HUD_GOOD : HUD_WARNING, "%s %.120s", what, path);
}

static void setTitle(Editor *editor) {
    char title[DOCUMENT_PATH + 32];
    editor->titled = editor->document.unsaved;
    (void)snprintf(title, sizeof title, "murvoxels: %s%s", documentName(&editor->document),
                   editor->titled ? " *" : "");
    windowTitle(editor->window, title);
}

static void question(Editor *editor, Asked asked) {
    const char *name = documentName(&editor->document);
    char *text = editor->hud.question;
    editor->asked = asked;
    if (asked == ASKED_RECOVER) {
        (void)snprintf(text, HUD_QUESTION,
                       "There is work on %.100s that was not saved.\n"
                       "Enter  goes on with it\nN      throws it away\nEsc    leaves it there",
                       name);
    } else {
        (void)snprintf(text, HUD_QUESTION,
                       "%.100s has changes that are not saved.\n"
                       "Enter  saves them\nN      throws them away\nEsc    goes on working",
                       name);
    }
}

static Orbit firstOrbit(const Editor *editor) {
    const Settings *settings = editor->settings;
    if (settings->hasCamera) {
        return (Orbit){settings->camera[0], settings->camera[1], settings->camera[2]};
    }
    return editor->source.isTerrain ? (Orbit){45, 28, 0.97f} : (Orbit){38, 26, 0.95f};
}

static float aspect(const Editor *editor) {
    const GpuSwapchain *swapchain = &editor->swapchain;
    return swapchain->height ? (float)swapchain->width / (float)swapchain->height
                             : (float)editor->settings->width / (float)editor->settings->height;
}

/* Begins with what the source has become. */
static void start(Editor *editor) {
    const Source *source = &editor->source;
    const Orbit orbit = firstOrbit(editor);
    const uint32_t mode = editor->scene.mode;
    memcpy(editor->low, source->low, sizeof editor->low);
    memcpy(editor->high, source->high, sizeof editor->high);
    editor->camera = cameraAround(editor->low, editor->high, &orbit, 0.45f, aspect(editor));
    editor->scene = viewScene(source, orbit.yaw);
    editor->scene.mode = mode;
    editor->numbers = (HudNumbers){
        .frame = -1, .trace = -1, .edit = -1, .device = editor->gpu.properties.deviceName};
    toolsStart(&editor->tools, source);
    for (int i = 0; i < 3; ++i) {
        editor->pivot[i] = ((double)source->low[i] + source->high[i]) / 2;
    }
    hudSay(&editor->hud, source->omitted[0] ? HUD_WARNING : HUD_PLAIN, "%s",
           source->omitted[0] ? source->omitted : "H shows the keys");
    setTitle(editor);
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

/* There is more to see. */
static void widen(Editor *editor, const Edit *edit) {
    int32_t low[3];
    int32_t high[3];
    static const int32_t size[3] = {WORLD_SIZE_X, WORLD_SIZE_Y, WORLD_SIZE_Z};
    editBounds(edit, low, high);
    for (int i = 0; i < 3 && (edit->tool == TOOL_ADD || edit->tool == TOOL_PASTE); ++i) {
        const uint32_t first = low[i] < 0 ? 0 : (uint32_t)low[i];
        const uint32_t end = (uint32_t)(high[i] < size[i] ? high[i] + 1 : size[i]);
        editor->low[i] = first < editor->low[i] ? first : editor->low[i];
        editor->high[i] = end > editor->high[i] ? end : editor->high[i];
    }
}

static void takeReports(Editor *editor) {
    WorldReport report;
    double milliseconds = -1;
    while (worldNextReport(editor->world, &report)) {
        if (report.changes > 0) {
            documentChanged(&editor->document);
            widen(editor, &report.edit);
        }
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

static void moveView(Editor *editor) {
    const Input *input = &editor->input;
    Camera *camera = &editor->camera;
    const Pick *pick = &editor->tools.pick;
    float longest = 0;
    for (int i = 0; i < 3; ++i) {
        longest = fmaxf(longest, (float)(editor->high[i] - editor->low[i]));
    }
    /* Through what there is in three seconds. */
    const float speed = (longest / 3 + 2) *
                        (input->fast   ? 4
                         : input->slow ? 0.2f
                                       : 1) *
                        (float)(input->seconds < 0.1 ? input->seconds : 0.1);
    if (pick->hit && editor->drag == DRAG_NONE) {
        editor->pivot[0] = pick->x + 0.5;
        editor->pivot[1] = pick->y + 0.5;
        editor->pivot[2] = pick->z + 0.5;
    }
    editor->drag = input->drag;
    if (input->drag == DRAG_LOOK) {
        cameraTurn(camera, -70 * input->turn[0], 70 * input->turn[1]);
    } else if (input->drag == DRAG_ORBIT) {
        cameraOrbit(camera, editor->pivot, -180 * input->turn[0], 180 * input->turn[1]);
    } else if (input->drag == DRAG_PAN) {
        cameraPan(camera, editor->pivot, input->turn[0], input->turn[1]);
    }
    if (!editor->asked) {
        cameraMove(camera, input->move[0] * speed, input->move[1] * speed, input->move[2] * speed);
    }
    if (input->wheel != 0 && !input->control && !editor->tools.boxing) {
        cameraZoom(camera, editor->pivot, powf(0.85f, input->wheel));
    }
}

static void frameBox(Editor *editor, const uint32_t low[3], const uint32_t high[3]) {
    const Orbit orbit = {editor->camera.yaw, editor->camera.pitch, 1};
    editor->camera = cameraAround(low, high, &orbit, editor->camera.halfHeight, aspect(editor));
}

static void framePick(Editor *editor) {
    const Pick *pick = &editor->tools.pick;
    const int32_t at[3] = {pick->x, pick->y, pick->z};
    uint32_t low[3];
    uint32_t high[3];
    if (!pick->hit) {
        hudSay(&editor->hud, HUD_WARNING, "there is nothing under the mouse");
        return;
    }
    for (int i = 0; i < 3; ++i) {
        const int32_t around = 6 + 2 * (int32_t)editor->tools.radius;
        low[i] = at[i] > around ? (uint32_t)(at[i] - around) : 0;
        high[i] = (uint32_t)(at[i] + around);
    }
    frameBox(editor, low, high);
}

static void leave(Editor *editor) {
    if (editor->document.unsaved) {
        question(editor, ASKED_LEAVE);
    } else {
        editor->leaves = true;
    }
}

static void open(Editor *editor) {
    if (editor->document.unsaved) {
        question(editor, ASKED_OPEN);
    } else {
        editor->opens = true;
    }
}

/* An answer; all other commands are none. */
static void answer(Editor *editor, Command command) {
    const Asked asked = editor->asked;
    if (command != COMMAND_CONFIRM && command != COMMAND_REFUSE && command != COMMAND_CANCEL) {
        return;
    }
    editor->asked = ASKED_NOTHING;
    editor->hud.question[0] = '\0';
    if (command == COMMAND_CANCEL) {
        editor->wanted[0] = '\0';
    } else if (asked == ASKED_RECOVER) {
        editor->recovers = command == COMMAND_CONFIRM;
        if (command == COMMAND_REFUSE) {
            documentForget(&editor->document);
        }
    } else {
        editor->save = command == COMMAND_CONFIRM;
        editor->leaves = asked == ASKED_LEAVE;
        editor->opens = asked == ASKED_OPEN;
        if (command == COMMAND_REFUSE) {
            documentForget(&editor->document);
        }
    }
}

/* 1 of 256 in a row, or of 100: where the mouse is on the bar. */
static void setChannel(Editor *editor, uint32_t channel, float fraction) {
    Source *source = &editor->source;
    const uint32_t index = editor->tools.color;
    const float part = fminf(fmaxf(fraction * 1.05f - 0.025f, 0), 1);
    if (channel < 3) {
        source->palette[index][channel] = (uint8_t)(255 * part + 0.5f);
        source->palette[index][3] = 255;
    } else {
        source->glow[index][0] = (uint8_t)(100 * part + 0.5f);
    }
    viewPalette(&editor->scene, source);
    documentChanged(&editor->document);
}

static void runCommand(Editor *editor, Command command) {
    Hud *hud = &editor->hud;
    if (editor->asked) {
        answer(editor, command);
        return;
    }
    switch (command) {
    case COMMAND_SAVE:
        editor->save = true;
        break;
    case COMMAND_EXPORT:
        editor->export = true;
        break;
    case COMMAND_PICTURE:
        editor->draw = true;
        break;
    case COMMAND_SCREENSHOT:
        editor->shoot = true;
        break;
    case COMMAND_VIEW:
        editor->scene.mode = (editor->scene.mode + 1) % VIEW_MODES;
        break;
    case COMMAND_FRAME_ALL:
        frameBox(editor, editor->low, editor->high);
        break;
    case COMMAND_FRAME_PICK:
        framePick(editor);
        break;
    case COMMAND_PANELS:
        hud->hidden = !hud->hidden;
        break;
    case COMMAND_NUMBERS:
        hud->numbers = !hud->numbers;
        break;
    case COMMAND_TEXT_SMALLER:
    case COMMAND_TEXT_LARGER:
        hud->zoom = fminf(fmaxf((hud->zoom > 0 ? hud->zoom : 1) *
                                    (command == COMMAND_TEXT_LARGER ? 1.34f : 0.75f),
                                0.5f),
                          4);
        break;
    case COMMAND_HELP:
        hud->help = !hud->help;
        break;
    case COMMAND_CANCEL:
        if (hud->help) {
            hud->help = false;
        } else if (!toolsCancel(&editor->tools)) {
            leave(editor);
        }
        break;
    case COMMAND_QUIT:
        leave(editor);
        break;
    default:
        (void)toolsCommand(&editor->tools, editor->world, command);
        break;
    }
}

/* What the mouse does on panels. False: it is on one, or holds one, and means nothing else. */
static bool usePanels(Editor *editor) {
    const Input *input = &editor->input;
    HudArea area;
    float fraction = 0;
    const bool over = hudFind(&editor->hud, &editor->text,
                              input->cursor[0] * (float)editor->swapchain.width,
                              input->cursor[1] * (float)editor->swapchain.height, &area, &fraction);
    if (input->pressed) {
        editor->grabbed = over ? area : (HudArea){0};
    }
    if (input->pressed && over && area.command == COMMAND_COLOR_SET) {
        editor->tools.color = area.value;
    } else if (input->pressed && over && area.command != COMMAND_CHANNEL) {
        runCommand(editor, area.command);
    }
    if ((input->held || input->pressed) && over && area.command == COMMAND_CHANNEL &&
        editor->grabbed.command == COMMAND_CHANNEL && editor->grabbed.value == area.value) {
        setChannel(editor, area.value, fraction);
    }
    editor->onPanel = over && !toolsBusy(&editor->tools);
    return !over && !editor->asked;
}

/* ---- A frame ------------------------------------------------------------------------------- */

static void recordPicture(Editor *editor) {
    Gpu *gpu = &editor->gpu;
    const GpuSwapchain *swapchain = &editor->swapchain;
    View view = viewFrom(&editor->scene, &editor->camera, swapchain->width, swapchain->height);
    const WorldRef world = worldRef(editor->world);
    view.masks = worldMasks(editor->world);
    view.flags |= VIEW_COUNTS | (swapchain->blueFirst ? VIEW_BLUE_FIRST : 0);
    if (!editor->onPanel && !editor->asked && !editor->input.drag) {
        toolsShow(&editor->tools, editor->world, &editor->source, &view);
    }
    gpuTimestamp(gpu, STAMP_TRACE);
    tracerCmdDraw(&editor->tracer, &world, &view);
    gpuTimestamp(gpu, STAMP_TRACED);
    takeNumbers(editor);
    hudWrite(&editor->hud, &editor->text, &editor->numbers, &editor->tools, &editor->source,
             editor->scene.mode, editor->input.seconds);
    textCmdDraw(&editor->text, &editor->tracer.pixels, swapchain->width, swapchain->height,
                swapchain->blueFirst,
                hudScale(&editor->hud, editor->input.scale, swapchain->height));
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
    const bool points = usePanels(editor) && !editor->input.drag;
    toolsFrame(&editor->tools, editor->world, frame, &editor->camera, &editor->input, points);
    if (editor->tools.words) {
        hudSay(&editor->hud, HUD_WARNING, "%s", editor->tools.words);
        editor->tools.words = NULL;
    }
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

/* ---- Between frames: waits for the device and for the disk --------------------------------- */

static bool save(Editor *editor) {
    const bool saved = documentSave(&editor->document, editor->world, &editor->source);
    say(editor, saved, saved ? "saved:" : "not saved:", editor->document.path);
    return saved;
}

static void export(Editor *editor) {
    char path[DOCUMENT_PATH];
    Output output;
    documentFreeName(&editor->document, ".vox", path);
    const bool written = outputOpen(path, &output) &&
                         buildExport(editor->world, &editor->source, output.file, path) &&
                         outputKeep(&output);
    outputClose(&output);
    say(editor, written, written ? "exported:" : "not exported:", path);
}

/* The picture as it is, without what lies over it, as fine as the program draws. */
static bool drawFine(Editor *editor) {
    const GpuSwapchain *swapchain = &editor->swapchain;
    const WorldRef world = worldRef(editor->world);
    char path[256];
    Picture picture = {0};
    View view = viewFrom(&editor->scene, &editor->camera, swapchain->width, swapchain->height);
    view.masks = worldMasks(editor->world);
    view.samples = editor->settings->samples;
    Tracer tracer = {0};
    const bool drawn = tracerCreate(&editor->gpu, editor->settings->fragment, view.samples > 1,
                                    swapchain->width, swapchain->height, &tracer) &&
                       tracerPicture(&tracer, &world, &view, 1, &picture);
    const bool written = drawn && shotsWrite(&editor->shots, picture.pixels.mapped,
                                             swapchain->width, swapchain->height, path);
    pictureDestroy(&editor->gpu, &picture);
    tracerDestroy(&tracer);
    if (drawn) {
        say(editor, written, written ? "picture:" : "the picture could not be written", path);
    }
    return drawn;
}

/* Another file, or the lost work on this one, in place of what there is. False: that cannot be had
 * any more. */
static bool openSource(Editor *editor, const SourceOptions *options) {
    Source source;
    if (!sourceOpen(options, &source)) {
        hudSay(&editor->hud, HUD_WARNING, "%.120s cannot be opened: the terminal says why",
               options->vox ? options->vox : options->load);
        return true;
    }
    (void)vkDeviceWaitIdle(editor->gpu.device);
    worldDestroy(editor->world);
    sourceClose(&editor->source);
    editor->source = source;
    if (!openWorld(editor)) {
        return false;
    }
    start(editor);
    return true;
}

static bool openWanted(Editor *editor) {
    const size_t length = strlen(editor->wanted);
    const bool vox = length > 4 && strcmp(editor->wanted + length - 4, ".vox") == 0;
    const SourceOptions options = {.vox = vox ? editor->wanted : NULL,
                                   .load = vox ? NULL : editor->wanted};
    const World *before = editor->world;
    const bool fine = openSource(editor, &options);
    if (fine && editor->world != before) {
        documentOpen(&editor->document, &options, NULL, editor->settings->autosave);
        setTitle(editor);
        if (documentIsLost(&editor->document)) {
            question(editor, ASKED_RECOVER);
        }
    }
    return fine;
}

static bool betweenFrames(Editor *editor) {
    Document *document = &editor->document;
    bool fine = true;
    if (editor->save && !save(editor)) { /* what should come after it does not */
        editor->leaves = editor->opens = false;
    }
    if (editor->export) {
        export(editor);
    }
    if (editor->draw) {
        fine = drawFine(editor);
    }
    if (fine && editor->recovers) {
        fine = openSource(editor, &(SourceOptions){.load = document->autosave});
        documentChanged(document);
    }
    if (fine && editor->opens) {
        fine = openWanted(editor);
    }
    if (fine && !toolsBusy(&editor->tools) &&
        !documentWait(document, editor->world, &editor->source, editor->input.seconds)) {
        say(editor, false, "cannot be written:", document->autosave);
    }
    editor->save = editor->export = editor->draw = editor->recovers = editor->opens = false;
    if (fine && document->unsaved != editor->titled) {
        setTitle(editor);
    }
    return fine;
}

static bool runFrame(Editor *editor) {
    const Input *input = &editor->input;
    GpuSwapchain *swapchain = &editor->swapchain;
    windowPoll(editor->window, swapchain->width == 0 && editor->frames.count > 0, &editor->input);
    if (input->quit) {
        leave(editor);
    }
    if (input->dropped[0]) {
        (void)snprintf(editor->wanted, sizeof editor->wanted, "%s", input->dropped);
        open(editor);
    }
    if (editor->leaves || input->width == 0 || input->height == 0) {
        return true;
    }
    if ((editor->stale || swapchain->width != input->width || swapchain->height != input->height) &&
        !resize(editor)) {
        return false;
    }
    if (swapchain->width == 0) {
        return true;
    }
    moveView(editor);
    return takeFrame(editor) && show(editor) && betweenFrames(editor);
}

bool editorRun(const Settings *settings) {
    Editor *editor = calloc(1, sizeof *editor);
    if (!editor) {
        return sayError("no memory");
    }
    editor->settings = settings;
    bool done = openEditor(editor) && openWorld(editor);
    editor->scene.mode = settings->mode;
    documentOpen(&editor->document, &settings->source, settings->save, settings->autosave);
    if (done) {
        start(editor);
        if (documentIsLost(&editor->document)) {
            question(editor, ASKED_RECOVER);
        }
    }
    while (done && !editor->leaves) {
        done = runFrame(editor);
    }
    closeEditor(editor);
    if (editor->gpu.messages) {
        done = sayError("the validation layers had %u messages", editor->gpu.messages);
    }
    free(editor);
    return done;
}
