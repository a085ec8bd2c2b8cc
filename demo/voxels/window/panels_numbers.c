/* The panel of numbers: times, light, the tables.
 * SPDX-License-Identifier: MIT */
#include "panels.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { WIDE = NUMBERS_COLUMNS - 2 };

/* The place of the next line; text is NULL if it is only counted. */
typedef struct Pen {
    Text *text;
    uint32_t row;
} Pen;

/* "12.345", or a dash if the device cannot measure it. */
static const char *time(double milliseconds, char buffer[16]) {
    if (milliseconds < 0) {
        return "-";
    }
    (void)snprintf(buffer, 16, "%.*f",
                   milliseconds < 10    ? 3
                   : milliseconds < 100 ? 2
                                        : 1,
                   milliseconds);
    return buffer;
}

/* "12.3 million" in a few letters. */
static const char *many(double count, char buffer[16]) {
    static const char *const units[] = {"", " k", " M", " G", " T"};
    uint32_t unit = 0;
    while (count >= 999.5 && unit < 4) {
        count /= 1000;
        ++unit;
    }
    (void)snprintf(buffer, 16, unit ? "%.1f%s" : "%.0f%s", count, units[unit]);
    return buffer;
}

SAY_LIKE_PRINTF(3, 4) static void line(Pen *pen, uint32_t color, const char *format, ...) {
    char words[256];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    pen->row += textWrap(pen->text, pen->row, 1, WIDE, color, words);
}

/* How much of something is used. full: the part of it from which on the bar warns. */
static void bar(Pen *pen, const char *name, double used, double most, double full) {
    char words[40];
    const double part = most > 0 ? used / most : 0;
    (void)snprintf(words, sizeof words, "%s of %s", many(used, (char[16]){0}),
                   many(most, (char[16]){0}));
    if (pen->text) {
        textPut(pen->text, pen->row, 1, HUD_PLAIN, name);
        textPut(pen->text, pen->row, 7, HUD_PLAIN, words);
        textBar(pen->text, pen->row, WIDE - 15, 16, part > full ? HUD_WARNING : HUD_BAR, part);
    }
    ++pen->row;
}

static void writeTimes(Pen *pen, const HudNumbers *n) {
    char a[16];
    char b[16];
    line(pen, HUD_TITLE, "%s", n->device);
    line(pen, HUD_PLAIN, "frame %8s ms, %.0f fps, %ux%u", time(n->frame, a),
         n->host > 0 ? 1000 / n->host : 0, n->width, n->height);
    line(pen, HUD_PLAIN, "trace %8s ms", time(n->trace, a));
    line(pen, HUD_PLAIN, "edits %8s ms", time(n->edit, a));
    line(pen, HUD_PLAIN, "%s rays, %.2f lookups a ray", many(n->counts.rays, b),
         n->counts.rays ? (double)n->counts.lookups / n->counts.rays : 0.0);
    if (!n->hasLast) {
        line(pen, HUD_DIM, "no edit yet");
        return;
    }
    const WorldReport *last = &n->last;
    const double rate = last->milliseconds > 0 ? last->voxels / last->milliseconds * 1000 : 0;
    line(pen, last->poolFailed || last->tableFailed ? HUD_WARNING : HUD_DIM,
         "last: %s ms, %s bricks, %s voxels (%s/s)", time(last->milliseconds, a),
         many(last->changes, b), many(last->voxels, (char[16]){0}),
         rate > 0 ? many(rate, (char[16]){0}) : "-");
}

/* The cells of light, and microseconds of a picture's passes. */
static void writeLight(Pen *pen, const HudNumbers *n) {
    char a[16];
    char b[16];
    char passes[128];
    int used = 0;
    for (uint32_t i = 0; i < TRACER_PASSES; ++i) {
        used += snprintf(passes + used, sizeof passes - (size_t)used,
                         n->passes[i] < 0 ? " -" : " %.0f", 1000 * n->passes[i]);
    }
    line(pen, HUD_PLAIN, "%s cells, %s found", many(n->counts.cells, a), many(n->counts.found, b));
    line(pen, HUD_PLAIN, "%s inserted, %s freed", many(n->counts.inserted, a),
         many(n->counts.freed, b));
    line(pen, n->counts.refused ? HUD_WARNING : HUD_PLAIN, "%s refused",
         many(n->counts.refused, a));
    line(pen, HUD_DIM, "us: rays, picture, cells%s", passes);
}

static void writeTable(Pen *pen, const HudNumbers *n) {
    char a[16];
    const WorldUse *use = &n->use;
    const double load = use->tableSlots ? (double)use->bricks / use->tableSlots : 0;
    bar(pen, "pool", use->payloads, use->poolBricks, 0.9);
    bar(pen, "table", use->bricks, use->tableSlots, 0.9);
    bar(pen, "undo", (double)use->undoBytes, (double)use->undoBudget, INFINITY);
    line(pen, HUD_DIM, "load %.3f, %s slots at most", load, many(use->tableMost, a));
    if (n->table) {
        const MurStats *stats = n->table;
        const double mean = stats->live ? (double)stats->probeSum / stats->live : 0;
        line(pen, HUD_DIM, "%s erased, probes %.2f mean, %u max", many(stats->erased, a), mean,
             stats->probeMax);
    }
    line(pen, HUD_DIM, "GPU memory %.0f MiB, a dense grid %.0f MiB", (double)n->bytes / (1 << 20),
         (double)n->dense / (1 << 20));
}

uint32_t numbersWrite(Text *text, const HudNumbers *numbers, uint32_t section, uint32_t row) {
    Pen pen = {text, row};
    if (section == FOLD_TIMES) {
        writeTimes(&pen, numbers);
    } else if (section == FOLD_LIGHT) {
        writeLight(&pen, numbers);
    } else {
        writeTable(&pen, numbers);
    }
    return pen.row - row;
}
