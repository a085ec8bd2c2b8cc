/* SPDX-License-Identifier: MIT */
#include "hud.h"

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

void hudTell(Hud *hud, bool done, const char *what, const char *name) {
    if (done) {
        hudSay(hud, HUD_GOOD, "%s: %s", what, name);
    } else {
        hudSay(hud, HUD_WARNING, "%s", sayLast());
    }
}

void hudPrint(Hud *hud, bool done, const char *what, const char *name) {
    hudTell(hud, done, what, name);
    if (done) {
        (void)printf("%s: %s\n", what, name);
        (void)fflush(stdout);
    }
}

void hudPass(Hud *hud, double seconds) {
    const bool shown = hud->messageLeft > 0;
    hud->messageLeft -= shown ? seconds : 0;
    hud->news = hud->news || (shown && hud->messageLeft <= 0);
}

/* ---- Messages and questions ------------------------------------------------------------------ */

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
            text->panelCount - 1, row, column, columns, command, value, 0};
    }
}

bool hudFind(const Hud *hud, const Text *text, float x, float y, HudArea *area) {
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
            area->level = colorAt(a->value, (column - (float)a->column) / (float)a->columns);
        }
    }
    return true;
}

bool hudPress(Hud *hud, const Text *text, float x, float y, HudArea *area) {
    *area = hud->grabbed = (HudArea){0};
    if (hud->dialog.open) {
        area->command = dialogClick(&hud->dialog, text, x, y) ? COMMAND_CONFIRM : COMMAND_NONE;
        return true;
    }
    const bool over = hudFind(hud, text, x, y, area);
    if (area->command == COMMAND_FOLD) {
        hudFold(hud, area->value);
        area->command = COMMAND_NONE;
    }
    hud->grabbed = *area;
    return over;
}

bool hudDrag(const Hud *hud, const Text *text, float x, float y, HudArea *area) {
    return hud->grabbed.command == COMMAND_CHANNEL && hudFind(hud, text, x, y, area) &&
           area->command == COMMAND_CHANNEL && area->value == hud->grabbed.value;
}

/* ---- Panels --------------------------------------------------------------------------------- */

bool hudCommand(Hud *hud, Command command) {
    if (command == COMMAND_PANELS) {
        hud->hidden = !hud->hidden;
    } else if (command == COMMAND_HELP) {
        ++hud->help;
    } else if (command == COMMAND_CANCEL && hud->help) {
        hud->help = 0;
    } else {
        return false;
    }
    return true;
}

void hudFold(Hud *hud, uint32_t fold) {
    hud->wishes[fold] = hud->open & 1u << fold ? -1 : ++hud->clicks;
}

/* The panel that this number is; NULL: it is a section. */
static const HudPanel *panelOf(const Hud *hud, uint32_t fold) {
    for (uint32_t i = 0; i < hud->layout->count; ++i) {
        if (hud->layout->panels[i].first == fold) {
            return &hud->layout->panels[i];
        }
    }
    return NULL;
}

static bool isWanted(const Hud *hud, uint32_t fold) {
    const HudPanel *panel = panelOf(hud, fold);
    return hud->wishes[fold] + !(panel && panel->closed) > 0;
}

/* Of these folds, the one that the user opened last. */
static uint32_t latest(const Hud *hud, uint32_t folds) {
    uint32_t best = HUD_FOLDS;
    for (uint32_t fold = 0; fold < HUD_FOLDS; ++fold) {
        if (folds & 1u << fold && (best == HUD_FOLDS || hud->wishes[fold] > hud->wishes[best])) {
            best = fold;
        }
    }
    return best;
}

/* Opens the parts that fit, the last that the user opened first. takes: how much each needs. */
static void openFolds(Hud *hud, uint32_t folds, uint32_t room, const uint32_t takes[HUD_FOLDS]) {
    while (folds) {
        const uint32_t fold = latest(hud, folds);
        folds &= ~(1u << fold);
        if (isWanted(hud, fold) && takes[fold] <= room) {
            hud->open |= 1u << fold;
            room -= takes[fold];
        }
    }
}

static void writeTitle(Hud *hud, Text *text, uint32_t row, uint32_t fold, uint32_t color) {
    char words[32];
    (void)snprintf(words, sizeof words, "%c %s", hud->open & 1u << fold ? '-' : '+',
                   hud->layout->titles[fold]);
    textPut(text, row, 1, color, words);
    hudArea(hud, text, row, 0, text->panels[text->panelCount - 1].columns, COMMAND_FOLD, fold);
}

/* Titles of this panel and, on the first one, of all that are folded; returns how many. */
static uint32_t writeTitles(Hud *hud, Text *text, uint32_t own, bool first) {
    uint32_t row = 0;
    for (uint32_t i = 0; i < hud->layout->count; ++i) {
        const uint32_t fold = hud->layout->panels[i].first;
        if (fold == own || (first && hud->panels & ~hud->open & 1u << fold)) {
            writeTitle(hud, text, row++, fold, HUD_TITLE);
        }
    }
    return row;
}

static void writePanel(Hud *hud, Text *text, const void *shown, const HudPanel *panel, bool first) {
    const uint32_t count = panel->end - panel->first - 1;
    uint32_t row = writeTitles(hud, text, panel->first, first);
    const uint32_t room = hud->down - row;
    uint32_t sections = (1u << panel->end) - (2u << panel->first);
    uint32_t takes[HUD_FOLDS] = {0};
    for (uint32_t fold = panel->first + 1; fold < panel->end; ++fold) {
        takes[fold] = panel->write(hud, NULL, shown, fold, 0);
    }
    const uint32_t last = latest(hud, sections);
    const bool alone = hud->wishes[last] > 0 && takes[last] < room && takes[last] + count > room;
    sections = alone ? 1u << last : sections; /* there is no room for the titles of others */
    openFolds(hud, sections, room - (alone ? 1 : count), takes);
    for (uint32_t fold = panel->first + 1; fold < panel->end; ++fold) {
        if (sections & 1u << fold) {
            writeTitle(hud, text, row++, fold, HUD_BAR);
        }
        if (hud->open & 1u << fold) {
            row += panel->write(hud, text, shown, fold, row);
        }
    }
    textShorten(text, row);
}

static void writePanels(Hud *hud, Text *text, const void *shown) {
    const HudPanel *panels = hud->layout->panels;
    const uint32_t count = hud->layout->count;
    const uint32_t across = text->width / text->cellWidth;
    uint32_t takes[HUD_FOLDS] = {0};
    uint32_t column = 0;
    hud->open = hud->panels = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t fold = panels[i].first;
        const bool tall = hud->down >= count + panels[i].end - fold;
        const bool is = !hud->hidden || (panels[i].closed && isWanted(hud, fold));
        hud->panels |= is ? 1u << fold : 0;
        takes[fold] = tall ? panels[i].columns : UINT32_MAX;
    }
    openFolds(hud, hud->panels, across, takes);
    if (!hud->open && hud->panels && across >= HUD_STRIP) {
        textPanel(text, HUD_STRIP, count, 0, 0);
        textShorten(text, writeTitles(hud, text, HUD_FOLDS, true));
    }
    for (uint32_t i = 0, open = hud->open; i < count; ++i) {
        if (open & 1u << panels[i].first) {
            const uint32_t room = text->width - panels[i].columns * text->cellWidth;
            const bool right = i + 1 == count || !room;
            textPanel(text, panels[i].columns, hud->down,
                      right ? 1 : ((float)(column * text->cellWidth) + 0.5f) / (float)room, 0);
            writePanel(hud, text, shown, &panels[i], column == 0);
            column += panels[i].columns;
        }
    }
}

void hudWrite(Hud *hud, Text *text, const HudLayout *layout, const void *shown, uint32_t width,
              uint32_t height, float scale) {
    scale = scale > (float)height / 1080 ? scale : (float)height / 1080;
    textBegin(text, width, height, scale * (hud->zoom > 0 ? hud->zoom : 1));
    hud->layout = layout;
    hud->down = text->height / text->cellHeight;
    hud->areaCount = 0;
    if (hud->help) {
        hudHelp(hud, text);
    }
    if (!hud->help && !hud->question[0]) {
        writePanels(hud, text, shown);
    }
    hud->news = false;
    hud->through = text->panelCount;
    if (!hud->hidden) {
        layout->measure(text, shown);
    }
    if (hud->messageLeft > 0 && (!hud->hidden || hud->messageColor == HUD_WARNING)) {
        textMessage(text, hud->messageColor, 0.94f, hud->message);
    }
    hud->end = text->panelCount;
    if (hud->question[0]) {
        writeQuestion(hud, text);
    }
    dialogWrite(&hud->dialog, text,
                widgetSays("# takes it, # gives up", COMMAND_CONFIRM, COMMAND_CANCEL));
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
