/* Paints replays with murcanvas's painter, and compares the canvas with a reference on the CPU.
 *   canvas_check [--validation] [--tiles N] [--pool N] [--host N] [--budget N]
 *                [--file PAINTING] REPLAY...
 * Verbs in addition to those of murcanvas:
 *   reference X Y SIDE         begins the reference, a dense image of a square of the canvas
 *   random COUNT SEED X Y SIDE RADIUS
 *                              paints COUNT strokes in the square, in two layers, with random
 *                              brushes of up to this radius
 *   check                      compares all tiles and some views with the reference
 *   watch                      from now on, frames that paint also draw a view
 *   untouched                  checks that the table has no key
 *   taken FRAMES X Y X Y       begins a stroke and takes it back after this many frames
 *   frames COUNT               checks that at least this many frames were recorded
 *   version N                  saves the file with this version number
 *   picture X Y STEP SUM       checks a view by the sum of its pixels, which is always the same
 *   past STROKES ENTRIES KEPT  acts as if STROKES strokes had been painted, of which KEPT can be
 *                              undone and the oldest has ENTRIES empty entries of the log; must be
 *                              the first verb
 *   kept COUNT                 checks that this many strokes can be undone
 *   paged                      checks that more tiles are in use than the pool can hold
 *   reopen                     closes the painting without saving and opens it again
 *   found                      sets the reference to the canvas's number of strokes
 *   reader                     begins or ends a read of the file by another connection
 *   alone IS                   checks that the file contains all saved data (1), or -wal a part (0)
 *   elsewhere                  saves as another file, which `reopen` opens from then on
 *   fail KIB                   saves while files cannot exceed this size, which must fail
 * SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "common/message.h"
#include "reference.h"
#include "replay.h"

#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

enum { WIDTH = 160, HEIGHT = 90 };

typedef struct Check {
    Painter painter;
    GpuOptions options;
    const char *file;
    CanvasInfo info;
    Reference reference;
    GpuBuffer watched; /* output of the view of `watch`; size 0: no view */
    sqlite3 *reader;   /* NULL: no reader is open */
    double seen;       /* pixel sum of the first view of `same`; 0: none yet */
    size_t fed;        /* number of waiting items that the reference already has */
} Check;

/* Gives each waiting stroke, undo and redo once to the reference, before the canvas paints it. */
static bool feed(Check *check) {
    const Strokes *strokes = &check->painter.strokes;
    Reference *reference = &check->reference;
    bool done = true;
    if (strokes->count < check->fed) { /* the canvas painted all items since the last call */
        check->fed = 0;
    }
    while (done && check->fed < strokes->count) {
        const StrokeItem *item = &strokes->items[check->fed++];
        if (item->kind == STROKE_BEGIN) {
            const size_t first = check->fed;
            while (check->fed < strokes->count && item[check->fed - first + 1].kind == STROKE_DAB) {
                ++check->fed;
            }
            done = referenceStroke(reference, item, check->fed - first);
        } else if (item->kind == STROKE_UNDO) {
            reference->applied -= reference->applied > 0;
        } else {
            reference->applied += reference->applied < reference->count;
        }
    }
    return done;
}

/* ---- Verbs of a replay ---------------------------------------------------------------------- */

/* Paints random strokes; a quarter of them erase. */
static bool paintRandom(Check *check, const double *numbers) {
    Strokes *strokes = &check->painter.strokes;
    const uint32_t count = (uint32_t)numbers[0], seed = (uint32_t)numbers[1];
    const double side = numbers[4];
    bool done = true;
    for (uint32_t i = 0; done && i < count; ++i) {
        double random[14];
        CanvasPlace places[3];
        for (uint32_t j = 0; j < 14; ++j) {
            random[j] = mur_hash(14 * i + j, seed) / 4294967296.0;
        }
        const double radius = numbers[5] * (0.2 + 0.8 * random[0] * random[0]);
        const double inner = side - 2 * radius - 4; /* the brush stays in the square */
        const double reach = fmin(inner, 512);      /* size of a stroke from its corner */
        const double corner[2] = {(inner - reach) * random[12], (inner - reach) * random[13]};
        CanvasBrush brush = {.layer = random[1] < 0.5,
                             .radius = (uint32_t)lrint(radius * CANVAS_FRACTION),
                             .hardness = (uint32_t)(CANVAS_ONE * random[2]),
                             .opacity = (uint32_t)(CANVAS_ONE * (0.1 + 0.9 * random[3])),
                             .flow = random[2] < 0.5 ? CANVAS_ONE / 8 : CANVAS_ONE};
        if (random[4] < 0.75) {
            replayColor(mur_hash(i, seed + 1) >> 8, brush.color);
        }
        for (uint32_t j = 0; j < 3; ++j) {
            places[j] = canvasPlace(numbers[2] + radius + 2 + corner[0] + reach * random[6 + 2 * j],
                                    numbers[3] + radius + 2 + corner[1] +
                                        reach * random[7 + 2 * j]);
        }
        done = strokesBegin(strokes, &brush, places[0]) && strokesTo(strokes, places[1]) &&
               strokesTo(strokes, places[2]);
    }
    return done;
}

static bool paintTaken(Painter *painter, const CanvasBrush *brush, const double *numbers) {
    Strokes *strokes = &painter->strokes;
    const size_t before = strokes->count;
    bool done = strokesBegin(strokes, brush, canvasPlace(numbers[1], numbers[2])) &&
                strokesTo(strokes, canvasPlace(numbers[3], numbers[4]));
    const size_t count = strokes->count;
    for (uint32_t i = 0; done && i < numbers[0]; ++i) {
        done = painterBegin(painter, false) && painterEnd(painter, VK_NULL_HANDLE, VK_NULL_HANDLE);
    }
    done = done && strokesTakeBack(strokes);
    const bool cut = numbers[0] > 0 ? strokes->count < count : strokes->count == before;
    return done && (cut || sayError("the stroke goes on"));
}

/* Paints all waiting strokes. If `watch` was called, each frame also draws a random view. */
static bool drain(Check *check) {
    Painter *painter = &check->painter;
    const Reference *reference = &check->reference;
    bool done = true;
    while (done && check->watched.size && strokesWait(&painter->strokes)) {
        const uint32_t random = mur_hash((uint32_t)painter->canvas.frame, 5);
        const CanvasPlace middle = canvasPlace(reference->x + random % reference->side,
                                               reference->y + (random >> 16) % reference->side);
        const CanvasView view = canvasView(&painter->canvas, middle, 1, WIDTH, HEIGHT);
        done = painterBegin(painter, false);
        if (done) {
            canvasCmdView(&painter->canvas, &view, &check->watched);
            done = painterEnd(painter, VK_NULL_HANDLE, VK_NULL_HANDLE);
        }
    }
    return done && painterDrain(painter);
}

static bool failToSave(Painter *painter, double kib) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0) {
        return sayError("no limit can be set");
    }
    const struct rlimit small = {(rlim_t)(1024 * kib), limit.rlim_max};
    (void)signal(SIGXFSZ, SIG_IGN);
    const bool saved = setrlimit(RLIMIT_FSIZE, &small) != 0 || fileSave(painter);
    return setrlimit(RLIMIT_FSIZE, &limit) == 0 && (!saved || sayError("it was saved"));
}

static bool beReader(Check *check) {
    if (check->reader) {
        const int code = sqlite3_close(check->reader);
        check->reader = NULL;
        return code == SQLITE_OK;
    }
    return sqlite3_open(check->file, &check->reader) == SQLITE_OK &&
           sqlite3_exec(check->reader, "BEGIN; SELECT * FROM database", NULL, NULL, NULL) ==
               SQLITE_OK;
}

static bool checkAlone(const Check *check, bool alone) {
    char path[4096];
    struct stat wal = {0};
    (void)snprintf(path, sizeof path, "%s-wal", check->file);
    (void)stat(path, &wal);
    return (!wal.st_size == alone && check->painter.logged != alone) ||
           sayError("%s has %lld bytes", path, (long long)wal.st_size);
}

/* Checks a view by the sum of its pixels, numbers[3] if that is not 0, and returns the sum in
 * numbers[4]. This detects errors in code that reference and canvas share: how strokes become dabs,
 * which pixels a dab covers, where a view is. */
static bool checkPicture(Painter *painter, double *numbers) {
    const CanvasPlace middle = canvasPlace(numbers[0], numbers[1]);
    const CanvasView view = canvasView(NULL, middle, numbers[2], 96, 64);
    GpuBuffer picture = {0};
    const bool done = painterSee(painter, &view, &picture);
    uint32_t sum = 0;
    for (uint32_t i = 0; done && i < 96 * 64; ++i) {
        sum = mur_hash(((const uint32_t *)picture.mapped)[i], sum);
    }
    gpuDestroyBuffer(&painter->gpu, &picture);
    sum >>= 8; /* only 24 bits, so that numbers in replays are short */
    numbers[4] = sum;
    return done &&
           (numbers[3] == 0 || sum == numbers[3] || sayError("a picture has the sum %u", sum));
}

/* Checks that the replay rejects "LINE | TEXT" with a message that contains the text. */
static bool checkWrong(Replay *replay, char *line) {
    char *text = strstr(line, " | ");
    if (!text) {
        return sayError("%s: no text is expected", line);
    }
    *text = '\0';
    text += 3;
    text[strcspn(text, "\n")] = '\0';
    return (!replayLine(replay, line) && strstr(sayLast(), text)) ||
           sayError("expected \"%s\"", text);
}

static bool bePast(Canvas *canvas, uint32_t strokes, uint32_t entries, uint32_t kept) {
    const uint32_t oldest = kept ? 0 : entries, dropped = strokes - kept;
    uint32_t ends[CANVAS_STROKES];
    for (uint32_t i = 0; i < CANVAS_STROKES; ++i) {
        ends[i] = i == dropped % CANVAS_STROKES ? oldest : entries;
    }
    const bool done = gpuBegin(canvas->gpu);
    if (done) {
        gpuUpdate(canvas->gpu, ends, &canvas->memory, 4 * CANVAS_ENDS, sizeof ends);
        gpuUpdate(canvas->gpu, &entries, &canvas->memory, 4 * CANVAS_LOGGED, 4);
        gpuUpdate(canvas->gpu, &oldest, &canvas->memory, 4 * CANVAS_OLDEST, 4);
    }
    canvas->now.strokes = canvas->now.applied = canvas->stroke = strokes;
    canvas->now.dropped = dropped;
    return done && gpuSubmit(canvas->gpu);
}

/* Paints all waiting strokes and runs a check of the canvas. Returns false for other names. */
static bool onLook(Check *check, const char *name, double number, bool *done) {
    static const char *const names[] = {"paged", "untouched", "frames", "kept", "lost"};
    const Canvas *canvas = &check->painter.canvas;
    uint64_t *lost = &check->painter.strokes.lost;
    uint32_t i = 0;
    while (i < 5 && strcmp(name, names[i]) != 0) {
        ++i;
    }
    if (i == 5) {
        return false;
    }
    *done = drain(check);
    const uint32_t kept = canvas->now.applied - canvas->now.dropped;
    const bool right[] = {canvasTiles(canvas) > canvas->pool, canvas->report.keys == 0,
                          (double)canvas->frame >= number, kept == number, (double)*lost == number};
    *done = *done && (right[i] ||
                      sayError("%u tiles, %u keys, %llu frames, %u strokes to undo, %llu lost",
                               canvasTiles(canvas), canvas->report.keys,
                               (unsigned long long)canvas->frame, kept, (unsigned long long)*lost));
    *lost = i == 4 ? 0 : *lost;
    return true;
}

/* Version 5 has no view. */
static bool saveVersion(Painter *painter, uint32_t version) {
    const size_t first = offsetof(CanvasContent, look), rest = sizeof(CanvasContent);
    uint64_t size = 0;
    painter->canvas.now.version = version;
    bool done = fileSave(painter);
    if (done && version == 5) {
        Store *store = painter->store;
        done = store->readBlob(store, &size, NULL) == VK_SUCCESS;
        char *bytes = malloc((size_t)size);
        done = done && bytes && store->readBlob(store, &size, bytes) == VK_SUCCESS;
        if (done) {
            memmove(bytes + first, bytes + rest, (size_t)size - rest);
            size -= rest - first;
            done = store->writeBlob(store, bytes, size) == VK_SUCCESS &&
                   store->file.pfnCommit(store->file.pUserData) == VK_SUCCESS;
        }
        free(bytes);
    }
    return done;
}

/* Runs a verb that needs a file. Returns false if the name is not such a verb. */
static bool onFile(Check *check, const char *name, const double *numbers, bool *done) {
    Painter *painter = &check->painter;
    if (strcmp(name, "version") == 0) {
        *done = saveVersion(painter, (uint32_t)numbers[0]);
    } else if (strcmp(name, "reopen") == 0) {
        gpuDestroyBuffer(&painter->gpu, &check->watched);
        painterClose(painter);
        *done = fileOpen(painter, &check->options, check->file, check->info);
    } else if (strcmp(name, "elsewhere") == 0) {
        static char path[4096];
        (void)snprintf(path, sizeof path, "%s.2", check->file);
        *done = fileSaveAs(painter, path);
        check->file = path;
    } else if (strcmp(name, "fail") == 0) {
        *done = failToSave(painter, numbers[0]);
    } else if (strcmp(name, "reader") == 0) {
        *done = beReader(check);
    } else if (strcmp(name, "alone") == 0) {
        *done = checkAlone(check, numbers[0] != 0);
    } else {
        return false;
    }
    return true;
}

/* Runs a line of the replay: one of the verbs above, or a verb of murcanvas. */
static bool onLine(Check *check, Replay *replay, char *line) {
    Painter *painter = &check->painter;
    double numbers[6] = {0};
    bool done;
    char name[32] = "";
    if (strncmp(line, "wrong ", 6) == 0) {
        return checkWrong(replay, line + 6);
    }
    const int words = sscanf(line, "%31s %lf %lf %lf %lf %lf %lf", name, &numbers[0], &numbers[1],
                             &numbers[2], &numbers[3], &numbers[4], &numbers[5]);
    const uint32_t count = words > 0 ? (uint32_t)words - 1 : 0;
    if (strcmp(name, "reference") == 0 && count == 3) {
        return referenceOpen(&check->reference, (uint32_t)numbers[0], (uint32_t)numbers[1],
                             (uint32_t)numbers[2]);
    }
    if (strcmp(name, "random") == 0 && count == 6) {
        return paintRandom(check, numbers);
    }
    if (strcmp(name, "taken") == 0 && count == 5) {
        return paintTaken(painter, &replay->brush, numbers);
    }
    if (strcmp(name, "watch") == 0 && check->reference.side) {
        return gpuCreateBuffer(&painter->gpu, 4ull * WIDTH * HEIGHT, GPU_DEVICE, "watched",
                               &check->watched);
    }
    if (strcmp(name, "past") == 0 && count == 3) {
        return drain(check) && bePast(&painter->canvas, (uint32_t)numbers[0], (uint32_t)numbers[1],
                                      (uint32_t)numbers[2]);
    }
    if (strcmp(name, "found") == 0) {
        const uint32_t applied = drain(check) ? painter->canvas.now.applied : 0;
        check->reference.applied = applied;
        return (applied && applied <= check->reference.count) || sayError("%u strokes", applied);
    }
    if (strcmp(name, "picture") == 0 && count == 4) {
        return drain(check) && checkPicture(painter, numbers);
    }
    if (strcmp(name, "same") == 0 && count == 3) {
        numbers[3] = check->seen;
        const bool same = drain(check) && checkPicture(painter, numbers);
        check->seen = numbers[4];
        return same;
    }
    if (strcmp(name, "check") == 0 && check->reference.side) {
        return drain(check) && referenceCheck(&check->reference, painter);
    }
    if (onLook(check, name, numbers[0], &done)) {
        return done;
    }
    if (check->file && onFile(check, name, numbers, &done)) {
        return done;
    }
    return replayLine(replay, line);
}

static bool play(Check *check, const char *path) {
    Replay replay = replayBegin(&check->painter, (ReplayView){0});
    static char line[65536];
    FILE *file = fopen(path, "r");
    bool done = file || sayError("%s cannot be read", path);
    for (uint32_t number = 1; done && fgets(line, sizeof line, file); ++number) {
        done = (feed(check) && onLine(check, &replay, line) && feed(check)) ||
               sayError("%s: line %u", path, number);
    }
    (void)(file && fclose(file));
    return done && painterDrain(&check->painter) && !check->painter.strokes.lost;
}

int main(int argc, char **argv) {
    static Check check = {.options = {.application = "canvas_check", .device = -1},
                          .info = {.tiles = 512}};
    Painter *painter = &check.painter;
    sayProgram("canvas_check");
    for (; argc > 1 && argv[1][0] == '-'; --argc, ++argv) {
        check.options.validation |= strcmp(argv[1], "--validation") == 0;
        uint32_t *number = strcmp(argv[1], "--tiles") == 0    ? &check.info.tiles
                           : strcmp(argv[1], "--pool") == 0   ? &check.info.pool
                           : strcmp(argv[1], "--host") == 0   ? &check.info.host
                           : strcmp(argv[1], "--budget") == 0 ? &check.info.budget
                                                              : NULL;
        if (argc > 2 && (number || strcmp(argv[1], "--file") == 0)) {
            *(number ? number : &(uint32_t){0}) = (uint32_t)atoi(argv[2]);
            check.file = number ? check.file : argv[2];
            --argc, ++argv;
        }
    }
    bool done = fileOpen(painter, &check.options, check.file, check.info);
    for (int i = 1; done && i < argc; ++i) {
        done = play(&check, argv[i]);
    }
    done = done && (painter->gpu.messages == 0 || sayError("the validation layers complained"));
    referenceClose(&check.reference);
    gpuDestroyBuffer(&painter->gpu, &check.watched);
    painterClose(painter);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
