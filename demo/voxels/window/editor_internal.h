/* What the files of the editor share. Nobody else includes this.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_EDITOR_INTERNAL_H
#define MURVOXELS_EDITOR_INTERNAL_H

#include "common/gpu_swapchain.h"
#include "document.h"
#include "editor.h"
#include "hud.h"
#include "view/shot.h"
#include "window.h"

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
    GpuBuffer shown; /* the picture, and text over it */
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
    Asked pending;           /* to be asked, if need be, when it is known what has changed */
    char wanted[INPUT_PATH]; /* a file that is to be opened */
    HudArea grabbed;         /* a bar that the mouse holds */
    bool onPanel;            /* the mouse went down on a panel */
    uint32_t unsettled;      /* frames until all that the user did before has come back */
    uint32_t working;        /* the same of what may have changed the world */
    uint32_t awake;          /* the same of the user's doings */
    uint32_t requests;       /* of the tools, as of the frame before */
    bool stale;              /* the swapchain must be made anew */
    bool shoot;              /* a picture of the window is wanted */
    bool draw;               /* and a fine one */
    bool save;               /* the world is to be saved */
    const char *export;      /* or exported, to a name that ends like this; NULL: not */
    bool opens;              /* wanted is to be opened */
    bool recovers;           /* lost work is */
    bool leaves;
    bool titled; /* as unsaved */
} Editor;

/* editor.c: begins with what the source has become; the world of it, in place of none. */
void editorStart(Editor *editor);
bool editorOpenWorld(Editor *editor);
/* Begins with a document: as documentOpen. */
void editorDocument(Editor *editor, const SourceOptions *source, const char *wanted);
void editorTitle(Editor *editor);
void editorAsk(Editor *editor, Asked asked);
/* Of the picture: its width by its height. */
float editorAspect(const Editor *editor);

/* editor_user.c: what the user wants. */
void editorMoveView(Editor *editor);
void editorCommand(Editor *editor, Command command);
/* The mouse on panels, and a bar that it holds. */
void editorPanels(Editor *editor);
/* Leaves (ASKED_LEAVE) or opens what is wanted (ASKED_OPEN), but asks first if work is not saved;
 * as soon as the reports of all edits are in. */
void editorWish(Editor *editor, Asked wish);
void editorGrant(Editor *editor);

/* editor_files.c: saves, draws, opens; waits for the device and for the disk. False: the editor
 * cannot go on. */
bool editorBetweenFrames(Editor *editor);

#endif
