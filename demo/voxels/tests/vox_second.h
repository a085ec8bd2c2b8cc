/* A second reading of .vox files, for the tests: from the format's description alone, without a
 * line of the program's reader. It is short because it is slow and believes what a file says; it
 * only keeps to the file's bytes.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_VOX_SECOND_H
#define MURVOXELS_VOX_SECOND_H

#include "model/vox.h"

enum { SECOND_TEXT = 200 };

/* Whether the scene, or that there is none (all zero), is what the file says; if not, text is the
 * first difference. */
bool secondAgrees(const uint8_t *data, size_t size, const VoxScene *scene, char text[SECOND_TEXT]);

/* The colours of files that have none. */
void secondDefaultPalette(uint8_t palette[256][4]);

#endif
