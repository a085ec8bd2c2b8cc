/* SPDX-License-Identifier: MIT */
#include "window_internal.h"

#include "common/message.h"
#include "common/unique_path.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_ZOOM = -24, MOST_ZOOM = 48 };
enum { FRAMES = GPU_FRAMES + 1 }; /* until all input is shown and all results are reported */

static const char question[] =
    "The painting is not saved: again to leave, Esc to stay, Ctrl+S to save";

static const char thin[] = "The brush is too thin to be seen here: zoom in, or make it larger";

static const char full[] =
    "No room is left but that of undo. Ctrl+Z takes this stroke back; F lets the "
    "next one take the room of the oldest half of undo";

/* Shows a success, also on standard output, or the last error. */
static void tell(Window *window, bool done, const char *what, const char *name) {
    window->message = sayLast();
    if (done) {
        (void)snprintf(window->told, sizeof window->told, "%s: %s", what, name);
        (void)printf("%s\n", window->told);
        (void)fflush(stdout);
        window->message = window->told;
    }
}

double windowStep(const Window *window) {
    return exp2(window->zoom / 4.0);
}

static double sizeOf(const Window *window, int axis) {
    return axis ? window->swapchain.height : window->swapchain.width;
}

CanvasPlace windowPlace(const Window *window, const double at[2]) {
    const double step = windowStep(window);
    return canvasPlace(window->middle[0] + (at[0] - sizeOf(window, 0) / 2) * step,
                       window->middle[1] + (at[1] - sizeOf(window, 1) / 2) * step);
}

static uint32_t scaled(uint32_t value, double factor, uint32_t low, uint32_t high) {
    const double next = value * factor;
    return next < low ? low : next > high ? high : (uint32_t)next;
}

/* ---- Input ---------------------------------------------------------------------------------- */

void windowColor(Window *window, uint32_t rgb) {
    mixerSet(&window->color, COLOR_RGB, rgb);
    window->erases = false;
}

void windowAsk(Window *window, bool names) {
    const Painter *painter = window->painter;
    char words[16];
    (void)snprintf(words, sizeof words, "#%06X", mixerColor(&window->color));
    window->names = names;
    if (names) {
        dialogAsk(&window->dialog, "Save as", painter->path ? painter->path : "painting.murcanvas");
    } else {
        dialogAsk(&window->dialog, "Red, green and blue of the colour", words);
    }
}

/* Picks the colour under the cursor. */
static void takeColor(Window *window) {
    const CanvasPlace place = windowPlace(window, window->gpu.cursor);
    const CanvasView view = canvasView(NULL, place, windowStep(window), 1, 1);
    GpuBuffer picture = {0};
    if (painterSee(window->painter, &view, &picture)) {
        const uint8_t *seen = picture.mapped;
        windowColor(window, (uint32_t)seen[0] << 16 | (uint32_t)seen[1] << 8 | seen[2]);
    }
    gpuDestroyBuffer(&window->painter->gpu, &picture);
}

static void export(Window *window, const CanvasView *view) {
    char name[WINDOW_NAME];
    nameFree("murcanvas.png", NULL, name, WINDOW_NAME);
    tell(window, painterWrite(window->painter, view, name), "picture", name);
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
    const CanvasView view = canvasView(NULL, middle, 1, size[0], size[1]);
    export(window, &view);
}

/* Exports the view without paper into a new file. */
static void exportView(Window *window) {
    CanvasView view = canvasView(
        &window->painter->canvas, canvasPlace(window->middle[0], window->middle[1]),
        windowStep(window), window->swapchain.width, window->swapchain.height);
    view.flags = CANVAS_ALPHA;
    export(window, &view);
}

/* Saves into the painting's file, or a new one; if as is given, under this name. */
static void save(Window *window, const char *as) {
    Painter *painter = window->painter;
    CanvasContent *now = &painter->canvas.now;
    const CanvasPlace look = canvasPlace(window->middle[0], window->middle[1]);
    window->drag = DRAG_NONE;
    memcpy(now->look, look.at, sizeof now->look);
    now->zoom = window->zoom;
    now->looked = 1;
    char *name = window->name[painter->path == window->name[0]]; /* the other one is in use */
    if (as) {
        (void)snprintf(name, WINDOW_NAME, "%s", as);
    } else if (!painter->database && !painter->store) {
        nameFree("painting.murcanvas", NULL, name, WINDOW_NAME);
        painter->path = name;
    }
    const bool done = as ? fileSaveAs(painter, name) : fileSave(painter);
    window->changed = window->changed && !done;
    tell(window, done, "saved", painter->path);
    window->message = painter->logged ? sayLast() : window->message;
}

/* Accepts the dialog's text, or leaves the dialog open with a note. */
static void take(Window *window) {
    Dialog *dialog = &window->dialog;
    char name[WINDOW_NAME];
    uint32_t rgb;
    const bool right = window->names ? dialog->text[0] && !nameTaken(dialog->text)
                                     : colorRead(dialog->text, &rgb);
    if (!right) {
        (void)snprintf(dialog->note, sizeof dialog->note, "%s",
                       window->names ? "there is such a file: it needs another name"
                                     : "that is no colour: #FF8000 is orange");
        return;
    }
    (void)snprintf(name, sizeof name, "%s", dialog->text);
    dialogClose(dialog);
    if (window->names) {
        save(window, name);
    } else {
        windowColor(window, rgb);
    }
}

static void onDialog(Window *window, int key, char letter, int mods) {
    const char *text = (mods & GLFW_MOD_CONTROL) && letter == 'v'
                           ? glfwGetClipboardString(window->gpu.handle)
                           : NULL;
    if (text) {
        dialogPaste(&window->dialog, text);
    } else if (key == GLFW_KEY_ESCAPE) {
        dialogClose(&window->dialog);
    } else if (key == GLFW_KEY_ENTER || key == GLFW_KEY_KP_ENTER) {
        take(window);
    } else if (key == GLFW_KEY_BACKSPACE) {
        dialogBack(&window->dialog);
    }
}

/* Shows the painted area; the whole canvas, if the view shows that area already or it is empty. */
static void showAll(Window *window) {
    uint32_t low[2], high[2];
    const bool again = memcmp(window->middle, window->shown, sizeof window->shown) == 0 &&
                       window->zoom == window->shownZoom;
    double step = 1.0 / 16;
    if (again || !painterBounds(window->painter, low, high)) {
        low[0] = low[1] = 0;
        high[0] = high[1] = CANVAS_SIDE;
    }
    for (int i = 0; i < 2; ++i) {
        const double least = fmax(64, fmin(sizeOf(window, 0), sizeOf(window, 1)));
        const double room = high[0] - low[0] == CANVAS_SIDE ? least : fmax(64, sizeOf(window, i));
        window->middle[i] = window->shown[i] = (low[i] + high[i]) * (CANVAS_TILE / 2.0);
        step = fmax(step, (high[i] - low[i]) * (double)CANVAS_TILE / room);
    }
    window->zoom = window->shownZoom = (int)ceil(4 * log2(step));
}

/* Leaves, after a question if anything has changed since it was saved. */
static void leave(Window *window) {
    window->leaves = !window->changed || window->message == question;
    window->message = question;
}

/* A question about the state before the change is asked again. */
static void change(Window *window) {
    window->changed = true;
    window->message = window->message == question ? NULL : window->message;
}

static void onControl(Window *window, char letter, bool shift) {
    if (letter == 'q') {
        leave(window);
    } else if (letter == 's' && (shift || window->painter->reads)) {
        windowAsk(window, true);
    } else if (letter == 's') {
        save(window, NULL);
    } else if (letter == 'c' && shift) {
        windowAsk(window, false);
    } else if (letter == 'e') {
        exportView(window);
    } else if (letter == 'y' || letter == 'z') {
        window->drag = DRAG_NONE;
        change(window);
        Strokes *strokes = &window->painter->strokes;
        (void)(letter == 'y' || shift ? strokesAsk(strokes, STROKE_REDO)
                                      : strokesTakeBack(strokes));
    }
}

static void onLetter(Window *window, char letter) {
    CanvasBrush *brush = &window->brush;
    const uint32_t most = CANVAS_MAX_RADIUS * CANVAS_FRACTION;
    if (letter >= '1' && letter < '1' + (int)CANVAS_LAYERS) {
        brush->layer = (uint32_t)(letter - '1');
    } else if (letter == 'b' || letter == 'e') {
        window->erases = letter == 'e';
    } else if (letter == '[' || letter == ']') {
        brush->radius = scaled(brush->radius, letter == '[' ? 0.8 : 1.25, 128, most);
    } else if (letter == '-' || letter == '=') {
        brush->opacity = scaled(brush->opacity, letter == '-' ? 0.8 : 1.25, 256, CANVAS_ONE);
    } else if (letter == ';' || letter == '\'') {
        brush->hardness = scaled(brush->hardness, letter == ';' ? 0.8 : 1.25, 256, CANVAS_ONE);
    } else if (letter == '0') {
        window->zoom = 0;
    } else if (letter == 'c') {
        window->mixes = !window->mixes;
    } else if (letter == 'f') {
        window->painter->canvas.agreed = true;
        window->message = "The next stroke may take the room of the oldest half of undo";
    }
}

static void onCharacter(void *user, unsigned character) {
    Window *window = user;
    if (window->dialog.open) {
        dialogType(&window->dialog, character);
    }
}

static void onKey(void *user, int key, char letter, int mods) {
    Window *window = user;
    if (window->dialog.open) {
        onDialog(window, key, letter, mods);
    } else if (key == GLFW_KEY_ESCAPE) {
        if (window->message != question && !window->helps) {
            window->drag = DRAG_NONE;
            strokesStop(&window->painter->strokes);
        }
        window->message = NULL;
        window->helps = false;
    } else if (key == GLFW_KEY_F1) {
        window->helps = !window->helps;
    } else if (key == GLFW_KEY_HOME) {
        showAll(window);
    } else if (mods & GLFW_MOD_CONTROL) {
        onControl(window, letter, (mods & GLFW_MOD_SHIFT) != 0);
    } else {
        onLetter(window, letter);
    }
}

static void beginStroke(Window *window) {
    CanvasBrush brush = window->brush;
    if (16 * brush.radius < CANVAS_FRACTION * windowStep(window)) { /* an eighth of a pixel wide */
        window->message = thin;
        return;
    }
    window->message = window->message == thin ? NULL : window->message;
    if (!window->erases) {
        replayColor(mixerColor(&window->color), brush.color);
    }
    window->drag = DRAG_PAINT;
    change(window);
    (void)strokesBegin(&window->painter->strokes, &brush, windowPlace(window, window->gpu.cursor));
}

static void onButton(void *user, int button, bool pressed, int mods) {
    Window *window = user;
    const bool left = button == GLFW_MOUSE_BUTTON_LEFT;
    if (window->dialog.open) {
        return;
    }
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
            takeColor(window);
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
        window->middle[0] -= x * windowStep(window);
        window->middle[1] -= y * windowStep(window);
    } else if (window->drag == DRAG_PAINT) {
        (void)strokesCurve(&window->painter->strokes, windowPlace(window, window->gpu.cursor));
    } else if (window->drag == DRAG_MIX) {
        (void)mixerDrag(&window->color, &window->text, window->gpu.cursor, false);
    }
}

/* Zooms around the cursor. There and back again is the same view. */
static void onScroll(void *user, double steps) {
    Window *window = user;
    const double before = windowStep(window);
    window->scrolled = steps * window->scrolled < 0 ? steps : window->scrolled + steps;
    const int whole = (int)window->scrolled; /* touchpads send fractions */
    const int zoom = window->zoom - whole;
    window->scrolled -= whole;
    window->zoom = zoom < LEAST_ZOOM ? LEAST_ZOOM : zoom > MOST_ZOOM ? MOST_ZOOM : zoom;
    for (int i = 0; i < 2; ++i) {
        const double way = window->gpu.cursor[i] - sizeOf(window, i) / 2;
        window->middle[i] += way * (before - windowStep(window));
        if (window->zoom % 4 == 0) {
            window->middle[i] = rint(window->middle[i] * CANVAS_FRACTION) / CANVAS_FRACTION;
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
                                      .opacity = CANVAS_ONE},
                            .message = "F1 shows the keys"};
    window.gpu.user = &window;
    windowColor(&window, 0x3070D0);
    return gpuOpenWindow(&window.gpu, "murcanvas", width, height, "--screenshot", options) ? &window
                                                                                           : NULL;
}

void windowClose(Window *window, Painter *painter) {
    if (window && painter->gpu.device) {
        (void)vkDeviceWaitIdle(painter->gpu.device);
        textDestroy(&window->text);
        dialogClose(&window->dialog);
        gpuDestroySwapchain(&painter->gpu, &window->swapchain);
    }
    painterClose(painter); /* before what its surface is of */
    if (window) {
        gpuCloseWindow(&window->gpu);
    }
}

/* lost: the count before this frame. */
static void showLosses(Window *window, uint64_t lost) {
    const CanvasContent *now = &window->painter->canvas.now;
    if (window->message != question && window->painter->strokes.lost > lost) {
        window->message = now->applied - now->dropped > 2 ? full : sayLast();
    }
}

static bool draw(void *user, VkSemaphore acquired, VkSemaphore drawn) {
    Window *window = user;
    Painter *painter = window->painter;
    GpuSwapchain *swapchain = &window->swapchain;
    CanvasView view = canvasView(&painter->canvas,
                                 canvasPlace(window->middle[0], window->middle[1]),
                                 windowStep(window), swapchain->width, swapchain->height);
    view.flags = swapchain->blueFirst ? CANVAS_BLUE_FIRST : 0;
    if (window->drag != DRAG_PAN) {
        const double step = CANVAS_FRACTION * windowStep(window);
        view.ring = scaled(window->brush.radius, 1 / step, 2, 1u << 20);
        view.ringAt[0] = (int32_t)window->gpu.cursor[0];
        view.ringAt[1] = (int32_t)window->gpu.cursor[1];
    }
    const uint64_t lost = painter->strokes.lost;
    if (!painterBegin(painter, false)) {
        return false;
    }
    showLosses(window, lost);
    panelsWrite(window);
    canvasCmdView(&painter->canvas, &view, &swapchain->pixels);
    textCmdDraw(&window->text, &swapchain->pixels, swapchain->blueFirst);
    gpuCmdShow(&painter->gpu, swapchain);
    return painterEnd(painter, acquired, drawn);
}

bool windowRun(Window *window, Painter *painter, const ReplayView *view) {
    const CanvasContent *now = &painter->canvas.now;
    window->painter = painter;
    painter->canvas.asks = true;
    window->middle[0] = view->step > 0 ? view->x : now->look[0] / (double)CANVAS_FRACTION;
    window->middle[1] = view->step > 0 ? view->y : now->look[1] / (double)CANVAS_FRACTION;
    window->zoom = view->step > 0 ? (int)lrint(4 * log2(view->step)) : now->zoom;
    if (painter->reads) {
        window->message = "Another program has this file open: Ctrl+S saves a copy";
    }
    bool done = textCreate(&painter->gpu, &window->text);
    while (done && !window->leaves) {
        GpuSwapchain *swapchain = &window->swapchain;
        const GpuWindow *gpu = &window->gpu;
        if (gpuIsStale(swapchain, gpu->width, gpu->height)) {
            done = gpuCreateSwapchain(&painter->gpu, gpu->width, gpu->height, true, swapchain);
            window->frames = FRAMES;
        }
        if (gpu->came || strokesWait(&painter->strokes)) {
            window->frames = FRAMES;
        }
        if (!window->frames && painter->logged && fileFlush(painter)) {
            tell(window, true, "saved", painter->path);
            window->frames = FRAMES;
        }
        panelsTitle(window);
        const bool draws = done && window->frames && swapchain->width;
        window->gpu.came = false;
        gpuPollWindow(&window->gpu, !draws);
        if (gpu->close) {
            window->gpu.close = false;
            leave(window);
        }
        if (draws) {
            --window->frames;
            done = gpuShowFrame(&painter->gpu, &painter->inFlight, swapchain, draw, window);
        }
    }
    return done;
}
