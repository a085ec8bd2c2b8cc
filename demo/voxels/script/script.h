/* The headless run: a world, a replay, numbers, a picture, files.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_SCRIPT_H
#define MURVOXELS_SCRIPT_H

#include "settings.h"

/* Whether all went well; otherwise one line on stderr has said what did not. */
bool scriptRun(const Settings *settings);

#endif
