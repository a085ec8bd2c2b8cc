/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "session.h"

#include "program.h"
#include "shaders/shapes.h"
#include "shaders/world_layout.h"
#include "support/cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

Session session;

void expectEnd(void) {
    const int status = displayAwaitEnd(session.program, SECONDS);
    session.program = 0;
    char *error = fileRead(pathIn(session.folder, "stderr.txt"));
    if (status != 0 || error[0]) {
        print_error("status %d, stderr: %s\n", status, error);
    }
    assert_int_equal(status, 0);
    assert_string_equal(error, "");
    free(error);
}

static void expectRunning(void) {
    int status;
    if (waitpid(session.program, &status, WNOHANG) == session.program) {
        session.program = 0;
        char *error = fileRead(pathIn(session.folder, "stderr.txt"));
        fail_msg("the program ended with %d: %s",
                 WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), error);
    }
}

void awaitRest(void) {
    enum { LONG = 400, LITTLE = 20, MOST = 8 * 1000 * SECONDS }; /* milliseconds */
    unsigned long used = LONG;
    for (int waited = 0; used > LITTLE && waited < MOST; waited += LONG) {
        const unsigned long first = programMilliseconds(session.program);
        displayRest(LONG);
        used = programMilliseconds(session.program) - first;
    }
    assert_in_range(used, 0, LITTLE);
}

void awaitFile(const char *name) {
    for (unsigned waited = 0; !fileExists(pathIn(session.folder, name)); waited += 5) {
        if (waited > 1000 * SECONDS) {
            fail_msg("no %s within %d s", name, SECONDS);
        }
        expectRunning();
        displayRest(5);
    }
}

Shot takeShot(void) {
    static const char *const said = "picture: ";
    char name[256] = "";
    displayKey(&session.display, "p", "Shift_L");
    ++session.pictures;
    for (unsigned waited = 0; !name[0]; waited += 5) {
        char *text = fileRead(pathIn(session.folder, "stdout.txt"));
        unsigned pictures = 0;
        for (char *at = text; pictures < session.pictures && (at = strstr(at, said)); ++pictures) {
            at += strlen(said);
            (void)snprintf(name, sizeof name, "%.*s",
                           pictures + 1 == session.pictures ? (int)strcspn(at, "\n") : 0, at);
        }
        free(text);
        assert_in_range(waited, 0, 1000 * SECONDS);
        expectRunning();
        displayRest(5);
    }
    (void)snprintf(session.picture, sizeof session.picture, "%s",
                   name[0] == '/' ? name : pathIn(session.folder, name));
    return shotRead(session.picture);
}

void start(const char *const *extra) {
    const char *arguments[28] = {"--size",          "120x90", "--pool-mib",     "16",
                                 "--undo-mib",      "16",     "--table-slots",  "16384",
                                 "--table-start",   "4096",   "--flood-bricks", "1024",
                                 "--clipboard-mib", "1",      "--samples",      "4"};
    size_t used = addEnvironment(arguments, 16);
    for (size_t i = 0; extra[i] && used < 27; ++i) {
        arguments[used++] = extra[i];
    }
    session.pictures = 0;
    session.program = programStart(MURVOXELS, arguments, session.folder);
    session.window = displayAwaitWindow(&session.display, "murvoxels: murvoxels", session.program);
    free(takeShot().pixels);
}

void expectDifferent(const Shot *a, const Shot *b, unsigned least, const char *what) {
    const unsigned different = shotsDiffer(a, b);
    if (different < least) {
        fail_msg("%s changed %u pixels only, expected %u at least", what, different, least);
    }
}

void expectChange(const Shot *before, unsigned least, const char *what) {
    Shot after = takeShot();
    expectDifferent(before, &after, least, what);
    free(after.pixels);
}

Shot shotWithoutBrush(void) {
    displayPoint(&session.display, session.window, 1, 1);
    return takeShot();
}

Shot awaitDifferent(const Shot *before, unsigned least, const char *what) {
    for (int tries = 0; tries < 100; ++tries) {
        Shot shot = takeShot();
        if (shotsDiffer(before, &shot) >= least) {
            return shot;
        }
        free(shot.pixels);
    }
    fail_msg("%s did not change %u pixels", what, least);
    return (Shot){0};
}

void closeWindow(void) {
    displayAskToClose(&session.display, session.window);
    expectEnd();
}

static Source saveAndRead(const char *name) {
    Source world;
    char error[SAVE_ERROR_SIZE];
    (void)remove(pathIn(session.folder, name));
    displayKey(&session.display, "s", "Control_L");
    awaitFile(name);
    if (!saveLoad(pathIn(session.folder, name), &world, error)) {
        fail_msg("%s", error);
    }
    return world;
}

Found findSaved(const char *name) {
    Source world = saveAndRead(name);
    Found found = {.low = {UINT32_MAX, UINT32_MAX, UINT32_MAX}};
    for (size_t i = 0; i < 512 * world.set.count; ++i) {
        const HostBrick *brick = &world.set.bricks[i / 512];
        const uint32_t v = i % 512;
        const uint32_t at[3] = {brick->x * 8 + (v & 7), brick->y * 8 + (v >> 3 & 7),
                                brick->z * 8 + (v >> 6)};
        const uint8_t color = brickSetVoxel(&world.set, brick,
                                            voxelNumberOf(at[0] & 7, at[1] & 7, at[2] & 7));
        for (int axis = 0; axis < 3 && color == LINE_COLOR; ++axis) {
            found.low[axis] = at[axis] < found.low[axis] ? at[axis] : found.low[axis];
            found.high[axis] = at[axis] > found.high[axis] ? at[axis] : found.high[axis];
        }
        found.voxels += color != 0;
        found.places += color ? voxelSum(at[0], at[1], at[2], color, 1) : 0;
        found.colors[color] += color != 0;
    }
    const uint8_t *entry = world.set.palette[20];
    found.rgb = (uint32_t)entry[0] << 16 | (uint32_t)entry[1] << 8 | entry[2];
    brickSetFree(&world.set);
    return found;
}

void clickAt(int x, int y) {
    displayPoint(&session.display, session.window, x, y);
    displayClick(&session.display, 1);
}

void strokeBetween(int fromX, int fromY, int toX, int toY) {
    displayPoint(&session.display, session.window, fromX, fromY);
    displayButton(&session.display, 1, true);
    free(takeShot().pixels);
    displayPoint(&session.display, session.window, toX, toY);
    free(takeShot().pixels);
    displayButton(&session.display, 1, false);
    free(takeShot().pixels);
}

void expectSize(unsigned width, unsigned height) {
    Shot shot = takeShot();
    assert_int_equal(shot.width, width);
    assert_int_equal(shot.height, height);
    free(shot.pixels);
}

void resizeTo(unsigned width, unsigned height) {
    displayResize(&session.display, session.window, width, height);
    expectSize(width, height); /* the keys come after the new size */
}
