/* The interactive program: a window, a camera, a brush.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_EDITOR_H
#define MURVOXELS_EDITOR_H

#include "settings.h"

/* Whether all went well until the user left; otherwise a line on stderr has named the failure. */
bool editorRun(const Settings *settings);

#endif
