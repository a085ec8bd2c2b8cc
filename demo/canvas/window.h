/* A window to paint in: its state, which events and commands change and panels show.
 * SPDX-License-Identifier: MIT */
#ifndef CANVAS_WINDOW_H
#define CANVAS_WINDOW_H

#include "common/gpu_swapchain.h"
#include "common/gpu_window.h"
#include "common/hud.h"
#include "replay.h"

enum {
    COMMAND_BRUSH = COMMAND_OWN,
    COMMAND_ERASER,
    COMMAND_SCALE_FIRST, /* radius, hardness, opacity and flow: less, more of each */
    COMMAND_SCALE_LAST = COMMAND_SCALE_FIRST + 7,
    COMMAND_LAYER_FIRST,
    COMMAND_LAYER_LAST = COMMAND_LAYER_FIRST + CANVAS_LAYERS - 1,
    COMMAND_LAYER_HIDE,
    COMMAND_ROOM,
    COMMAND_ACTUAL
};

typedef enum Drag { DRAG_NONE, DRAG_PAINT, DRAG_PAN, DRAG_RECTANGLE, DRAG_BAR } Drag;

/* Questions: before unsaved changes are left, by the end or by another painting; the file to open,
 * the name to save under, a colour. */
enum { ASKED_LEAVE = 1, ASKED_OPEN, ASKED_FILE, ASKED_NAME, ASKED_COLOR };

/* A view: the painting's pixel in the middle of the window, and pixels of the painting per pixel,
 * as quarters of a power of two. */
typedef struct Look {
    double middle[2], zoom;
} Look;

typedef struct Window {
    GpuWindow gpu;
    Painter *painter;
    GpuSwapchain swapchain;
    Text text;
    Hud hud;
    Look look;
    double pressed[2]; /* the cursor when the button went down */
    double scrolled;   /* a fraction of a step of the zoom */
    Look home;         /* as Home set it last */
    Drag drag;
    CanvasBrush brush; /* without a colour */
    uint32_t hidden;   /* flags of views: CANVAS_HIDES << layer */
    uint8_t rgb[3];
    float hsv[3];
    uint32_t other; /* the colour before */
    bool erases;
    bool leaves, opens;     /* the program, another painting: next */
    bool changed;           /* since the last save */
    uint32_t frames;        /* still to draw */
    double time;            /* of the last frame */
    char next[PLACES_PATH]; /* to open; empty: a new painting */
} Window;

/* Adds the requirements of the device to the options. Without a display, returns NULL after one
 * line on stderr. */
Window *windowOpen(uint32_t width, uint32_t height, GpuOptions *options);
/* Closes the window and, before it, the painter, whose device shows pictures in it. */
void windowClose(Window *window, Painter *painter);
/* Runs until the user leaves. The painter has a painting; info is for the next ones. view: NULL for
 * that of the last save. */
bool windowRun(Window *window, Painter *painter, const CanvasInfo *info, const ReplayView *view);

/* Pixels of the painting per pixel of the window. */
double windowStep(const Window *window);
/* The place of the painting at a place of the window. */
CanvasPlace windowPlace(const Window *window, const double at[2]);
/* Shows the painted area; the whole canvas, if the view shows that area already or it is empty. */
void windowShowAll(Window *window);
/* Returns what the window shows. canvas: see canvasView. */
CanvasView windowView(const Window *window, const Canvas *canvas);
/* Exports a view, with these flags and without hidden layers, into a new file. */
void windowExport(Window *window, CanvasView view, uint32_t flags);

/* commands.c */
void commandDo(Window *window, Command command);
/* Sets a bar of the brush's colour, or COLOR_RGB. */
void commandColor(Window *window, uint32_t bar, uint32_t value);

/* panels.c: writes the panels. */
void panelsWrite(Window *window);
/* Handles a press of the left button on a panel. Returns false if the cursor is on none. */
bool panelsPress(Window *window);
/* Returns whether the cursor is on a panel that was written. */
bool panelsCover(const Window *window);
/* The cursor drags a bar. */
void panelsDrag(Window *window);

#endif
