/* Replays: text files of edits and cameras, a line each. README.md has the format. Nothing of
 * Vulkan.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_REPLAY_H
#define MURVOXELS_REPLAY_H

#include "edit.h"
#include "fit.h"

#include <stddef.h>

enum { REPLAY_ERROR_SIZE = 512, REPLAY_NAME_SIZE = 48 };

typedef enum ReplayVerb {
    REPLAY_EDIT,   /* edit */
    REPLAY_DRAG,   /* count frames of edit, from its a to its b */
    REPLAY_COPY,   /* edit's a and b; with EDIT_MARKED, the marked voxels */
    REPLAY_UNDO,   /* count times */
    REPLAY_REDO,   /* count times */
    REPLAY_STROKE, /* count 1: the edits from here on are one undo; 0: no longer */
    REPLAY_FRAMES, /* count frames without an edit */
    REPLAY_CHECK,  /* tests count all voxels; they must have this sum, if there is one */
    /* Content and format of pictures; numbers, unless stated otherwise: */
    REPLAY_CAMERA,  /* yaw, pitch, distance, as for --camera */
    REPLAY_EYE,     /* place, yaw, pitch */
    REPLAY_FLY,     /* in count frames to such an eye */
    REPLAY_PALETTE, /* entry count: red, green, blue, light */
    REPLAY_SKY,     /* radiance of the zenith and of the horizon */
    REPLAY_SUN,     /* radiance; if given: yaw, height */
    REPLAY_GROUND,  /* count: 1 on, 0 off */
    REPLAY_GRAIN,   /* by how much voxels differ in colour */
    REPLAY_PICTURE  /* into path, in mode; count frames, or 0: as many as --samples */
} ReplayVerb;

typedef struct ReplayLine {
    ReplayVerb verb;
    uint32_t number; /* of the line in the file */
    Edit edit;       /* places count from the source's low corner */
    uint32_t count;
    float numbers[6];
    bool given;    /* the last of them */
    uint32_t mode; /* VIEW_SHADED ... */
    char path[REPLAY_NAME_SIZE];
    bool hasSum;
    uint64_t sum;
} ReplayLine;

typedef struct Replay {
    ReplayLine *lines;
    size_t count, capacity;
    /* For fields that are 0, the command line decides. */
    SourceOptions source;
    WorldRoom room;
} Replay;

/* Reads the text of a replay. Whether that worked; if not, a message of one line, without a
 * newline, is in error, and the replay is empty. */
bool replayRead(const char *text, size_t size, Replay *replay, char error[REPLAY_ERROR_SIZE]);
/* The same for a file; the message starts with its path. */
bool replayLoad(const char *path, Replay *replay, char error[REPLAY_ERROR_SIZE]);
void replayFree(Replay *replay);

#endif
