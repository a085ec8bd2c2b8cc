/* SPDX-License-Identifier: MIT */
#include "tools_internal.h"

void requestAsk(Tools *tools, const Queued *queued) {
    if (tools->count < TOOLS_QUEUE) {
        tools->queue[(tools->first + tools->count++) % TOOLS_QUEUE] = *queued;
    } else {
        tools->words = "too much at once: some of it is left out";
    }
}

void requestEdit(Tools *tools, const Edit *edit) {
    requestAsk(tools, &(Queued){.request = REQUEST_EDIT, .stroke = tools->strokes, .edit = *edit});
}

void requestMirrored(Tools *tools, const Edit *edit) {
    Edit edits[8];
    const uint32_t count = editMirrored(edit, tools->source->mirror, tools->source->mirrorSum,
                                        edits);
    for (uint32_t i = 0; i < count; ++i) {
        requestEdit(tools, &edits[i]);
    }
}

static const char *answerWords(const Queued *queued, EditAnswer answer) {
    switch (answer) {
    case EDIT_NOTHING:
        return queued->request == REQUEST_UNDO   ? "nothing to undo"
               : queued->request == REQUEST_REDO ? "nothing to redo"
                                                 : NULL;
    case EDIT_LARGE:
        return queued->request == REQUEST_COPY   ? "too large to copy: --clipboard-mib makes room"
               : queued->edit.tool == TOOL_PASTE ? selectionLacksCopy()
                                                 : "that is too large for one edit";
    case EDIT_LARGE_UNDO:
        return "too large to be undone: --undo-mib makes room";
    case EDIT_WRONG:
        return "that edit is not possible";
    default:
        return NULL;
    }
}

static EditAnswer record(Tools *tools, World *world, const Queued *queued) {
    const Edit *edit = &queued->edit;
    switch (queued->request) {
    case REQUEST_PALETTE:
        paletteSet(&tools->palette, tools->source, queued->index, queued->channel, queued->level,
                   queued->stroke);
        return EDIT_RECORDED;
    case REQUEST_UNDO:
        return !worldIsSettled(world) ? EDIT_BUSY
               : queued->stroke && historyUndoStroke(&world->history) != queued->stroke
                   ? EDIT_RECORDED
               : paletteUndo(&tools->palette, tools->source, historyUndoStroke(&world->history))
                   ? EDIT_RECORDED
                   : worldRecordUndo(world);
    case REQUEST_REDO:
        return !worldIsSettled(world) ? EDIT_BUSY
               : paletteRedo(&tools->palette, tools->source, historyRedoStroke(&world->history))
                   ? EDIT_RECORDED
                   : worldRecordRedo(world);
    case REQUEST_COPY:
        return worldRecordCopy(world, edit->flags & EDIT_MARKED,
                               (int32_t[]){edit->ax, edit->ay, edit->az},
                               (int32_t[]){edit->bx, edit->by, edit->bz});
    default:
        return worldRecordEdit(world, edit, queued->stroke);
    }
}

void requestsRun(Tools *tools, World *world) {
    EditAnswer answer = EDIT_RECORDED;
    if (worldIsSettled(world)) {
        paletteForget(&tools->palette, historyUndoStroke(&world->history));
    }
    while (tools->count > 0 && answer != EDIT_BUSY) {
        const Queued *queued = &tools->queue[tools->first % TOOLS_QUEUE];
        answer = record(tools, world, queued);
        if (answer != EDIT_BUSY) {
            const char *words = answerWords(queued, answer);
            tools->words = words ? words : tools->words;
            ++tools->first;
            --tools->count;
        }
    }
}
