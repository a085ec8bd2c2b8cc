/* The commands of the window, its questions and files.
 * SPDX-License-Identifier: MIT */
#include "window.h"

#include "common/message.h"
#include "common/unique_path.h"

#include <math.h>
#include <string.h>

void commandColor(Window *window, uint32_t bar, uint32_t value) {
    const uint32_t before = colorGet(window->rgb, window->hsv, COLOR_RGB);
    colorSet(window->rgb, window->hsv, bar, value);
    if (bar == COLOR_RGB && value != before) {
        window->other = before;
    }
    window->erases = false;
}

/* Picks the colour under the cursor. */
static void pickColor(Window *window) {
    const CanvasPlace place = windowPlace(window, window->gpu.cursor);
    CanvasView view = canvasView(NULL, place, windowStep(window), 1, 1);
    view.flags = window->hidden;
    GpuBuffer picture = {0};
    if (painterSee(window->painter, &view, &picture)) {
        const uint8_t *seen = picture.mapped;
        commandColor(window, COLOR_RGB, (uint32_t)seen[0] << 16 | (uint32_t)seen[1] << 8 | seen[2]);
    }
    gpuDestroyBuffer(&window->painter->gpu, &picture);
}

/* Saves into the painting's file, or a new one; if as is given, under this name. */
static bool save(Window *window, const char *as) {
    Painter *painter = window->painter;
    CanvasContent *now = &painter->canvas.now;
    const CanvasPlace middle = canvasPlace(window->look.middle[0], window->look.middle[1]);
    memcpy(now->look, middle.at, sizeof now->look);
    now->zoom = (int32_t)window->look.zoom;
    now->looked = 1;
    if (!as && !painter->store) {
        nameFree("painting.murcanvas", NULL, painter->path, sizeof painter->path);
    }
    const bool done = as ? fileSaveAs(painter, as) : fileSave(painter);
    window->changed = window->changed && !done;
    hudPrint(&window->hud, done, "saved", painter->path);
    if (done && painter->store->isFile) {
        placesRemember(painter->path);
    }
    if (painter->logged) {
        hudSay(&window->hud, HUD_WARNING, "%s", sayLast());
    }
    return done;
}

/* Leaves the painting, after a question if it has unsaved changes. */
static void leave(Window *window, uint32_t asked) {
    hudDrop(&window->hud);
    if (window->changed) {
        hudAsk(&window->hud, asked,
               "The painting has changes that are not saved.\nsaves them\nthrows them away\n"
               "goes on painting");
    } else {
        window->leaves = asked == ASKED_LEAVE;
        window->opens = asked == ASKED_OPEN;
    }
}

static void answer(Window *window, Command command) {
    Hud *hud = &window->hud;
    const uint32_t asked = hud->asked;
    const char *pasted = command == COMMAND_PASTE ? gpuClipboard(&window->gpu) : "";
    if (!hudAnswers(hud, command, pasted)) {
        return;
    }
    if (command == COMMAND_CONFIRM && asked == ASKED_NAME &&
        (!hud->answer[0] || nameTaken(hud->answer))) {
        dialogNote(&hud->dialog, hud->answer[0] ? "there is such a file: it needs another name"
                                                : "type the name of a new file");
        return;
    }
    hudDrop(hud);
    if (command == COMMAND_CANCEL) {
        return;
    }
    if (asked == ASKED_COLOR) {
        commandColor(window, COLOR_RGB, hud->color);
    } else if (asked == ASKED_NAME) {
        (void)save(window, hud->answer);
    } else if (asked == ASKED_FILE) {
        (void)strcpy(window->next, hud->answer);
        leave(window, ASKED_OPEN);
    } else if (command == COMMAND_REFUSE || save(window, NULL)) {
        window->changed = false;
        leave(window, asked);
    }
}

/* ---- Commands ------------------------------------------------------------------------------- */

/* Makes a value of the brush larger or smaller by a quarter. */
static void scaleBrush(CanvasBrush *brush, uint32_t scale, bool more) {
    uint32_t *const values[] = {&brush->radius, &brush->hardness, &brush->opacity, &brush->flow};
    const double low = scale ? 256 : 128;
    const double high = scale ? CANVAS_ONE : CANVAS_MAX_RADIUS * CANVAS_FRACTION;
    *values[scale] = (uint32_t)fmin(fmax(*values[scale] * (more ? 1.25 : 0.8), low), high);
}

static void fileCommand(Window *window, Command command) {
    Hud *hud = &window->hud;
    Painter *painter = window->painter;
    switch (command) {
    case COMMAND_NEW:
        window->next[0] = '\0';
        leave(window, ASKED_OPEN);
        break;
    case COMMAND_OPEN:
        hudAskFile(hud, ASKED_FILE);
        break;
    case COMMAND_SAVE:
    case COMMAND_SAVE_AS:
        if (command == COMMAND_SAVE && !painterReads(painter)) {
            (void)save(window, NULL);
        } else {
            hudAskText(hud, ASKED_NAME, "Save as",
                       painter->path[0] ? painter->path : "painting.murcanvas");
        }
        break;
    case COMMAND_EXPORT:
        windowExport(window, windowView(window, &painter->canvas), CANVAS_ALPHA);
        break;
    case COMMAND_QUIT:
        leave(window, ASKED_LEAVE);
        break;
    default:
        break;
    }
}

static void viewCommand(Window *window, Command command) {
    Hud *hud = &window->hud;
    Strokes *strokes = &window->painter->strokes;
    switch (command) {
    case COMMAND_BRUSH:
    case COMMAND_ERASER:
        window->erases = command == COMMAND_ERASER;
        break;
    case COMMAND_LAYER_HIDE:
        window->hidden ^= CANVAS_HIDES << window->brush.layer;
        break;
    case COMMAND_COLOR_PICK:
        pickColor(window);
        break;
    case COMMAND_COLOR_SWAP:
        commandColor(window, COLOR_RGB, window->other);
        break;
    case COMMAND_COLOR_TYPE:
        hudAskColor(hud, ASKED_COLOR, colorGet(window->rgb, window->hsv, COLOR_RGB));
        break;
    case COMMAND_UNDO:
        window->changed = true;
        (void)strokesTakeBack(strokes);
        break;
    case COMMAND_REDO:
        window->changed = true;
        (void)strokesAsk(strokes, STROKE_REDO);
        break;
    case COMMAND_CANCEL:
        strokesStop(strokes);
        break;
    case COMMAND_ROOM:
        window->painter->canvas.agreed = true;
        hudSay(hud, HUD_WARNING, "The next stroke may take the room of the oldest half of undo");
        break;
    case COMMAND_SHOW_ALL:
        windowShowAll(window);
        break;
    case COMMAND_ACTUAL:
        window->look.zoom = 0;
        break;
    default:
        fileCommand(window, command);
    }
}

void commandDo(Window *window, Command command) {
    const uint32_t scale = command - COMMAND_SCALE_FIRST, layer = command - COMMAND_LAYER_FIRST;
    if (window->hud.asked) {
        answer(window, command);
        return;
    }
    if (command == COMMAND_UNDO || command == COMMAND_REDO || command == COMMAND_CANCEL ||
        command == COMMAND_SAVE) {
        window->drag = DRAG_NONE; /* the stroke ends */
    }
    if (scale < 8) {
        scaleBrush(&window->brush, scale / 2, scale % 2);
    } else if (layer < CANVAS_LAYERS) {
        window->brush.layer = layer;
    } else if (!hudCommand(&window->hud, command)) {
        viewCommand(window, command);
    }
}
