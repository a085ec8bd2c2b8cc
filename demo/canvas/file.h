/* A painting in a database: a tile is a page, what the canvas is besides is its blob. What was
 * saved last is what is opened, whatever happens in between.
 *
 * SPDX-License-Identifier: MIT */
#ifndef CANVAS_FILE_H
#define CANVAS_FILE_H

#include "painter.h"

/* Opens the painter: with what is there, whose tiles come while frames begin, or a new painting;
 * path may be NULL. It has as many tiles as info says, or as it had if that is more. False after a
 * line on stderr. */
bool fileOpen(Painter *painter, const GpuOptions *options, const char *path, CanvasInfo info);
/* A new file for a painting that has none. */
bool fileCreate(Painter *painter, const char *path);
/* Ends the stroke that is drawn, paints all that waits, and saves. */
bool fileSave(Painter *painter);

/* What the pager's file is: the database that the painter has by then. */
MurPageFile filePages(Painter *painter);
/* Reads some of the tiles that are not there yet. False after a line on stderr. */
bool fileRead(Painter *painter);

#endif
