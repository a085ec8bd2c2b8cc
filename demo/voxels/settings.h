/* What the command line asks for.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_SETTINGS_H
#define MURVOXELS_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Settings {
    const char *vox; /* NULL: the built-in terrain */
    const char *screenshot;
    const char *stats; /* NULL: no CSV */
    uint32_t width, height;
    int device; /* negative: the best one */
    bool validation;
    bool fragment;    /* trace by the fragment shader */
    uint32_t samples; /* a side of a pixel */
    uint32_t mode;    /* VIEW_SHADED ... */
    uint32_t frames;  /* how often the picture is drawn, for its time */
    bool hasCamera;
    float camera[3]; /* yaw and pitch in degrees, distance as a multiple of the fitting one */
    uint32_t terrainSize;
    uint32_t seed;
    uint32_t maxBricks;     /* 0: as many as the source can need */
    uint32_t tableCapacity; /* 0: one and a half times maxBricks */
} Settings;

typedef enum SettingsResult { SETTINGS_RUN, SETTINGS_DONE, SETTINGS_WRONG } SettingsResult;

/* Reads the arguments. SETTINGS_DONE after --help; SETTINGS_WRONG after one line on stderr. */
SettingsResult settingsRead(int argc, char **argv, Settings *settings);

#endif
