/* What the command line asks for.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_SETTINGS_H
#define MURVOXELS_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Settings {
    const char *vox;    /* a model, or NULL */
    const char *load;   /* a saved world, or NULL; with neither: */
    uint32_t emptySize; /* an empty world to show so much of; 0: the built-in terrain */
    uint32_t terrainSize;
    uint32_t seed;
    const char *replay;     /* NULL: none */
    const char *screenshot; /* NULL: no picture */
    const char *stats;      /* NULL: no CSV */
    const char *save;       /* NULL: not saved */
    const char *exported;   /* as a .vox file; NULL: not */
    uint32_t width, height;
    int device; /* negative: the best one */
    bool headless;
    bool validation;
    bool verify;      /* compare all with the model on the CPU */
    bool fragment;    /* trace by the fragment shader */
    uint32_t samples; /* a side of a pixel */
    uint32_t mode;    /* VIEW_SHADED ... */
    uint32_t frames;  /* how often the picture is drawn, for its time */
    bool hasCamera;
    float camera[3];     /* yaw and pitch in degrees, distance as a multiple of the fitting one */
    uint32_t poolMib;    /* 0: 256, or what the source needs */
    uint32_t undoMib;    /* 0: no undo */
    bool hasUndoMib;     /* was given */
    uint32_t tableSlots; /* 0: 2^21, or what the source needs */
    uint32_t tableStart; /* 0: 2^18 */
    uint32_t floodBricks;
    uint32_t clipboardMib;
} Settings;

typedef enum SettingsResult { SETTINGS_RUN, SETTINGS_DONE, SETTINGS_WRONG } SettingsResult;

/* Reads the arguments. SETTINGS_DONE after --help; SETTINGS_WRONG after one line on stderr. */
SettingsResult settingsRead(int argc, char **argv, Settings *settings);

#endif
