/* SPDX-License-Identifier: MIT */
#include "window.h"

#include "common/clock.h"
#include "common/message.h"
#include "common/unique_path.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_ZOOM = -24, MOST_ZOOM = 48 };
enum { FRAMES = GPU_FRAMES + 1 }; /* until all input is shown and all results are reported */

double windowStep(const Window *window) {
    return exp2(window->look.zoom / 4);
}

static double sizeOf(const Window *window, int axis) {
    return axis ? window->swapchain.height : window->swapchain.width;
}

CanvasPlace windowPlace(const Window *window, const double at[2]) {
    const double step = windowStep(window), *middle = window->look.middle;
    return canvasPlace(middle[0] + (at[0] - sizeOf(window, 0) / 2) * step,
                       middle[1] + (at[1] - sizeOf(window, 1) / 2) * step);
}

CanvasView windowView(const Window *window, const Canvas *canvas) {
    return canvasView(canvas, canvasPlace(window->look.middle[0], window->look.middle[1]),
                      windowStep(window), window->swapchain.width, window->swapchain.height);
}

void windowExport(Window *window, CanvasView view, uint32_t flags) {
    char name[PLACES_PATH];
    view.flags = flags | window->hidden;
    nameFree("murcanvas.png", NULL, name, PLACES_PATH);
    hudPrint(&window->hud, painterWrite(window->painter, &view, name), "picture", name);
}

/* Exports the dragged rectangle into a new file. */
static void writeRectangle(Window *window) {
    const CanvasPlace from = windowPlace(window, window->pressed),
                      to = windowPlace(window, window->gpu.cursor);
    CanvasPlace middle;
    uint32_t size[2];
    for (int i = 0; i < 2; ++i) {
        const int32_t a = from.at[i] / (int)CANVAS_FRACTION, b = to.at[i] / (int)CANVAS_FRACTION;
        middle.at[i] = (a + b) * (int)(CANVAS_FRACTION / 2);
        size[i] = (uint32_t)abs(b - a);
    }
    windowExport(window, canvasView(NULL, middle, 1, size[0], size[1]), 0);
}

void windowShowAll(Window *window) {
    uint32_t low[2], high[2];
    Look *look = &window->look;
    double step = 1.0 / 16;
    if (memcmp(look, &window->home, sizeof *look) == 0 ||
        !painterBounds(window->painter, low, high)) {
        low[0] = low[1] = 0;
        high[0] = high[1] = CANVAS_SIDE;
    }
    for (int i = 0; i < 2; ++i) {
        const double least = fmax(64, fmin(sizeOf(window, 0), sizeOf(window, 1)));
        const double room = high[0] - low[0] == CANVAS_SIDE ? least : fmax(64, sizeOf(window, i));
        look->middle[i] = (low[i] + high[i]) * (CANVAS_TILE / 2.0);
        step = fmax(step, (high[i] - low[i]) * (double)CANVAS_TILE / room);
    }
    look->zoom = ceil(4 * log2(step));
    window->home = *look;
}

/* ---- Input ---------------------------------------------------------------------------------- */

static void onCharacter(void *user, unsigned character) {
    Window *window = user;
    if (window->hud.dialog.open) {
        dialogType(&window->hud.dialog, character);
    }
}

static void onKey(void *user, int key, char letter, int mods) {
    commandDo(user, widgetCommand(key, letter, (mods & GLFW_MOD_CONTROL) != 0,
                                  (mods & GLFW_MOD_SHIFT) != 0));
}

static void beginStroke(Window *window) {
    CanvasBrush brush = window->brush;
    if (16 * brush.radius < CANVAS_FRACTION * windowStep(window)) { /* an eighth of a pixel wide */
        hudSay(&window->hud, HUD_WARNING,
               "The brush is too thin to be seen here: zoom in, or make it larger");
        return;
    }
    if (window->hidden & CANVAS_HIDES << brush.layer) {
        hudSay(&window->hud, HUD_WARNING, "%s",
               widgetSays("this layer is hidden: # shows it", COMMAND_LAYER_HIDE));
        return;
    }
    if (!window->erases) {
        replayColor(colorGet(window->rgb, window->hsv, COLOR_RGB), brush.color);
    }
    window->drag = DRAG_PAINT;
    window->changed = true;
    (void)strokesBegin(&window->painter->strokes, &brush, windowPlace(window, window->gpu.cursor));
}

static void onButton(void *user, int button, bool pressed, int mods) {
    Window *window = user;
    const bool left = button == GLFW_MOUSE_BUTTON_LEFT;
    if (!pressed) {
        if (left == (window->drag == DRAG_PAN)) {
            return; /* another button's drag goes on */
        }
        if (window->drag == DRAG_PAINT) {
            (void)strokesTo(&window->painter->strokes, windowPlace(window, window->gpu.cursor));
        }
        if (window->drag == DRAG_RECTANGLE) {
            writeRectangle(window);
        }
        window->drag = DRAG_NONE;
    } else if (window->drag == DRAG_NONE && !(left && panelsPress(window))) {
        memcpy(window->pressed, window->gpu.cursor, sizeof window->pressed);
        if (!left) {
            window->drag = DRAG_PAN;
        } else if (mods & GLFW_MOD_CONTROL) {
            commandDo(window, COMMAND_COLOR_PICK);
        } else if (mods & GLFW_MOD_SHIFT) {
            window->drag = DRAG_RECTANGLE;
        } else {
            beginStroke(window);
        }
    }
}

static void onCursor(void *user, double x, double y) {
    Window *window = user;
    if (window->drag == DRAG_PAN) {
        window->look.middle[0] -= x * windowStep(window);
        window->look.middle[1] -= y * windowStep(window);
    } else if (window->drag == DRAG_PAINT) {
        (void)strokesCurve(&window->painter->strokes, windowPlace(window, window->gpu.cursor));
    } else if (window->drag == DRAG_BAR) {
        panelsDrag(window);
    }
}

/* Zooms around the cursor. There and back again is the same view. */
static void onScroll(void *user, double steps) {
    Window *window = user;
    Look *look = &window->look;
    const double before = windowStep(window);
    if (window->hud.dialog.open) {
        dialogMove(&window->hud.dialog, steps < 0);
        return;
    }
    window->scrolled = steps * window->scrolled < 0 ? steps : window->scrolled + steps;
    const double whole = trunc(window->scrolled); /* touchpads send fractions */
    window->scrolled -= whole;
    look->zoom = fmin(fmax(look->zoom - whole, LEAST_ZOOM), MOST_ZOOM);
    for (int i = 0; i < 2; ++i) {
        const double way = window->gpu.cursor[i] - sizeOf(window, i) / 2;
        look->middle[i] += way * (before - windowStep(window));
        if (fmod(look->zoom, 4) == 0) {
            look->middle[i] = rint(look->middle[i] * CANVAS_FRACTION) / CANVAS_FRACTION;
        }
    }
}

/* ---- The window ----------------------------------------------------------------------------- */

Window *windowOpen(uint32_t width, uint32_t height, GpuOptions *options) {
    static const GpuWindowEvents events = {.key = onKey,
                                           .character = onCharacter,
                                           .button = onButton,
                                           .cursor = onCursor,
                                           .scroll = onScroll};
    static Window window = {.gpu = {.events = &events},
                            .brush = {.radius = 16 * CANVAS_FRACTION,
                                      .hardness = CANVAS_ONE / 2,
                                      .opacity = CANVAS_ONE,
                                      .flow = CANVAS_ONE},
                            .other = 0xFFFFFF,
                            .hud = {.folder = "./"}};
    window.gpu.user = &window;
    colorSet(window.rgb, window.hsv, COLOR_RGB, 0x3070D0);
    hudSay(&window.hud, HUD_PLAIN, "%s", widgetSays("# shows the keys", COMMAND_HELP));
    return gpuOpenWindow(&window.gpu, "murcanvas", width, height, "--screenshot", options) ? &window
                                                                                           : NULL;
}

void windowClose(Window *window, Painter *painter) {
    painterLeave(painter);
    if (painter->gpu.device) {
        textDestroy(&window->text);
        gpuDestroySwapchain(&painter->gpu, &window->swapchain);
    }
    painterClose(painter);
    dialogClose(&window->hud.dialog);
    gpuCloseWindow(&window->gpu);
}

static bool draw(void *user, VkSemaphore acquired, VkSemaphore drawn) {
    Window *window = user;
    Painter *painter = window->painter;
    GpuSwapchain *swapchain = &window->swapchain;
    const CanvasContent *now = &painter->canvas.now;
    const uint64_t lost = painter->strokes.lost;
    CanvasView view = windowView(window, &painter->canvas);
    view.flags = window->hidden | (swapchain->blueFirst ? CANVAS_BLUE_FIRST : 0);
    panelsWrite(window);
    if (window->drag != DRAG_PAN && !panelsCover(window)) {
        const double step = CANVAS_FRACTION * windowStep(window);
        view.ring = (uint32_t)fmax(2, window->brush.radius / step);
        view.ringAt[0] = (int32_t)window->gpu.cursor[0];
        view.ringAt[1] = (int32_t)window->gpu.cursor[1];
    }
    if (!painterBegin(painter, false)) {
        return false;
    }
    if (painter->strokes.lost > lost) {
        hudSay(&window->hud, HUD_WARNING, "%s",
               now->applied - now->dropped > 2
                   ? "No room is left but that of undo. Ctrl+Z takes this stroke back; F lets the "
                     "next one take the room of the oldest half of undo"
                   : sayLast());
    }
    canvasCmdView(&painter->canvas, &view, &swapchain->pixels);
    textCmdDraw(&window->text, &swapchain->pixels, swapchain->blueFirst);
    gpuCmdShow(&painter->gpu, swapchain);
    return painterEnd(painter, acquired, drawn);
}

static void showTitle(Window *window) {
    const Painter *painter = window->painter;
    char name[PLACES_PATH + 16];
    (void)snprintf(name, sizeof name, "%s%s",
                   painter->path[0] ? fileName(painter->path) : "new painting",
                   painterReads(painter) ? " (read only)" : "");
    gpuTitleWindow(&window->gpu, "murcanvas", name, window->changed);
}

/* Begins with a view, or that of the last save, or of the middle. */
static void begin(Window *window, const ReplayView *view) {
    const Painter *painter = window->painter;
    const CanvasContent *now = &painter->canvas.now;
    window->look = (Look){{CANVAS_PIXELS / 2, CANVAS_PIXELS / 2}, 0};
    if (view) {
        window->look = (Look){{view->x, view->y}, rint(4 * log2(view->step))};
    } else if (now->looked) {
        window->look = (Look){
            {now->look[0] / (double)CANVAS_FRACTION, now->look[1] / (double)CANVAS_FRACTION},
            now->zoom};
    }
    window->home.zoom = LEAST_ZOOM - 1;
    window->painter->canvas.asks = true;
    if (painterReads(painter)) {
        hudSay(&window->hud, HUD_WARNING, "Another program has this file open: %s",
               widgetSays("# saves a copy", COMMAND_SAVE));
    }
    if (painter->store && painter->store->isFile) {
        placesRemember(painter->path);
    }
}

/* Opens the next painting or, if it cannot be opened, a new one. */
static bool openNext(Window *window, const CanvasInfo *info) {
    const char *path = window->next[0] ? window->next : NULL;
    painterLeave(window->painter);
    bool done = fileOpen(window->painter, NULL, path, *info);
    if (!done) {
        hudSay(&window->hud, HUD_WARNING, "%s", sayLast());
        painterLeave(window->painter);
        done = fileOpen(window->painter, NULL, NULL, *info);
    }
    window->opens = window->changed = false;
    window->frames = FRAMES;
    begin(window, NULL);
    return done;
}

bool windowRun(Window *window, Painter *painter, const CanvasInfo *info, const ReplayView *view) {
    GpuWindow *gpu = &window->gpu;
    GpuSwapchain *swapchain = &window->swapchain;
    bool done = textCreate(&painter->gpu, &window->text);
    window->painter = painter;
    window->time = secondsNow();
    begin(window, view);
    while (done && !window->leaves) {
        if (gpuIsStale(swapchain, gpu->width, gpu->height)) {
            done = gpuCreateSwapchain(&painter->gpu, gpu->width, gpu->height, true, swapchain);
            window->frames = FRAMES;
        }
        hudPass(&window->hud, secondsNow() - window->time);
        window->time = secondsNow();
        if (gpu->came || window->hud.news || strokesWait(&painter->strokes)) {
            window->frames = FRAMES;
        }
        if (!window->frames && painter->logged && fileFlush(painter)) {
            hudPrint(&window->hud, true, "saved", painter->path);
        }
        showTitle(window);
        const bool draws = done && window->frames && swapchain->width;
        gpu->came = false;
        gpuPollWindow(gpu, !draws);
        if (gpu->close) {
            gpu->close = false;
            commandDo(window, COMMAND_CANCEL); /* closes a question, and ends the stroke */
            commandDo(window, COMMAND_QUIT);
        }
        if (window->opens) {
            done = openNext(window, info);
        } else if (draws) {
            --window->frames;
            done = gpuShowFrame(&painter->gpu, &painter->inFlight, swapchain, draw, window);
        }
    }
    return done;
}
