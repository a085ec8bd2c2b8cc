/* The user's input: the view, commands, panels, answers.
 * SPDX-License-Identifier: MIT */
#include "editor_internal.h"

#include <math.h>

void editorMoveView(Editor *editor) {
    const Input *input = &editor->input;
    Camera *camera = &editor->camera;
    const Pick *pick = &editor->tools.pick;
    const float speed = fitSpeed(editor->low, editor->high) *
                        (input->shift  ? 4
                         : input->slow ? 0.2f
                                       : 1) *
                        (float)(input->seconds < 0.1 ? input->seconds : 0.1);
    for (int i = 0; i < 3 && pick->hit && editor->drag == DRAG_NONE; ++i) {
        editor->pivot[i] = pick->at[i] + 0.5;
    }
    editor->drag = input->drag;
    const bool looks = editor->source.isTerrain != input->control; /* models are turned */
    if (input->drag == DRAG_LOOK && looks) {
        cameraTurn(camera, -70 * input->turn[0], 70 * input->turn[1]);
    } else if (input->drag == DRAG_ORBIT || input->drag == DRAG_LOOK) {
        cameraOrbit(camera, editor->pivot, -180 * input->turn[0], 180 * input->turn[1]);
    } else if (input->drag == DRAG_PAN) {
        cameraPan(camera, editor->pivot, input->turn[0], input->turn[1]);
    }
    if (!editor->hud.asked) {
        cameraMove(camera, input->move[0] * speed, input->move[1] * speed, input->move[2] * speed);
    }
    if (editor->hud.dialog.open && input->wheel != 0) {
        dialogMove(&editor->hud.dialog, input->wheel < 0);
    } else if (input->wheel != 0 && !input->control && !input->held) {
        cameraZoom(camera, editor->pivot, powf(0.85f, input->wheel));
    }
}

/* In the part of the picture that the panels leave. */
static void frameBox(Editor *editor, const uint32_t low[3], const uint32_t high[3],
                     float distance) {
    Camera *camera = &editor->camera;
    const Orbit orbit = {camera->yaw, camera->pitch, distance};
    float part[2];
    hudFree(&editor->text, part);
    *camera = cameraBeside(low, high, &orbit, camera->halfHeight, editorAspect(editor), part);
    for (int i = 0; i < 3; ++i) {
        editor->pivot[i] = ((double)low[i] + high[i]) / 2;
    }
    editor->framed = true;
}

void editorFrame(Editor *editor, float distance) {
    frameBox(editor, editor->low, editor->high, distance);
}

void editorWiden(Editor *editor, const Edit *edit) {
    int32_t low[3];
    int32_t high[3];
    static const int32_t size[3] = {WORLD_SIZE_X, WORLD_SIZE_Y, WORLD_SIZE_Z};
    editBounds(edit, low, high);
    for (int i = 0; i < 3 && (edit->tool == TOOL_ADD || edit->tool == TOOL_PASTE ||
                              edit->tool == TOOL_EXTRUDE);
         ++i) {
        const uint32_t first = low[i] < 0 ? 0 : (uint32_t)low[i];
        const uint32_t end = (uint32_t)(high[i] < size[i] ? high[i] + 1 : size[i]);
        editor->low[i] = first < editor->low[i] ? first : editor->low[i];
        editor->high[i] = end > editor->high[i] ? end : editor->high[i];
    }
}

/* Along an axis: from the front, the back, the right, the left, above, below. */
static void lookAlong(Editor *editor, uint32_t side) {
    static const float angles[6][2] = {{0, 0}, {180, 0}, {90, 0}, {-90, 0}, {0, 89}, {0, -89}};
    editor->camera.yaw = angles[side][0];
    editor->camera.pitch = angles[side][1];
    editorFrame(editor, 1);
}

static void framePick(Editor *editor) {
    const Pick *pick = &editor->tools.pick;
    uint32_t low[3];
    uint32_t high[3];
    if (!pick->hit) {
        hudSay(&editor->hud, HUD_WARNING, "there is nothing under the mouse");
        return;
    }
    for (int i = 0; i < 3; ++i) {
        const int32_t around = 6 + 2 * (int32_t)editor->tools.radius;
        low[i] = pick->at[i] > around ? (uint32_t)(pick->at[i] - around) : 0;
        high[i] = (uint32_t)(pick->at[i] + around);
    }
    frameBox(editor, low, high, 1);
}

void editorWish(Editor *editor, Asked wish) {
    if (editor->hud.asked) {
        editorDrop(editor);
    }
    editor->pending = wish;
    editorGrant(editor);
}

void editorGrant(Editor *editor) {
    const Asked wish = editor->pending;
    if (wish == ASKED_NOTHING || editor->working || editor->input.commandCount) {
        return;
    }
    editor->pending = ASKED_NOTHING;
    if (editor->document.unsaved) {
        editorAsk(editor, wish);
    } else {
        editor->leaves = wish == ASKED_LEAVE;
        editor->opens = wish == ASKED_OPEN;
    }
}

/* A swatch, or the place of the mouse on a bar; goesOn: since it went down there. */
static void setColor(Editor *editor, const HudArea *area, bool goesOn) {
    toolsWant(&editor->tools, &(Wanted){.command = area->command,
                                        .value = area->value,
                                        .level = area->level,
                                        .goesOn = goesOn});
}

/* The brush button went down: on something that can be clicked, or on the picture. */
static void press(Editor *editor) {
    HudArea area;
    const bool over = hudPress(&editor->hud, &editor->text,
                               editor->input.cursor[0] * (float)editor->swapchain.width,
                               editor->input.cursor[1] * (float)editor->swapchain.height, &area);
    if (area.command == COMMAND_CHANNEL || area.command == COMMAND_COLOR_SET) {
        setColor(editor, &area, false);
    } else if (over) {
        editorCommand(editor, area.command);
    } else if (!editor->hud.asked && !editor->input.drag) {
        toolsWant(&editor->tools, &(Wanted){.command = COMMAND_PRESS});
    }
}

static void zoomText(Hud *hud, float factor) {
    hud->zoom = fminf(fmaxf((hud->zoom > 0 ? hud->zoom : 1) * factor, 0.5f), 4);
}

/* False: it is about no file. */
static bool viewCommand(Editor *editor, Command command) {
    switch (command) {
    case COMMAND_VIEW:
        editor->scene.mode = (editor->scene.mode + 1) % VIEW_MODES;
        return true;
    case COMMAND_SHOW_ALL:
        editorFrame(editor, 1);
        return true;
    case COMMAND_FRAME_PICK:
        framePick(editor);
        return true;
    case COMMAND_GRID:
        editor->grid = !editor->grid;
        return true;
    default:
        if (command < COMMAND_SIDE_FIRST || command > COMMAND_SIDE_LAST) {
            return false;
        }
        lookAlong(editor, command - COMMAND_SIDE_FIRST);
        return true;
    }
}

static bool fileCommand(Editor *editor, Command command) {
    switch (command) {
    case COMMAND_OPEN:
    case COMMAND_NEW:
    case COMMAND_SAVE_AS:
        editorAskFor(editor, command, "");
        return true;
    case COMMAND_SAVE:
        editor->save = true;
        return true;
    case COMMAND_EXPORT:
        editor->export = true;
        return true;
    case COMMAND_EXPORT_MESH:
        editor->exportMesh = true;
        return true;
    case COMMAND_PICTURE:
        editor->draw = true;
        return true;
    default:
        return false;
    }
}

void editorCommand(Editor *editor, Command command) {
    Hud *hud = &editor->hud;
    if (command == COMMAND_PRESS) {
        press(editor);
        return;
    }
    if (editor->hud.asked && command != COMMAND_RELEASE) {
        editorAnswer(editor, command);
        return;
    }
    if (hudCommand(hud, command)) {
        editor->tools.room.walls = editor->source.box && !hud->hidden;
        return;
    }
    if (fileCommand(editor, command) || viewCommand(editor, command)) {
        return;
    }
    switch (command) {
    case COMMAND_COLOR_TYPE:
        hudAskColor(
            hud, ASKED_COLOR,
            paletteGet(&editor->tools.palette, &editor->source, editor->tools.color, COLOR_RGB));
        break;
    case COMMAND_NUMBERS:
        hudFold(hud, FOLD_NUMBERS);
        break;
    case COMMAND_TEXT_SMALLER:
    case COMMAND_TEXT_LARGER:
        zoomText(hud, command == COMMAND_TEXT_LARGER ? 1.34f : 0.75f);
        break;
    case COMMAND_QUIT:
        editorWish(editor, ASKED_LEAVE);
        break;
    default:
        toolsWant(&editor->tools, &(Wanted){.command = command});
        break;
    }
}

void editorPanels(Editor *editor) {
    HudArea area;
    const float x = editor->input.cursor[0] * (float)editor->swapchain.width;
    const float y = editor->input.cursor[1] * (float)editor->swapchain.height;
    if (editor->input.held && hudDrag(&editor->hud, &editor->text, x, y, &area)) {
        setColor(editor, &area, true);
    }
    editor->onPanel = hudFind(&editor->hud, &editor->text, x, y, &area) &&
                      !toolsBusy(&editor->tools);
}
