/* Questions: their answers by keys, by a text, by a row of a list.
 * SPDX-License-Identifier: MIT */
#include "hud.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void hudDrop(Hud *hud) {
    dialogClose(&hud->dialog);
    hud->question[0] = '\0';
    hud->asked = 0;
}

void hudAsk(Hud *hud, uint32_t asked, const char *question, ...) {
    va_list arguments;
    hudDrop(hud);
    hud->asked = asked;
    va_start(arguments, question);
    (void)vsnprintf(hud->question, sizeof hud->question, question, arguments);
    va_end(arguments);
}

void hudAskText(Hud *hud, uint32_t asked, const char *title, const char *text) {
    hudDrop(hud);
    hud->asked = asked;
    hud->asks = HUD_ASKS_TEXT;
    dialogAsk(&hud->dialog, title, text);
}

void hudAskFile(Hud *hud, uint32_t asked) {
    hudDrop(hud);
    hud->asked = asked;
    hud->asks = HUD_ASKS_FILE;
    placesList(&hud->dialog, hud->folder);
}

void hudAskColor(Hud *hud, uint32_t asked, uint32_t rgb) {
    char words[16];
    (void)snprintf(words, sizeof words, "#%06X", rgb);
    hudAskText(hud, asked, "Red, green and blue of the colour", words);
    hud->asks = HUD_ASKS_COLOR;
}

/* Reads the dialog's answer. Returns false if the dialog stays open. */
static bool take(Hud *hud) {
    if (hud->asks == HUD_ASKS_FILE) {
        return placesTake(&hud->dialog, hud->folder, hud->answer);
    }
    if (hud->asks == HUD_ASKS_COLOR && !colorRead(hud->dialog.text, &hud->color)) {
        dialogNote(&hud->dialog, "that is no colour: #FF8000 is orange");
        return false;
    }
    (void)strcpy(hud->answer, hud->dialog.text);
    return true;
}

bool hudAnswers(Hud *hud, Command command, const char *pasted) {
    Dialog *dialog = &hud->dialog;
    if (!dialog->open || command == COMMAND_CANCEL) {
        return command >= COMMAND_CONFIRM && command <= COMMAND_CANCEL;
    }
    if (command == COMMAND_CONFIRM) {
        return take(hud);
    }
    if (command == COMMAND_PASTE) {
        dialogPaste(dialog, pasted);
    } else if (command == COMMAND_BACK) {
        dialogBack(dialog);
    } else if (command == COMMAND_UP || command == COMMAND_DOWN) {
        dialogMove(dialog, command == COMMAND_DOWN);
    }
    return false;
}
