/* SPDX-License-Identifier: MIT */
#include "notes.h"

#include <string.h>

World world;
Tools tools;
Source source;
Input input;
Camera camera;
Note notes[NOTES];
uint32_t noted;

static Pick picks[2]; /* of the last two frames; a pick arrives two frames late */
static uint32_t frames;

Source sourceOf(uint32_t side, uint64_t payloads, bool terrain) {
    Source made = {.isTerrain = terrain, .terrainSize = terrain ? side : 0};
    for (int i = 0; i < 3; ++i) {
        made.size[i] = side;
        made.high[i] = side;
    }
    made.set.count = (size_t)payloads;
    made.set.voxelBytes = (size_t)(512 * payloads);
    return made;
}

static EditAnswer note(char what, const Edit *edit, uint32_t stroke) {
    assert_true(noted < NOTES);
    notes[noted++] = (Note){what, stroke, edit ? *edit : (Edit){0}};
    return EDIT_RECORDED;
}

EditAnswer worldRecordEdit(World *w, const Edit *edit, uint32_t stroke) {
    if (w->flood.runs) {
        return EDIT_BUSY;
    }
    if (edit->tool == TOOL_EXTRUDE && edit->ax == 0) {
        return EDIT_NOTHING;
    }
    if (edit->tool == TOOL_MARK) {
        w->flood.runs = true;
        return note('e', edit, stroke);
    }
    w->history.newest = w->history.next;
    historyAdd(&w->history, &(Record){.changes = 1,
                                      .sequence = ++w->traffic.sequence,
                                      .stroke = stroke,
                                      .edit = *edit});
    return note('e', edit, stroke);
}

bool worldIsSettled(const World *w) {
    return historyIsKnown(&w->history) && !w->flood.runs;
}

static EditAnswer swap(char what, Records records, uint64_t next) {
    if (records.first == records.end) {
        return EDIT_NOTHING;
    }
    world.history.next = next;
    return note(what, NULL, 0);
}

EditAnswer worldRecordUndo(World *w) {
    const Records undo = historyUndo(&w->history);
    return swap('u', undo, undo.first);
}

EditAnswer worldRecordRedo(World *w) {
    const Records redo = historyRedo(&w->history);
    return swap('r', redo, redo.end);
}

bool worldCanCopy(const World *w, const int32_t low[3], const int32_t high[3]) {
    return high[0] - low[0] < 100;
}

EditAnswer worldRecordCopy(World *w, bool marked, int32_t low[3], int32_t high[3]) {
    if (marked && w->flood.runs) {
        return EDIT_BUSY;
    }
    Edit box = {0};
    editSetEnds(&box, low, high);
    for (int i = 0; i < 3; ++i) {
        w->store.clip[i] = marked ? (uint32_t)(w->flood.high[i] - w->flood.low[i] + 1)
                                  : (uint32_t)(high[i] - low[i] + 1);
    }
    return marked ? note('m', NULL, 0) : note('c', &box, 0);
}

void findMarks(const int32_t low[3], const int32_t high[3]) {
    world.flood.runs = false;
    world.flood.found = high[0] != 0;
    memcpy(world.flood.low, low, sizeof world.flood.low);
    memcpy(world.flood.high, high, sizeof world.flood.high);
}

void trafficPick(Traffic *traffic, Store *store, const float origin[3], const float direction[3],
                 float limit, const Pick *otherwise) {
}

void frameOn(const Pick *pick, float x, float y, float z) {
    const CameraAxes axes = cameraAxes(&camera);
    const float place[3] = {x, y, z};
    float right = 0;
    float up = 0;
    float forward = 0;
    for (int i = 0; i < 3; ++i) {
        const float to = place[i] - (float)camera.position[i];
        right += to * axes.right[i];
        up += to * axes.up[i];
        forward += to * axes.forward[i];
    }
    input.width = input.height = 100;
    input.cursor[0] = (right / forward / camera.halfHeight + 1) / 2;
    input.cursor[1] = (1 - up / forward / camera.halfHeight) / 2;
    world.traffic.pick = picks[frames % 2];
    picks[frames % 2] = *pick;
    toolsFrame(&tools, &world, frames++ % 2, &camera, &input);
}

Pick voxelPick(int32_t x, int32_t y, int32_t z, int axis, int32_t normal) {
    Pick pick = {PICK_VOXEL, {x, y, z}, {0}, 0};
    pick.normal[axis] = normal;
    return pick;
}

void frame(int32_t x) {
    const Pick pick = voxelPick(x, 3, 7, 1, 1);
    frameOn(&pick, (float)x + 0.5f, 4, 7.5f);
}

int begin(void **state) {
    memset(&world, 0, sizeof world);
    world.store.options.undoBytes = 1;
    source = sourceOf(64, 0, false);
    toolsStart(&tools, &source);
    memset(picks, 0, sizeof picks);
    memset(&input, 0, sizeof input);
    camera = (Camera){.position = {32, 60, 90}, .pitch = 45, .halfHeight = 0.45f};
    noted = frames = 0;
    return 0;
}

void want(Command command) {
    toolsWant(&tools, &(Wanted){.command = command});
}

void wantAll(const Command *commands) {
    for (; *commands; ++commands) {
        want(*commands);
    }
}

void learn(bool changed) {
    History *history = &world.history;
    for (uint64_t i = history->oldest; i < history->newest; ++i) {
        if (!historyAt(history, i)->known) {
            historyLearn(history, historyAt(history, i)->sequence, changed, 0);
        }
    }
    historyTrim(history);
}

void settle(void) {
    for (int i = 0; i < 4; ++i) {
        frame(0);
        learn(true);
    }
}

void expectNotes(const char *kinds) {
    assert_int_equal(noted, strlen(kinds));
    for (uint32_t i = 0; i < noted; ++i) {
        assert_int_equal(notes[i].what, kinds[i]);
    }
}

void expectBox(const Edit *edit, int ax, int ay, int az, int bx, int by, int bz) {
    const int found[6] = {edit->ax, edit->ay, edit->az, edit->bx, edit->by, edit->bz};
    const int expected[6] = {ax, ay, az, bx, by, bz};
    assert_memory_equal(found, expected, sizeof found);
}

void expectMeasure(int32_t x, int32_t y, int32_t z, int32_t wide, int32_t high, int32_t deep) {
    const int32_t expected[6] = {x, y, z, wide, high, deep};
    int32_t found[6];
    assert_true(toolsMeasure(&tools, found, found + 3));
    assert_memory_equal(found, expected, sizeof found);
}

void dragGround(int32_t from, int32_t to) {
    want(COMMAND_PRESS);
    frame(from);
    want(COMMAND_RELEASE);
    frame(to);
}

void key(Command command) {
    want(command);
    settle();
}
