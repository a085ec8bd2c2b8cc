/* SPDX-License-Identifier: MIT */
#include "window.h"

#include "common/gpu_swapchain.h"
#include "common/gpu_window.h"
#include "file.h"
#include "common/png_file.h"
#include "common/say.h"
#include "common/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLORS = 24, WHITE = 0xF0F0F0, DIM = 0xA0A8B0, MOST_ZOOM = 48, MOST_EXPORT = 8192 };

typedef enum Drag { DRAG_NONE, DRAG_PAINT, DRAG_PAN, DRAG_RECTANGLE } Drag;

struct Window {
    GLFWwindow *handle;
    Painter *painter;
    GpuSwapchain swapchain;
    Text text;
    double x, y; /* pixel of the painting in the middle */
    int zoom;    /* pixels of it from pixel to pixel, as quarters of a power of two */
    double cursorX, cursorY, pressedX, pressedY;
    Drag drag;
    CanvasBrush brush; /* its colour stays when it erases */
    uint32_t rgb, layers;
    bool erases, exports, help, asked, leaves, awake;
    bool changed; /* since it was saved */
    char message[160];
};

/* From dark to light, and round the colours. */
static const uint32_t colors[COLORS] = {0x000000, 0x404040, 0x808080, 0xC0C0C0, 0xFFFFFF, 0x5A3420,
                                        0x8C5A30, 0xD2A070, 0x7A1010, 0xC02020, 0xF05030, 0xF09030,
                                        0xF0D040, 0xA0C030, 0x409030, 0x105020, 0x108080, 0x30B0C0,
                                        0x3070D0, 0x2040A0, 0x201860, 0x603090, 0xB040A0, 0xF090B0};

static const char *const help[] = {
    "left drag: paint      right drag, middle drag: move      wheel: zoom",
    "Ctrl + click: take a colour      B, E: brush, eraser      [ ]: size",
    "; ': hardness      - =: opacity      1 2 3 4: layer      V: show or hide it",
    "Ctrl+Z, Ctrl+Y: undo, redo      Home: all of it      0: pixel by pixel",
    "X, then a drag: write a rectangle as a PNG      Ctrl+S: save      Ctrl+Q: leave",
};

static double stepOf(const Window *window) {
    return exp2(window->zoom / 4.0);
}

static void message(Window *window, const char *text) {
    (void)snprintf(window->message, sizeof window->message, "%s", text);
}

/* The place of the painting under a place of the window, in fractions of a pixel. */
static int32_t placeOf(double middle, double at, double size, double step) {
    const double place = (middle + (at - size / 2) * step) * CANVAS_FRACTION;
    return (int32_t)(place < -4e8 ? -4e8 : place > 4e8 ? 4e8 : floor(place));
}

static int32_t placeX(const Window *window, double x) {
    return placeOf(window->x, x, window->swapchain.width, stepOf(window));
}

static int32_t placeY(const Window *window, double y) {
    return placeOf(window->y, y, window->swapchain.height, stepOf(window));
}

static CanvasView viewOf(const Window *window, uint32_t width, uint32_t height) {
    CanvasView view = canvasView(&window->painter->canvas, (int64_t)(window->x * CANVAS_FRACTION),
                                 (int64_t)(window->y * CANVAS_FRACTION),
                                 (uint64_t)(stepOf(window) * 65536), width, height);
    view.layers = window->layers;
    return view;
}

/* ---- What the user does --------------------------------------------------------------------- */

static void setColor(Window *window, uint32_t rgb) {
    window->rgb = rgb;
    window->erases = false;
    replayColor(rgb, window->brush.color);
}

/* The colour that is seen under the cursor. */
static void takeColor(Window *window) {
    GpuBuffer picture = {0};
    CanvasView view = canvasView(NULL, placeX(window, window->cursorX),
                                 placeY(window, window->cursorY),
                                 (uint64_t)(stepOf(window) * 65536), 1, 1);
    view.layers = window->layers;
    if (painterSee(window->painter, &view, &picture)) {
        const uint8_t *seen = picture.mapped;
        setColor(window, (uint32_t)seen[0] << 16 | (uint32_t)seen[1] << 8 | seen[2]);
    }
    gpuDestroyBuffer(&window->painter->gpu, &picture);
}

/* A new file, so that no other is written over. */
static FILE *newFile(char *name, size_t size) {
    FILE *file = NULL;
    for (uint32_t i = 1; !file && i < 1000; ++i) {
        (void)snprintf(name, size, "murcanvas-%u.png", i);
        file = fopen(name, "wbx");
    }
    return file;
}

static void writeRectangle(Window *window) {
    const int64_t x0 = placeX(window, fmin(window->pressedX, window->cursorX)) / 256;
    const int64_t y0 = placeY(window, fmin(window->pressedY, window->cursorY)) / 256;
    const int64_t x1 = placeX(window, fmax(window->pressedX, window->cursorX)) / 256;
    const int64_t y1 = placeY(window, fmax(window->pressedY, window->cursorY)) / 256;
    char name[64], text[160];
    GpuBuffer picture = {0};
    window->exports = false;
    if (x1 <= x0 || y1 <= y0 || x1 - x0 > MOST_EXPORT || y1 - y0 > MOST_EXPORT) {
        message(window, "a rectangle to write has 1 to 8192 pixels of the painting a side");
        return;
    }
    CanvasView view = canvasView(NULL, (x0 + x1) * 128, (y0 + y1) * 128, 65536, (uint32_t)(x1 - x0),
                                 (uint32_t)(y1 - y0));
    view.layers = window->layers;
    bool done = painterSee(window->painter, &view, &picture);
    FILE *file = done ? newFile(name, sizeof name) : NULL;
    done = file && pngWrite(file, picture.mapped, view.width, view.height);
    done = file && fclose(file) == 0 && done;
    if (done) {
        (void)printf("picture: %s\n", name);
        (void)fflush(stdout);
    }
    (void)snprintf(text, sizeof text, done ? "%s is written: %u x %u pixels" : "%s%.0u%.0u",
                   done ? name : "the picture cannot be written here", view.width, view.height);
    message(window, text);
    gpuDestroyBuffer(&window->painter->gpu, &picture);
}

static void ask(Window *window, StrokeKind kind) {
    window->drag = DRAG_NONE;
    window->changed = true;
    (void)strokesAsk(&window->painter->strokes, kind);
}

static void frameAll(Window *window) {
    const double size = fmin(window->swapchain.width, window->swapchain.height);
    window->x = window->y = CANVAS_PIXELS / 2;
    window->zoom = (int)ceil(4 * log2(CANVAS_PIXELS / fmax(size, 64)));
}

static uint32_t scaled(uint32_t value, double factor, uint32_t low, uint32_t high) {
    const double next = value * factor;
    return next < low ? low : next > high ? high : (uint32_t)next;
}

/* Leaves, after a question if anything has changed since it was saved. */
static void leave(Window *window) {
    window->leaves = !window->changed || window->asked;
    window->asked = true;
    message(window, "What was painted is not saved: again to leave, Esc to stay, Ctrl+S to save");
}

/* Into the file that was opened, or a new one. */
static void save(Window *window) {
    static char name[64];
    char text[160];
    Painter *painter = window->painter;
    window->drag = DRAG_NONE;
    for (uint32_t i = 1; !painter->database && i < 1000; ++i) {
        (void)snprintf(name, sizeof name, "painting-%u.murcanvas", i);
        FILE *file = fopen(name, "rb");
        if (!file) {
            break;
        }
        (void)fclose(file);
    }
    if (painter->database ? fileSave(painter) : fileCreate(painter, name)) {
        window->changed = window->asked = false;
        (void)snprintf(text, sizeof text, "saved%s%s", name[0] ? ": " : "", name);
        (void)printf("%s\n", text);
        (void)fflush(stdout);
        message(window, text);
    } else {
        message(window, sayLast());
    }
}

static void onControl(Window *window, int letter, bool shift) {
    if (letter == 'q') {
        leave(window);
    } else if (letter == 'y' || (letter == 'z' && shift)) {
        ask(window, STROKE_REDO);
    } else if (letter == 'z') {
        ask(window, STROKE_UNDO);
    } else if (letter == 's') {
        save(window);
    }
}

static void onLetter(Window *window, int letter) {
    CanvasBrush *brush = &window->brush;
    const uint32_t least = CANVAS_FRACTION / 2, most = CANVAS_MAX_RADIUS * CANVAS_FRACTION;
    if (letter >= '1' && letter < '1' + (int)CANVAS_LAYERS) {
        brush->layer = (uint32_t)(letter - '1');
    } else if (letter == 'v') {
        window->layers ^= 1u << brush->layer;
    } else if (letter == 'b' || letter == 'e') {
        window->erases = letter == 'e';
    } else if (letter == '[' || letter == ']') {
        brush->radius = scaled(brush->radius, letter == '[' ? 0.8 : 1.25, least, most);
    } else if (letter == ';' || letter == '\'') {
        const uint32_t tenth = CANVAS_ONE / 10, now = brush->hardness;
        brush->hardness = letter == ';' ? now - (now < tenth ? now : tenth)
                                        : canvas_least(now + tenth, CANVAS_ONE);
    } else if (letter == '-' || letter == '=') {
        brush->opacity = scaled(brush->opacity, letter == '-' ? 0.8 : 1.25, 256, CANVAS_ONE);
    } else if (letter == '0') {
        window->zoom = 0;
    } else if (letter == 'x') {
        window->exports = !window->exports;
        message(window, window->exports ? "Drag a rectangle that is written as a PNG" : "");
    }
}

static void onKey(GLFWwindow *handle, int key, int scancode, int action, int mods) {
    Window *window = glfwGetWindowUserPointer(handle);
    const char letter = gpuKeyLetter(key, scancode);
    window->awake = true;
    if (action == GLFW_RELEASE) {
        return;
    }
    if (key == GLFW_KEY_ESCAPE) {
        window->asked = window->exports = false;
        message(window, "");
    } else if (key == GLFW_KEY_F1) {
        window->help = !window->help;
    } else if (key == GLFW_KEY_HOME) {
        frameAll(window);
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
    if (!textFind(&window->text, (float)window->cursorX, (float)window->cursorY, &panel, &row,
                  &column)) {
        return false;
    }
    const uint32_t index = row * 2 + (column >= 3 ? 1 : 0);
    if (panel == 0 && index < COLORS) {
        setColor(window, colors[index]);
    }
    return true;
}

static void paintHere(Window *window) {
    CanvasBrush brush = window->brush;
    if (window->erases) {
        memset(brush.color, 0, sizeof brush.color);
    }
    window->changed = true;
    window->layers |= 1u << brush.layer; /* what is painted is seen */
    (void)strokesBegin(&window->painter->strokes, &brush, placeX(window, window->cursorX),
                       placeY(window, window->cursorY));
}

static void onButton(GLFWwindow *handle, int button, int action, int mods) {
    Window *window = glfwGetWindowUserPointer(handle);
    window->awake = true;
    if (action == GLFW_RELEASE) {
        if (window->drag == DRAG_RECTANGLE && button == GLFW_MOUSE_BUTTON_LEFT) {
            writeRectangle(window);
        } else if (window->drag == DRAG_PAINT && button == GLFW_MOUSE_BUTTON_LEFT) {
            strokesEnd(&window->painter->strokes);
        }
        window->drag = DRAG_NONE;
        return;
    }
    if (window->drag != DRAG_NONE || (button == GLFW_MOUSE_BUTTON_LEFT && onPanel(window))) {
        return;
    }
    window->pressedX = window->cursorX;
    window->pressedY = window->cursorY;
    if (button != GLFW_MOUSE_BUTTON_LEFT) {
        window->drag = DRAG_PAN;
    } else if (mods & GLFW_MOD_CONTROL) {
        takeColor(window);
    } else if (window->exports) {
        window->drag = DRAG_RECTANGLE;
    } else {
        window->drag = DRAG_PAINT;
        paintHere(window);
    }
}

/* Places come in units of the screen, which may have several pixels. */
static void onCursor(GLFWwindow *handle, double x, double y) {
    Window *window = glfwGetWindowUserPointer(handle);
    int width = 1, height = 1;
    glfwGetWindowSize(handle, &width, &height);
    x *= (double)window->swapchain.width / (width > 0 ? width : 1);
    y *= (double)window->swapchain.height / (height > 0 ? height : 1);
    if (window->drag == DRAG_PAN) {
        window->x -= (x - window->cursorX) * stepOf(window);
        window->y -= (y - window->cursorY) * stepOf(window);
    }
    window->cursorX = x;
    window->cursorY = y;
    window->awake = true;
    if (window->drag == DRAG_PAINT) {
        (void)strokesTo(&window->painter->strokes, placeX(window, x), placeY(window, y));
    }
}

/* What is under the cursor stays there. */
static void onScroll(GLFWwindow *handle, double x, double y) {
    Window *window = glfwGetWindowUserPointer(handle);
    const double before = stepOf(window);
    (void)x;
    window->awake = true;
    window->zoom -= (int)(y > 0 ? ceil(y) : floor(y));
    window->zoom = window->zoom < -24 ? -24 : window->zoom > MOST_ZOOM ? MOST_ZOOM : window->zoom;
    const double change = before - stepOf(window);
    window->x += (window->cursorX - window->swapchain.width / 2.0) * change;
    window->y += (window->cursorY - window->swapchain.height / 2.0) * change;
    if (window->zoom % 4 == 0) { /* there and back is here */
        window->x = rint(window->x * CANVAS_FRACTION) / CANVAS_FRACTION;
        window->y = rint(window->y * CANVAS_FRACTION) / CANVAS_FRACTION;
    }
}

static void onRefresh(GLFWwindow *handle) {
    ((Window *)glfwGetWindowUserPointer(handle))->awake = true;
}

/* ---- The window ----------------------------------------------------------------------------- */

Window *windowOpen(uint32_t width, uint32_t height, GpuOptions *options) {
    GLFWwindow *handle = gpuOpenWindow("murcanvas", width, height, "--screenshot", options);
    Window *window = handle ? calloc(1, sizeof *window) : NULL;
    if (!window) {
        gpuCloseWindow(handle);
        return NULL;
    }
    window->handle = handle;
    glfwSetWindowUserPointer(window->handle, window);
    glfwSetKeyCallback(window->handle, onKey);
    glfwSetMouseButtonCallback(window->handle, onButton);
    glfwSetCursorPosCallback(window->handle, onCursor);
    glfwSetScrollCallback(window->handle, onScroll);
    glfwSetWindowRefreshCallback(window->handle, onRefresh);
    return window;
}

void windowClose(Window *window, Painter *painter) {
    if (painter->gpu.device) {
        (void)vkDeviceWaitIdle(painter->gpu.device);
    }
    textDestroy(&window->text);
    gpuDestroySwapchain(&painter->gpu, &window->swapchain);
    painterClose(painter); /* before what its surface is of */
    gpuCloseWindow(window->handle);
    free(window);
}

static void drawPanels(Window *window) {
    const Painter *painter = window->painter;
    const Canvas *canvas = &painter->canvas;
    const CanvasBrush *brush = &window->brush;
    Text *text = &window->text;
    float scale = 1, ignored;
    glfwGetWindowContentScale(window->handle, &ignored, &scale);
    textBegin(text, window->swapchain.width, window->swapchain.height, scale);
    textPanel(text, 6, COLORS / 2, 0, 0.5f);
    for (uint32_t i = 0; i < COLORS; ++i) {
        textSwatch(text, i / 2, 1 + i % 2 * 2, 2, colors[i], colors[i] == window->rgb);
    }
    textPanel(text, 66, 2, 0, 1);
    textLine(text, window->erases ? 0xF0C080 : WHITE,
             "%s  radius %.1f  hardness %u%%  opacity %u%%  layer %u%s",
             window->erases ? "eraser" : "brush", brush->radius / (double)CANVAS_FRACTION,
             brush->hardness * 100 / CANVAS_ONE, brush->opacity * 100 / CANVAS_ONE,
             brush->layer + 1, window->layers >> brush->layer & 1 ? "" : " (hidden)");
    textLine(text, DIM, "%.0f, %.0f  %.4g%%  %u of %u tiles  undo %u%s",
             placeX(window, window->cursorX) / (double)CANVAS_FRACTION,
             placeY(window, window->cursorY) / (double)CANVAS_FRACTION, 100 / stepOf(window),
             canvas->now.tiles - 1 - canvas->report.free, canvas->now.tiles - 1,
             canvas->now.applied,
             canvas->comes           ? "  opening"
             : painterWaits(painter) ? "  painting"
                                     : "");
    if (window->message[0]) {
        textPanel(text, (uint32_t)strlen(window->message) + 2, 1, 0.5f, 0.9f);
        textLine(text, 0xF0D060, "%s", window->message);
    }
    const uint32_t lines = sizeof help / sizeof *help;
    textPanel(text, window->help ? 78 : 10, window->help ? lines : 1, 0.5f, 0);
    for (uint32_t i = 0; i < lines && window->help; ++i) {
        textLine(text, DIM, "%s", help[i]);
    }
    textLine(text, DIM, "F1: help");
}

static bool resize(Window *window) {
    int width, height;
    Gpu *gpu = &window->painter->gpu;
    glfwGetFramebufferSize(window->handle, &width, &height);
    return gpuCreateSwapchain(gpu, (uint32_t)width, (uint32_t)height, true, &window->swapchain);
}

static bool drawFrame(Window *window) {
    Painter *painter = window->painter;
    Gpu *gpu = &painter->gpu;
    GpuSwapchain *swapchain = &window->swapchain;
    GpuFrame *frame = &painter->inFlight.frames[gpuFrameIndex(&painter->inFlight)];
    if (!gpuAwaitFrame(gpu, &painter->inFlight)) {
        return false;
    }
    const GpuShow acquired = gpuAcquire(gpu, swapchain, frame->acquired);
    if (acquired != GPU_SHOWN) {
        return acquired == GPU_STALE && resize(window);
    }
    CanvasView view = viewOf(window, swapchain->width, swapchain->height);
    view.flags = swapchain->blueFirst ? CANVAS_BLUE_FIRST : 0;
    view.ring = window->drag == DRAG_PAN
                    ? 0
                    : scaled(window->brush.radius, 1 / (CANVAS_FRACTION * stepOf(window)), 2,
                             1u << 20);
    view.ringX = (int32_t)window->cursorX;
    view.ringY = (int32_t)window->cursorY;
    if (!painterBegin(painter, false)) {
        return false;
    }
    drawPanels(window);
    canvasCmdView(&painter->canvas, &view, UINT32_MAX, &swapchain->pixels);
    textCmdDraw(&window->text, &swapchain->pixels, swapchain->blueFirst);
    gpuCmdShow(gpu, swapchain);
    if (!painterEnd(painter, frame->acquired, swapchain->drawn[swapchain->image])) {
        return false;
    }
    const GpuShow shown = gpuPresent(gpu, swapchain);
    return shown == GPU_SHOWN || (shown == GPU_STALE && resize(window));
}

bool windowRun(Window *window, Painter *painter, const ReplayView *view) {
    window->painter = painter;
    window->x = view->x;
    window->y = view->y;
    window->zoom = (int)lrint(4 * log2(view->step));
    window->layers = (1u << CANVAS_LAYERS) - 1;
    window->brush = (CanvasBrush){
        .radius = 16 * CANVAS_FRACTION, .hardness = CANVAS_ONE / 2, .opacity = CANVAS_ONE};
    setColor(window, colors[18]);
    bool done = textCreate(&painter->gpu, &window->text) && resize(window);
    if (done) {
        drawPanels(window); /* clicks may wait for them */
    }
    for (uint32_t rest = 0; done && !window->leaves;) {
        const bool busy = window->awake || painterWaits(painter);
        rest = busy ? 0 : rest + 1; /* the last frames tell what the ones before have done */
        window->awake = false;
        if (rest > GPU_FRAMES || window->swapchain.width == 0) {
            glfwWaitEventsTimeout(0.2);
        } else {
            glfwPollEvents();
        }
        if (glfwWindowShouldClose(window->handle)) {
            glfwSetWindowShouldClose(window->handle, GLFW_FALSE);
            leave(window);
        }
        done = window->swapchain.width == 0          ? resize(window)
               : window->awake || rest <= GPU_FRAMES ? drawFrame(window)
                                                     : true;
    }
    return done;
}
