/* Plays a replay: its edits go into frames, two of them in flight, as a window's would.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_PLAYER_H
#define MURVOXELS_PLAYER_H

#include "edit/model.h"
#include "edit/replay.h"
#include "edit/whole.h"
#include "stage.h"

typedef struct Player {
    Gpu *gpu;
    World *world;
    const Source *source;
    Model *model; /* NULL: nothing is compared */
    Report *report;
    Stage *stage; /* the content of pictures */
    GpuFrames frames;
    bool inFrame;
    const char *names[GPU_FRAMES]; /* of the frames in flight, for the report */
    const char *name;              /* of the frames from now on */
    char dragName[REPLAY_NAME_SIZE];
    bool partial; /* an edit did not find enough room */
    bool warned;  /* a requested operation was not done */
    bool inStroke;
    uint32_t stroke;  /* of the edit played last */
    WorldCount count; /* the last one */
} Player;

bool playerOpen(Player *player);
void playerClose(Player *player);

/* Plays all lines and takes all reports. False, after one line on stderr, if something failed. */
bool playerPlay(Player *player, const Replay *replay);
/* Counts the world, checks its books, and compares it with the model if there is one. */
bool playerCheck(Player *player);

#endif
