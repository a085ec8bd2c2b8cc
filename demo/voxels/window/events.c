/* SPDX-License-Identifier: MIT */
#include "events.h"

#include <string.h>

void eventsAdd(Events *events, const Event *event) {
    /* There is room for one release after all others: without it a stroke would not end. */
    const uint32_t most = INPUT_COMMANDS - (event->command != COMMAND_RELEASE);
    if (events->count < most) {
        events->events[events->count++] = *event;
    }
}

/* Does its effect depend on the mouse's place? */
static bool hasPlace(Command command) {
    return command == COMMAND_PRESS || command == COMMAND_RELEASE ||
           command == COMMAND_COLOR_PICK || command == COMMAND_MIRROR_HERE ||
           command == COMMAND_FRAME_PICK;
}

void eventsTake(Events *events, double place[2], Input *input) {
    uint32_t taken = 0;
    bool placed = false;
    bool released = false;
    input->held = events->held;
    while (taken < events->count && !released) {
        const Event *event = &events->events[taken];
        const bool pressed = event->command == COMMAND_PRESS;
        const bool elsewhere = placed && (event->x != place[0] || event->y != place[1]);
        if (hasPlace(event->command)) {
            if (elsewhere || (pressed && input->wheel != 0)) {
                break;
            }
            placed = true;
            place[0] = event->x;
            place[1] = event->y;
        }
        released = event->command == COMMAND_RELEASE;
        input->shift = pressed ? event->shift : input->shift;
        if (pressed || released) {
            events->held = pressed;
            input->held = true;
        }
        input->wheel += event->wheel;
        if (event->character) {
            input->typed[input->typedCount++] = (Typed){event->character, input->commandCount};
        }
        if (event->command != COMMAND_NONE) {
            input->commands[input->commandCount++] = event->command;
        }
        ++taken;
    }
    events->count -= taken;
    memmove(events->events, events->events + taken, events->count * sizeof *events->events);
}
