/* The state of the window, which its events and commands change and its panels show.
 *
 * SPDX-License-Identifier: MIT */
#ifndef CANVAS_WINDOW_INTERNAL_H
#define CANVAS_WINDOW_INTERNAL_H

#include "window.h"

#include "common/gpu_swapchain.h"
#include "common/gpu_window.h"
#include "common/hud.h"
#include "common/places.h"

enum {
    COMMAND_BRUSH = COMMAND_OWN,
    COMMAND_ERASER,
    COMMAND_SMALLER, /* the next eight are pairs: less, more */
    COMMAND_LARGER,
    COMMAND_SOFTER,
    COMMAND_HARDER,
    COMMAND_PALER,
    COMMAND_DENSER,
    COMMAND_LESS_FLOW,
    COMMAND_FLOW,
    COMMAND_LAYER_FIRST,
    COMMAND_LAYER_LAST = COMMAND_LAYER_FIRST + CANVAS_LAYERS - 1,
    COMMAND_LAYER_HIDE,
    COMMAND_COLOR_PICK,
    COMMAND_UNDO,
    COMMAND_REDO,
    COMMAND_ROOM,
    COMMAND_NEW,
    COMMAND_OPEN,
    COMMAND_SAVE,
    COMMAND_SAVE_AS,
    COMMAND_EXPORT,
    COMMAND_ALL,
    COMMAND_ACTUAL,
    COMMAND_PANELS,
    COMMAND_QUIT,
    COMMAND_PASTE, /* these four are for dialogs */
    COMMAND_BACK,
    COMMAND_DOWN,
    COMMAND_UP
};

/* Panels that fold, and their sections. The first has room first. */
typedef enum Fold {
    FOLD_PALETTE,
    FOLD_COLORS,
    FOLD_MIX,
    FOLD_STRIP,
    FOLD_BRUSH,
    FOLD_EDITS,
    FOLD_FILE,
    FOLD_VIEW,
    FOLDS
} Fold;

typedef enum Drag { DRAG_NONE, DRAG_PAINT, DRAG_PAN, DRAG_RECTANGLE, DRAG_BAR } Drag;

/* The question or the dialog that waits for an answer. */
typedef enum Asked {
    ASKED_NOTHING,
    ASKED_LEAVE, /* unsaved changes */
    ASKED_OPEN,  /* the same, before another painting */
    ASKED_FILE,
    ASKED_NAME,
    ASKED_COLOR
} Asked;

struct Window {
    GpuWindow gpu;
    Painter *painter;
    GpuSwapchain swapchain;
    Text text;
    Hud hud;
    double middle[2];  /* the painting's pixel in the middle of the window */
    int zoom;          /* pixels of the painting per pixel, as quarters of a power of two */
    double pressed[2]; /* the cursor when the button went down */
    double scrolled;   /* a fraction of a step of the zoom */
    double shown[2];   /* middle and zoom as Home set them last */
    int shownZoom;
    Drag drag;
    uint32_t bar;      /* of the colour, which is dragged */
    CanvasBrush brush; /* without a colour */
    uint32_t hidden;   /* flags of views: CANVAS_HIDES << layer */
    uint8_t rgb[3];
    float hsv[3];
    uint32_t other; /* the colour before */
    bool erases, leaves;
    bool opens;   /* another painting: next */
    bool tries;   /* a new painting comes instead, if it cannot be opened */
    bool changed; /* since the last save */
    Asked asked;
    uint32_t frames; /* still to draw */
    double time;     /* of the last frame */
    char folder[PLACES_PATH];
    char name[2][PLACES_PATH]; /* of the file, and of the file before it */
    char next[PLACES_PATH];    /* to open; empty: a new painting */
};

/* Pixels of the painting per pixel of the window. */
double windowStep(const Window *window);
/* The place of the painting at a place of the window. */
CanvasPlace windowPlace(const Window *window, const double at[2]);
/* Shows the painted area; the whole canvas, if the view shows that area already or it is empty. */
void windowShowAll(Window *window);
/* Exports a view, without hidden layers, into a new file. */
void windowExport(Window *window, const CanvasView *view);

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
