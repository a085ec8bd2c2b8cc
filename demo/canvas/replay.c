/* SPDX-License-Identifier: MIT */
#include "replay.h"

#include "common/say.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NUMBERS = 4096, MOST_LINE = 16 * MOST_NUMBERS };

typedef struct Replay {
    Painter *painter;
    ReplayView *view;
    CanvasBrush brush;
    ReplayWatch watch;
    void *user;
    char line[MOST_LINE];
    double numbers[MOST_NUMBERS]; /* of the line */
    uint32_t count;
} Replay;

typedef enum Verb { BRUSH, COLOR, ERASER, LAYER, STROKE, UNDO, REDO, VIEW, SAVE, VERBS } Verb;

static const struct {
    const char *name;
    uint32_t least; /* numbers */
} verbs[VERBS] = {
    [BRUSH] = {"brush", 3}, [COLOR] = {"color", 1},   [ERASER] = {"eraser", 0},
    [LAYER] = {"layer", 1}, [STROKE] = {"stroke", 2}, [UNDO] = {"undo", 0},
    [REDO] = {"redo", 0},   [VIEW] = {"view", 3},     [SAVE] = {"save", 0},
};

void replayColor(uint32_t rgb, uint32_t color[2]) {
    uint32_t part[3];
    for (uint32_t i = 0; i < 3; ++i) {
        part[i] = ((rgb >> (16 - 8 * i) & 255) * CANVAS_ONE + 127) / 255;
    }
    color[0] = part[0] | part[1] << 16;
    color[1] = part[2] | CANVAS_ONE << 16;
}

static bool setBrush(CanvasBrush *brush, const double *n) {
    if (n[0] < 0.5 || n[0] > CANVAS_MAX_RADIUS || n[1] < 0 || n[1] > 100 || n[2] < 1 ||
        n[2] > 100) {
        return sayError("a radius of 0.5 to %u, a hardness of 0 to 100, an opacity of 1 to 100",
                        CANVAS_MAX_RADIUS);
    }
    brush->radius = (uint32_t)lrint(n[0] * CANVAS_FRACTION);
    brush->hardness = (uint32_t)lrint(n[1] * CANVAS_ONE / 100);
    brush->opacity = (uint32_t)lrint(n[2] * CANVAS_ONE / 100);
    return true;
}

static bool paint(Replay *replay) {
    Strokes *strokes = &replay->painter->strokes;
    const double *n = replay->numbers;
    bool done = strokesBegin(strokes, &replay->brush, canvasPlace(n[0], n[1]));
    for (uint32_t i = 2; done && i + 1 < replay->count; i += 2) {
        done = strokesTo(strokes, canvasPlace(n[i], n[i + 1]));
    }
    strokesEnd(strokes);
    return done;
}

static bool runVerb(Replay *replay, Verb verb) {
    Painter *painter = replay->painter;
    CanvasBrush *brush = &replay->brush;
    const double *n = replay->numbers;
    bool done = true;
    switch (verb) {
    case BRUSH:
        return setBrush(brush, n);
    case COLOR:
        replayColor((uint32_t)n[0], brush->color);
        return n[0] <= 0xFFFFFF || sayError("a colour is RRGGBB");
    case ERASER:
        brush->color[0] = brush->color[1] = 0;
        return true;
    case LAYER:
        if (!(n[0] >= 0 && n[0] < CANVAS_LAYERS)) {
            return sayError("layers are 0 to 3");
        }
        brush->layer = (uint32_t)n[0];
        return true;
    case STROKE:
        return paint(replay);
    case VIEW:
        *replay->view = (ReplayView){n[0], n[1], n[2]};
        return (n[2] > 0 && n[2] <= CANVAS_PIXELS) ||
               sayError("a view has up to 1048576 pixels from pixel to pixel");
    case SAVE:
        return painter->database ? fileSave(painter) : sayError("there is no file to save into");
    default:
        for (uint32_t i = 0; done && i < (replay->count ? n[0] : 1); ++i) {
            done = strokesAsk(&painter->strokes, verb == UNDO ? STROKE_UNDO : STROKE_REDO);
        }
        return done;
    }
}

static bool runLine(Replay *replay) {
    Verb verb = 0;
    bool done = false;
    replay->line[strcspn(replay->line, "#")] = '\0';
    const char *name = strtok(replay->line, " \t\r\n");
    while (name && verb < VERBS && strcmp(name, verbs[verb].name) != 0) {
        ++verb;
    }
    replay->count = 0;
    for (char *word, *end; name && (word = strtok(NULL, " \t\r\n")); ++replay->count) {
        const double number = verb == COLOR ? (double)strtoul(word, &end, 16) : strtod(word, &end);
        if (*end || replay->count == MOST_NUMBERS || !(fabs(number) < 1e8)) {
            return sayError("%s is no number that fits here", word);
        }
        replay->numbers[replay->count] = number;
    }
    if (name && replay->watch &&
        !replay->watch(replay->user, name, replay->numbers, replay->count, &done)) {
        return false;
    }
    return !name || done ||
           (verb == VERBS ? sayError("%s is nothing that a replay can do", name)
                          : (replay->count >= verbs[verb].least ||
                             sayError("%s takes %u numbers", name, verbs[verb].least)) &&
                                runVerb(replay, verb));
}

bool replayRun(Painter *painter, const char *path, ReplayView *view, ReplayWatch watch,
               void *user) {
    FILE *file = fopen(path, "r");
    Replay *replay = malloc(sizeof *replay);
    bool done = (file || sayError("%s cannot be read", path)) && (replay || sayError("no memory"));
    if (done) {
        *replay = (Replay){painter, view, .watch = watch, .user = user};
        replay->brush = (CanvasBrush){
            .radius = 8 * CANVAS_FRACTION, .hardness = CANVAS_ONE / 2, .opacity = CANVAS_ONE};
        replayColor(0x202020, replay->brush.color);
    }
    for (uint32_t number = 1; done && fgets(replay->line, MOST_LINE, file); ++number) {
        done = runLine(replay) || sayError("%s: line %u", path, number);
    }
    done = done && painterDrain(painter) && !painter->strokes.lost;
    free(replay);
    (void)(file && fclose(file));
    return done;
}
