/* SPDX-License-Identifier: MIT */
#include "hud.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DIM = 0x8791A3, TITLE = 0xFFFFFF, BAR = 0x5AB0F0, WIDE = 58 };

void hudSay(Hud *hud, uint32_t color, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(hud->message, sizeof hud->message, format, arguments);
    va_end(arguments);
    hud->messageColor = color;
    hud->messageLeft = 6;
}

const char *hudModeName(uint32_t mode) {
    static const char *const names[VIEW_MODES] = {"shaded",  "normals", "bricks",
                                                  "lookups", "probes",  "table"};
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
             "last: %s ms, %s voxels, %s bricks, %s voxels/s", time(last->milliseconds, a),
             many(last->voxels, b), many(last->changes, c),
             rate > 0 ? many(rate, (char[16]){0}) : "-");
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
    textLine(text, DIM, "GPU memory %.0f MiB", (double)n->bytes / (1 << 20));
}

static void writeTool(Text *text, const Tools *tools, const Source *source, uint32_t mode) {
    const uint8_t *entry = source->palette[toolsColorIndex(tools)];
    const uint32_t color = (uint32_t)entry[0] << 16 | (uint32_t)entry[1] << 8 | entry[2];
    char line[64];
    if (tools->marks == 2) {
        (void)snprintf(line, sizeof line, "%s: the marked box", editToolName(tools->tool));
    } else {
        (void)snprintf(line, sizeof line, "%s %s, radius %u", editToolName(tools->tool),
                       tools->tool == TOOL_FLOOD   ? "a colour"
                       : tools->tool == TOOL_PASTE ? "the copy"
                                                   : editShapeName(tools->shape),
                       tools->radius);
    }
    textPanel(text, WIDE, 2, 0, 1);
    textLine(text, TITLE, "%s", line);
    textBar(text, color, mode == VIEW_SHADED ? "H: help" : hudModeName(mode), 1);
}

static void writeHelp(Text *text) {
    uint32_t rows = 0;
    while (inputHelp(rows)) {
        ++rows;
    }
    textPanel(text, 72, rows + 2, 0.5f, 0.5f);
    textLine(text, TITLE, "murvoxels: sparse voxels in a Murmuration table");
    textLine(text, DIM, " ");
    for (uint32_t i = 0; i < rows; ++i) {
        const char *line = inputHelp(i);
        const int keys = (int)strcspn(line, "\t");
        textLine(text, HUD_PLAIN, "%-16.*s %s", keys, line, line + keys + 1);
    }
}

void hudWrite(Hud *hud, Text *text, const HudNumbers *numbers, const Tools *tools,
              const Source *source, uint32_t mode, double seconds) {
    textClear(text);
    if (hud->numbers) {
        textPanel(text, WIDE, 10, 0, 0);
        writeTimes(text, numbers);
        writeTable(text, numbers);
        writeTool(text, tools, source, mode);
    }
    hud->messageLeft -= seconds;
    if (hud->messageLeft > 0 && (hud->numbers || hud->messageColor == HUD_WARNING)) {
        textPanel(text, (uint32_t)strlen(hud->message) + 2, 1, 0.5f, 0.92f);
        textLine(text, hud->messageColor, "%s", hud->message);
    }
    if (hud->help) {
        writeHelp(text);
    }
}
