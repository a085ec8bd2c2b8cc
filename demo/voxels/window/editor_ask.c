/* Questions to the user, and the consequences of the answers.
 * SPDX-License-Identifier: MIT */
#include "editor_internal.h"

#include "common/places.h"
#include "new_world.h"

#include <stdio.h>
#include <string.h>

typedef struct Question {
    const char *before, *after; /* the file's name */
    const char *confirm, *refuse, *cancel;
} Question;

void editorAsk(Editor *editor, Asked asked) {
    static const char *const over[] = {"writes over it", "saves under another name",
                                       "goes on working"};
    char more[sizeof editor->document.omitted + 80];
    (void)snprintf(more, sizeof more,
                   " loses parts that are not read (%s), and names, layers and cameras.",
                   editor->document.omitted);
    const Question unsaved = {"", " has changes that are not saved.", "saves them",
                              "throws them away", "goes on working"};
    const Question questions[] = {
        [ASKED_LEAVE] = unsaved,
        [ASKED_OPEN] = unsaved,
        [ASKED_RECOVER] = {"There is work on ", " that was not saved.", "goes on with it",
                           "throws it away", "leaves it there"},
        [ASKED_LAST] = {"The last file was ", ".", "opens it", "begins again", "the same"},
        [ASKED_EXISTS] = {"There is already a file ", ".", over[0], over[1], over[2]},
        [ASKED_CHANGED] = {"Another program has changed ", ".", over[0], over[1], over[2]},
        [ASKED_PARTLY] = {"", more, "writes over it; the older file gets a ~ behind its name",
                          over[1], over[2]},
        [ASKED_PROTECTED] = {"It is not allowed to write ", ".", over[0], over[1], over[2]},
    };
    const Question *question = &questions[asked];
    const char *path = asked == ASKED_LAST                      ? editor->wanted
                       : asked == ASKED_EXISTS && editor->as[0] ? editor->as
                                                                : editor->document.path;
    hudAsk(&editor->hud, asked, "%s%.255s%s\n%s\n%s\n%s", question->before, fileName(path),
           question->after, question->confirm, question->refuse, question->cancel);
}

/* ---- Files ---------------------------------------------------------------------------------- */

void editorWant(Editor *editor, const char *path) {
    const bool vox = fileEnds(path, ".vox");
    (void)snprintf(editor->wanted, sizeof editor->wanted, "%s", path);
    editor->next = (SourceOptions){.vox = vox ? editor->wanted : NULL,
                                   .load = vox ? NULL : editor->wanted};
}

void editorAskFor(Editor *editor, Command command, const char *note) {
    Hud *hud = &editor->hud;
    const char *path = editor->document.path;
    const char *name = fileName(path);
    char title[DIALOG_TEXT];
    if (command == COMMAND_OPEN) {
        hudAskFile(hud, ASKED_FILE);
    } else if (command == COMMAND_NEW) {
        hudAskText(hud, ASKED_NEW, "New: empty or terrain, and how many voxels long", "empty 64");
    } else {
        (void)snprintf(hud->folder, sizeof hud->folder, "%.*s", (int)(name - path), path);
        (void)snprintf(title, sizeof title, "Save as .vox or .world, in %.900s", hud->folder);
        hudAskText(hud, ASKED_NAME, title, name);
    }
    dialogNote(&hud->dialog, note);
}

/* Takes the answer to the dialog, which stays open if it is not a valid one. */
static void take(Editor *editor) {
    char path[DOCUMENT_PATH];
    Hud *hud = &editor->hud;
    const Asked asked = hud->asked;
    SourceOptions options = {.seed = editor->settings->source.seed};
    if (asked == ASKED_NEW && !newWorldRead(hud->answer, &options)) {
        dialogNote(&hud->dialog, "empty 1 to 8192, or terrain 64 to 4096, by eights");
        return;
    }
    if (asked == ASKED_NAME && (placesFind(hud->folder, hud->answer, path) || !hud->answer[0])) {
        dialogNote(&hud->dialog, "that is no name of a file");
        return;
    }
    hudDrop(hud);
    if (asked == ASKED_COLOR) {
        toolsWant(&editor->tools,
                  &(Wanted){.command = COMMAND_CHANNEL, .value = COLOR_RGB, .level = hud->color});
    } else if (asked == ASKED_NAME) {
        const bool known = fileEnds(path, ".vox") || fileEnds(path, ".world");
        (void)snprintf(editor->as, sizeof editor->as, "%.1024s%s", path, known ? "" : ".world");
        editor->save = true;
    } else {
        if (asked == ASKED_FILE) {
            editorWant(editor, hud->answer);
        } else {
            editor->next = options;
        }
        editorWish(editor, ASKED_OPEN);
    }
}

/* ---- Answers -------------------------------------------------------------------------------- */

void editorDrop(Editor *editor) {
    hudDrop(&editor->hud);
    editor->as[0] = '\0';
    editor->save = editor->leaves = editor->opens = false;
}

static void answer(Editor *editor, bool confirmed) {
    const Asked asked = editor->hud.asked;
    hudDrop(&editor->hud);
    if (asked >= ASKED_EXISTS && confirmed) {
        editor->sure = DOCUMENT_EXISTS + (asked - ASKED_EXISTS);
    } else if (asked >= ASKED_EXISTS) {
        editorAskFor(editor, COMMAND_SAVE_AS, "");
    } else {
        editor->recovers = asked == ASKED_RECOVER && confirmed;
        editor->leaves = asked == ASKED_LEAVE;
        editor->opens = asked == ASKED_OPEN || (asked == ASKED_LAST && confirmed);
        editor->save = confirmed && (asked == ASKED_LEAVE || asked == ASKED_OPEN);
        if (!confirmed && asked != ASKED_LAST) {
            documentForget(&editor->document);
        }
    }
}

void editorAnswer(Editor *editor, Command command) {
    const char *pasted = command == COMMAND_PASTE ? windowClipboard(editor->window) : "";
    if (!hudAnswers(&editor->hud, command, pasted)) {
        return;
    }
    if (command == COMMAND_CANCEL) {
        editorDrop(editor);
    } else if (editor->hud.dialog.open) {
        take(editor);
    } else {
        answer(editor, command == COMMAND_CONFIRM);
    }
}
