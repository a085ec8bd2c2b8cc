/* Plays a replay: its edits go into frames, two of them in flight, as a window's would.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_PLAYER_H
#define MURVOXELS_PLAYER_H

#include "edit/replay.h"
#include "edit/whole.h"
#include "stage.h"

/* Follows a run, for tests. If a function returns false, after one line on stderr, the run ends. */
typedef struct PlayerWitness {
    bool (*made)(const Source *source);
    bool (*reported)(const WorldReport *report);
    bool (*copied)(const int32_t low[3], const int32_t high[3], bool marked);
    bool (*checked)(World *world, const ReplayLine *line); /* NULL: at the end */
} PlayerWitness;

typedef struct Player {
    Gpu *gpu;
    World *world;
    const Source *source;
    const PlayerWitness *witness; /* or NULL */
    Report *report;
    Stage *stage; /* the content of pictures */
    GpuFrames frames;
    bool inFrame;
    const char *names[GPU_FRAMES]; /* of the frames in flight, for the report */
    const char *name;              /* of the frames from now on */
    char dragName[REPLAY_NAME_SIZE];
    bool warned; /* a requested operation was not done */
    bool inStroke;
    uint32_t stroke; /* of the edit played last */
} Player;

bool playerOpen(Player *player);
void playerClose(Player *player);

/* Plays all lines and takes all reports. False, after one line on stderr, if something failed. */
bool playerPlay(Player *player, const Replay *replay);

#endif
