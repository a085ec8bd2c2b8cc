/* SPDX-License-Identifier: MIT */
#include "hud.h"

#include "widgets.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    DIM = 0x8791A3,
    TITLE = 0xFFFFFF,
    BAR = 0x5AB0F0,
    WIDE = 62,
    STRIP = 26,
    HELP = 76,
    KEYS = 20,
    PALETTE = 34
};

void hudSay(Hud *hud, uint32_t color, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(hud->message, sizeof hud->message, format, arguments);
    va_end(arguments);
    hud->messageColor = color;
    hud->messageLeft = 6;
    hud->news = true;
}

void hudPass(Hud *hud, double seconds) {
    const bool shown = hud->messageLeft > 0;
    hud->messageLeft -= shown ? seconds : 0;
    hud->news = hud->news || (shown && hud->messageLeft <= 0);
}

const char *hudModeName(uint32_t mode) {
    static const char *const names[VIEW_MODES] = {VIEW_MODE_NAMES};
    return names[mode < VIEW_MODES ? mode : 0];
}

/* "12.345", or a dash for what the device cannot tell. */
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

static void writeTimes(Text *text, const HudNumbers *n) {
    char a[16];
    char b[16];
    char c[16];
    textLine(text, TITLE, "%s", n->device);
    textLine(text, HUD_PLAIN, "%-6s %8s ms  %.0f fps, %ux%u", "frame", time(n->frame, a),
             n->host > 0 ? 1000 / n->host : 0, n->width, n->height);
    textLine(text, HUD_PLAIN, "%-6s %8s ms  %s rays, %.2f lookups a ray", "trace",
             time(n->trace, a), many(n->counts.rays, b),
             n->counts.rays ? (double)n->counts.lookups / n->counts.rays : 0.0);
    textLine(text, HUD_PLAIN, "%-6s %8s ms", "edits", time(n->edit, a));
    if (!n->hasLast) {
        textLine(text, DIM, "no edit yet");
        return;
    }
    const WorldReport *last = &n->last;
    const double rate = last->milliseconds > 0 ? last->voxels / last->milliseconds * 1000 : 0;
    textLine(text, last->poolFailed || last->tableFailed ? HUD_WARNING : DIM,
             "last: %s ms, %s voxels (%s/s), %s bricks", time(last->milliseconds, a),
             many(last->voxels, b), rate > 0 ? many(rate, (char[16]){0}) : "-",
             many(last->changes, c));
}

/* The cells of light, and microseconds of a picture's passes. */
static void writeLight(Text *text, const HudNumbers *n) {
    char a[16];
    char b[16];
    char c[16];
    char passes[128];
    int used = 0;
    for (uint32_t i = 0; i < TRACER_PASSES; ++i) {
        used += snprintf(passes + used, sizeof passes - (size_t)used,
                         n->passes[i] < 0 ? " -" : " %.0f", 1000 * n->passes[i]);
    }
    textLine(text, HUD_PLAIN, "light  %s cells, %s found, %s inserted", many(n->counts.cells, a),
             many(n->counts.found, b), many(n->counts.inserted, c));
    textLine(text, n->counts.refused ? HUD_WARNING : HUD_PLAIN, "       %s freed, %s refused",
             many(n->counts.freed, a), many(n->counts.refused, b));
    textLine(text, DIM, "us: beams, rays, picture, cells%s", passes);
}

static void writeTable(Text *text, const HudNumbers *n) {
    char line[64];
    char a[16];
    char b[16];
    char c[16];
    const WorldUse *use = &n->use;
    const double pool = use->poolBricks ? (double)use->payloads / use->poolBricks : 0;
    const double table = use->tableSlots ? (double)use->bricks / use->tableSlots : 0;
    const double undo = use->undoBudget ? (double)use->undoBytes / (double)use->undoBudget : 0;
    (void)snprintf(line, sizeof line, "pool  %s of %s", many(use->payloads, a),
                   many(use->poolBricks, b));
    textBar(text, pool > 0.9 ? HUD_WARNING : BAR, line, pool);
    (void)snprintf(line, sizeof line, "table %s of %s (%s)", many(use->bricks, a),
                   many(use->tableSlots, b), many(use->tableMost, c));
    textBar(text, table > 0.9 ? HUD_WARNING : BAR, line, table);
    (void)snprintf(line, sizeof line, "undo  %u back, %u forth", n->undos, n->redos);
    textBar(text, BAR, line, undo);
    if (n->table) {
        const MurStats *stats = n->table;
        const double mean = stats->live ? (double)stats->probeSum / stats->live : 0;
        textLine(text, DIM, "load %.3f  erased %s  probes %.2f mean, %u max", table,
                 many(stats->erased, a), mean, stats->probeMax);
    } else {
        textLine(text, DIM, "load %.3f", table);
    }
    textLine(text, DIM, "GPU memory %.0f MiB; a dense grid: %.0f MiB", (double)n->bytes / (1 << 20),
             (double)n->dense / (1 << 20));
}

/* ---- What can be clicked -------------------------------------------------------------------- */

static void addArea(Hud *hud, const Text *text, uint32_t row, uint32_t column, uint32_t columns,
                    Command command, uint32_t value) {
    if (hud->areaCount < HUD_AREAS && text->panelCount > 0) {
        hud->areas[hud->areaCount++] = (HudArea){
            text->panelCount - 1, row, column, columns, command, value};
    }
}

bool hudFind(const Hud *hud, const Text *text, float x, float y, HudArea *area, float *fraction) {
    uint32_t panel;
    uint32_t row;
    float column;
    *area = (HudArea){0};
    if (!textFind(text, x, y, &panel, &row, &column) || panel == hud->through) {
        return false;
    }
    for (uint32_t i = 0; i < hud->areaCount; ++i) {
        const HudArea *a = &hud->areas[i];
        if (a->panel == panel && a->row == row && column >= (float)a->column &&
            column < (float)(a->column + a->columns)) {
            *area = *a;
            *fraction = (column - (float)a->column) / (float)a->columns;
        }
    }
    return true;
}

/* What a button says and whether it is on, where the table cannot tell. */
static bool stateOf(const Hud *hud, const HudNumbers *numbers, const Tools *tools, Command command,
                    char words[32]) {
    static const char *const shapes[SHAPE_COUNT] = {"sphere", "cube", "dragged box"};
    switch (command) {
    case COMMAND_SHAPE:
        (void)snprintf(words, 32, "%s", shapes[tools->shape]);
        return true;
    case COMMAND_LARGER:
        (void)snprintf(words, 32, "larger (%u)", tools->radius);
        return false;
    case COMMAND_BANDS:
        (void)snprintf(words, 32, tools->bands > 1 ? "%u bands" : "one colour", tools->bands);
        return tools->bands > 1;
    case COMMAND_MIRROR_X:
        return tools->mirror & 1;
    case COMMAND_MIRROR_Z:
        return tools->mirror & 4;
    case COMMAND_UNDO:
        (void)snprintf(words, 32, "undo (%u)", numbers->undos);
        return false;
    case COMMAND_REDO:
        (void)snprintf(words, 32, "redo (%u)", numbers->redos);
        return false;
    case COMMAND_NUMBERS:
        return hud->numbers;
    default:
        return command == COMMAND_TOOL_FIRST + tools->tool;
    }
}

/* Rows of the strip: what is in the table, and a free one between sections. */
static uint32_t stripRows(void) {
    const Widget *widget;
    uint32_t rows = SECTIONS - 2;
    for (uint32_t i = 0; (widget = widgetAt(i)); ++i) {
        rows += widget->section != SECTION_KEYS;
    }
    return rows;
}

static void writeStrip(Hud *hud, Text *text, const HudNumbers *numbers, const Tools *tools) {
    const Widget *widget;
    Section section = SECTION_TOOLS;
    uint32_t row = 0;
    textPanel(text, STRIP, stripRows(), 0, hud->numbers ? 0.95f : 0.5f);
    for (uint32_t i = 0; (widget = widgetAt(i)); ++i) {
        char words[32];
        char line[STRIP + 1];
        if (widget->section == SECTION_KEYS) {
            continue;
        }
        (void)snprintf(words, sizeof words, "%s", widget->words);
        const bool on = stateOf(hud, numbers, tools, widget->command, words);
        (void)snprintf(line, sizeof line, "%c%-16.16s %7.*s", on ? '>' : ' ', words,
                       (int)widgetKeyLength(widget->keys), widget->keys);
        row += widget->section != section;
        section = widget->section;
        textPut(text, row, 0, on ? TITLE : DIM, line);
        addArea(hud, text, row++, 0, STRIP, widget->command, 0);
    }
}

static uint32_t colorOf(const Source *source, uint32_t index) {
    const uint8_t *entry = source->palette[index];
    return (uint32_t)entry[0] << 16 | (uint32_t)entry[1] << 8 | entry[2];
}

/* A channel of the colour, which a click on its bar sets. */
static void writeChannel(Hud *hud, Text *text, uint32_t row, uint32_t channel, uint32_t value,
                         uint32_t most) {
    static const char *const names[4] = {"red", "green", "blue", "light"};
    static const uint32_t colors[4] = {0xFF5040, 0x50E050, 0x5080FF, 0xFFE080};
    enum { CELLS = 20, TRACK = 0x30343C };
    char words[8];
    textPut(text, row, 1, HUD_PLAIN, names[channel]);
    const uint32_t eighths = (value * CELLS * 8 + most / 2) / most;
    for (uint32_t i = 0; i < CELLS; ++i) {
        const uint32_t here = eighths <= 8 * i ? 0 : eighths - 8 * i > 8 ? 8 : eighths - 8 * i;
        const char bar[2] = {(char)(here ? here : 8), '\0'};
        textPut(text, row, 7 + i, here ? colors[channel] : TRACK, bar);
    }
    (void)snprintf(words, sizeof words, "%3u", value);
    textPut(text, row, 8 + CELLS, HUD_PLAIN, words);
    addArea(hud, text, row, 7, CELLS, COMMAND_CHANNEL, channel);
}

static void writePalette(Hud *hud, Text *text, const Tools *tools, const Source *source) {
    char words[32];
    textPanel(text, PALETTE, 23, 1, 0);
    for (uint32_t i = 1; i < 256; ++i) {
        const uint32_t row = i / 16;
        const uint32_t column = 1 + i % 16 * 2;
        textSwatch(text, row, column, colorOf(source, i), i == tools->color);
        addArea(hud, text, row, column, 2, COMMAND_COLOR_SET, i);
    }
    textSwatch(text, 17, 1, colorOf(source, tools->color), true);
    textSwatch(text, 17, 3, colorOf(source, tools->color), true);
    (void)snprintf(words, sizeof words, "%3u", tools->color);
    textPut(text, 17, 6, TITLE, words);
    textSwatch(text, 17, 12, colorOf(source, tools->other), false);
    (void)snprintf(words, sizeof words, "%3u  X swaps", tools->other);
    textPut(text, 17, 15, DIM, words);
    addArea(hud, text, 17, 0, PALETTE, COMMAND_COLOR_SWAP, 0);
    for (uint32_t channel = 0; channel < 3; ++channel) {
        writeChannel(hud, text, 19 + channel, channel, source->palette[tools->color][channel], 255);
    }
    writeChannel(hud, text, 22, 3, source->glow[tools->color][0], 100);
}

static void writeQuestion(Hud *hud, Text *text) {
    static const Command answers[] = {COMMAND_NONE, COMMAND_CONFIRM, COMMAND_REFUSE,
                                      COMMAND_CANCEL};
    const uint32_t columns = (uint32_t)strcspn(hud->question, "\n") + 4;
    const char *line = hud->question;
    textPanel(text, columns, 6, 0.5f, 0.4f);
    for (uint32_t row = 1; row < 5; ++row) {
        char words[HUD_QUESTION];
        const Command command = answers[row - 1];
        const int length = (int)strcspn(line, "\n");
        (void)snprintf(words, sizeof words, "%-7s%.*s", widgetSays("#", command), length, line);
        textPut(text, row, 2, command ? TITLE : HUD_WARNING, command ? words : words + 7);
        addArea(hud, text, row, 0, columns, command, 0);
        line += length + (line[length] == '\n');
    }
}

/* How much of the words stands on a line, which ends behind a word where it can. */
static uint32_t lineLength(const char *words, uint32_t columns) {
    uint32_t length = (uint32_t)strlen(words);
    if (length > columns) {
        for (length = columns; length > 0 && words[length] != ' '; --length) {
        }
        length = length ? length : columns;
    }
    return length;
}

/* Lines of the help from this one on, in columns of so many rows; returns how many there are. */
static uint32_t writeKeys(Text *text, uint32_t wide, uint32_t first, uint32_t rows) {
    const Widget *widget;
    uint32_t line = 0;
    for (uint32_t i = 0; (widget = widgetAt(i)); ++i) {
        const char *help = widget->help;
        for (const char *keys = widget->keys; *help; ++line, keys = "") {
            char words[HELP + 1];
            const uint32_t length = lineLength(help, wide - KEYS - 2);
            (void)snprintf(words, sizeof words, "%-*s%.*s", KEYS, keys, (int)length, help);
            if (rows && line >= first) {
                textPut(text, 1 + (line - first) % rows, 1 + (line - first) / rows * wide,
                        HUD_PLAIN, words);
            }
            help += length + (help[length] == ' ');
        }
    }
    return line;
}

/* All keys, in as many columns as there is room for; the rest on further pages. */
static void writeHelp(Hud *hud, Text *text) {
    const uint32_t across = text->width / text->cellWidth;
    const uint32_t high = text->height / text->cellHeight;
    const uint32_t wide = across < 2 * KEYS ? 2 * KEYS : across < HELP ? across : HELP;
    const uint32_t down = high > 2 ? high - 1 : 1;
    const uint32_t lines = writeKeys(text, wide, 0, 0);
    uint32_t columns = (lines + down - 1) / down;
    columns = columns < across / wide ? columns : across < wide ? 1 : across / wide;
    const uint32_t rows = lines < columns * down ? (lines + columns - 1) / columns : down;
    const uint32_t pages = (lines + rows * columns - 1) / (rows * columns);
    hud->help = hud->help > pages ? 0 : hud->help;
    if (!hud->help) {
        return;
    }
    textPanel(text, columns * wide, rows + 1, 0.5f, 0.5f);
    textLine(text, TITLE, "murvoxels: page %u of %u, %s", hud->help, pages,
             widgetSays("# goes on, # closes", COMMAND_HELP, COMMAND_CANCEL));
    (void)writeKeys(text, wide, (hud->help - 1) * rows * columns, rows);
    for (uint32_t row = 0; row <= rows; ++row) {
        addArea(hud, text, row, 0, columns * wide, COMMAND_HELP, 0);
    }
}

void hudWrite(Hud *hud, Text *text, const HudNumbers *numbers, const Tools *tools,
              const Source *source, uint32_t mode) {
    const float high = (float)numbers->height / 1080;
    const float scale = numbers->scale > high ? numbers->scale : high;
    textBegin(text, numbers->width, numbers->height, scale * (hud->zoom > 0 ? hud->zoom : 1));
    /* In a small window the numbers are there in place of tools and palette. */
    const bool fits = numbers->width >= (hud->numbers ? WIDE + PALETTE : 60) * text->cellWidth &&
                      numbers->height >= (stripRows() + (hud->numbers ? 20 : 4)) * text->cellHeight;
    hud->areaCount = 0;
    hud->through = TEXT_PANELS;
    if (hud->help) {
        writeHelp(hud, text);
    }
    if (!hud->hidden && !hud->help && !hud->question[0] && fits) {
        writeStrip(hud, text, numbers, tools);
        writePalette(hud, text, tools, source);
    }
    if (hud->numbers && !hud->help) {
        textPanel(text, WIDE, 13, 0, 0);
        writeTimes(text, numbers);
        writeLight(text, numbers);
        writeTable(text, numbers);
    }
    if (!hud->hidden && mode != VIEW_SHADED) {
        textPanel(text, 12, 1, 0, 1);
        textLine(text, TITLE, "%s", hudModeName(mode));
    }
    hud->news = false;
    if (hud->messageLeft > 0 && (!hud->hidden || hud->messageColor == HUD_WARNING)) {
        hud->through = text->panelCount;
        textPanel(text, (uint32_t)strlen(hud->message) + 2, 1, 0.5f, 0.94f);
        textLine(text, hud->messageColor, "%s", hud->message);
    }
    if (hud->question[0]) {
        writeQuestion(hud, text);
    }
}
