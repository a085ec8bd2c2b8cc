/* Questions to the user, and the consequences of the answers.
 *
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
    editor->asked = asked;
    (void)snprintf(editor->hud.question, HUD_QUESTION, "%s%.255s%s\n%s\n%s\n%s", question->before,
                   fileName(path), question->after, question->confirm, question->refuse,
                   question->cancel);
}

void editorAskWords(Editor *editor, Asked asked, const char *title, const char *text) {
    editor->asked = asked;
    dialogAsk(&editor->hud.dialog, title, text);
}

/* ---- Files ---------------------------------------------------------------------------------- */

void editorWant(Editor *editor, const char *path) {
    const bool vox = fileEnds(path, ".vox");
    (void)snprintf(editor->wanted, sizeof editor->wanted, "%s", path);
    editor->next = (SourceOptions){.vox = vox ? editor->wanted : NULL,
                                   .load = vox ? NULL : editor->wanted};
}

void editorAskFor(Editor *editor, Command command, const char *note) {
    const char *path = editor->document.path;
    const char *name = fileName(path);
    char title[DIALOG_TEXT];
    if (command == COMMAND_OPEN) {
        editor->asked = ASKED_FILE;
        placesList(&editor->hud.dialog, editor->folder);
    } else if (command == COMMAND_NEW) {
        editorAskWords(editor, ASKED_NEW, "New: empty or terrain, and how many voxels long",
                       "empty 64");
    } else {
        (void)snprintf(editor->folder, sizeof editor->folder, "%.*s", (int)(name - path), path);
        (void)snprintf(title, sizeof title, "Save as .vox or .world, in %.900s", editor->folder);
        editorAskWords(editor, ASKED_NAME, title, name);
    }
    dialogNote(&editor->hud.dialog, note);
}

/* Takes the answer to the dialog, which stays open if it is not a valid one. */
static void take(Editor *editor) {
    char path[DOCUMENT_PATH];
    Dialog *dialog = &editor->hud.dialog;
    const Asked asked = editor->asked;
    Wanted wanted = {.command = COMMAND_CHANNEL, .value = COLOR_RGB};
    SourceOptions options = {.seed = editor->settings->source.seed};
    if ((asked == ASKED_FILE && !placesTake(dialog, editor->folder, path)) ||
        (asked == ASKED_COLOR && !hudTakeColor(&editor->hud, &wanted.level))) {
        return;
    }
    if (asked == ASKED_NEW && !newWorldRead(dialog->text, &options)) {
        dialogNote(dialog, "empty 1 to 8192, or terrain 64 to 4096, by eights");
        return;
    }
    if (asked == ASKED_NAME &&
        (placesFind(editor->folder, dialogAnswer(dialog), path) || !dialog->text[0])) {
        dialogNote(dialog, "that is no name of a file");
        return;
    }
    dialogClose(dialog);
    editor->asked = ASKED_NOTHING;
    if (asked == ASKED_COLOR) {
        toolsWant(&editor->tools, &wanted);
    } else if (asked == ASKED_NAME) {
        const bool known = fileEnds(path, ".vox") || fileEnds(path, ".world");
        (void)snprintf(editor->as, sizeof editor->as, "%.1024s%s", path, known ? "" : ".world");
        editor->save = true;
    } else {
        if (asked == ASKED_FILE) {
            editorWant(editor, path);
        } else {
            editor->next = options;
        }
        editorWish(editor, ASKED_OPEN);
    }
}

/* ---- Answers -------------------------------------------------------------------------------- */

void editorDrop(Editor *editor) {
    dialogClose(&editor->hud.dialog);
    editor->asked = ASKED_NOTHING;
    editor->hud.question[0] = editor->as[0] = '\0';
    editor->save = editor->leaves = editor->opens = false;
}

static void answer(Editor *editor, bool confirmed) {
    const Asked asked = editor->asked;
    editor->asked = ASKED_NOTHING;
    editor->hud.question[0] = '\0';
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
    if (command == COMMAND_CANCEL) {
        editorDrop(editor);
    } else if (editor->hud.dialog.open && command == COMMAND_CONFIRM) {
        take(editor);
    } else if (editor->hud.dialog.open && command == COMMAND_PASTE) {
        dialogPaste(&editor->hud.dialog, windowClipboard(editor->window));
    } else if (editor->hud.dialog.open && command == COMMAND_BACK) {
        dialogBack(&editor->hud.dialog);
    } else if (editor->hud.dialog.open && (command == COMMAND_UP || command == COMMAND_DOWN)) {
        dialogMove(&editor->hud.dialog, command == COMMAND_DOWN);
    } else if (editor->hud.dialog.open) {
        return;
    } else if (command == COMMAND_CONFIRM || command == COMMAND_REFUSE) {
        answer(editor, command == COMMAND_CONFIRM);
    } else {
        editor->shoot = editor->shoot || command == COMMAND_SCREENSHOT;
    }
}
