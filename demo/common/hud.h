/* The panels over a picture: sections that fold, a strip of commands, colours, help, messages,
 * questions; and the part of them that the mouse is on.
 * SPDX-License-Identifier: MIT */
#ifndef DEMO_HUD_H
#define DEMO_HUD_H

#include "color.h"
#include "places.h"
#include "text.h"
#include "widgets.h"

enum { HUD_AREAS = 400, HUD_FOLDS = 16, HUD_QUESTION = 768, HUD_WORDS = 512 };
/* Colours of text. */
enum {
    HUD_PLAIN = TEXT_PLAIN,
    HUD_WARNING = TEXT_WARNING,
    HUD_GOOD = TEXT_GOOD,
    HUD_DIM = 0x8791A3,
    HUD_TITLE = 0xFFFFFF,
    HUD_BAR = 0x5AB0F0
};
enum { HUD_STRIP = 27, HUD_PALETTE = 34 }; /* columns of panels */
/* Parts that fold: the strip, whose sections have their own numbers, and the palette. A program's
 * other panels begin at FOLD_OWN. */
enum { FOLD_STRIP, FOLD_PALETTE = SECTIONS, FOLD_COLORS, FOLD_CHANNELS, FOLD_OWN };

/* The effect of a click. */
typedef struct HudArea {
    uint32_t panel, row, column, columns;
    Command command;
    uint32_t value;
    uint32_t level; /* of a bar: its value at the mouse */
} HudArea;

typedef struct Hud Hud;

/* A panel that folds to its title, and so do its sections. Both have numbers: first is the panel,
 * the next ones up to end are its sections. */
typedef struct HudPanel {
    uint32_t first, end;
    uint32_t columns;
    bool closed; /* until the user opens it; also shown while panels are hidden */
    /* Writes the rows of a section, from this row of the last panel on, unless text is NULL.
     * Returns how many there are. */
    uint32_t (*write)(Hud *hud, Text *text, const void *shown, uint32_t section, uint32_t row);
} HudPanel;

/* The panels of a program. */
typedef struct HudLayout {
    const char *program;
    const HudPanel *panels; /* from left to right; their numbers are all below HUD_FOLDS */
    uint32_t count;
    const char *const *titles; /* by number */
    /* Returns whether the button of a command is on; may replace its words. */
    bool (*isOn)(const Hud *hud, const void *shown, Command command, char words[32]);
    /* Writes a panel that lets the mouse through, or nothing. */
    void (*measure)(Text *text, const void *shown);
} HudLayout;

struct Hud {
    const HudLayout *layout; /* of the last drawing */
    bool hidden;
    uint32_t help;             /* its page from 1 on; 0: none */
    int32_t wishes[HUD_FOLDS]; /* negative: folded by the user; positive: opened, the last most */
    int32_t clicks;
    uint32_t panels, open; /* bits of numbers: existing panels; the open ones of them */
    uint32_t down;         /* rows of the picture */
    float zoom;            /* of the letters */
    char message[HUD_WORDS];
    uint32_t messageColor;
    uint32_t through, end;       /* panels from one to before the other let the mouse through */
    double messageLeft;          /* seconds */
    bool news;                   /* a message came or went, and is not drawn yet */
    uint32_t asked;              /* number of the open question; 0: none is open */
    char question[HUD_QUESTION]; /* it, and a line for each answer; empty: it is a dialog */
    Dialog dialog;
    enum { HUD_ASKS_TEXT, HUD_ASKS_FILE, HUD_ASKS_COLOR } asks; /* of a dialog */
    char folder[PLACES_PATH];                                   /* of files, with '/' */
    char answer[PLACES_PATH];                                   /* the text, or the file's path */
    uint32_t color;                                             /* or the colour */
    HudArea areas[HUD_AREAS];                                   /* of the last drawing */
    uint32_t areaCount;
    HudArea grabbed; /* of the last click */
};

/* Shows a line for some seconds. */
SAY_LIKE_PRINTF(3, 4) void hudSay(Hud *hud, uint32_t color, const char *format, ...);
/* Shows a success, or the last error. hudPrint also prints a success on standard output. */
void hudTell(Hud *hud, bool done, const char *what, const char *name);
void hudPrint(Hud *hud, bool done, const char *what, const char *name);
/* So much time went by. */
void hudPass(Hud *hud, double seconds);
/* The user clicks on a title. Parts that do not fit fold by themselves. */
void hudFold(Hud *hud, uint32_t fold);

/* Fills the text of a frame: letters grow with the picture, the display's scale and the user's
 * zoom. shown: for the functions of the layout. */
void hudWrite(Hud *hud, Text *text, const HudLayout *layout, const void *shown, uint32_t width,
              uint32_t height, float scale);
/* Returns whether the mouse is over a panel. If it is on something that can be clicked, area is
 * that; else its command is none. */
bool hudFind(const Hud *hud, const Text *text, float x, float y, HudArea *area);
/* The left button goes down: chooses a row of the dialog, or folds a title. Returns as hudFind; the
 * program handles area, whose command is COMMAND_CONFIRM for a row of the dialog. While a dialog is
 * open, the mouse is over it. */
bool hudPress(Hud *hud, const Text *text, float x, float y, HudArea *area);
/* The left button is down: returns whether the mouse is on the bar that it grabbed. */
bool hudDrag(const Hud *hud, const Text *text, float x, float y, HudArea *area);
/* Does a command about panels and help. Returns false for other commands. */
bool hudCommand(Hud *hud, Command command);
/* Computes the part of the picture's width that panels at its sides leave, from 0 to 1; all of it,
 * if that is too little. */
void hudFree(const Text *text, float part[2]);

/* Questions, each in place of another. asked: its number in the program. question: it, and a line
 * for each answer. */
SAY_LIKE_PRINTF(3, 4) void hudAsk(Hud *hud, uint32_t asked, const char *question, ...);
/* Ask for a text, which is proposed; for a file, from the folder's list; for a colour. */
void hudAskText(Hud *hud, uint32_t asked, const char *title, const char *text);
void hudAskFile(Hud *hud, uint32_t asked);
void hudAskColor(Hud *hud, uint32_t asked, uint32_t rgb);
/* A command while a question is open. Returns whether it answers: COMMAND_CONFIRM, COMMAND_REFUSE,
 * or COMMAND_CANCEL. The program closes the question, or shows a note in the dialog. pasted: the
 * text of COMMAND_PASTE. */
bool hudAnswers(Hud *hud, Command command, const char *pasted);
void hudDrop(Hud *hud);

/* ---- For the functions of a layout ---------------------------------------------------------- */

/* A click there, of the last panel, does that. */
void hudArea(Hud *hud, const Text *text, uint32_t row, uint32_t column, uint32_t columns,
             Command command, uint32_t value);

/* The commands of a section, by the table of widgets. */
uint32_t hudStrip(Hud *hud, Text *text, const void *shown, uint32_t section, uint32_t row);
/* Swatches of colours `first` to `count` - 1, in rows of 32 columns, each `wide` of them. */
uint32_t hudSwatches(Hud *hud, Text *text, uint32_t row, const uint32_t *colors, uint32_t first,
                     uint32_t count, uint32_t wide, uint32_t chosen);
/* A colour, the other one, and its bars but those of `without`, as bits. values: by COLOR_*, up to
 * COLOR_RGB. words, otherWords: behind the number and the other colour. */
uint32_t hudColor(Hud *hud, Text *text, uint32_t row, const uint32_t values[COLOR_BARS + 1],
                  uint32_t without, const char *words, uint32_t other, const char *otherWords);
/* A page of the help; after the last, there is none. */
void hudHelp(Hud *hud, Text *text);

#endif
