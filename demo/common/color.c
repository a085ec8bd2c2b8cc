/* SPDX-License-Identifier: MIT */
#include "color.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void colorFromHsv(const float hsv[3], uint8_t rgb[3]) {
    for (int i = 0; i < 3; ++i) {
        const float k = fmodf((float)(5 - 2 * i) + hsv[0] / 60, 6);
        const float lack = fmaxf(fminf(fminf(k, 4 - k), 1), 0) * hsv[1] / 100;
        rgb[i] = (uint8_t)(2.55f * hsv[2] * (1 - lack) + 0.5f);
    }
}

void colorToHsv(const uint8_t rgb[3], float hsv[3]) {
    const int most = rgb[0] > rgb[1] ? (rgb[0] > rgb[2] ? 0 : 2) : rgb[1] > rgb[2] ? 1 : 2;
    const float high = rgb[most];
    const float range = high - fminf(fminf(rgb[0], rgb[1]), rgb[2]);
    uint8_t mixed[3];
    colorFromHsv(hsv, mixed);
    if (memcmp(mixed, rgb, sizeof mixed) == 0) {
        return;
    }
    if (range > 0) {
        const float turn = (float)(rgb[(most + 1) % 3] - rgb[(most + 2) % 3]) / range;
        hsv[0] = 60 * fmodf((float)(2 * most) + turn + 6, 6);
    }
    hsv[1] = high > 0 ? 100 * range / high : hsv[1];
    hsv[2] = high / 2.55f;
}

/* Returns the largest value of a bar. */
static uint32_t mostOf(uint32_t bar) {
    return bar < COLOR_LIGHT ? 255 : bar == COLOR_HUE ? 359 : 100;
}

uint32_t colorGet(const uint8_t rgb[3], const float hsv[3], uint32_t bar) {
    return bar == COLOR_RGB   ? (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2]
           : bar >= COLOR_HUE ? (uint32_t)(hsv[bar - COLOR_HUE] + 0.5f) % (mostOf(bar) + 1)
                              : rgb[bar];
}

void colorSet(uint8_t rgb[3], float hsv[3], uint32_t bar, uint32_t value) {
    if (bar >= COLOR_HUE && bar < COLOR_BARS) {
        hsv[bar - COLOR_HUE] = (float)value;
        colorFromHsv(hsv, rgb);
        return;
    }
    for (uint32_t i = 0; i < 3; ++i) {
        rgb[i] = bar == COLOR_RGB ? (uint8_t)(value >> (16 - 8 * i))
                 : i == bar       ? (uint8_t)value
                                  : rgb[i];
    }
    colorToHsv(rgb, hsv);
}

uint32_t colorAt(uint32_t bar, float fraction) {
    const float part = fminf(fmaxf(fraction * 1.05f - 0.025f, 0), 1);
    return (uint32_t)((float)mostOf(bar) * part + 0.5f);
}

void colorWrite(Text *text, uint32_t row, uint32_t bar, uint32_t value) {
    static const struct {
        const char *name;
        uint32_t color;
    } bars[COLOR_BARS] = {{"red", 0xFF5040},   {"green", 0x50E050}, {"blue", 0x5080FF},
                          {"light", 0xFFE080}, {"hue", 0xC080FF},   {"satur.", 0xB0B8C4},
                          {"value", 0xB0B8C4}};
    char words[16];
    textPut(text, row, 1, TEXT_PLAIN, bars[bar].name);
    textBar(text, row, COLOR_BAR_FIRST, COLOR_BAR, bars[bar].color, (double)value / mostOf(bar));
    (void)snprintf(words, sizeof words, "%4u", value);
    textPut(text, row, COLOR_BAR_FIRST + COLOR_BAR, TEXT_PLAIN, words);
}

bool colorRead(const char *words, uint32_t *rgb) {
    words += words[0] == '#';
    *rgb = (uint32_t)strtoul(words, NULL, 16);
    return strlen(words) == 6 && strspn(words, "0123456789abcdefABCDEF") == 6;
}
