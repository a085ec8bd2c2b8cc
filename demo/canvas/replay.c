/* SPDX-License-Identifier: MIT */
#include "replay.h"

#include "common/message.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NUMBERS = 4096, MOST_LINE = 16 * MOST_NUMBERS };

typedef enum Verb { BRUSH, COLOR, ERASER, LAYER, STROKE, UNDO, REDO, VIEW, SAVE, VERBS } Verb;

static const struct {
    const char *name;
    uint32_t least;      /* numbers */
    double ranges[3][2]; /* of these; the last is that of all behind it, too */
} verbs[VERBS] = {
    [BRUSH] = {"brush", 3, {{0.5, CANVAS_MAX_RADIUS}, {0, 100}, {1, 100}}}, /* and the flow */
    [COLOR] = {"color", 1, {{0, 0xFFFFFF}}},
    [ERASER] = {"eraser", 0, {{0, 0}}},
    [LAYER] = {"layer", 1, {{0, CANVAS_LAYERS - 1}}},
    [STROKE] = {"stroke", 2, {{-1e8, 1e8}, {-1e8, 1e8}, {-1e8, 1e8}}},
    [UNDO] = {"undo", 0, {{0, CANVAS_STROKES}}},
    [REDO] = {"redo", 0, {{0, CANVAS_STROKES}}},
    [VIEW] = {"view", 3, {{-1e8, 1e8}, {-1e8, 1e8}, {1.0 / 65536, CANVAS_PIXELS}}},
    [SAVE] = {"save", 0, {{0, 0}}},
};

void replayColor(uint32_t rgb, uint32_t color[2]) {
    uint32_t part[3];
    for (uint32_t i = 0; i < 3; ++i) {
        part[i] = ((rgb >> (16 - 8 * i) & 255) * CANVAS_ONE + 127) / 255;
    }
    color[0] = part[0] | part[1] << 16;
    color[1] = part[2] | CANVAS_ONE << 16;
}

static bool paint(Replay *replay, const double *n, uint32_t count) {
    Strokes *strokes = &replay->painter->strokes;
    bool done = strokesBegin(strokes, &replay->brush, canvasPlace(n[0], n[1]));
    for (uint32_t i = 2; done && i + 1 < count; i += 2) {
        done = strokesTo(strokes, canvasPlace(n[i], n[i + 1]));
    }
    return done;
}

static bool runVerb(Replay *replay, Verb verb, const double *n, uint32_t count) {
    Painter *painter = replay->painter;
    CanvasBrush *brush = &replay->brush;
    bool done = true;
    switch (verb) {
    case BRUSH:
        brush->radius = (uint32_t)lrint(n[0] * CANVAS_FRACTION);
        brush->hardness = (uint32_t)lrint(n[1] * CANVAS_ONE / 100);
        brush->opacity = (uint32_t)lrint(n[2] * CANVAS_ONE / 100);
        brush->flow = (uint32_t)lrint((count > 3 ? n[3] : 100) * CANVAS_ONE / 100);
        return true;
    case COLOR:
        replayColor((uint32_t)n[0], brush->color);
        return true;
    case ERASER:
        brush->color[0] = brush->color[1] = 0;
        return true;
    case LAYER:
        brush->layer = (uint32_t)n[0];
        return true;
    case STROKE:
        return paint(replay, n, count);
    case VIEW:
        replay->view = (ReplayView){n[0], n[1], n[2]};
        return true;
    case SAVE:
        return painter->path[0] ? fileSave(painter) : sayError("there is no file to save into");
    default:
        for (uint32_t i = 0; done && i < (count ? n[0] : 1); ++i) {
            done = strokesAsk(&painter->strokes, verb == UNDO ? STROKE_UNDO : STROKE_REDO);
        }
        return done;
    }
}

bool replayLine(Replay *replay, char *line) {
    double numbers[MOST_NUMBERS];
    uint32_t count = 0;
    Verb verb = 0;
    line[strcspn(line, "#")] = '\0';
    const char *name = strtok(line, " \t\r\n");
    while (name && verb < VERBS && strcmp(name, verbs[verb].name) != 0) {
        ++verb;
    }
    if (!name || verb == VERBS) {
        return !name || sayError("%s is nothing that a replay can do", name);
    }
    for (char *word, *end; count < MOST_NUMBERS && (word = strtok(NULL, " \t\r\n")); ++count) {
        const double *range = verbs[verb].ranges[canvas_least(count, 2)];
        numbers[count] = verb == COLOR ? (double)strtoul(word, &end, 16) : strtod(word, &end);
        if (*end || !(numbers[count] >= range[0] && numbers[count] <= range[1])) {
            return sayError("%s: %s is no number from %g to %g", name, word, range[0], range[1]);
        }
    }
    return count >= verbs[verb].least ? runVerb(replay, verb, numbers, count)
                                      : sayError("%s takes %u numbers", name, verbs[verb].least);
}

Replay replayBegin(Painter *painter, ReplayView view) {
    Replay replay = {painter,
                     view,
                     {.radius = 8 * CANVAS_FRACTION,
                      .hardness = CANVAS_ONE / 2,
                      .opacity = CANVAS_ONE,
                      .flow = CANVAS_ONE}};
    replayColor(0x202020, replay.brush.color);
    return replay;
}

bool replayRun(Replay *replay, const char *path) {
    char line[MOST_LINE];
    FILE *file = fopen(path, "r");
    bool done = file || sayError("%s cannot be read", path);
    for (uint32_t number = 1; done && fgets(line, MOST_LINE, file); ++number) {
        done = replayLine(replay, line) || sayError("%s: line %u", path, number);
    }
    (void)(file && fclose(file));
    return done && painterDrain(replay->painter) && !replay->painter->strokes.lost;
}
