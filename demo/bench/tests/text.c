/* Reading CSV and checking JSON.
 *
 * SPDX-License-Identifier: MIT */
#include "text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* One field, up to the comma or the end of the line. */
static const char *csv_field(const char *at, char *field) {
    const bool quoted = *at == '"';
    at += quoted;
    const size_t length = strcspn(at, quoted ? "\"\n" : ",\"\n");
    assert_true(length < CSV_FIELD);
    memcpy(field, at, length);
    field[length] = '\0';
    at += length;
    assert_true(!quoted || *at == '"');
    at += quoted;
    assert_true(*at == ',' || *at == '\n');
    return at;
}

const char *csv_next(const char *text, CsvLine *line) {
    line->count = 0;
    if (*text == '\0') {
        return NULL;
    }
    for (;; ++text) {
        assert_true(line->count < CSV_MAX_FIELDS);
        text = csv_field(text, line->fields[line->count++]);
        if (*text == '\n') {
            return text + 1;
        }
    }
}

static const char *space(const char *text) {
    return text + strspn(text, " \t\r\n");
}

static const char *string(const char *text) {
    if (*text != '"') {
        return NULL;
    }
    for (++text; *text != '"'; ++text) {
        text += *text == '\\';
        if (*text == '\0' || (unsigned char)*text < ' ') {
            return NULL;
        }
    }
    return text + 1;
}

static const char *digits(const char *text) {
    return text && isdigit((unsigned char)*text) ? text + strspn(text, "0123456789") : NULL;
}

static const char *number(const char *text) {
    text = digits(text + (*text == '-'));
    if (text && *text == '.') {
        text = digits(text + 1);
    }
    if (text && (*text == 'e' || *text == 'E')) {
        ++text;
        text = digits(text + (*text == '+' || *text == '-'));
    }
    return text;
}

/* The members of an array or an object, after its bracket. */
static const char *members(const char *text, char end) {
    text = space(text);
    if (*text == end) {
        return text + 1;
    }
    for (;; ++text) {
        if (end == '}') {
            text = string(space(text));
            text = text ? space(text) : NULL;
            if (!text || *text++ != ':') {
                return NULL;
            }
        }
        text = json_value(text);
        if (!text) {
            return NULL;
        }
        text = space(text);
        if (*text == end) {
            return text + 1;
        }
        if (*text != ',') {
            return NULL;
        }
    }
}

const char *json_value(const char *text) {
    static const char *const words[] = {"true", "false", "null"};
    text = space(text);
    if (*text == '{' || *text == '[') {
        return members(text + 1, *text == '{' ? '}' : ']');
    }
    if (*text == '"') {
        return string(text);
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) {
        if (strncmp(text, words[i], strlen(words[i])) == 0) {
            return text + strlen(words[i]);
        }
    }
    return number(text);
}
