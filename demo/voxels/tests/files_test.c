/* Tests the editor's files and dialogs without a window: locks, questions before writing, lists of
 * files, typed text. The content of a saved world is a single word here.
 * SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "common/places.h"
#include "edit/history.h"
#include "program.h"
#include "support/cases.h"
#include "window/document.h"
#include "window/palette.h"
#include "window/input.h"
#include "window/new_world.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];
static const char *word; /* the data that a save writes */
static Document document;

bool buildSave(World *world, const Source *source, FILE *file, const char *path) {
    return fprintf(file, "%s%s", fileEnds(path, ".vox") ? "vox " : "", word) > 0;
}

static int syncError;        /* errno that fsync reports; 0: it succeeds */
static const char *unsynced; /* content that a.world must have until its fsync; NULL: not checked */
static int syncs;

/* Replaces fsync. A save calls it first for the temporary file, and second for the folder. */
int fsync(int descriptor) {
    if (unsynced) {
        expectFile(pathIn(folder, "a.world"), syncs ? word : unsynced);
        assert_int_equal(fileExists(pathIn(folder, "a.world.part")), !syncs);
        ++syncs;
    }
    errno = syncError;
    return syncError ? -1 : 0;
}

/* ---- Saving and locking a document ---------------------------------------------------------- */

static void fill(const char *name, const char *text) {
    fileWrite(pathIn(folder, name), text, strlen(text));
}

static void expectText(const char *name, const char *text) {
    expectFile(pathIn(folder, name), text);
}

static Document openFile(const char *name) {
    Document opened;
    const char *path = pathIn(folder, name);
    const SourceOptions source = {.load = fileEnds(path, ".vox") ? NULL : path,
                                  .vox = fileEnds(path, ".vox") ? path : NULL};
    documentOpen(&opened, &source, NULL, NULL, 1);
    return opened;
}

/* Returns whether a second editor that opens the file gets a copy. */
static bool isTaken(const char *name) {
    Document other = openFile(name);
    const bool copy = other.copy;
    documentClose(&other);
    return copy;
}

static DocumentAnswer save(const char *as, DocumentAnswer sure) {
    return documentSave(&document, as[0] ? pathIn(folder, as) : "", sure, NULL, NULL);
}

/* Makes unsaved changes. state: identifies the state of the world. text: the content to save. */
static void work(uint64_t state, const char *text) {
    word = text;
    documentAt(&document, state);
    assert_true(document.unsaved);
}

static int setup(void **state) {
    folderMake(folder);
    assert_int_equal(setenv("XDG_STATE_HOME", folder, 1), 0);
    fill("a.world", "old");
    document = openFile("a.world");
    work(1, "new");
    return 0;
}

static int teardown(void **state) {
    documentClose(&document);
    folderRemove(folder);
    return 0;
}

#define TEST(name) TEST_BETWEEN(name, setup, teardown)

/* The second editor gets a copy under a free name, and does not change the first editor's files. */
TEST(one_editor_writes_a_file) {
    assert_int_equal(symlink("a.world", pathIn(folder, "link.world")), 0);
    assert_true(documentWait(&document, NULL, NULL, 2)); /* waits for the first editor's autosave */
    expectText("a.world.autosave", "new");
    Document first = document;
    document = openFile("link.world");
    assert_true(document.copy && !documentIsLost(&document));
    assert_string_equal(fileName(document.path), "link-2.world");
    work(7, "other");
    assert_true(documentWait(&document, NULL, NULL, 2));
    documentForget(&document);
    expectText("a.world.autosave", "new");
    assert_int_equal(save("", DOCUMENT_TAKEN), DOCUMENT_TAKEN);
    assert_int_equal(save("a.world", DOCUMENT_SAVED), DOCUMENT_TAKEN);
    assert_false(fileExists(pathIn(folder, "link-2.world")));
    assert_int_equal(save("link-2.world", DOCUMENT_SAVED), DOCUMENT_SAVED);
    assert_int_equal(save("", DOCUMENT_SAVED), DOCUMENT_SAVED);
    fill("a-2.world", "somebody's");
    Document third = openFile("a.world");
    assert_string_equal(fileName(third.path), "a-3.world");
    documentClose(&third);
    documentClose(&first); /* now another editor can write the file */
    third = openFile("a.world");
    assert_true(!third.copy && documentIsLost(&third));
    documentClose(&third);
    assert_false(fileExists(pathIn(folder, "a.world.lock")));
    fill("a.world.lock", ""); /* left by a killed program */
    assert_false(isTaken("a.world"));
    expectText("a.world", "old");
}

/* If an editor opens its own file again, it keeps the lock. */
TEST(a_file_is_opened_again) {
    const SourceOptions source = {.load = pathIn(folder, "a.world")};
    Document again;
    documentOpen(&again, &source, NULL, &document, 1);
    assert_false(again.copy);
    assert_int_equal(again.lock, document.lock);
    assert_true(isTaken("a.world"));
    /* A world without a file gets a free name, which no other editor uses. */
    char before[1024];
    assert_true(getcwd(before, sizeof before) && chdir(folder) == 0);
    documentOpen(&again, &(SourceOptions){.emptySize = 8}, NULL, &document, 1);
    Document other;
    documentOpen(&other, &(SourceOptions){.emptySize = 8}, NULL, NULL, 1);
    assert_int_equal(chdir(before), 0);
    assert_string_equal(fileName(again.path), "murvoxels.world");
    assert_string_equal(fileName(other.path), "murvoxels-2.world");
    assert_true(again.path[0] == '/' && !again.copy && !other.copy);
    documentClose(&again);
    documentClose(&other);
}

TEST(files_of_others_are_asked_about) {
    fill("a.world", "foreign");
    assert_int_equal(save("", DOCUMENT_SAVED), DOCUMENT_CHANGED);
    assert_int_equal(save("", DOCUMENT_PROTECTED), DOCUMENT_CHANGED); /* another question */
    assert_true(document.unsaved && isTaken("a.world"));              /* still locked */
    expectText("a.world", "foreign");
    assert_int_equal(save("", DOCUMENT_CHANGED), DOCUMENT_SAVED);
    assert_int_equal(save("", DOCUMENT_SAVED), DOCUMENT_SAVED);
    expectText("a.world", "new");
    /* A change that keeps the size is detected by its time. */
    const struct timespec times[2] = {{1, 0}, {1, 1}};
    assert_int_equal(utimensat(AT_FDCWD, pathIn(folder, "a.world"), times, 0), 0);
    assert_int_equal(save("", DOCUMENT_SAVED), DOCUMENT_CHANGED);
    assert_int_equal(remove(pathIn(folder, "a.world")), 0); /* nothing to lose */
    assert_int_equal(save("", DOCUMENT_SAVED), DOCUMENT_SAVED);
    fill("a.vox", "model");
    assert_int_equal(save("a.vox", DOCUMENT_SAVED), DOCUMENT_EXISTS);
    assert_int_equal(save("", DOCUMENT_SAVED), DOCUMENT_SAVED); /* still the world */
    expectText("a.vox", "model");
    assert_false(isTaken("a.vox")); /* a question takes no lock */
}

/* If parts of a file were not read, the first save asks, and another one if the file is read-only.
 * A file that was never read counts as a file of another program. */
TEST(files_that_hold_more_are_asked_about) {
    fill("a.vox", "objects");
    documentClose(&document);
    document = openFile("a.vox");
    (void)strcpy(document.omitted, "2 objects became one");
    work(1, "new");
    assert_int_equal(save("", DOCUMENT_SAVED), DOCUMENT_PARTLY);
    assert_int_equal(save("", DOCUMENT_CHANGED), DOCUMENT_PARTLY);
    expectText("a.vox", "objects");
    assert_int_equal(chmod(pathIn(folder, "a.vox"), 0444), 0);
    assert_int_equal(save("", DOCUMENT_PARTLY), DOCUMENT_PROTECTED);
    assert_int_equal(save("", DOCUMENT_PROTECTED), DOCUMENT_SAVED);
    expectText("a.vox~", "objects");
    assert_int_equal(chmod(pathIn(folder, "a.vox"), 0644), 0);
    work(2, "newer");
    assert_int_equal(save("", DOCUMENT_SAVED), DOCUMENT_SAVED);
    expectText("a.vox", "vox newer");

    const SourceOptions source = {.vox = pathIn(folder, "a.vox")};
    static const char *const names[] = {"a.world", "a.vox"};
    for (int i = 0; i < 2; ++i) {
        documentClose(&document);
        documentOpen(&document, &source, pathIn(folder, names[i]), NULL, 1);
        work(3, "another");
        assert_int_equal(save("", DOCUMENT_SAVED), i ? DOCUMENT_SAVED : DOCUMENT_EXISTS);
    }
    expectText("a.world", "old");
}

TEST(another_name_is_taken) {
    assert_true(documentWait(&document, NULL, NULL, 2));
    fill("b.vox", "model");
    assert_int_equal(save("b.vox", DOCUMENT_EXISTS), DOCUMENT_SAVED);
    expectText("b.vox", "vox new");
    expectText("b.vox~", "model");
    expectText("a.world", "old");
    assert_false(document.unsaved);
    assert_false(fileExists(pathIn(folder, "a.world.autosave")));
    assert_string_equal(fileName(document.path), "b.vox");
    assert_true(!isTaken("a.world") && isTaken("b.vox"));
    work(2, "newer");
    assert_int_equal(save("", DOCUMENT_SAVED), DOCUMENT_SAVED);
    expectText("b.vox", "vox newer");
    expectText("b.vox~", "model");
    fill("c.vox", "other");
    assert_int_equal(save("c.vox", DOCUMENT_EXISTS), DOCUMENT_SAVED);
    expectText("c.vox~", "other");
    assert_int_equal(save("b.vox", DOCUMENT_EXISTS), DOCUMENT_SAVED);
    work(3, "newest");
    assert_int_equal(save("no/b.vox", DOCUMENT_SAVED), DOCUMENT_FAILED);
    assert_int_equal(mkdir(pathIn(folder, "d.vox"), 0700), 0);
    assert_int_equal(save("d.vox", DOCUMENT_EXISTS), DOCUMENT_FAILED);
    assert_false(fileExists(pathIn(folder, "d.vox~")));
    assert_true(document.unsaved);
    assert_int_equal(save("", DOCUMENT_SAVED), DOCUMENT_SAVED);
    expectText("b.vox", "vox newest");
}

/* A saved file gets its final name only after all of its content is on the disk. */
TEST(files_are_on_the_disk) {
    static const int errors[] = {EIO, EINVAL, ENOTSUP, 0};
    for (int i = 0; i < 4; ++i) {
        unsynced = i < 2 ? "old" : "new";
        syncError = errors[i];
        syncs = 0;
        work(1, "new");
        assert_int_equal(save("", DOCUMENT_SAVED), i ? DOCUMENT_SAVED : DOCUMENT_FAILED);
        assert_int_equal(syncs, i ? 2 : 1);
        unsynced = NULL;
        documentChanged(&document);
        expectText("a.world", i ? "new" : "old");
        assert_false(fileExists(pathIn(folder, "a.world.part")));
    }
}

static mode_t modeOf(const char *name) {
    struct stat status;
    assert_int_equal(lstat(pathIn(folder, name), &status), 0);
    return status.st_mode;
}

TEST(links_and_modes_stay) {
    documentClose(&document);
    assert_int_equal(mkdir(pathIn(folder, "there"), 0700), 0);
    assert_int_equal(rename(pathIn(folder, "a.world"), pathIn(folder, "there/b.world")), 0);
    assert_int_equal(symlink("there/b.world", pathIn(folder, "a.world")), 0);
    assert_int_equal(chmod(pathIn(folder, "there/b.world"), 0640), 0);
    document = openFile("a.world");
    work(1, "new");
    assert_int_equal(save("", DOCUMENT_SAVED), DOCUMENT_SAVED);
    assert_true(S_ISLNK(modeOf("a.world")));
    expectText("there/b.world", "new");
    assert_int_equal(modeOf("there/b.world") & 07777, 0640);
    assert_int_equal(chmod(pathIn(folder, "there/b.world"), 0444), 0);
    work(2, "newer");
    assert_int_equal(save("", DOCUMENT_SAVED), DOCUMENT_PROTECTED);
    expectText("there/b.world", "new");
    assert_int_equal(save("", DOCUMENT_PROTECTED), DOCUMENT_SAVED);
    expectText("there/b.world", "newer");
    assert_int_equal(modeOf("there/b.world") & 07777, 0444);
    assert_int_equal(symlink("nowhere", pathIn(folder, "c.world")), 0);
    assert_int_equal(save("c.world", DOCUMENT_SAVED), DOCUMENT_FAILED);
    assert_true(S_ISLNK(modeOf("c.world")));
    documentForget(&document);
}

/* A world's state is identified by the last edit and the last colour change that are not undone. */
TEST(states_differ) {
    static History history;
    static Palette palette;
    static Source source;
    memset(&history, 0, sizeof history);
    memset(&palette, 0, sizeof palette);
    for (uint32_t i = 1; i <= 4; ++i) {
        historyAdd(&history, &(Record){.sequence = 2 * i, .stroke = i, .changes = 1});
        historyLearn(&history, 2 * i, i != 3, 0); /* the third one changed nothing */
    }
    const uint32_t fourth = historyState(&history);
    history.next = 3;
    const uint32_t second = historyState(&history);
    history.next = 2;
    assert_int_equal(historyState(&history), second);
    history.next = 0;
    assert_int_equal(historyState(&history), 0);
    assert_true(fourth != second && second);
    history.next = history.oldest = 2; /* drops all records; the history stays in its state */
    assert_int_equal(historyState(&history), second);
    history.newest = 2;
    historyAdd(&history, &(Record){.sequence = 10, .stroke = 4, .changes = 1});
    assert_true(historyState(&history) != fourth);

    uint32_t states[4] = {paletteState(&palette)};
    for (uint32_t i = 1; i < 4; ++i) {
        paletteSet(&palette, &source, 5, 0, (uint8_t)(10 * i), i / 2); /* strokes 0 1 1 */
        states[i] = paletteState(&palette);
        assert_true(states[i] != states[i - 1]);
    }
    assert_true(paletteUndo(&palette, &source, 0));
    assert_int_equal(paletteState(&palette), states[1]);
    assert_true(paletteRedo(&palette, &source, 0));
    assert_int_equal(paletteState(&palette), states[3]);
    for (uint32_t i = 0; i < PALETTE_CHANGES; ++i) {
        paletteSet(&palette, &source, 5, 0, (uint8_t)(i + 100), 10 + i);
    }
    while (paletteUndo(&palette, &source, 0)) {
    }
    assert_int_equal(paletteState(&palette), states[3]); /* the first strokes are dropped */
}

TEST(undo_leads_back_to_what_is_saved) {
    assert_true(documentWait(&document, NULL, NULL, 2) && documentIsLost(&document));
    documentAt(&document, 0);
    assert_true(!document.unsaved && !documentIsLost(&document));
    work(1, "new"); /* after a redo, the autosave is written again */
    assert_true(documentWait(&document, NULL, NULL, 2) && documentIsLost(&document));
    work(5, "new");
    assert_int_equal(save("", DOCUMENT_SAVED), DOCUMENT_SAVED);
    documentAt(&document, 0);
    assert_true(document.unsaved);
    documentAt(&document, 5);
    assert_false(document.unsaved);
    documentChanged(&document); /* a change without undo */
    documentAt(&document, 5);
    assert_true(document.unsaved && documentWait(&document, NULL, NULL, 2));
    expectText("a.world.autosave", "new");
    word = "newer"; /* no new change, so it must not be written */
    assert_true(documentWait(&document, NULL, NULL, 2));
    expectText("a.world.autosave", "new");
    assert_int_equal(save("", DOCUMENT_SAVED), DOCUMENT_SAVED);
    assert_false(document.unsaved || documentIsLost(&document));
}

/* ---- Dialogs and lists of files ------------------------------------------------------------- */

static Dialog dialog;

static void type(const char *text) {
    for (; *text; ++text) {
        dialogType(&dialog, (unsigned char)*text);
    }
}

TEST(texts_are_typed) {
    dialogAsk(&dialog, "title", "proposed");
    dialogBack(&dialog); /* a proposed text can be changed */
    assert_string_equal(dialogAnswer(&dialog), "propose");
    dialogAsk(&dialog, "title", "proposed");
    assert_string_equal(dialogAnswer(&dialog), "proposed");
    (void)strcpy(dialog.note, "wrong");
    type("aB/");
    assert_string_equal(dialog.note, "");
    static const uint32_t characters[] = {0xE9, 0x800, 0x1F3E0, 0x7F, '\n'};
    for (size_t i = 0; i < 5; ++i) {
        dialogType(&dialog, characters[i]);
    }
    assert_string_equal(dialogAnswer(&dialog), "aB/\xC3\xA9\xE0\xA0\x80\xF0\x9F\x8F\xA0");
    for (int i = 0; i < 3; ++i) {
        dialogBack(&dialog);
    }
    assert_string_equal(dialogAnswer(&dialog), "aB/");
    for (int i = 0; i < 2 * DIALOG_TEXT; ++i) {
        type("x");
    }
    assert_int_equal(strlen(dialogAnswer(&dialog)), DIALOG_TEXT - 1);
    dialogClose(&dialog);
    assert_false(dialog.open);
}

/* Returns the text of a row of the last panel. */
static const char *rowOf(const Text *text, uint32_t row) {
    static char words[DIALOG_COLUMNS + 3];
    const TextPanel *panel = &text->panels[text->panelCount - 1];
    memset(words, 0, sizeof words);
    for (uint32_t i = 1; i + 1 < panel->columns; ++i) {
        words[i - 1] = (char)text->host[panel->first + row * panel->columns + i];
    }
    return words;
}

/* Returns a row for the list. Every other row is too long for the panel. */
static const char *rowNamed(int number) {
    static char row[DIALOG_TEXT];
    (void)snprintf(row, sizeof row, "/long/%0*d/Row%d.vox", number % 2 ? 90 : 1, 0, number);
    return row;
}

static void openRows(void) {
    dialogAsk(&dialog, "A title that is longer than a narrow window is wide", "");
    for (int i = 0; i < 60; ++i) {
        dialogAdd(&dialog, rowNamed(i));
    }
}

static void press(Command command, int times) {
    for (int i = 0; i < times; ++i) {
        if (command == COMMAND_BACK) {
            dialogBack(&dialog);
        } else {
            dialogMove(&dialog, command == COMMAND_DOWN);
        }
    }
}

/* Typed text filters rows by file names, not by folders. */
TEST(rows_are_filtered) {
    openRows();
    press(COMMAND_UP, 1);
    assert_string_equal(dialogAnswer(&dialog), rowNamed(0));
    type("LONG");
    assert_string_equal(dialogAnswer(&dialog), "LONG");
    press(COMMAND_BACK, 4);
    press(COMMAND_DOWN, 7);
    press(COMMAND_UP, 2);
    assert_string_equal(dialogAnswer(&dialog), rowNamed(5));
    type("ROW5");
    assert_string_equal(dialogAnswer(&dialog), rowNamed(5));
    press(COMMAND_UP, 1);
    press(COMMAND_DOWN, 60); /* to the last match, 59 */
    assert_string_equal(dialogAnswer(&dialog), rowNamed(59));
    dialogClose(&dialog);
}

/* In windows of any size, each row can be clicked, and the selected row is visible. */
TEST(rows_are_clicked) {
    static const uint32_t sizes[][2] = {{3840, 2160}, {1280, 720}, {320, 240},
                                        {120, 180},   {20, 90},    {120, 20}};
    Text text = {.host = calloc(TEXT_CELLS, sizeof(uint32_t))};
    openRows();
    press(COMMAND_DOWN, 30);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        textBegin(&text, sizes[i][0], sizes[i][1], 1);
        textPanel(&text, 2, 4, 0, 0); /* another panel */
        dialogWrite(&dialog, &text, "Enter takes it, Esc gives up");
        assert_int_equal(text.panelCount, i < 4 ? 2 : 1);
        if (i > 3) { /* nothing fits */
            continue;
        }
        const TextPanel *panel = &text.panels[text.panelCount - 1];
        const uint32_t high = panel->rows * text.cellHeight;
        const float top = panel->top * (float)(sizes[i][1] - high);
        bool seen = false;
        assert_true(panel->columns * text.cellWidth <= sizes[i][0] && high <= sizes[i][1]);
        for (uint32_t r = 0; r < panel->rows; ++r) {
            Dialog clicked = dialog;
            const char *row = rowOf(&text, r);
            const float y = top + ((float)r + 0.5f) * (float)text.cellHeight;
            const bool is = dialogClick(&clicked, &text, (float)sizes[i][0] / 2, y);
            assert_int_equal(is, r >= dialog.top && r < dialog.top + dialog.listed);
            const char *answer = dialogAnswer(&clicked);
            assert_true(!is || strcmp(row, answer + strlen(answer) - strlen(row)) == 0);
            seen = seen || strstr(row, "Row30.vox");
        }
        assert_true(seen);
        assert_non_null(strstr(rowOf(&text, dialog.top - 2), "wide"));
        assert_string_equal(rowOf(&text, dialog.top - 1), "> ");
        assert_non_null(strstr(rowOf(&text, panel->rows - 1), "up"));
        assert_false(top > 4 * (float)text.cellHeight &&
                     dialogClick(&dialog, &text, 1, 2.5f * (float)text.cellHeight));
    }
    free(text.host);
    dialogClose(&dialog);
}

static void expectRecent(const char *const *names, size_t count) {
    char recent[PLACES_RECENT][DOCUMENT_PATH];
    assert_int_equal(placesRecent(recent), count);
    for (size_t i = 0; i < count; ++i) {
        assert_string_equal(recent[i], pathIn(folder, names[i]));
    }
}

TEST(recent_files_are_kept) {
    char name[16];
    placesRemember(pathIn(folder, "a.world"));
    for (int i = 0; i < 20; ++i) {
        (void)snprintf(name, sizeof name, "%d.vox", i);
        fill(name, "model");
        placesRemember(pathIn(folder, name));
    }
    expectRecent((const char *const[]){"19.vox", "18.vox", "17.vox", "16.vox", "15.vox", "14.vox",
                                       "13.vox", "12.vox", "11.vox", "10.vox", "9.vox", "8.vox",
                                       "7.vox", "6.vox", "5.vox", "4.vox"},
                 PLACES_RECENT);
    placesRemember(pathIn(folder, "16.vox")); /* moves it to the front */
    for (int i = 4; i < 15; ++i) {
        (void)snprintf(name, sizeof name, "%d.vox", i);
        assert_int_equal(remove(pathIn(folder, name)), 0);
    }
    placesRemember(folder); /* not a file */
    placesRemember("/no\nline");
    static const char *const left[] = {"16.vox", "19.vox", "18.vox", "17.vox", "15.vox"};
    expectRecent(left, 5);
    assert_int_equal(setenv("XDG_STATE_HOME", "relative", 1), 0);
    assert_int_equal(setenv("HOME", pathIn(folder, "home"), 1), 0);
    expectRecent(left, 0);
    fill("home", "no folder"); /* not a folder, so nothing is stored */
    placesRemember(pathIn(folder, "16.vox"));
    expectRecent(left, 0);
    assert_int_equal(remove(pathIn(folder, "home")), 0);
    assert_int_equal(mkdir(pathIn(folder, "home"), 0700), 0);
    placesRemember(pathIn(folder, "16.vox"));
    expectRecent(left, 1);
    assert_true(fileExists(pathIn(folder, "home/.local/state/murmuration/recent")));
    assert_int_equal(unsetenv("HOME"), 0);
    placesRemember(pathIn(folder, "17.vox"));
    expectRecent(left, 0);
}

/* A list has recent files first, then files of the folder. */
TEST(folders_are_listed) {
    char path[DOCUMENT_PATH];
    char here[DOCUMENT_PATH];
    assert_int_equal(mkdir(pathIn(folder, "Models"), 0700), 0);
    fill("b.vox", "model");
    fill(".c.vox", "hidden");
    fill("d.png", "picture");
    placesRemember(pathIn(folder, "a.world"));
    assert_int_equal(remove(pathIn(folder, "a.world")), 0);
    placesRemember(pathIn(folder, "b.vox"));
    assert_true(placesFind("/", folder, here));
    assert_true(placesFind(here, "Models/..", path));
    assert_string_equal(path, here);
    placesList(&dialog, here);
    (void)snprintf(path, sizeof path, "%s/b.vox", folder);
    const char *const rows[] = {path, "../", "Models/", "b.vox", "murmuration/"};
    const char *at = dialog.rows;
    for (size_t i = 0; i < 5; ++i, at += strlen(at) + 1) {
        assert_string_equal(at, rows[i]);
    }
    assert_int_equal(at - dialog.rows, dialog.size);
    placesList(&dialog, "/no/such/");
    assert_int_equal(dialog.size, strlen(path) + 1);
    dialogClose(&dialog);
    assert_true(placesFind("/tmp/", "..", path));
    assert_string_equal(path, "/");
    assert_false(placesFind(here, "b.vox", path));
    assert_true(strlen(path) == strlen(here) + 5 && strstr(path, "/b.vox"));
    assert_false(placesFind(here, "/no/b.vox", path));
    assert_string_equal(path, "/no/b.vox");
}

TEST(new_worlds_are_named) {
    static const struct {
        const char *text;
        uint32_t empty, terrain; /* both 0: rejected */
    } cases[] = {{"empty 1", 1, 0},      {"empty 8192", 8192, 0},   {"24", 24, 0},
                 {"terrain 64", 0, 64},  {"terrain 4096", 0, 4096}, {"terrain 56", 0, 0},
                 {"terrain 4104", 0, 0}, {"terrain 68", 0, 0},      {"empty 0", 0, 0},
                 {"empty 8193", 0, 0},   {"empty 100001", 0, 0},    {"24 x", 0, 0},
                 {"empty", 0, 0},        {"ball 24", 0, 0},         {"", 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        SourceOptions options = {.seed = 7};
        const bool read = newWorldRead(cases[i].text, &options);
        assert_int_equal(read, cases[i].empty || cases[i].terrain);
        assert_int_equal(options.emptySize, cases[i].empty);
        assert_int_equal(options.terrainSize, cases[i].terrain);
        assert_int_equal(options.seed, 7);
    }
}
