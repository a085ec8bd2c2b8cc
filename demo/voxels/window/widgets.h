/* All commands of the user, each defined once: keys, place on the strip, words, help.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_WIDGETS_H
#define MURVOXELS_WIDGETS_H

#include "input.h"

/* Of the strip, from top to bottom. */
typedef enum Section {
    SECTION_KEYS, /* not on the strip */
    SECTION_TOOLS,
    SECTION_BRUSH,
    SECTION_SELECTION,
    SECTION_EDITS,
    SECTION_FILE,
    SECTION_VIEW,
    SECTIONS
} Section;

typedef struct Widget {
    Command command; /* COMMAND_NONE: for the help alone */
    Section section;
    const char *keys;  /* with a space between two: "Ctrl+Shift+Z Ctrl+Y"; the first is shown */
    const char *words; /* on its button; NULL of COMMAND_NONE */
    const char *help;
} Widget;

/* In the order of strip and help; NULL after the last. */
const Widget *widgetAt(uint32_t index);

/* Of keys: the length of the first, and the begin of the next. */
uint32_t widgetKeyLength(const char *keys);
const char *widgetNextKey(const char *keys);

/* A message: each # of the words becomes the first key of the next of these commands. It is there
 * until the next but three. */
const char *widgetSays(const char *words, ...);

#endif
