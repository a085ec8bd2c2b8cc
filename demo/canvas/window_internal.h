/* The state of the window, which its events change and its panels show.
 *
 * SPDX-License-Identifier: MIT */
#ifndef CANVAS_WINDOW_INTERNAL_H
#define CANVAS_WINDOW_INTERNAL_H

#include "window.h"

#include "common/color.h"
#include "common/dialog.h"
#include "common/gpu_swapchain.h"
#include "common/gpu_window.h"

enum { WINDOW_NAME = 1024 };

typedef enum Drag { DRAG_NONE, DRAG_PAINT, DRAG_PAN, DRAG_RECTANGLE, DRAG_MIX } Drag;

struct Window {
    GpuWindow gpu;
    Painter *painter;
    GpuSwapchain swapchain;
    Text text;
    double middle[2];  /* the painting's pixel in the middle of the window */
    int zoom;          /* pixels of the painting per pixel, as quarters of a power of two */
    double pressed[2]; /* the cursor when the button went down */
    double scrolled;   /* a fraction of a step of the zoom */
    double shown[2];   /* middle and zoom as Home set them last */
    int shownZoom;
    Drag drag;
    CanvasBrush brush; /* without a colour */
    Mixer color;
    bool erases, leaves, mixes, helps;
    bool changed; /* since the last save */
    bool names;   /* the dialog asks for a name, else for a colour */
    Dialog dialog;
    char title[WINDOW_NAME + 32];
    uint32_t frames;     /* still to draw */
    const char *message; /* or NULL */
    char told[WINDOW_NAME + 32];
    char name[2][WINDOW_NAME]; /* of the file, and of the file before it */
};

/* Pixels of the painting per pixel of the window. */
double windowStep(const Window *window);
/* The place of the painting at a place of the window. */
CanvasPlace windowPlace(const Window *window, const double at[2]);

/* Sets the colour of the brush. */
void windowColor(Window *window, uint32_t rgb);
/* Opens the dialog for a name, or for the colour. */
void windowAsk(Window *window, bool names);

/* Writes the panels. */
void panelsWrite(Window *window);

/* Handles a press of the left button on a panel. Returns false if the cursor is on none. */
bool panelsPress(Window *window);

/* Shows the file's name, and a star if the painting is not saved, in the title. */
void panelsTitle(Window *window);

#endif
