/* What the window writes over the picture: numbers, the tool, help, messages.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_HUD_H
#define MURVOXELS_HUD_H

#include "common/text.h"
#include "tools.h"

/* All of it may be frames old. */
typedef struct HudNumbers {
    double frame, trace, edit,
        host; /* milliseconds; the first three on the GPU, negative: unknown */
    ViewCounts counts;
    WorldReport last; /* the last edit */
    bool hasLast;
    WorldUse use;
    const MurStats *table; /* NULL: not yet */
    uint64_t bytes;        /* of GPU memory */
    uint32_t undos, redos;
    uint32_t width, height;
    const char *device;
} HudNumbers;

typedef struct Hud {
    bool numbers, help;
    char message[160];
    uint32_t messageColor;
    double messageLeft; /* seconds */
} Hud;

enum { HUD_PLAIN = 0xD8DEE8, HUD_WARNING = 0xFFB347, HUD_GOOD = 0x8FE38F };

/* Shows a line for some seconds. */
SAY_LIKE_PRINTF(3, 4) void hudSay(Hud *hud, uint32_t color, const char *format, ...);

/* Fills the text of a frame. */
void hudWrite(Hud *hud, Text *text, const HudNumbers *numbers, const Tools *tools,
              const Source *source, uint32_t mode, double seconds);

/* Names of VIEW_SHADED ... */
const char *hudModeName(uint32_t mode);

#endif
