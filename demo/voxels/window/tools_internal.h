/* Declarations that only the files of the tools include.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_TOOLS_INTERNAL_H
#define MURVOXELS_TOOLS_INTERNAL_H

#include "tools.h"

/* tools.c: an edit of a box, by its corners. */
Edit toolsBox(uint32_t tool, const int32_t a[3], const int32_t b[3]);
/* Of an edit: the chosen colour. */
uint32_t toolsColors(const Tools *tools);
bool toolsDragsBox(const Tools *tools);
/* As one begins; straight: from the last place. */
Stroke toolsStroke(const Tools *tools, bool straight);

/* requests.c: the queue of requests to the world, in order. */
void requestAsk(Tools *tools, const Queued *queued);
void requestEdit(Tools *tools, const Edit *edit);
/* The edit and its mirror images. */
void requestMirrored(Tools *tools, const Edit *edit);
void requestsRun(Tools *tools, World *world);

/* selection.c: the present place of the selection. */
void selectionBox(const Tools *tools, int32_t low[3], int32_t high[3]);
/* Selects the voxels found from the one under the mouse on: MARK_*. */
void selectionMark(Tools *tools, uint32_t kind);
/* Ends a move. If the selection was not a box, it is cleared. */
void selectionSettle(Tools *tools);
/* The message if there is nothing to paste. */
const char *selectionLacksCopy(void);
/* Empties or copies the selection, or copies it to be pasted next. Ignores other commands. */
void selectionCommand(Tools *tools, const World *world, Command command);
/* The place of a paste: before the face under the mouse, and as far from there as it was nudged.
 * False: there is nothing to paste, or no face. */
bool selectionGhost(const Tools *tools, int32_t low[3], int32_t size[3]);
/* A paste of it there. */
Edit selectionPasted(const Tools *tools, const int32_t at[3], uint32_t turn);
void selectionPaste(Tools *tools);
/* Moves the ghost, or the selection, or else the mirrors by halves of a voxel: right, left, up,
 * down, towards the user and away are 0 to 5. */
void selectionNudge(Tools *tools, const World *world, const Sent *sent, uint32_t direction);
/* Turns or flips the ghost, or the selection. */
void selectionTurn(Tools *tools, const World *world, const Sent *sent, Command command);

#endif
