/* What the files of the tools share. Nobody else includes this.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_TOOLS_INTERNAL_H
#define MURVOXELS_TOOLS_INTERNAL_H

#include "tools.h"

/* tools.c: the colour, and as many from it on as there are bands. */
uint32_t toolsColors(const Tools *tools);
Edit toolsBrush(const Tools *tools);
bool toolsDragsBox(const Tools *tools);

/* requests.c: what is wanted of the world, in order. */
void requestAsk(Tools *tools, const Queued *queued);
void requestEdit(Tools *tools, const Edit *edit);
/* The edit and its mirror images. */
void requestMirrored(Tools *tools, const Edit *edit);
void requestsRun(Tools *tools, World *world);

/* selection.c: the box that is selected, as an edit of it. */
Edit selectionEdit(const Tools *tools, uint32_t tool);
/* Commands of what is selected; others are none. */
void selectionCommand(Tools *tools, Command command);
/* Words for whom there is nothing to paste. */
const char *selectionLacksCopy(void);
void selectionPaste(Tools *tools, const World *world, const int32_t at[3]);

#endif
