/* Builds a house in an empty world of 24 voxels, by mouse and keys only: rooms, a door, a window, a
 * roof, wings, a lamp. The program's camera code computes the pixels to point at.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_HOUSE_H
#define MUR_TEST_HOUSE_H

#include "session.h"

enum { HOUSE_SIDE = 24, HOUSE_COLOR = 20, HOUSE_LAMP = 2, HOUSE_VOXELS = 820 };

/* Builds all except wings and lamp. Requires a window of this size with the first view and without
 * panels, and a brush of one voxel in HOUSE_COLOR. */
void houseBuild(unsigned width, unsigned height);
/* Builds two wings, the second by a mirror. */
void houseWings(void);
/* Looks at the front, in a window of that size. */
void houseFront(unsigned width, unsigned height);
/* Adds a lamp in the other colour, HOUSE_LAMP. */
void houseLamp(void);
/* Selects the lamp by its colour and deletes it. */
void houseDeleteLamp(void);
/* Moves the top of one wing to an empty place, as one undo. Checks the ghost before the move. */
void houseMoveWing(void);
/* Returns the brightness behind the door in a picture of the front, from 0 to 1. */
double houseDoor(const Shot *shot);

#endif
