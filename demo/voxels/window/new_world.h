/* The answer to "New".
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_NEW_WORLD_H
#define MURVOXELS_NEW_WORLD_H

#include "model/source.h"

/* Reads a new world: "empty 24", "24" or "terrain 512". Returns false if the text is none. */
bool newWorldRead(const char *text, SourceOptions *options);

#endif
