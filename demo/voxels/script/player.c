/* SPDX-License-Identifier: MIT */
#include "player.h"

#include "common/message.h"

#include <stdio.h>
#include <string.h>

bool playerOpen(Player *player) {
    player->name = "";
    return gpuCreateFrames(player->gpu, &player->frames) &&
           (!player->witness || player->witness->made(player->source));
}

void playerClose(Player *player) {
    if (player->gpu) {
        gpuDestroyFrames(player->gpu, &player->frames);
    }
}

/* ---- Reports -------------------------------------------------------------------------------- */

/* A requested operation is not done: the run goes on, but has not done all. */
#define SAY_WARNING(player, ...) ((player)->warned = true, (void)sayError(__VA_ARGS__))

static void nameEdit(const WorldReport *report, char name[REPLAY_NAME_SIZE]) {
    const Edit *edit = &report->edit;
    const bool line = edit->ax != edit->bx || edit->ay != edit->by || edit->az != edit->bz;
    const bool bands = edit->tool == TOOL_ADD || edit->tool == TOOL_PAINT ? !brushOneColor(*edit)
                                                                          : false;
    const bool shaped = edit->tool < TOOL_PASTE;
    if (report->event == WORLD_UNDONE || report->event == WORLD_REDONE) {
        (void)snprintf(name, REPLAY_NAME_SIZE, report->event == WORLD_UNDONE ? "undo" : "redo");
    } else if (!shaped || edit->shape == SHAPE_CUBOID) {
        const char *what = edit->flags & EDIT_MARKED ? " marked" : " cuboid";
        (void)snprintf(name, REPLAY_NAME_SIZE, "%s%s%s", editToolName(edit->tool),
                       shaped ? what : "", bands ? " bands" : "");
    } else {
        (void)snprintf(name, REPLAY_NAME_SIZE, "%s %s %u%s%s", editToolName(edit->tool),
                       editShapeName(edit->shape), edit->radius, line ? " line" : "",
                       bands ? " bands" : "");
    }
}

static bool takeReport(Player *player, const WorldReport *report) {
    char name[REPLAY_NAME_SIZE];
    char words[WORLD_WORDS];
    nameEdit(report, name);
    lightEdited(&player->stage->tracer.light, report);
    reportRow(player->report, "edit", report->frame, name, report->milliseconds, player->world,
              report);
    if (trafficTrouble(report, words)) {
        SAY_WARNING(player, "%s: %s", name, words);
    }
    return !player->witness || player->witness->reported(report);
}

/* ---- Frames --------------------------------------------------------------------------------- */

static bool beginFrame(Player *player) {
    Gpu *gpu = player->gpu;
    GpuFrames *frames = &player->frames;
    WorldReport report;
    if (!gpuAwaitFrame(gpu, frames)) {
        return false;
    }
    const uint32_t index = gpuFrameIndex(frames);
    if (frames->count >= GPU_FRAMES) {
        reportRow(player->report, "frame", frames->count - GPU_FRAMES, player->names[index],
                  gpuFrameMilliseconds(gpu, frames, GPU_FRAME_BEGIN, GPU_FRAME_END), player->world,
                  NULL);
    }
    player->names[index] = player->name;
    if (!gpuBeginFrame(gpu, frames)) {
        return false;
    }
    player->inFrame = true;
    worldBeginFrame(player->world, frames);
    bool fine = true;
    while (fine && trafficNext(&player->world->traffic, &report)) {
        fine = takeReport(player, &report);
    }
    return fine;
}

static bool endFrame(Player *player) {
    player->inFrame = false;
    worldEndFrame(player->world);
    return gpuSubmitFrame(player->gpu, &player->frames, VK_NULL_HANDLE, VK_NULL_HANDLE);
}

static bool nextFrame(Player *player) {
    return endFrame(player) && beginFrame(player);
}

/* Until all reports have arrived; no frame is open then. */
static bool drain(Player *player) {
    bool fine = true;
    while (fine && worldUse(player->world).waiting) {
        fine = nextFrame(player);
    }
    uint32_t moves;
    do { /* the counts must be of the present table */
        moves = worldUse(player->world).tableMoves;
        fine = fine && trafficStats(&player->world->traffic, &player->world->store);
        for (uint32_t i = 0; i < GPU_FRAMES && fine; ++i) {
            fine = nextFrame(player);
        }
    } while (fine && worldUse(player->world).tableMoves != moves);
    return fine && endFrame(player);
}

/* ---- Lines ---------------------------------------------------------------------------------- */

/* In the world instead of from the source's corner. */
static Edit inWorld(const Player *player, const Edit *edit) {
    const uint32_t *origin = player->source->origin;
    Edit moved = *edit;
    if (edit->tool != TOOL_EXTRUDE) {
        moved.ax += (int32_t)origin[0];
        moved.ay += (int32_t)origin[1];
        moved.az += (int32_t)origin[2];
        moved.bx += (int32_t)origin[0];
        moved.by += (int32_t)origin[1];
        moved.bz += (int32_t)origin[2];
    }
    return moved;
}

/* One edit, in the first frame that takes it. */
static bool playEdit(Player *player, const Edit *edit, uint32_t number) {
    const char *objection = editObjection(edit);
    if (!player->inStroke) {
        ++player->stroke;
    }
    EditAnswer answer;
    while ((answer = worldRecordEdit(player->world, edit, player->stroke)) == EDIT_BUSY) {
        if (!nextFrame(player)) {
            return false;
        }
    }
    if (answer == EDIT_WRONG) {
        return sayError("line %u: %s", number, objection ? objection : "the edit is wrong");
    }
    if (answer == EDIT_RECORDED) {
        return nextFrame(player);
    }
    SAY_WARNING(player, "line %u: %s: not done", number,
                answer == EDIT_NOTHING      ? "nothing is marked"
                : answer == EDIT_LARGE_UNDO ? "the edit could not be undone (more: --undo-mib; "
                                              "or no-undo)"
                : edit->tool == TOOL_PASTE  ? "there is no copy"
                                            : "the edit is too large");
    return nextFrame(player);
}

static int32_t between(int32_t a, int32_t b, uint32_t i, uint32_t last) {
    return (int32_t)(a + ((int64_t)b - a) * i / (int64_t)last);
}

static bool playDrag(Player *player, const ReplayLine *line) {
    const Edit way = inWorld(player, &line->edit);
    bool fine = true;
    (void)snprintf(player->dragName, sizeof player->dragName, "drag %s %s %u",
                   editToolName(way.tool), editShapeName(way.shape), way.radius);
    /* The frame that is open takes the first stamp, but was begun before. */
    player->names[gpuFrameIndex(&player->frames)] = player->dragName;
    player->name = player->dragName;
    for (uint32_t i = 0; i < line->count && fine; ++i) {
        Edit stamp = way;
        stamp.ax = stamp.bx = between(way.ax, way.bx, i, line->count - 1);
        stamp.ay = stamp.by = between(way.ay, way.by, i, line->count - 1);
        stamp.az = stamp.bz = between(way.az, way.bz, i, line->count - 1);
        if (i + 1 == line->count) {
            player->name = "";
        }
        fine = playEdit(player, &stamp, line->number);
    }
    return fine && drain(player) && beginFrame(player); /* the name is used until then */
}

/* Of it there is no report: the witness follows when those before it have come. */
static bool playCopy(Player *player, const ReplayLine *line) {
    const Edit edit = inWorld(player, &line->edit);
    const bool marked = edit.flags & EDIT_MARKED;
    int32_t low[3];
    int32_t high[3];
    while (worldUse(player->world).waiting) {
        if (!nextFrame(player)) {
            return false;
        }
    }
    editBounds(&edit, low, high);
    const EditAnswer answer = worldRecordCopy(player->world, marked, low, high);
    if (answer != EDIT_RECORDED) {
        SAY_WARNING(player, "line %u: %s: not done", line->number,
                    answer == EDIT_NOTHING
                        ? "nothing is marked"
                        : "the box is too large to copy (more: --clipboard-mib)");
        return true;
    }
    return !player->witness ||
           (drain(player) && player->witness->copied(low, high, marked) && beginFrame(player));
}

static bool playSwap(Player *player, const ReplayLine *line) {
    bool undo = line->verb == REPLAY_UNDO;
    bool fine = true;
    for (uint32_t i = 0; i < line->count && fine; ++i) {
        EditAnswer answer = EDIT_BUSY;
        while (fine && answer == EDIT_BUSY) {
            answer = undo ? worldRecordUndo(player->world) : worldRecordRedo(player->world);
            fine = answer == EDIT_NOTHING || nextFrame(player);
        }
        if (answer == EDIT_NOTHING) {
            SAY_WARNING(player, "line %u: there is nothing more to %s", line->number,
                        undo ? "undo" : "redo");
            return true;
        }
    }
    return fine;
}

static bool playLine(Player *player, const ReplayLine *line) {
    bool fine = true;
    Edit edit;
    switch (line->verb) {
    case REPLAY_EDIT:
        edit = inWorld(player, &line->edit);
        return playEdit(player, &edit, line->number);
    case REPLAY_DRAG:
        return playDrag(player, line);
    case REPLAY_COPY:
        return playCopy(player, line);
    case REPLAY_UNDO:
    case REPLAY_REDO:
        return playSwap(player, line);
    case REPLAY_STROKE:
        player->inStroke = line->count != 0;
        ++player->stroke;
        return true;
    case REPLAY_CHECK: /* for the witness */
        return !player->witness ||
               (drain(player) && player->witness->checked(player->world, line) &&
                beginFrame(player));
    case REPLAY_FRAMES:
        for (uint32_t i = 0; i < line->count && fine; ++i) {
            fine = nextFrame(player);
        }
        return fine;
    case REPLAY_PICTURE:
        return drain(player) && stagePicture(player->stage, line) && beginFrame(player);
    case REPLAY_FLY:
        return drain(player) && stageFly(player->stage, line) && beginFrame(player);
    default:
        stageSet(player->stage, line);
        return true;
    }
}

bool playerPlay(Player *player, const Replay *replay) {
    bool fine = beginFrame(player);
    for (size_t i = 0; i < replay->count && fine; ++i) {
        fine = playLine(player, &replay->lines[i]);
        sayProgress("replaying", (uint32_t)i, (uint32_t)replay->count);
    }
    sayProgress("replaying", 1, 1);
    fine = fine && drain(player);
    if (player->inFrame) { /* something failed in the middle of it */
        (void)endFrame(player);
    }
    return fine && (!player->witness || player->witness->checked(player->world, NULL));
}
