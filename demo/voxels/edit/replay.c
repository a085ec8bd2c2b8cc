/* SPDX-License-Identifier: MIT */
#include "replay.h"

#include "model/files.h"
#include "common/array.h"
#include "shaders/view_layout.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 32, MAX_LINE = 512, MAX_LINES = 1 << 21, MAX_BYTES = 1 << 24 };

typedef struct Reader {
    Replay *replay;
    char *error;
    uint32_t number; /* of the line */
    char line[MAX_LINE];
    const char *words[MAX_WORDS + 1]; /* NULL after the last */
    size_t next;
    size_t repeatFrom; /* line that a repeat begins with */
    uint32_t repeats;  /* 0: none is open */
} Reader;

static bool fail(Reader *reader, const char *format, ...) {
    va_list arguments;
    int used = snprintf(reader->error, REPLAY_ERROR_SIZE, "line %u: ", reader->number);
    va_start(arguments, format);
    (void)vsnprintf(reader->error + used, REPLAY_ERROR_SIZE - (size_t)used, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- Words ---------------------------------------------------------------------------------- */

static bool isNext(const Reader *reader, const char *word) {
    const char *next = reader->words[reader->next];
    return next && strcmp(next, word) == 0;
}

static bool skip(Reader *reader, const char *word) {
    bool there = isNext(reader, word);
    reader->next += there;
    return there;
}

static bool number(Reader *reader, const char *what, long low, long high, int32_t *value) {
    const char *word = reader->words[reader->next];
    char *end = NULL;
    long result = word ? strtol(word, &end, 10) : 0;
    if (!word || end == word || *end != '\0' || result < low || result > high) {
        return fail(reader, "%s wants a whole number from %ld to %ld, not \"%s\"", what, low, high,
                    word ? word : "");
    }
    ++reader->next;
    *value = (int32_t)result;
    return true;
}

static bool count(Reader *reader, const char *what, long low, long high, uint32_t *value) {
    int32_t result = 0;
    bool fine = number(reader, what, low, high, &result);
    *value = (uint32_t)result;
    return fine;
}

static bool place(Reader *reader, int32_t *x, int32_t *y, int32_t *z) {
    return number(reader, "a place", -65536, 65536, x) &&
           number(reader, "a place", -65536, 65536, y) &&
           number(reader, "a place", -65536, 65536, z);
}

/* NULL, after a failure: there is no room. */
static ReplayLine *add(Reader *reader, ReplayVerb verb) {
    Replay *replay = reader->replay;
    if (replay->count == MAX_LINES ||
        !growItems(&replay->lines, replay->count, &replay->capacity, sizeof *replay->lines)) {
        (void)fail(reader, "the replay is too long");
        return NULL;
    }
    ReplayLine *line = &replay->lines[replay->count++];
    *line = (ReplayLine){.verb = verb, .number = reader->number, .count = 1};
    return line;
}

/* ---- Edits ---------------------------------------------------------------------------------- */

/* X Y Z [to X Y Z] */
static bool readEnds(Reader *reader, Edit *edit) {
    if (!place(reader, &edit->ax, &edit->ay, &edit->az)) {
        return false;
    }
    edit->bx = edit->ax;
    edit->by = edit->ay;
    edit->bz = edit->az;
    return !skip(reader, "to") || place(reader, &edit->bx, &edit->by, &edit->bz);
}

/* The optional parts after the ends, in any order. */
static bool readDetails(Reader *reader, Edit *edit) {
    uint32_t bands = 1;
    bool fine = true;
    bool sized = edit->shape == SHAPE_CUBOID;
    bool colored = edit->tool != TOOL_ADD && edit->tool != TOOL_PAINT;
    while (fine && reader->words[reader->next]) {
        if (skip(reader, "radius")) {
            fine = count(reader, "radius", 0, BRUSH_MAX_RADIUS, &edit->radius);
            sized = true;
        } else if (skip(reader, "color")) {
            fine = count(reader, "color", 1, 255, &edit->colors);
            colored = true;
        } else if (skip(reader, "bands")) {
            fine = count(reader, "bands", 1, 255, &bands);
        } else if (skip(reader, "turn")) {
            fine = count(reader, "turn", 0, BRUSH_TURNS - 1, &edit->turn);
        } else if (skip(reader, "replace")) {
            edit->flags |= EDIT_REPLACE;
        } else if (skip(reader, "no-undo")) {
            edit->flags |= EDIT_NO_UNDO;
        } else {
            fine = fail(reader, "\"%s\" is not expected here", reader->words[reader->next]);
        }
    }
    edit->colors |= bands << 8;
    return fine && (sized || fail(reader, "%s wants a radius", editToolName(edit->tool))) &&
           (colored || fail(reader, "%s wants a color", editToolName(edit->tool)));
}

static bool readShape(Reader *reader, Edit *edit) {
    if (skip(reader, "marked")) {
        edit->flags |= EDIT_MARKED;
        return true;
    }
    for (uint32_t shape = 0; shape < SHAPE_COUNT; ++shape) {
        if (skip(reader, editShapeName(shape))) {
            edit->shape = shape;
            return true;
        }
    }
    return fail(reader, "%s wants sphere, box or cuboid", editToolName(edit->tool));
}

static bool readEdit(Reader *reader, ReplayLine *line, uint32_t tool) {
    Edit *edit = &line->edit;
    *edit = (Edit){.tool = tool, .shape = SHAPE_CUBOID};
    const bool brush = tool != TOOL_PASTE;
    if ((brush && !readShape(reader, edit)) ||
        (!(edit->flags & EDIT_MARKED) && !readEnds(reader, edit)) || !readDetails(reader, edit)) {
        return false;
    }
    Edit stamp = *edit;
    if (line->verb == REPLAY_DRAG) { /* its ends are those of the way, not of a line */
        if (brush && edit->shape == SHAPE_CUBOID) {
            return fail(reader, "a cuboid cannot be dragged");
        }
        stamp.bx = stamp.ax;
        stamp.by = stamp.ay;
        stamp.bz = stamp.az;
    }
    const char *objection = editObjection(&stamp);
    return !objection || fail(reader, "%s", objection);
}

static bool readTool(Reader *reader, uint32_t *tool) {
    for (uint32_t i = 0; i < TOOL_PLACE; ++i) {
        if (skip(reader, editToolName(i))) {
            *tool = i;
            return true;
        }
    }
    return false;
}

static bool readDrag(Reader *reader, ReplayLine *line) {
    uint32_t tool;
    if (!count(reader, "drag", 2, 100000, &line->count)) {
        return false;
    }
    if (!readTool(reader, &tool)) {
        return fail(reader, "drag wants a number of frames and a tool");
    }
    return readEdit(reader, line, tool);
}

static bool readMark(Reader *reader, ReplayLine *line) {
    static const char *const kinds[MARK_COUNT] = {"same", "touch", "face", "color"};
    static const char *const sides[6] = {"-x", "+x", "-y", "+y", "-z", "+z"};
    Edit *edit = &line->edit;
    edit->tool = TOOL_MARK;
    while (edit->shape < MARK_COUNT && !skip(reader, kinds[edit->shape])) {
        ++edit->shape;
    }
    if (edit->shape == MARK_COLOR) {
        return count(reader, "color", 1, 255, &edit->colors);
    }
    if (edit->shape == MARK_COUNT) {
        return fail(reader, "mark wants same, touch, face or color");
    }
    if (!readEnds(reader, edit)) {
        return false;
    }
    while (edit->shape == MARK_FACE && edit->turn < 6 && !skip(reader, sides[edit->turn])) {
        ++edit->turn;
    }
    return edit->turn < 6 || fail(reader, "a face wants a side, -x to +z");
}

static bool readExtrude(Reader *reader, ReplayLine *line) {
    line->edit.tool = TOOL_EXTRUDE;
    return number(reader, "extrude", -2048, 2048, &line->edit.ax);
}

/* ---- The other lines ------------------------------------------------------------------------ */

static bool readWorld(Reader *reader) {
    SourceOptions *source = &reader->replay->source;
    *source = (SourceOptions){.seed = 1};
    if (skip(reader, "empty")) {
        return count(reader, "empty", 1, EMPTY_MOST, &source->emptySize);
    }
    return (skip(reader, "terrain") || fail(reader, "world wants terrain or empty")) &&
           count(reader, "terrain", TERRAIN_LEAST, TERRAIN_MOST, &source->terrainSize) &&
           (source->terrainSize % 8 == 0 || fail(reader, "terrain wants a multiple of 8")) &&
           (!reader->words[reader->next] ||
            count(reader, "the seed", 0, 0x7FFFFFFF, &source->seed));
}

/* Decimal numbers, each in the range of its kind: a yaw, a pitch, a distance, a coordinate, a
 * radiance, a share. */
static bool decimals(Reader *reader, const char *wanted, const char *kinds, float *values) {
    static const struct {
        float low, high;
    } ranges[] = {['y'] = {-360, 360},     ['p'] = {-89, 89}, ['d'] = {0.01f, 100},
                  ['x'] = {-65536, 65536}, ['r'] = {0, 1000}, ['s'] = {0, 1}};
    for (; *kinds; ++kinds, ++values, ++reader->next) {
        const char *word = reader->words[reader->next];
        const unsigned char kind = (unsigned char)*kinds;
        char *end = NULL;
        *values = word ? strtof(word, &end) : 0;
        if (!word || end == word || *end != '\0' || !isfinite(*values) ||
            *values < ranges[kind].low || *values > ranges[kind].high) {
            return fail(reader, "%s, not \"%s\"", wanted, word ? word : "");
        }
    }
    return true;
}

static bool readCamera(Reader *reader, ReplayLine *line) {
    return decimals(reader, "camera wants YAW PITCH DISTANCE", "ypd", line->numbers);
}

static bool readEye(Reader *reader, ReplayLine *line) {
    return decimals(reader, "eye wants X Y Z YAW PITCH", "xxxyp", line->numbers);
}

static bool readFly(Reader *reader, ReplayLine *line) {
    return count(reader, "fly", 1, 100000, &line->count) &&
           decimals(reader, "fly wants FRAMES X Y Z YAW PITCH", "xxxyp", line->numbers);
}

static bool readPalette(Reader *reader, ReplayLine *line) {
    bool fine = count(reader, "palette", 1, 255, &line->count);
    for (int i = 0; i < 4 && fine; ++i) {
        uint32_t value = 0;
        fine = i < 3                   ? count(reader, "a channel", 0, 255, &value)
               : skip(reader, "light") ? count(reader, "light", 0, 100, &value)
                                       : true;
        line->numbers[i] = (float)value;
    }
    return fine;
}

static bool readSky(Reader *reader, ReplayLine *line) {
    static const char wanted[] = "sky wants R G B [horizon R G B]";
    if (!decimals(reader, wanted, "rrr", line->numbers)) {
        return false;
    }
    memcpy(line->numbers + 3, line->numbers, 3 * sizeof *line->numbers);
    return !skip(reader, "horizon") || decimals(reader, wanted, "rrr", line->numbers + 3);
}

static bool readSun(Reader *reader, ReplayLine *line) {
    static const char wanted[] = "sun wants R G B [YAW HEIGHT]";
    if (!decimals(reader, wanted, "rrr", line->numbers)) {
        return false;
    }
    line->given = reader->words[reader->next] != NULL;
    return !line->given || decimals(reader, wanted, "yp", line->numbers + 3);
}

static bool readGrain(Reader *reader, ReplayLine *line) {
    return decimals(reader, "grain wants a number from 0 to 1", "s", line->numbers);
}

/* Counts 1 if it is the first of the words. */
static bool readSwitch(Reader *reader, ReplayLine *line) {
    const bool ground = line->verb == REPLAY_GROUND;
    line->count = skip(reader, ground ? "on" : "begin");
    return line->count || skip(reader, ground ? "off" : "end") ||
           fail(reader, ground ? "ground wants on or off" : "stroke wants begin or end");
}

/* The file, and optionally its mode and number of frames. */
static bool readPicture(Reader *reader, ReplayLine *line) {
    static const char *const modes[VIEW_MODES] = {VIEW_MODE_NAMES};
    const char *path = reader->words[reader->next];
    if (!path || strlen(path) >= sizeof line->path) {
        return fail(reader, "picture wants a file with a name of at most %zu letters",
                    sizeof line->path - 1);
    }
    ++reader->next;
    (void)strcpy(line->path, path);
    while (line->mode < VIEW_MODES && !skip(reader, modes[line->mode])) {
        ++line->mode;
    }
    line->mode = line->mode < VIEW_MODES ? line->mode : VIEW_SHADED;
    line->count = 0;
    return !skip(reader, "frames") || count(reader, "frames", 1, 100000, &line->count);
}

static bool readCheck(Reader *reader, ReplayLine *line) {
    const char *word = reader->words[reader->next];
    if (!word) {
        return true;
    }
    line->hasSum = strlen(word) == 16 && strspn(word, "0123456789abcdef") == 16;
    line->sum = strtoull(word, NULL, 16);
    ++reader->next;
    return line->hasSum || fail(reader, "check wants 16 hexadecimal digits");
}

static bool readCopy(Reader *reader, ReplayLine *line) {
    if (skip(reader, "marked")) {
        line->edit.flags = EDIT_MARKED;
        return true;
    }
    return place(reader, &line->edit.ax, &line->edit.ay, &line->edit.az) &&
           (skip(reader, "to") || fail(reader, "\"to\" and another place are wanted")) &&
           place(reader, &line->edit.bx, &line->edit.by, &line->edit.bz);
}

static bool readCounted(Reader *reader, ReplayLine *line) {
    return (line->verb != REPLAY_FRAMES && !reader->words[reader->next]) ||
           count(reader, "the line", 1, 100000, &line->count);
}

/* Lines between repeat and end are there several times. */
static bool readRepeat(Reader *reader) {
    if (reader->repeats) {
        return fail(reader, "a repeat within a repeat");
    }
    reader->repeatFrom = reader->replay->count;
    return count(reader, "repeat", 1, 100000, &reader->repeats);
}

static bool readEnd(Reader *reader) {
    const size_t first = reader->repeatFrom;
    const size_t length = reader->replay->count - first;
    if (!reader->repeats) {
        return fail(reader, "end without a repeat");
    }
    for (uint32_t i = 1; i < reader->repeats; ++i) {
        for (size_t j = 0; j < length; ++j) {
            ReplayLine *line = add(reader, REPLAY_EDIT);
            if (!line) {
                return false;
            }
            *line = reader->replay->lines[first + j];
        }
    }
    reader->repeats = 0;
    return true;
}

static bool readWords(Reader *reader) {
    static const struct {
        const char *word;
        ReplayVerb verb;
        bool (*read)(Reader *reader, ReplayLine *line);
    } lines[] = {
        {"drag", REPLAY_DRAG, readDrag},       {"copy", REPLAY_COPY, readCopy},
        {"mark", REPLAY_EDIT, readMark},       {"extrude", REPLAY_EDIT, readExtrude},
        {"undo", REPLAY_UNDO, readCounted},    {"redo", REPLAY_REDO, readCounted},
        {"stroke", REPLAY_STROKE, readSwitch}, {"frames", REPLAY_FRAMES, readCounted},
        {"camera", REPLAY_CAMERA, readCamera}, {"picture", REPLAY_PICTURE, readPicture},
        {"check", REPLAY_CHECK, readCheck},    {"eye", REPLAY_EYE, readEye},
        {"fly", REPLAY_FLY, readFly},          {"palette", REPLAY_PALETTE, readPalette},
        {"sky", REPLAY_SKY, readSky},          {"sun", REPLAY_SUN, readSun},
        {"ground", REPLAY_GROUND, readSwitch}, {"grain", REPLAY_GRAIN, readGrain},
    };
    WorldRoom *room = &reader->replay->room;
    uint32_t tool;
    if (readTool(reader, &tool)) {
        ReplayLine *line = add(reader, REPLAY_EDIT);
        return line && readEdit(reader, line, tool);
    }
    for (size_t i = 0; i < sizeof lines / sizeof *lines; ++i) {
        if (skip(reader, lines[i].word)) {
            ReplayLine *line = add(reader, lines[i].verb);
            return line && lines[i].read(reader, line);
        }
    }
    if (skip(reader, "repeat")) {
        return readRepeat(reader);
    }
    if (skip(reader, "end")) {
        return readEnd(reader);
    }
    if (skip(reader, "world")) {
        return readWorld(reader);
    }
    return skip(reader, "pool-mib")   ? count(reader, "pool-mib", 1, 1 << 20, &room->poolMib)
           : skip(reader, "undo-mib") ? count(reader, "undo-mib", 1, 1 << 20, &room->undoMib)
           : skip(reader, "table-slots")
               ? count(reader, "table-slots", 1, 0x40000000, &room->tableSlots)
               : fail(reader, "\"%s\" is not known", reader->words[0]);
}

/* Cuts a line into words, up to a # if there is one. */
static bool readLine(Reader *reader, const char *text, size_t size) {
    size_t words = 0;
    if (size >= MAX_LINE || memchr(text, '\0', size)) {
        return fail(reader, "the line is too long, or not text");
    }
    memcpy(reader->line, text, size);
    reader->line[size] = '\0';
    reader->line[strcspn(reader->line, "#")] = '\0';
    for (char *at = reader->line + strspn(reader->line, " \t\r"); *at; at += strspn(at, " \t\r")) {
        if (words == MAX_WORDS) {
            return fail(reader, "the line has too many words");
        }
        reader->words[words++] = at;
        at += strcspn(at, " \t\r");
        if (*at) {
            *at++ = '\0';
        }
    }
    reader->words[words] = NULL;
    reader->next = 0;
    if (words == 0) {
        return true;
    }
    return readWords(reader) &&
           (!reader->words[reader->next] ||
            fail(reader, "\"%s\" is not expected here", reader->words[reader->next]));
}

bool replayRead(const char *text, size_t size, Replay *replay, char error[REPLAY_ERROR_SIZE]) {
    Reader reader = {.replay = replay, .error = error};
    bool fine = true;
    memset(replay, 0, sizeof *replay);
    error[0] = '\0';
    for (size_t at = 0; at < size && fine;) {
        const char *end = memchr(text + at, '\n', size - at);
        size_t length = end ? (size_t)(end - (text + at)) : size - at;
        ++reader.number;
        fine = readLine(&reader, text + at, length);
        at += length + 1;
    }
    if (fine && reader.repeats) {
        fine = fail(&reader, "a repeat has no end");
    }
    if (!fine) {
        replayFree(replay);
    }
    return fine;
}

bool replayLoad(const char *path, Replay *replay, char error[REPLAY_ERROR_SIZE]) {
    char message[REPLAY_ERROR_SIZE];
    size_t size;
    memset(replay, 0, sizeof *replay);
    uint8_t *text = fileBytes(path, "", MAX_BYTES, &size);
    if (!text) {
        (void)snprintf(error, REPLAY_ERROR_SIZE, "cannot read %.200s: %s", path, strerror(errno));
        return false;
    }
    const bool read = replayRead((const char *)text, size, replay, message);
    (void)snprintf(error, REPLAY_ERROR_SIZE, "%.200s: %.300s", path, message);
    free(text);
    return read;
}

void replayFree(Replay *replay) {
    free(replay->lines);
    memset(replay, 0, sizeof *replay);
}
