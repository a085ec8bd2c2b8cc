/* The panels over the picture: tools, palette, numbers, help, messages, questions; and the part of
 * them that the mouse is on.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_HUD_H
#define MURVOXELS_HUD_H

#include "common/text.h"
#include "tools.h"
#include "view/tracer.h"
#include "widgets.h"

/* All of it may be frames old. */
typedef struct HudNumbers {
    double frame, trace, edit,
        host;                     /* milliseconds; the first three on the GPU, negative: unknown */
    double passes[TRACER_PASSES]; /* milliseconds on the GPU, negative: unknown */
    ViewCounts counts;
    WorldReport last; /* the last edit */
    bool hasLast;
    WorldUse use;
    const MurStats *table; /* NULL: not yet */
    uint64_t bytes;        /* of GPU memory */
    uint64_t dense;        /* bytes of an array of voxels instead */
    bool measures;         /* the result of toolsMeasure is known */
    int32_t at[3], size[3];
    uint32_t width, height; /* of the picture */
    float scale;            /* of the display */
    const char *device;
} HudNumbers;

/* The effect of a click. */
typedef struct HudArea {
    uint32_t panel, row, column, columns;
    Command command;
    uint32_t value;
} HudArea;

/* The parts that fold to their titles: a panel, then its sections. */
typedef enum Fold {
    FOLD_STRIP, /* its sections are those of the table of widgets */
    FOLD_PALETTE = SECTIONS,
    FOLD_COLORS,
    FOLD_CHANNELS,
    FOLD_NUMBERS,
    FOLD_TIMES,
    FOLD_LIGHT,
    FOLD_TABLES,
    FOLDS
} Fold;

enum { HUD_AREAS = 400, HUD_QUESTION = 768, HUD_WORDS = 512 };

typedef struct Hud {
    bool hidden;
    uint32_t help;         /* its page from 1 on; 0: none */
    int32_t wishes[FOLDS]; /* negative: folded by the user; positive: opened, the last most */
    int32_t clicks;
    uint32_t panels, open; /* bits of folds: existing panels; the open ones of them */
    float zoom;            /* of the letters */
    char message[HUD_WORDS];
    uint32_t messageColor;
    uint32_t through, end;       /* panels from one to before the other let the mouse through */
    double messageLeft;          /* seconds */
    bool news;                   /* a message came or went, and is not drawn yet */
    char question[HUD_QUESTION]; /* it, and a line for each answer; empty: none */
    HudArea areas[HUD_AREAS];    /* of the last drawing */
    uint32_t areaCount;
} Hud;

enum { HUD_PLAIN = TEXT_PLAIN, HUD_WARNING = TEXT_WARNING, HUD_GOOD = TEXT_GOOD };

/* Shows a line for some seconds. */
SAY_LIKE_PRINTF(3, 4) void hudSay(Hud *hud, uint32_t color, const char *format, ...);

/* So much time went by. */
void hudPass(Hud *hud, double seconds);

/* The user clicks on a title. Parts that do not fit fold by themselves. */
void hudFold(Hud *hud, Fold fold);

/* Fills the text of a frame: letters grow with the picture, the display's scale and the user's
 * zoom. */
void hudWrite(Hud *hud, Text *text, const HudNumbers *numbers, const Tools *tools,
              const Source *source, uint32_t mode);
/* Is the mouse over a panel? If it is on something that can be clicked, area is that, and
 * fraction how far from its left end; else its command is none. */
bool hudFind(const Hud *hud, const Text *text, float x, float y, HudArea *area, float *fraction);

/* The part of the picture's width that panels at its sides leave, from 0 to 1; all of it, if that
 * is too little. */
void hudFree(const Text *text, float part[2]);

#endif
