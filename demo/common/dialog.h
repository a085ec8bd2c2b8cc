/* A question that is answered with words: a text that is typed, or a row of a list, which typing
 * filters. While one is open, keys are its text and nothing else.
 * SPDX-License-Identifier: MIT */
#ifndef DEMO_DIALOG_H
#define DEMO_DIALOG_H

#include "text.h"

enum { DIALOG_TEXT = 1024, DIALOG_COLUMNS = 80, DIALOG_ROWS = 20 };

typedef struct Dialog {
    bool open;
    char title[DIALOG_TEXT];
    char note[DIALOG_COLUMNS]; /* below all, while nothing is typed: the fault of the last answer */
    char text[DIALOG_TEXT];    /* UTF-8 */
    bool proposed;             /* typed letters replace the text */
    char *rows;                /* one after the other; those that have the text in them are shown */
    size_t size;               /* of rows */
    uint32_t chosen;           /* of the rows that are shown */
    uint32_t panel, first;     /* its place when it was written last, and its row on top, */
    uint32_t top, listed;      /* in this row of the panel; and how many there are */
} Dialog;

/* Opens one, in place of another. text: proposed as the answer, or "". */
void dialogAsk(Dialog *dialog, const char *title, const char *text);
/* Adds a row, which makes it a list. */
void dialogAdd(Dialog *dialog, const char *row);
void dialogClose(Dialog *dialog);
/* Shows a fault of the answer below it, until something is typed. */
void dialogNote(Dialog *dialog, const char *note);

/* A character of Unicode. */
void dialogType(Dialog *dialog, uint32_t character);
/* A text of the clipboard, up to the end of its first line. */
void dialogPaste(Dialog *dialog, const char *text);
/* Takes the last character away. */
void dialogBack(Dialog *dialog);
/* Chooses the next row, or the one before. */
void dialogMove(Dialog *dialog, bool down);
/* The chosen row; the text, if it is no list or no row has it. Valid until something changes. */
const char *dialogAnswer(const Dialog *dialog);

/* Writes it as the panel on top. keys: which take it or give it up, in words. */
void dialogWrite(Dialog *dialog, Text *text, const char *keys);
/* Chooses the row at a place of the picture, in pixels. False: there is none. */
bool dialogClick(Dialog *dialog, const Text *text, float x, float y);

#endif
