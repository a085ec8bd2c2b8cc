/* A user builds a house in an empty world of 24 voxels, with mouse and keys alone: rooms, a door, a
 * window, a roof, wings, a lamp. The program's own camera computes where to point.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_HOUSE_H
#define MUR_TEST_HOUSE_H

#include "session.h"

enum { HOUSE_SIDE = 24, HOUSE_COLOR = 20, HOUSE_LAMP = 2, HOUSE_VOXELS = 820 };

/* In the window as it is, of that size, which shows the world as it did at first, and no panels.
 * The next edit is to be by a brush of one voxel in HOUSE_COLOR. All but wings and lamp. */
void houseBuild(unsigned width, unsigned height);
/* Mirrored. */
void houseWings(void);
/* Looks at the front, in a window of that size. */
void houseFront(unsigned width, unsigned height);
/* In the other colour, which is HOUSE_LAMP. */
void houseLamp(void);
/* Selects the lamp by its colour and deletes it. */
void houseDeleteLamp(void);
/* Moves the top of one of them to where there is nothing, as one undo; the ghost shows it. */
void houseMoveWing(void);
/* How bright a picture of the front is behind the door, from 0 to 1. */
double houseDoor(const Shot *shot);

#endif
