/* The headless run: a world, a replay, numbers, a picture, files.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_SCRIPT_H
#define MURVOXELS_SCRIPT_H

#include "player.h"

/* The program's exit status: 0 if all went well; 1 if something failed, after one line on
 * stderr; 2 if it came to its end, but not all requests could be fulfilled, after a line
 * for each. painter: as of a stage; witness: as of a player. */
int scriptRun(const Settings *settings, StagePainter *painter, const PlayerWitness *witness);

#endif
