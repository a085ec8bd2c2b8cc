/* SPDX-License-Identifier: MIT */
#include "history.h"

const Record *historyAt(const History *history, uint64_t number) {
    return &history->records[number % EDIT_RECORDS];
}

static HistoryRoom roomOf(const Record *record) {
    return (HistoryRoom){16 * record->changes + BRICK_BYTES * record->retained, record->changes};
}

HistoryRoom historyTaken(const History *history, Records records) {
    HistoryRoom taken = {0};
    for (uint64_t i = records.first; i < records.end; ++i) {
        const HistoryRoom room = roomOf(historyAt(history, i));
        taken.bytes += room.bytes;
        taken.changes += room.changes;
    }
    return taken;
}

static uint32_t strokeOf(const History *history, uint64_t number) {
    return historyAt(history, number)->stroke;
}

Records historyExcess(const History *history, HistoryRoom taken, HistoryRoom limit,
                      uint32_t stroke) {
    Records excess = {history->oldest, history->oldest};
    const HistoryRoom before = historyTaken(history, (Records){history->oldest, history->next});
    taken.bytes += before.bytes;
    taken.changes += before.changes;
    while (excess.end < history->next &&
           (taken.bytes > limit.bytes || taken.changes > limit.changes ||
            history->next - excess.end == EDIT_RECORDS - 1)) {
        const HistoryRoom room = roomOf(historyAt(history, excess.end++));
        taken.bytes -= room.bytes;
        taken.changes -= room.changes;
    }
    while (excess.end > excess.first && excess.end < history->next &&
           strokeOf(history, excess.end) == strokeOf(history, excess.end - 1) &&
           strokeOf(history, excess.end) != stroke) {
        ++excess.end;
    }
    return excess;
}

void historyAdd(History *history, const Record *record) {
    history->records[history->next++ % EDIT_RECORDS] = *record;
    history->newest = history->next;
}

void historyLearn(History *history, uint32_t sequence, uint64_t changes, uint64_t retained) {
    for (uint64_t i = history->oldest; i < history->newest; ++i) {
        Record *record = &history->records[i % EDIT_RECORDS];
        if (record->sequence == sequence) {
            record->changes = changes;
            record->retained = retained;
            record->known = true;
        }
    }
}

void historyTrim(History *history) {
    while (history->newest == history->next && history->next > history->oldest &&
           historyIsEmpty(history, history->next - 1)) {
        history->newest = --history->next;
    }
}

bool historyIsEmpty(const History *history, uint64_t number) {
    const Record *record = historyAt(history, number);
    return record->known && record->changes == 0;
}

Records historyUndo(const History *history) {
    Records undo = {history->next, history->next};
    while (undo.end > history->oldest && historyIsEmpty(history, undo.end - 1)) {
        --undo.end;
    }
    undo.first = undo.end;
    while (undo.first > history->oldest &&
           (historyIsEmpty(history, undo.first - 1) ||
            strokeOf(history, undo.first - 1) == strokeOf(history, undo.end - 1))) {
        --undo.first;
    }
    return undo;
}

Records historyRedo(const History *history) {
    Records redo = {history->next, history->next};
    while (redo.first < history->newest && historyIsEmpty(history, redo.first)) {
        ++redo.first;
    }
    redo.end = redo.first;
    while (redo.end < history->newest &&
           (historyIsEmpty(history, redo.end) ||
            strokeOf(history, redo.end) == strokeOf(history, redo.first))) {
        ++redo.end;
    }
    return redo;
}

bool historyIsKnown(const History *history) {
    const Records undo = historyUndo(history);
    return undo.first == undo.end || historyAt(history, undo.end - 1)->known;
}

uint32_t historyUndoStroke(const History *history) {
    const Records undo = historyUndo(history);
    return undo.first < undo.end ? strokeOf(history, undo.end - 1) : 0;
}

uint32_t historyRedoStroke(const History *history) {
    const Records redo = historyRedo(history);
    return redo.first < redo.end ? strokeOf(history, redo.first) : 0;
}

uint32_t historyState(const History *history) {
    const uint64_t next = historyUndo(history).end;
    return next ? historyAt(history, next - 1)->sequence
                : 0; /* the oldest but one is still there */
}
