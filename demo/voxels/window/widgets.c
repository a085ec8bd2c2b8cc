/* SPDX-License-Identifier: MIT */
#include "widgets.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const Widget widgets[] = {
    {COMMAND_TOOL_FIRST, SECTION_TOOLS, "1", "add", "adds voxels where a stroke goes"},
    {COMMAND_TOOL_FIRST + 1, SECTION_TOOLS, "2", "dig", "takes them away"},
    {COMMAND_TOOL_FIRST + 2, SECTION_TOOLS, "3", "paint", "gives them the colour"},
    {COMMAND_TOOL_FIRST + 3, SECTION_TOOLS, "4", "smooth", "rounds what is rough"},
    {COMMAND_PASTE, SECTION_TOOLS, "5 Ctrl+V", "paste", "sets down what was copied"},
    {COMMAND_TOOL_SELECT, SECTION_TOOLS, "6", "select",
     "selects a box by dragging, and by a click what touches"},
    {COMMAND_TOOL_LAST, SECTION_TOOLS, "7", "extrude", "drags a face out, or in"},
    {COMMAND_SHAPE, SECTION_BRUSH, "B", "shape",
     "sphere, cube, or a box by dragging, deep by the wheel; what a click selects"},
    {COMMAND_SMALLER, SECTION_BRUSH, "[ -", "smaller", "a smaller brush; radius 0 is one voxel"},
    {COMMAND_LARGER, SECTION_BRUSH, "] = +", "larger", "a larger brush"},
    {COMMAND_MIRROR_X, SECTION_BRUSH, "M", "mirror in x", "mirrors strokes, boxes, what is pasted"},
    {COMMAND_MIRROR_Y, SECTION_BRUSH, "Ctrl+M", "mirror in y", "the same in y"},
    {COMMAND_MIRROR_Z, SECTION_BRUSH, "Shift+M", "mirror in z", "the same in z"},
    {COMMAND_MIRROR_HERE, SECTION_KEYS, "J", "mirror here",
     "puts the mirrors through the face under the mouse"},
    {COMMAND_COLOR_BACK, SECTION_KEYS, ",", "colour before", "the colour before"},
    {COMMAND_COLOR_NEXT, SECTION_KEYS, ".", "next colour", "the next colour"},
    {COMMAND_COLOR_PICK, SECTION_KEYS, "C", "pick", "takes the colour under the mouse"},
    {COMMAND_COLOR_SWAP, SECTION_KEYS, "X", "swap", "swaps the two colours"},
    {COMMAND_COLOR_TYPE, SECTION_KEYS, "Ctrl+Shift+C", "type colour",
     "types the colour as #RRGGBB, as a click on it in the palette does"},
    {COMMAND_COPY, SECTION_SELECTION, "Ctrl+C", "copy", "copies what is selected"},
    {COMMAND_CUT, SECTION_SELECTION, "Ctrl+X", "cut", "copies it and takes it away"},
    {COMMAND_DUPLICATE, SECTION_SELECTION, "Ctrl+D", "duplicate",
     "copies it, to be pasted at once"},
    {COMMAND_MOVE, SECTION_SELECTION, "G", "move", "moves it to where a click is"},
    {COMMAND_DELETE, SECTION_SELECTION, "Del", "delete", "takes away what is selected"},
    {COMMAND_FILL, SECTION_EDITS, "K", "fill", "gives the colour to what is selected"},
    {COMMAND_NUDGE_FIRST, SECTION_KEYS, "Right", "nudge right",
     "nudges what is selected or pasted, or mirrors; with Shift by 8"},
    {COMMAND_NUDGE_FIRST + 1, SECTION_KEYS, "Left", "nudge left", "to the left"},
    {COMMAND_NUDGE_FIRST + 2, SECTION_KEYS, "PgUp", "nudge up", "up"},
    {COMMAND_NUDGE_FIRST + 3, SECTION_KEYS, "PgDn", "nudge down", "down"},
    {COMMAND_NUDGE_FIRST + 4, SECTION_KEYS, "Down", "nudge nearer", "towards you"},
    {COMMAND_NUDGE_FIRST + 5, SECTION_KEYS, "Up", "nudge away", "away from you"},
    {COMMAND_TURN_FIRST + 1, SECTION_SELECTION, "R", "turn", "turns what is selected or pasted"},
    {COMMAND_TURN_FIRST + 2, SECTION_SELECTION, "Shift+R", "roll",
     "the same, about the way you look"},
    {COMMAND_TURN_FIRST, SECTION_SELECTION, "Ctrl+R", "tip", "the same, towards you"},
    {COMMAND_FLIP_FIRST, SECTION_SELECTION, "T", "flip left, right", "flips it: left and right"},
    {COMMAND_FLIP_FIRST + 1, SECTION_SELECTION, "Shift+T", "flip up, down", "up and down"},
    {COMMAND_FLIP_FIRST + 2, SECTION_SELECTION, "Ctrl+T", "flip near, far", "near and far"},
    {COMMAND_UNDO, SECTION_EDITS, "Ctrl+Z", "undo", "takes back the last stroke"},
    {COMMAND_REDO, SECTION_EDITS, "Ctrl+Y Ctrl+Shift+Z", "redo", "makes it again"},
    {COMMAND_NEW, SECTION_FILE, "Ctrl+N", "new", "begins an empty world, or a terrain"},
    {COMMAND_OPEN, SECTION_FILE, "Ctrl+O", "open", "opens a file, as dropping one here does"},
    {COMMAND_SAVE, SECTION_FILE, "Ctrl+S", "save", "saves"},
    {COMMAND_SAVE_AS, SECTION_FILE, "Ctrl+Shift+S", "save as", "saves under another name"},
    {COMMAND_EXPORT, SECTION_FILE, "Ctrl+E", "export .vox", "exports a .vox file"},
    {COMMAND_EXPORT_MESH, SECTION_FILE, "Ctrl+Shift+E", "export .glb", "exports a mesh (glTF)"},
    {COMMAND_PICTURE, SECTION_FILE, "P", "fine picture", "a fine picture, without panels"},
    {COMMAND_SCREENSHOT, SECTION_FILE, "Shift+P", "screenshot", "a picture of the window as it is"},
    {COMMAND_VIEW, SECTION_VIEW, "V", "view", "the next view, of those that --mode names"},
    {COMMAND_FRAME_ALL, SECTION_VIEW, "Home", "show all", "shows all that there is"},
    {COMMAND_SIDE_FIRST, SECTION_VIEW, "Ctrl+1", "from the front", "shows all along an axis"},
    {COMMAND_SIDE_FIRST + 1, SECTION_KEYS, "Ctrl+2", "from the back", "from the back"},
    {COMMAND_SIDE_FIRST + 2, SECTION_VIEW, "Ctrl+3", "from the right", "from the right"},
    {COMMAND_SIDE_FIRST + 3, SECTION_KEYS, "Ctrl+4", "from the left", "from the left"},
    {COMMAND_SIDE_FIRST + 4, SECTION_VIEW, "Ctrl+5", "from above", "from above"},
    {COMMAND_SIDE_LAST, SECTION_KEYS, "Ctrl+6", "from below", "from below"},
    {COMMAND_GRID, SECTION_VIEW, "L", "lines", "lines between voxels, and on the ground"},
    {COMMAND_FRAME_PICK, SECTION_KEYS, "F", "go there", "goes to what is under the mouse"},
    {COMMAND_PANELS, SECTION_VIEW, "Tab", "panels", "hides the panels, or shows them"},
    {COMMAND_NUMBERS, SECTION_VIEW, "I", "numbers", "times, the tables, what is in memory"},
    {COMMAND_TEXT_SMALLER, SECTION_VIEW, "Ctrl+-", "smaller text", "smaller text"},
    {COMMAND_TEXT_LARGER, SECTION_VIEW, "Ctrl++ Ctrl+=", "larger text", "larger text"},
    {COMMAND_HELP, SECTION_VIEW, "H F1", "all keys", "this help, page by page"},
    {COMMAND_FULL_SCREEN, SECTION_KEYS, "F11", "full screen", "the window fills the screen"},
    {COMMAND_CONFIRM, SECTION_KEYS, "Enter", "yes", "yes, to a question"},
    {COMMAND_REFUSE, SECTION_KEYS, "N", "no", "no, to a question"},
    {COMMAND_CANCEL, SECTION_KEYS, "Esc", "cancel", "cancels"},
    {COMMAND_BACK, SECTION_KEYS, "Backspace", "back", "takes away what was typed last"},
    {COMMAND_QUIT, SECTION_KEYS, "Ctrl+Q", "quit", "leaves"},
    {COMMAND_NONE, SECTION_KEYS, "W A S D", NULL,
     "fly, by place on the keyboard; Shift fast, Alt slow"},
    {COMMAND_NONE, SECTION_KEYS, "E Q", NULL, "up and down"},
    {COMMAND_NONE, SECTION_KEYS, "left mouse", NULL,
     "uses the tool; drag for a stroke, which is one undo"},
    {COMMAND_NONE, SECTION_KEYS, "Shift + left", NULL,
     "a straight line from the last place to here"},
    {COMMAND_NONE, SECTION_KEYS, "right mouse", NULL,
     "orbits a model, looks around in a landscape; with Ctrl the other"},
    {COMMAND_NONE, SECTION_KEYS, "middle, Ctrl+left", NULL,
     "orbits about what is under the mouse; Shift+middle moves"},
    {COMMAND_NONE, SECTION_KEYS, "wheel", NULL,
     "zooms to what is under the mouse; with Ctrl the brush's radius"},
};

const Widget *widgetAt(uint32_t index) {
    return index < sizeof widgets / sizeof *widgets ? &widgets[index] : NULL;
}

uint32_t widgetKeyLength(const char *keys) {
    return (uint32_t)strcspn(keys, " ");
}

const char *widgetNextKey(const char *keys) {
    return keys + widgetKeyLength(keys) + strspn(keys + widgetKeyLength(keys), " ");
}

static const char *keysOf(Command command) {
    const Widget *widget = widgets;
    while (widget->command != command) {
        ++widget;
    }
    return widget->keys;
}

const char *widgetSays(const char *words, ...) {
    static char said[4][160];
    static uint32_t next;
    char *to = said[next++ % 4];
    const char *end = to + sizeof *said - 32; /* room for a key and the end */
    va_list commands;
    va_start(commands, words);
    for (; *words && to < end; ++words) {
        if (*words == '#') {
            const char *keys = keysOf((Command)va_arg(commands, int));
            to += snprintf(to, 32, "%.*s", (int)widgetKeyLength(keys), keys);
        } else {
            *to++ = *words;
        }
    }
    va_end(commands);
    *to = '\0';
    return said[(next - 1) % 4];
}
