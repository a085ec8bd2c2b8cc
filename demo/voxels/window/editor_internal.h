/* Declarations that only the files of the editor include.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_EDITOR_INTERNAL_H
#define MURVOXELS_EDITOR_INTERNAL_H

#include "common/gpu_swapchain.h"
#include "document.h"
#include "editor.h"
#include "panels.h"
#include "window.h"

/* The question to the user, who cannot do anything else before the answer. */
typedef enum Asked {
    ASKED_NOTHING,
    ASKED_LEAVE,
    ASKED_OPEN,
    ASKED_RECOVER,
    ASKED_LAST,   /* open the file that was in use last? */
    ASKED_EXISTS, /* by doubts of the document, in their order */
    ASKED_CHANGED,
    ASKED_PARTLY,
    ASKED_PROTECTED,
    ASKED_FILE, /* by a dialog: the file to open, the world to begin, the place to save */
    ASKED_NEW,
    ASKED_NAME,
    ASKED_COLOR
} Asked;

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
    GpuBuffer counts[GPU_FRAMES]; /* ViewCounts of the frames in flight */
    Camera camera;
    View scene;
    Tools tools;
    Document document;
    Hud hud;
    HudNumbers numbers;
    Input input;
    uint32_t low[3], high[3];   /* the box that there is to see */
    double pivot[3];            /* the place that the mouse turns the view about */
    Drag drag;                  /* of the frame before */
    bool grid;                  /* lines between voxels are shown */
    bool framed;                /* the camera is set for the area between the panels */
    Asked pending;              /* to be asked, if need be, when all changes are known */
    SourceOptions next;         /* is to be opened */
    char wanted[DOCUMENT_PATH]; /* its file */
    char as[DOCUMENT_PATH];     /* the name to save under; empty: the document's */
    DocumentAnswer sure;        /* the user has confirmed that */
    bool onPanel;               /* the mouse went down on a panel */
    uint32_t unsettled;         /* frames until all that the user did before has come back */
    uint32_t working;           /* the same of operations that may have changed the world */
    uint32_t awake;             /* the same of the user's doings */
    uint32_t operations;        /* of the world, as of the frame before */
    bool draw;                  /* a fine picture is wanted */
    bool save;                  /* the world is to be saved */
    bool export, exportMesh;    /* or exported */
    bool opens;                 /* next is to be opened */
    bool recovers;              /* lost work is */
    bool leaves;
    bool titled; /* as unsaved */
} Editor;

/* editor.c: begins with the new source; makes its world, in place of none. */
void editorStart(Editor *editor);
bool editorOpenWorld(Editor *editor);
/* Shows the messages about a document that was opened. */
void editorDocument(Editor *editor);
void editorTitle(Editor *editor);
/* Of the picture: its width by its height. */
float editorAspect(const Editor *editor);

/* editor_user.c: the user's input. */
void editorMoveView(Editor *editor);
/* Shows the whole world between the panels, from `distance` times the distance that fits. */
void editorFrame(Editor *editor, float distance);
/* An edit was made: there may be more to see. */
void editorWiden(Editor *editor, const Edit *edit);
void editorCommand(Editor *editor, Command command);
/* The mouse on panels, and a bar that it holds. */
void editorPanels(Editor *editor);
/* Leaves (ASKED_LEAVE) or opens the wanted file (ASKED_OPEN), but asks first if work is not saved;
 * as soon as the reports of all edits are in. */
void editorWish(Editor *editor, Asked wish);
void editorGrant(Editor *editor);

/* editor_ask.c: asks a question. */
void editorAsk(Editor *editor, Asked asked);
/* The file to open, the world to begin, the place to save. note: the fault before, or "". */
void editorAskFor(Editor *editor, Command command, const char *note);
/* Closes the question without its action. */
void editorDrop(Editor *editor);
/* A command while a question is open. */
void editorAnswer(Editor *editor, Command command);
/* The file that is to be opened next. */
void editorWant(Editor *editor, const char *path);

/* editor_files.c: opens the wanted file, if it can be opened, in place of the present one. */
bool editorOpenNext(Editor *editor);
/* Saves, draws, opens; waits for the device and for the disk. False: the editor
 * cannot go on. */
bool editorBetweenFrames(Editor *editor);

#endif
