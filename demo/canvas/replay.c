/* SPDX-License-Identifier: MIT */
#include "replay.h"

#include "common/say.h"
#include "file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 4096 };

typedef struct Replay {
    Painter *painter;
    ReplayView *view;
    CanvasBrush brush;
    const ReplayWatch *watch;
    double numbers[MOST_WORDS]; /* of the line */
    uint32_t count;
} Replay;

void replayColor(uint32_t rgb, uint32_t color[2]) {
    uint32_t part[3];
    for (uint32_t i = 0; i < 3; ++i) {
        part[i] = ((rgb >> (16 - 8 * i) & 255) * CANVAS_ONE + 127) / 255;
    }
    color[0] = part[0] | part[1] << 16;
    color[1] = part[2] | CANVAS_ONE << 16;
}

static int32_t placeOf(double pixels) {
    return (int32_t)lrint(pixels * CANVAS_FRACTION);
}

/* ---- What lines do -------------------------------------------------------------------------- */

static bool setBrush(Replay *replay) {
    const double *n = replay->numbers;
    if (n[0] < 0.5 || n[0] > CANVAS_MAX_RADIUS || n[1] < 0 || n[1] > 100 || n[2] < 1 ||
        n[2] > 100) {
        return sayError("a radius of 0.5 to %u, a hardness of 0 to 100, an opacity of 1 to 100",
                        CANVAS_MAX_RADIUS);
    }
    replay->brush.radius = (uint32_t)placeOf(n[0]);
    replay->brush.hardness = (uint32_t)lrint(n[1] * CANVAS_ONE / 100);
    replay->brush.opacity = (uint32_t)lrint(n[2] * CANVAS_ONE / 100);
    return true;
}

static bool setColor(Replay *replay) {
    replayColor((uint32_t)replay->numbers[0], replay->brush.color);
    return true;
}

static bool setEraser(Replay *replay) {
    memset(replay->brush.color, 0, sizeof replay->brush.color);
    return true;
}

static bool setLayer(Replay *replay) {
    const double layer = replay->numbers[0];
    replay->brush.layer = (uint32_t)layer;
    return (layer >= 0 && layer < CANVAS_LAYERS) || sayError("layers are 0 to 3");
}

static bool doStroke(Replay *replay) {
    Strokes *strokes = &replay->painter->strokes;
    const double *n = replay->numbers;
    const size_t before = strokes->dabCount;
    bool done = strokesBegin(strokes, &replay->brush, placeOf(n[0]), placeOf(n[1]));
    for (uint32_t i = 2; done && i + 1 < replay->count; i += 2) {
        done = strokesTo(strokes, placeOf(n[i]), placeOf(n[i + 1]));
    }
    strokesEnd(strokes);
    return done && (!replay->watch ||
                    replay->watch->stroke(replay->watch->user, &replay->brush,
                                          strokes->dabs + before, strokes->dabCount - before));
}

static bool doAsk(Replay *replay, StrokeKind kind) {
    bool done = true;
    for (uint32_t i = 0; done && i < (replay->count ? replay->numbers[0] : 1); ++i) {
        done = strokesAsk(&replay->painter->strokes, kind);
        if (replay->watch) {
            replay->watch->ask(replay->watch->user, kind);
        }
    }
    return done;
}

static bool doUndo(Replay *replay) {
    return doAsk(replay, STROKE_UNDO);
}

static bool doRedo(Replay *replay) {
    return doAsk(replay, STROKE_REDO);
}

static bool setView(Replay *replay) {
    const double *n = replay->numbers;
    *replay->view = (ReplayView){n[0], n[1], n[2]};
    return n[2] > 0 || sayError("a view has pixels from pixel to pixel");
}

static bool doSave(Replay *replay) {
    return replay->painter->database ? fileSave(replay->painter)
                                     : sayError("there is no file to save into");
}

/* ---- Lines ---------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    uint32_t least; /* numbers */
    bool (*run)(Replay *replay);
} verbs[] = {
    {"brush", 3, setBrush}, {"color", 1, setColor},  {"eraser", 0, setEraser},
    {"layer", 1, setLayer}, {"stroke", 2, doStroke}, {"undo", 0, doUndo},
    {"redo", 0, doRedo},    {"view", 3, setView},    {"save", 0, doSave},
};

static bool readNumbers(Replay *replay, bool hexadecimal) {
    replay->count = 0;
    for (char *word = strtok(NULL, " \t\r\n"); word; word = strtok(NULL, " \t\r\n")) {
        char *end;
        const double number = hexadecimal ? (double)strtoul(word, &end, 16) : strtod(word, &end);
        if (*end || replay->count == MOST_WORDS || !(fabs(number) < 1e8)) {
            return sayError("%s is no number that fits here", word);
        }
        replay->numbers[replay->count++] = number;
    }
    return true;
}

static bool runLine(Replay *replay, char *line) {
    const ReplayWatch *watch = replay->watch;
    line[strcspn(line, "#")] = '\0';
    const char *word = strtok(line, " \t\r\n");
    for (size_t i = 0; word && i < sizeof verbs / sizeof *verbs; ++i) {
        if (strcmp(word, verbs[i].name) == 0) {
            return readNumbers(replay, verbs[i].run == setColor) &&
                   (replay->count >= verbs[i].least ||
                    sayError("%s takes %u numbers", word, verbs[i].least)) &&
                   verbs[i].run(replay);
        }
    }
    if (word && watch) {
        return readNumbers(replay, false) &&
               watch->verb(watch->user, word, replay->numbers, replay->count);
    }
    return !word || sayError("%s is nothing that a replay can do", word);
}

bool replayRun(Painter *painter, const char *path, ReplayView *view, const ReplayWatch *watch) {
    FILE *file = fopen(path, "r");
    Replay *replay = calloc(1, sizeof *replay);
    char *line = malloc(16 * MOST_WORDS);
    bool done = (file || sayError("%s cannot be read", path)) &&
                ((replay && line) || sayError("no memory"));
    if (done) {
        *replay = (Replay){.painter = painter, .view = view, .watch = watch};
        replayColor(0x202020, replay->brush.color);
        replay->brush.radius = 8 * CANVAS_FRACTION;
        replay->brush.hardness = CANVAS_ONE / 2;
        replay->brush.opacity = CANVAS_ONE;
    }
    for (uint32_t number = 1; done && fgets(line, 16 * MOST_WORDS, file); ++number) {
        done = runLine(replay, line) || sayError("%s: line %u", path, number);
    }
    done = done && painterDrain(painter) && !painter->strokes.lost;
    free(replay);
    free(line);
    (void)(file && fclose(file));
    return done;
}
