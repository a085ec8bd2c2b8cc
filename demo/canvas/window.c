/* SPDX-License-Identifier: MIT */
#include "window.h"

#include "common/gpu_swapchain.h"
#include "common/gpu_window.h"
#include "common/unique_path.h"
#include "common/message.h"
#include "common/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLORS = 24, LEAST_ZOOM = -24, MOST_ZOOM = 48, NAME = 120 };
enum { FRAMES = GPU_FRAMES + 1 }; /* until all that has come is seen, and told */
enum { WHITE = 0xF0F0F0, DIM = 0xA0A8B0, YELLOW = 0xF0D060, ORANGE = 0xF0C080 };

typedef enum Drag { DRAG_NONE, DRAG_PAINT, DRAG_PAN, DRAG_RECTANGLE } Drag;

struct Window {
    GpuWindow gpu;
    Painter *painter;
    GpuSwapchain swapchain;
    Text text;
    double middle[2];  /* pixel of the painting that is there */
    int zoom;          /* pixels of it from pixel to pixel, as quarters of a power of two */
    double pressed[2]; /* where the button was */
    Drag drag;
    CanvasBrush brush; /* without a colour */
    uint32_t rgb;
    bool erases, leaves;
    bool changed;        /* since it was saved */
    uint32_t frames;     /* that are still to be drawn */
    const char *message; /* or NULL */
    char told[160], name[NAME];
};

/* From dark to light, and round the colours. */
static const uint32_t colors[COLORS] = {0x000000, 0x404040, 0x808080, 0xC0C0C0, 0xFFFFFF, 0x5A3420,
                                        0x8C5A30, 0xD2A070, 0x7A1010, 0xC02020, 0xF05030, 0xF09030,
                                        0xF0D040, 0xA0C030, 0x409030, 0x105020, 0x108080, 0x30B0C0,
                                        0x3070D0, 0x2040A0, 0x201860, 0x603090, 0xB040A0, 0xF090B0};

static const char help[] =
    "Left drag: paint; right or middle drag: move; wheel: zoom; Ctrl + click: take a colour; "
    "B, E: brush, eraser; [ ]: size; ; ': hardness; - =: opacity; 1 2 3 4: layer; Ctrl+Z, Ctrl+Y: "
    "undo, redo; Esc: end the stroke; Home: all of it; 0: pixel by pixel; Shift + left drag: write "
    "a rectangle as a PNG; Ctrl+S: save; Ctrl+Q: leave";
static const char question[] =
    "What was painted is not saved: again to leave, Esc to stay, Ctrl+S to save";

static const char thin[] = "The brush is too thin to be seen here: zoom in, or make it larger";

static const char forgotten[] =
    "The oldest strokes can no longer be undone: the painting needs their tiles";

/* Says what went well, on standard output, too, or what did not. */
static void tell(Window *window, bool done, const char *what, const char *name) {
    window->message = sayLast();
    if (done) {
        (void)snprintf(window->told, sizeof window->told, "%s: %s", what, name);
        (void)printf("%s\n", window->told);
        (void)fflush(stdout);
        window->message = window->told;
    }
}

static double stepOf(const Window *window) {
    return exp2(window->zoom / 4.0);
}

static double sizeOf(const Window *window, int axis) {
    return axis ? window->swapchain.height : window->swapchain.width;
}

/* The place of the painting under a place of the window. */
static CanvasPlace placeOf(const Window *window, const double at[2]) {
    const double step = stepOf(window);
    return canvasPlace(window->middle[0] + (at[0] - sizeOf(window, 0) / 2) * step,
                       window->middle[1] + (at[1] - sizeOf(window, 1) / 2) * step);
}

static uint32_t scaled(uint32_t value, double factor, uint32_t low, uint32_t high) {
    const double next = value * factor;
    return next < low ? low : next > high ? high : (uint32_t)next;
}

/* ---- What the user does --------------------------------------------------------------------- */

static void setColor(Window *window, uint32_t rgb) {
    window->rgb = rgb;
    window->erases = false;
}

/* The colour that is seen under the cursor. */
static void takeColor(Window *window) {
    const CanvasPlace place = placeOf(window, window->gpu.cursor);
    const CanvasView view = canvasView(NULL, place, stepOf(window), 1, 1);
    GpuBuffer picture = {0};
    if (painterSee(window->painter, &view, &picture)) {
        const uint8_t *seen = picture.mapped;
        setColor(window, (uint32_t)seen[0] << 16 | (uint32_t)seen[1] << 8 | seen[2]);
    }
    gpuDestroyBuffer(&window->painter->gpu, &picture);
}

/* From where the button was pressed to where it is, into a new file. */
static void writeRectangle(Window *window) {
    const CanvasPlace from = placeOf(window, window->pressed),
                      to = placeOf(window, window->gpu.cursor);
    CanvasPlace middle;
    uint32_t size[2];
    for (int i = 0; i < 2; ++i) {
        const int32_t a = from.at[i] / (int)CANVAS_FRACTION, b = to.at[i] / (int)CANVAS_FRACTION;
        middle.at[i] = (a + b) * (int)(CANVAS_FRACTION / 2);
        size[i] = (uint32_t)abs(b - a);
    }
    const CanvasView view = canvasView(NULL, middle, 1, size[0], size[1]);
    char name[NAME];
    nameFree("murcanvas.png", NULL, name, NAME);
    tell(window, painterWrite(window->painter, &view, name), "picture", name);
}

/* Into the file that was opened, or a new one. */
static void save(Window *window) {
    Painter *painter = window->painter;
    window->drag = DRAG_NONE;
    if (!painter->database) {
        nameFree("painting.murcanvas", NULL, window->name, NAME);
        painter->path = window->name;
    }
    const bool done = fileSave(painter);
    window->changed = window->changed && !done;
    tell(window, done, "saved", painter->path);
    window->message = painter->logged ? sayLast() : window->message;
}

/* Leaves, after a question if anything has changed since it was saved. */
static void leave(Window *window) {
    window->leaves = !window->changed || window->message == question;
    window->message = question;
}

/* Whoever was asked about what there was before is asked again. */
static void change(Window *window) {
    window->changed = true;
    window->message = window->message == question ? NULL : window->message;
}

static void onControl(Window *window, char letter, bool shift) {
    if (letter == 'q') {
        leave(window);
    } else if (letter == 's') {
        save(window);
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
    }
}

static void onKey(void *user, int key, char letter, int mods) {
    Window *window = user;
    if (key == GLFW_KEY_ESCAPE) {
        if (window->message != question && window->message != help) {
            window->drag = DRAG_NONE;
            strokesStop(&window->painter->strokes);
        }
        window->message = NULL;
    } else if (key == GLFW_KEY_F1) {
        window->message = window->message == help ? NULL : help;
    } else if (key == GLFW_KEY_HOME) { /* all of it */
        window->middle[0] = window->middle[1] = CANVAS_PIXELS / 2;
        window->zoom = (int)ceil(
            4 * log2(CANVAS_PIXELS / fmax(64, fmin(sizeOf(window, 0), sizeOf(window, 1)))));
    } else if (mods & GLFW_MOD_CONTROL) {
        onControl(window, letter, (mods & GLFW_MOD_SHIFT) != 0);
    } else {
        onLetter(window, letter);
    }
}

/* Was it a colour of the panel? */
static bool onPanel(Window *window) {
    uint32_t panel, row;
    float column;
    if (!textFind(&window->text, (float)window->gpu.cursor[0], (float)window->gpu.cursor[1], &panel,
                  &row, &column)) {
        return false;
    }
    const uint32_t index = row * 2 + (column >= 3 ? 1 : 0);
    if (panel == 0 && index < COLORS) {
        setColor(window, colors[index]);
    }
    return true;
}

static void beginStroke(Window *window) {
    CanvasBrush brush = window->brush;
    if (16 * brush.radius < CANVAS_FRACTION * stepOf(window)) { /* an eighth of a pixel wide */
        window->message = thin;
        return;
    }
    window->message = window->message == thin ? NULL : window->message;
    if (!window->erases) {
        replayColor(window->rgb, brush.color);
    }
    window->drag = DRAG_PAINT;
    change(window);
    (void)strokesBegin(&window->painter->strokes, &brush, placeOf(window, window->gpu.cursor));
}

static void onButton(void *user, int button, bool pressed, int mods) {
    Window *window = user;
    const bool left = button == GLFW_MOUSE_BUTTON_LEFT;
    if (!pressed) {
        if (left == (window->drag == DRAG_PAN)) {
            return; /* another button's drag goes on */
        }
        if (window->drag == DRAG_RECTANGLE) {
            writeRectangle(window);
        }
        window->drag = DRAG_NONE;
    } else if (window->drag == DRAG_NONE && !(left && onPanel(window))) {
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
        window->middle[0] -= x * stepOf(window);
        window->middle[1] -= y * stepOf(window);
    } else if (window->drag == DRAG_PAINT) {
        (void)strokesTo(&window->painter->strokes, placeOf(window, window->gpu.cursor));
    }
}

/* What is under the cursor stays there; there and back is here. */
static void onScroll(void *user, double steps) {
    Window *window = user;
    const double before = stepOf(window);
    const int zoom = window->zoom - (int)(steps > 0 ? ceil(steps) : floor(steps));
    window->zoom = zoom < LEAST_ZOOM ? LEAST_ZOOM : zoom > MOST_ZOOM ? MOST_ZOOM : zoom;
    for (int i = 0; i < 2; ++i) {
        const double way = window->gpu.cursor[i] - sizeOf(window, i) / 2;
        window->middle[i] += way * (before - stepOf(window));
        if (window->zoom % 4 == 0) {
            window->middle[i] = rint(window->middle[i] * CANVAS_FRACTION) / CANVAS_FRACTION;
        }
    }
}

/* ---- The window ----------------------------------------------------------------------------- */

Window *windowOpen(uint32_t width, uint32_t height, GpuOptions *options) {
    static const GpuWindowEvents events = {
        .key = onKey, .button = onButton, .cursor = onCursor, .scroll = onScroll};
    static Window window = {.gpu = {.events = &events},
                            .brush = {.radius = 16 * CANVAS_FRACTION,
                                      .hardness = CANVAS_ONE / 2,
                                      .opacity = CANVAS_ONE},
                            .rgb = 0x3070D0,
                            .message = "F1 shows the keys"};
    window.gpu.user = &window;
    return gpuOpenWindow(&window.gpu, "murcanvas", width, height, "--screenshot", options) ? &window
                                                                                           : NULL;
}

void windowClose(Window *window, Painter *painter) {
    if (window && painter->gpu.device) {
        (void)vkDeviceWaitIdle(painter->gpu.device);
        textDestroy(&window->text);
        gpuDestroySwapchain(&painter->gpu, &window->swapchain);
    }
    painterClose(painter); /* before what its surface is of */
    if (window) {
        gpuCloseWindow(&window->gpu);
    }
}

static void drawPanels(Window *window) {
    const Painter *painter = window->painter;
    const Canvas *canvas = &painter->canvas;
    const CanvasBrush *brush = &window->brush;
    const CanvasPlace place = placeOf(window, window->gpu.cursor);
    Text *text = &window->text;
    textBegin(text, window->swapchain.width, window->swapchain.height, window->gpu.scale);
    textPanel(text, 6, COLORS / 2, 0, 0.5f);
    for (uint32_t i = 0; i < COLORS; ++i) {
        textSwatch(text, i / 2, 1 + i % 2 * 2, 2, colors[i], colors[i] == window->rgb);
    }
    textPanel(text, 66, 2, 0, 1);
    textLine(text, window->erases ? ORANGE : WHITE,
             "%s  radius %.1f  hardness %u%%  opacity %u%%  layer %u",
             window->erases ? "eraser" : "brush", brush->radius / (double)CANVAS_FRACTION,
             brush->hardness * 100 / CANVAS_ONE, brush->opacity * 100 / CANVAS_ONE,
             brush->layer + 1);
    textLine(text, DIM, "%.0f, %.0f  %.4g%%  %u of %u tiles  undo %u%s",
             place.at[0] / (double)CANVAS_FRACTION, place.at[1] / (double)CANVAS_FRACTION,
             100 / stepOf(window), canvasTiles(canvas), canvas->now.tiles - 1,
             canvas->now.applied - canvas->now.dropped,
             strokesWait(&painter->strokes) ? "  painting" : "");
    if (window->message) {
        const uint32_t columns = canvas_least((uint32_t)strlen(window->message), 78);
        const uint32_t lines = textWrap(NULL, 0, 0, columns, 0, window->message);
        textPanel(text, columns + 2, lines, 0.5f, 0.9f);
        (void)textWrap(text, 0, 1, columns, YELLOW, window->message);
    }
}

/* lost, dropped: the counts before this frame. A full history drops a stroke for each new one,
 * which needs no message. */
static void showLosses(Window *window, uint64_t lost, uint32_t dropped) {
    const CanvasContent *now = &window->painter->canvas.now;
    if (window->message == question) {
        return;
    }
    if (window->painter->strokes.lost > lost) {
        window->message = sayLast();
    } else if (now->dropped > dropped && now->applied - now->dropped < CANVAS_STROKES - 1) {
        window->message = forgotten;
    }
}

static bool draw(void *user, VkSemaphore acquired, VkSemaphore drawn) {
    Window *window = user;
    Painter *painter = window->painter;
    GpuSwapchain *swapchain = &window->swapchain;
    CanvasView view = canvasView(&painter->canvas,
                                 canvasPlace(window->middle[0], window->middle[1]), stepOf(window),
                                 swapchain->width, swapchain->height);
    view.flags = swapchain->blueFirst ? CANVAS_BLUE_FIRST : 0;
    if (window->drag != DRAG_PAN) {
        const double step = CANVAS_FRACTION * stepOf(window);
        view.ring = scaled(window->brush.radius, 1 / step, 2, 1u << 20);
        view.ringAt[0] = (int32_t)window->gpu.cursor[0];
        view.ringAt[1] = (int32_t)window->gpu.cursor[1];
    }
    const uint64_t lost = painter->strokes.lost;
    const uint32_t dropped = painter->canvas.now.dropped;
    if (!painterBegin(painter, false)) {
        return false;
    }
    showLosses(window, lost, dropped);
    drawPanels(window);
    canvasCmdView(&painter->canvas, &view, &swapchain->pixels);
    textCmdDraw(&window->text, &swapchain->pixels, swapchain->blueFirst);
    gpuCmdShow(&painter->gpu, swapchain);
    return painterEnd(painter, acquired, drawn);
}

bool windowRun(Window *window, Painter *painter, const ReplayView *view) {
    window->painter = painter;
    window->middle[0] = view->x;
    window->middle[1] = view->y;
    window->zoom = (int)lrint(4 * log2(view->step));
    bool done = textCreate(&painter->gpu, &window->text);
    if (done) {
        drawPanels(window); /* clicks may wait for them */
    }
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
