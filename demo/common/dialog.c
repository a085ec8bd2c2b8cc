/* SPDX-License-Identifier: MIT */
#include "dialog.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void dialogClose(Dialog *dialog) {
    free(dialog->rows);
    *dialog = (Dialog){0};
}

void dialogAsk(Dialog *dialog, const char *title, const char *text) {
    dialogClose(dialog);
    dialog->open = dialog->proposed = true;
    dialog->panel = TEXT_PANELS; /* none yet */
    (void)snprintf(dialog->title, sizeof dialog->title, "%s", title);
    (void)snprintf(dialog->text, sizeof dialog->text, "%s", text);
}

void dialogNote(Dialog *dialog, const char *note) {
    (void)snprintf(dialog->note, sizeof dialog->note, "%s", note);
}

void dialogAdd(Dialog *dialog, const char *row) {
    const size_t size = strlen(row) + 1;
    char *rows = realloc(dialog->rows, dialog->size + size);
    if (rows) { /* else a shorter list */
        memcpy(rows + dialog->size, row, size);
        dialog->rows = rows;
        dialog->size += size;
    }
}

/* Has the row, from its last name on, the text in it? Letters of ASCII may be large or small. */
static bool fits(const char *row, const char *text) {
    const size_t length = strlen(text);
    for (const char *at = row; *at; ++at) {
        row = at[0] == '/' && at[1] ? at + 1 : row;
    }
    while (*row && strncasecmp(row, text, length) != 0) {
        ++row;
    }
    return *row != '\0';
}

/* The row that is shown as this one; NULL: fewer are shown. */
static const char *shownRow(const Dialog *dialog, uint32_t number) {
    for (size_t at = 0; at < dialog->size; at += strlen(dialog->rows + at) + 1) {
        if (fits(dialog->rows + at, dialog->text) && number-- == 0) {
            return dialog->rows + at;
        }
    }
    return NULL;
}

static void change(Dialog *dialog, size_t length, const char *end) {
    if (length + strlen(end) < sizeof dialog->text) {
        (void)strcpy(dialog->text + length, end);
        dialog->proposed = false;
        dialog->chosen = 0;
        dialog->note[0] = '\0';
    }
}

void dialogType(Dialog *dialog, uint32_t character) {
    const uint32_t c = character;
    const int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    char bytes[5] = {(char)c};
    for (int i = 0; i <= more && more; ++i) {
        bytes[i] = (char)(i ? 0x80 | (c >> 6 * (more - i) & 0x3F)
                            : 0xFF00u >> (more + 1) | c >> 6 * more);
    }
    if (c >= ' ' && c != 0x7F) {
        change(dialog, dialog->proposed ? 0 : strlen(dialog->text), bytes);
    }
}

void dialogPaste(Dialog *dialog, const char *text) {
    char line[DIALOG_TEXT];
    size_t length = 0;
    while (length + 1 < sizeof line && ((uint8_t)text[length] >= ' ')) {
        line[length] = text[length];
        ++length;
    }
    line[length] = '\0';
    change(dialog, dialog->proposed ? 0 : strlen(dialog->text), line);
}

void dialogBack(Dialog *dialog) {
    size_t length = strlen(dialog->text);
    if (length) {
        while (--length && (dialog->text[length] & 0xC0) == 0x80) { /* within a character */
        }
        change(dialog, length, "");
    }
}

void dialogMove(Dialog *dialog, bool down) {
    if (down) {
        dialog->chosen += shownRow(dialog, dialog->chosen + 1) != NULL;
    } else {
        dialog->chosen -= dialog->chosen > 0;
    }
}

const char *dialogAnswer(const Dialog *dialog) {
    const char *row = shownRow(dialog, dialog->chosen);
    return row ? row : dialog->text;
}

/* Of a long line the end. */
static void put(Text *text, uint32_t row, uint32_t columns, uint32_t color, const char *words) {
    const size_t length = strlen(words);
    textPut(text, row, 1, color, words + (length > columns ? length - columns : 0));
}

void dialogWrite(Dialog *dialog, Text *text, const char *keys) {
    const uint32_t wide = text->width / text->cellWidth;
    const uint32_t high = text->height / text->cellHeight;
    const uint32_t columns = (wide < DIALOG_COLUMNS ? wide : DIALOG_COLUMNS) - 2;
    char line[DIALOG_TEXT + 4];
    uint32_t rows = 0;
    if (!dialog->open || wide < 3) {
        return;
    }
    const char *note = dialog->note[0] ? dialog->note : keys;
    const uint32_t top = 1 + textWrap(NULL, 0, 1, columns, 0, dialog->title);
    const uint32_t frame = top + textWrap(NULL, 0, 1, columns, 0, note);
    if (frame > high) {
        return;
    }
    while (rows < DIALOG_ROWS && rows + frame < high && shownRow(dialog, rows)) {
        ++rows;
    }
    dialog->first = dialog->chosen < rows ? 0 : dialog->chosen + 1 - rows;
    dialog->top = top;
    dialog->listed = rows;
    textPanel(text, columns + 2, rows + frame, 0.5f, 0.4f);
    dialog->panel = text->panelCount - 1;
    (void)textWrap(text, 0, 1, columns, TEXT_PLAIN, dialog->title);
    (void)snprintf(line, sizeof line, "> %s%s", dialog->text, dialog->proposed ? "" : "_");
    put(text, top - 1, columns, TEXT_GOOD, line);
    for (uint32_t i = 0; i < rows; ++i) {
        put(text, top + i, columns, dialog->first + i == dialog->chosen ? TEXT_GOOD : TEXT_PLAIN,
            shownRow(dialog, dialog->first + i));
    }
    (void)textWrap(text, top + rows, 1, columns, TEXT_WARNING, note);
}

bool dialogClick(Dialog *dialog, const Text *text, float x, float y) {
    uint32_t panel;
    uint32_t row;
    float column;
    const bool over = textFind(text, x, y, &panel, &row, &column) && panel == dialog->panel &&
                      row >= dialog->top && row < dialog->top + dialog->listed;
    dialog->chosen = over ? dialog->first + row - dialog->top : dialog->chosen;
    return over;
}
