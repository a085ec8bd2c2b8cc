/* Declarations that only the files of the panels include.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_HUD_INTERNAL_H
#define MURVOXELS_HUD_INTERNAL_H

#include "hud.h"

enum {
    HUD_DIM = 0x8791A3,
    HUD_TITLE = 0xFFFFFF,
    HUD_BAR = 0x5AB0F0,
    STRIP_COLUMNS = 27,
    PALETTE_COLUMNS = 34,
    NUMBERS_COLUMNS = 40
};

/* The content of panels. */
typedef struct Shown {
    const HudNumbers *numbers;
    const Tools *tools;
    const Source *source;
    uint32_t mode;
    uint32_t down; /* rows of the window */
} Shown;

/* A click there, of the last panel, does that. */
void hudArea(Hud *hud, const Text *text, uint32_t row, uint32_t column, uint32_t columns,
             Command command, uint32_t value);

/* The rows of a section: each writes them, from this row of the last panel on, unless text is NULL,
 * and returns how many there are. */
uint32_t stripWrite(Hud *hud, Text *text, const Shown *shown, Fold section, uint32_t row);
uint32_t colorsWrite(Hud *hud, Text *text, const Shown *shown, Fold section, uint32_t row);
uint32_t numbersWrite(Hud *hud, Text *text, const Shown *shown, Fold section, uint32_t row);

/* A page of the help; after the last, there is none. */
void helpWrite(Hud *hud, Text *text);

#endif
