/* SPDX-License-Identifier: MIT */
#include "hud_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

/* ---- Messages and questions ------------------------------------------------------------------ */

/* The place of the mouse, and the size of the dragged box. */
static void writeMeasure(Text *text, const HudNumbers *numbers) {
    const int32_t *at = numbers->at;
    const int32_t *size = numbers->size;
    char words[80];
    int used = snprintf(words, sizeof words, "%d %d %d", at[0], at[1], at[2]);
    if (size[0] * size[1] * size[2] != 1) {
        used += snprintf(words + used, sizeof words - (size_t)used, "  size %d x %d x %d", size[0],
                         size[1], size[2]);
    }
    textPanel(text, (uint32_t)used + 2, 1, 0.5f, 1);
    textPut(text, 0, 1, HUD_PLAIN, words);
}

/* The question, and a row for each answer. */
static uint32_t writeAnswers(Hud *hud, Text *text, uint32_t columns) {
    static const Command answers[] = {COMMAND_NONE, COMMAND_CONFIRM, COMMAND_REFUSE,
                                      COMMAND_CANCEL};
    const char *line = hud->question;
    uint32_t row = 1;
    for (uint32_t i = 0; i < 4; ++i) {
        char words[HUD_QUESTION];
        const int length = (int)strcspn(line, "\n");
        (void)snprintf(words, sizeof words, "%-7s%.*s", widgetSays("#", answers[i]), length, line);
        const uint32_t rows = textWrap(text, row, 2, columns - 4, i ? HUD_TITLE : HUD_WARNING,
                                       i ? words : words + 7);
        for (uint32_t k = 0; text && k < rows; ++k) {
            hudArea(hud, text, row + k, 0, columns, answers[i], 0);
        }
        row += rows;
        line += length + (line[length] == '\n');
    }
    return row + 1;
}

static void writeQuestion(Hud *hud, Text *text) {
    const uint32_t across = text->width / text->cellWidth;
    const uint32_t length = (uint32_t)strcspn(hud->question, "\n") + 4;
    const uint32_t columns = length < across ? length : across > 20 ? across : 20;
    textPanel(text, columns, writeAnswers(hud, NULL, columns), 0.5f, 0.4f);
    (void)writeAnswers(hud, text, columns);
}

/* ---- Clickable areas ------------------------------------------------------------------------ */

void hudArea(Hud *hud, const Text *text, uint32_t row, uint32_t column, uint32_t columns,
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
    if (!textFind(text, x, y, &panel, &row, &column) ||
        (panel >= hud->through && panel < hud->end)) {
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

/* ---- Panels --------------------------------------------------------------------------------- */

enum { PANELS = 3 };

/* From left to right. */
static const struct Panel {
    Fold first, end; /* itself, its sections, the part after them */
    uint32_t columns;
    uint32_t (*write)(Hud *hud, Text *text, const Shown *shown, Fold section, uint32_t row);
} panels[PANELS] = {
    {FOLD_STRIP, FOLD_PALETTE, STRIP_COLUMNS, stripWrite},
    {FOLD_NUMBERS, FOLDS, NUMBERS_COLUMNS, numbersWrite},
    {FOLD_PALETTE, FOLD_NUMBERS, PALETTE_COLUMNS, colorsWrite},
};

void hudFold(Hud *hud, Fold fold) {
    hud->wishes[fold] = hud->open & 1u << fold ? -1 : ++hud->clicks;
}

static bool isWanted(const Hud *hud, Fold fold) { /* numbers are folded to begin with */
    return hud->wishes[fold] + (fold != FOLD_NUMBERS) > 0;
}

/* Of these folds, the one that the user opened last. */
static Fold latest(const Hud *hud, uint32_t folds) {
    Fold best = FOLDS;
    for (Fold fold = 0; fold < FOLDS; ++fold) {
        if (folds & 1u << fold && (best == FOLDS || hud->wishes[fold] > hud->wishes[best])) {
            best = fold;
        }
    }
    return best;
}

/* Opens the parts that fit, the last that the user opened first. takes: how much each needs. */
static void openFolds(Hud *hud, uint32_t folds, uint32_t room, const uint32_t takes[FOLDS]) {
    while (folds) {
        const Fold fold = latest(hud, folds);
        folds &= ~(1u << fold);
        if (isWanted(hud, fold) && takes[fold] <= room) {
            hud->open |= 1u << fold;
            room -= takes[fold];
        }
    }
}

static void writeTitle(Hud *hud, Text *text, uint32_t row, Fold fold, uint32_t color) {
    static const char *const titles[FOLDS] = {"Tools",   "Tool",  "Brush",   "Selection", "Edits",
                                              "File",    "View",  "Palette", "Colours",   "Colour",
                                              "Numbers", "Times", "Light",   "Tables"};
    char words[32];
    (void)snprintf(words, sizeof words, "%c %s", hud->open & 1u << fold ? '-' : '+', titles[fold]);
    textPut(text, row, 1, color, words);
    hudArea(hud, text, row, 0, text->panels[text->panelCount - 1].columns, COMMAND_FOLD, fold);
}

/* Titles of this panel and, on the first one, of all that are folded; returns how many. */
static uint32_t writeTitles(Hud *hud, Text *text, Fold own, bool first) {
    uint32_t row = 0;
    for (uint32_t i = 0; i < PANELS; ++i) {
        const Fold fold = panels[i].first;
        if (fold == own || (first && hud->panels & ~hud->open & 1u << fold)) {
            writeTitle(hud, text, row++, fold, HUD_TITLE);
        }
    }
    return row;
}

static void writePanel(Hud *hud, Text *text, const Shown *shown, const struct Panel *panel,
                       bool first) {
    const uint32_t count = panel->end - panel->first - 1;
    uint32_t row = writeTitles(hud, text, panel->first, first);
    const uint32_t room = shown->down - row;
    uint32_t sections = (1u << panel->end) - (2u << panel->first);
    uint32_t takes[FOLDS] = {0};
    for (Fold fold = panel->first + 1; fold < panel->end; ++fold) {
        takes[fold] = panel->write(hud, NULL, shown, fold, 0);
    }
    const Fold last = latest(hud, sections);
    const bool alone = hud->wishes[last] > 0 && takes[last] < room && takes[last] + count > room;
    sections = alone ? 1u << last : sections; /* there is no room for the titles of others */
    openFolds(hud, sections, room - (alone ? 1 : count), takes);
    for (Fold fold = panel->first + 1; fold < panel->end; ++fold) {
        if (sections & 1u << fold) {
            writeTitle(hud, text, row++, fold, HUD_BAR);
        }
        if (hud->open & 1u << fold) {
            row += panel->write(hud, text, shown, fold, row);
        }
    }
    textShorten(text, row);
}

static void writePanels(Hud *hud, Text *text, const Shown *shown) {
    const uint32_t across = text->width / text->cellWidth;
    uint32_t takes[FOLDS] = {0};
    uint32_t column = 0;
    hud->open = hud->panels = 0;
    for (uint32_t i = 0; i < PANELS; ++i) {
        const Fold fold = panels[i].first;
        const bool tall = shown->down >= PANELS + panels[i].end - fold;
        hud->panels |= !hud->hidden || (fold == FOLD_NUMBERS && isWanted(hud, fold)) ? 1u << fold
                                                                                     : 0;
        takes[fold] = tall ? panels[i].columns : UINT32_MAX;
    }
    openFolds(hud, hud->panels, across, takes);
    if (!hud->open && hud->panels && across >= STRIP_COLUMNS) {
        textPanel(text, STRIP_COLUMNS, PANELS, 0, 0);
        textShorten(text, writeTitles(hud, text, FOLDS, true));
    }
    for (uint32_t i = 0, open = hud->open; i < PANELS; ++i) {
        if (open & 1u << panels[i].first) {
            const uint32_t room = text->width - panels[i].columns * text->cellWidth;
            const bool right = i + 1 == PANELS || !room;
            textPanel(text, panels[i].columns, shown->down,
                      right ? 1 : ((float)(column * text->cellWidth) + 0.5f) / (float)room, 0);
            writePanel(hud, text, shown, &panels[i], column == 0);
            column += panels[i].columns;
        }
    }
}

void hudWrite(Hud *hud, Text *text, const HudNumbers *numbers, const Tools *tools,
              const Source *source, uint32_t mode) {
    const float high = (float)numbers->height / 1080;
    const float scale = numbers->scale > high ? numbers->scale : high;
    textBegin(text, numbers->width, numbers->height, scale * (hud->zoom > 0 ? hud->zoom : 1));
    const Shown shown = {numbers, tools, source, mode, text->height / text->cellHeight};
    hud->areaCount = 0;
    if (hud->help) {
        helpWrite(hud, text);
    }
    if (!hud->help && !hud->question[0]) {
        writePanels(hud, text, &shown);
    }
    hud->news = false;
    hud->through = text->panelCount;
    if (numbers->measures && !hud->hidden) {
        writeMeasure(text, numbers);
    }
    if (hud->messageLeft > 0 && (!hud->hidden || hud->messageColor == HUD_WARNING)) {
        textMessage(text, hud->messageColor, 0.94f, hud->message);
    }
    hud->end = text->panelCount;
    if (hud->question[0]) {
        writeQuestion(hud, text);
    }
}

void hudFree(const Text *text, float part[2]) {
    part[0] = 0;
    part[1] = 1;
    for (uint32_t i = 0; i < text->panelCount; ++i) {
        const TextPanel *panel = &text->panels[i];
        const float wide = (float)(panel->columns * text->cellWidth) / (float)text->width;
        const float from = panel->left * (1 - wide);
        const bool high = 4 * panel->rows * text->cellHeight > text->height;
        part[0] = high && from <= part[0] + 0.001f ? from + wide : part[0];
        part[1] = high && from + wide > 0.999f ? from : part[1];
    }
    if (part[1] - part[0] < 0.4f) {
        part[0] = 0;
        part[1] = 1;
    }
}
