/* The settings of the command line.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_SETTINGS_H
#define MURVOXELS_SETTINGS_H

#include "edit/build.h"

typedef struct Settings {
    SourceOptions source;
    WorldRoom room;
    const char *replay;     /* NULL: none */
    const char *screenshot; /* NULL: no picture */
    const char *stats;      /* NULL: no CSV */
    const char *save;       /* NULL: not saved */
    const char *exported;   /* as a .glb or .vox file; NULL: not */
    uint32_t width, height;
    int device; /* negative: the best one */
    bool headless;
    bool validation;
    bool times;        /* how long a frame of the picture takes */
    uint32_t samples;  /* frames of a picture; 0: as the device is fast */
    uint32_t mode;     /* VIEW_SHADED ... */
    uint32_t autosave; /* seconds between two; 0: none */
    bool hasCamera;
    float camera[3]; /* yaw and pitch in degrees, distance as a multiple of the fitting one */
} Settings;

typedef enum SettingsResult { SETTINGS_RUN, SETTINGS_DONE, SETTINGS_WRONG } SettingsResult;

/* Reads the arguments. SETTINGS_DONE after --help; SETTINGS_WRONG after one line on stderr. */
SettingsResult settingsRead(int argc, char **argv, Settings *settings);

#endif
