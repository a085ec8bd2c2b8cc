/* The commands of the window, its questions and files.
 *
 * SPDX-License-Identifier: MIT */
#include "window_internal.h"

#include "common/message.h"
#include "common/unique_path.h"

#include <stdio.h>
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

/* Exports the view without paper. */
static void exportView(Window *window) {
    CanvasView view = canvasView(
        &window->painter->canvas, canvasPlace(window->middle[0], window->middle[1]),
        windowStep(window), window->swapchain.width, window->swapchain.height);
    view.flags = CANVAS_ALPHA;
    windowExport(window, &view);
}

/* Saves into the painting's file, or a new one; if as is given, under this name. */
static bool save(Window *window, const char *as) {
    Painter *painter = window->painter;
    CanvasContent *now = &painter->canvas.now;
    const CanvasPlace look = canvasPlace(window->middle[0], window->middle[1]);
    memcpy(now->look, look.at, sizeof now->look);
    now->zoom = window->zoom;
    now->looked = 1;
    char *name = window->name[painter->path == window->name[0]]; /* the other one is in use */
    if (as) {
        (void)snprintf(name, PLACES_PATH, "%s", as);
    } else if (!painter->store) {
        nameFree("painting.murcanvas", NULL, name, PLACES_PATH);
        painter->path = name;
    }
    const bool done = as ? fileSaveAs(painter, name) : fileSave(painter);
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

/* ---- Questions ------------------------------------------------------------------------------ */

static void drop(Window *window) {
    dialogClose(&window->hud.dialog);
    window->hud.question[0] = '\0';
    window->asked = ASKED_NOTHING;
}

/* Leaves the painting, after a question if it has unsaved changes. */
static void leave(Window *window, Asked asked) {
    drop(window);
    if (window->changed) {
        window->asked = asked;
        (void)snprintf(window->hud.question, HUD_QUESTION,
                       "The painting has changes that are not saved.\nsaves them\n"
                       "throws them away\ngoes on painting");
    } else {
        window->leaves = true;
        window->opens = asked == ASKED_OPEN;
    }
}

static void ask(Window *window, Asked asked) {
    const char *path = window->painter->path;
    if (asked == ASKED_FILE) {
        placesList(&window->hud.dialog, window->folder);
    } else if (asked == ASKED_NAME) {
        dialogAsk(&window->hud.dialog, "Save as", path ? path : "painting.murcanvas");
    } else {
        hudAskColor(&window->hud, colorGet(window->rgb, window->hsv, COLOR_RGB));
    }
    window->asked = asked;
}

/* Accepts the dialog's answer, or leaves the dialog open with a note. */
static void take(Window *window) {
    Dialog *dialog = &window->hud.dialog;
    char path[PLACES_PATH];
    uint32_t rgb;
    if (window->asked == ASKED_COLOR && hudTakeColor(&window->hud, &rgb)) {
        drop(window);
        commandColor(window, COLOR_RGB, rgb);
    } else if (window->asked == ASKED_FILE && placesTake(dialog, window->folder, path)) {
        (void)strcpy(window->next, path);
        leave(window, ASKED_OPEN);
    } else if (window->asked == ASKED_NAME && (!dialog->text[0] || nameTaken(dialog->text))) {
        dialogNote(dialog, dialog->text[0] ? "there is such a file: it needs another name"
                                           : "type the name of a new file");
    } else if (window->asked == ASKED_NAME) {
        (void)snprintf(path, sizeof path, "%s", dialog->text);
        drop(window);
        (void)save(window, path);
    }
}

static void answer(Window *window, Command command) {
    Dialog *dialog = &window->hud.dialog;
    const Asked asked = window->asked;
    if (command == COMMAND_CANCEL) {
        drop(window);
    } else if (dialog->open && command == COMMAND_CONFIRM) {
        take(window);
    } else if (dialog->open && command == COMMAND_PASTE) {
        dialogPaste(dialog, gpuClipboard(&window->gpu));
    } else if (dialog->open && command == COMMAND_BACK) {
        dialogBack(dialog);
    } else if (dialog->open && (command == COMMAND_UP || command == COMMAND_DOWN)) {
        dialogMove(dialog, command == COMMAND_DOWN);
    } else if (!dialog->open && (command == COMMAND_CONFIRM || command == COMMAND_REFUSE)) {
        drop(window);
        window->changed = window->changed && command == COMMAND_CONFIRM;
        if (command == COMMAND_REFUSE || save(window, NULL)) {
            leave(window, asked);
        }
    }
}

/* ---- Commands ------------------------------------------------------------------------------- */

/* Returns whether it was one about the brush. */
static bool brushCommand(Window *window, Command command) {
    CanvasBrush *brush = &window->brush;
    const struct {
        uint32_t *value, low, high;
    } scales[] = {{&brush->radius, 128, CANVAS_MAX_RADIUS * CANVAS_FRACTION},
                  {&brush->hardness, 256, CANVAS_ONE},
                  {&brush->opacity, 256, CANVAS_ONE},
                  {&brush->flow, 256, CANVAS_ONE}},
      *scale = &scales[(command - COMMAND_SMALLER) / 2 % 4];
    if (command >= COMMAND_LAYER_FIRST && command <= COMMAND_LAYER_LAST) {
        brush->layer = command - COMMAND_LAYER_FIRST;
    } else if (command == COMMAND_LAYER_HIDE) {
        window->hidden ^= CANVAS_HIDES << brush->layer;
    } else if (command >= COMMAND_SMALLER && command <= COMMAND_FLOW) {
        const double next = *scale->value * ((command - COMMAND_SMALLER) % 2 ? 1.25 : 0.8);
        *scale->value = next < scale->low    ? scale->low
                        : next > scale->high ? scale->high
                                             : (uint32_t)next;
    } else if (command == COMMAND_BRUSH || command == COMMAND_ERASER) {
        window->erases = command == COMMAND_ERASER;
    } else {
        return false;
    }
    return true;
}

/* Returns whether it was one about files or colours. */
static bool fileCommand(Window *window, Command command) {
    switch (command) {
    case COMMAND_NEW:
        window->next[0] = '\0';
        leave(window, ASKED_OPEN);
        return true;
    case COMMAND_OPEN:
        ask(window, ASKED_FILE);
        return true;
    case COMMAND_SAVE:
    case COMMAND_SAVE_AS:
        if (command == COMMAND_SAVE_AS || painterReads(window->painter)) {
            ask(window, ASKED_NAME);
        } else {
            (void)save(window, NULL);
        }
        return true;
    case COMMAND_EXPORT:
        exportView(window);
        return true;
    case COMMAND_QUIT:
        leave(window, ASKED_LEAVE);
        return true;
    case COMMAND_COLOR_PICK:
        pickColor(window);
        return true;
    case COMMAND_COLOR_SWAP:
        commandColor(window, COLOR_RGB, window->other);
        return true;
    case COMMAND_COLOR_TYPE:
        ask(window, ASKED_COLOR);
        return true;
    default:
        return false;
    }
}

static void viewCommand(Window *window, Command command) {
    Hud *hud = &window->hud;
    Strokes *strokes = &window->painter->strokes;
    if (command == COMMAND_UNDO || command == COMMAND_REDO) {
        window->changed = true;
        (void)(command == COMMAND_REDO ? strokesAsk(strokes, STROKE_REDO)
                                       : strokesTakeBack(strokes));
    } else if (command == COMMAND_ROOM) {
        window->painter->canvas.agreed = true;
        hudSay(hud, HUD_WARNING, "The next stroke may take the room of the oldest half of undo");
    } else if (command == COMMAND_ALL) {
        windowShowAll(window);
    } else if (command == COMMAND_ACTUAL) {
        window->zoom = 0;
    } else if (command == COMMAND_PANELS) {
        hud->hidden = !hud->hidden;
    } else if (command == COMMAND_HELP) {
        ++hud->help;
    } else if (command == COMMAND_CANCEL && hud->help) {
        hud->help = 0;
    } else if (command == COMMAND_CANCEL) {
        strokesStop(strokes);
    }
}

void commandDo(Window *window, Command command) {
    if (window->asked) {
        answer(window, command);
        return;
    }
    if (command == COMMAND_UNDO || command == COMMAND_REDO || command == COMMAND_CANCEL ||
        command == COMMAND_SAVE) {
        window->drag = DRAG_NONE; /* the stroke ends */
    }
    if (!brushCommand(window, command) && !fileCommand(window, command)) {
        viewCommand(window, command);
    }
}
