/* Colours to mix: red, green and blue, or hue, saturation and value; and bars that show them.
 * SPDX-License-Identifier: MIT */
#ifndef DEMO_COLOR_H
#define DEMO_COLOR_H

#include "text.h"

/* The bars, from top to bottom. Hue is in degrees; saturation, value and light in hundredths. */
enum {
    COLOR_RED,
    COLOR_GREEN,
    COLOR_BLUE,
    COLOR_LIGHT,
    COLOR_HUE,
    COLOR_SATURATION,
    COLOR_VALUE,
    COLOR_BARS,
    COLOR_RGB = COLOR_BARS, /* no bar: all three channels, red in the highest of three bytes */
    COLOR_BAR = 20,         /* columns of a bar */
    COLOR_BAR_FIRST = 8     /* its first column */
};

/* Computes hue, saturation and value. Components that the colour does not determine, for example
 * the hue of a grey, stay as they are. */
void colorToHsv(const uint8_t rgb[3], float hsv[3]);

/* Returns the value of a bar, except light, or COLOR_RGB. */
uint32_t colorGet(const uint8_t rgb[3], const float hsv[3], uint32_t bar);
/* Sets a bar, except light, or COLOR_RGB. rgb and hsv stay the same colour. */
void colorSet(uint8_t rgb[3], float hsv[3], uint32_t bar, uint32_t value);
/* Returns the value at a fraction of a bar. The ends are slightly inside it, so that a click can
 * select the smallest and the largest value. */
uint32_t colorAt(uint32_t bar, float fraction);
/* Writes a bar on a row of the panel. */
void colorWrite(Text *text, uint32_t row, uint32_t bar, uint32_t value);

/* Reads "#RRGGBB" as COLOR_RGB. Returns false if the words are no colour. */
bool colorRead(const char *words, uint32_t *rgb);

#endif
