/* The user's input at the window that no frame has taken yet, in order. A frame has one place of
 * the mouse, so it takes the input at one: a button goes down and up where it did, a key applies
 * to the mouse's place then, however slow frames are; the wheel before a press is for the frame
 * before, input after a release is for the next one.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_EVENTS_H
#define MURVOXELS_EVENTS_H

#include "input.h"

typedef struct Event {
    Command command; /* none: the wheel, or typing */
    uint32_t character;
    float wheel;
    double x, y; /* the mouse's place */
    bool shift;  /* of a press: Shift was down */
} Event;

typedef struct Events {
    Event events[INPUT_COMMANDS];
    uint32_t count;
    bool held; /* the brush button is down, in the input taken so far */
} Events;

void eventsAdd(Events *events, const Event *event);

/* Sets a frame's commands, its wheel, and whether the button is down in it. A press also sets
 * input->shift. place: the mouse's now; becomes the frame's. */
void eventsTake(Events *events, double place[2], Input *input);

#endif
