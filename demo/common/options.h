/* Command-line options, parsed and documented by a table.
 * SPDX-License-Identifier: MIT */
#ifndef DEMO_OPTIONS_H
#define DEMO_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum OptionKind {
    OPTION_IS_HELP,   /* ends parsing */
    OPTION_IS_FLAG,   /* sets a bool to true */
    OPTION_IS_TEXT,   /* stored as text; without a value, NULL */
    OPTION_IS_OUTPUT, /* text: name of an output file; all output files must differ */
    OPTION_IS_NUMBER, /* 32 bits, from low to high */
    OPTION_IS_SIZE,   /* WIDTHxHEIGHT, two of them */
    OPTION_IS_CHOICE, /* index of a name */
    OPTION_IS_SPECIAL /* parsed by a function; wanted describes accepted values */
} OptionKind;

/* One option. Without a name it is a heading. */
typedef struct Option {
    const char *name, *value; /* value: its value's name in the help; NULL: no value */
    OptionKind kind;
    size_t at; /* offset of its member in the destination struct */
    const char *help;
    uint32_t low, high;
    const char *const *names;
    bool (*read)(const char *text, void *into);
    const char *wanted;
} Option;

/* Macros for tables of options. OPTION_INTO is the destination struct. */
#define OPTION(n, v, k, field, h) \
    .name = (n), .value = (v), .kind = (k), .at = offsetof(OPTION_INTO, field), .help = (h)
#define OPTION_HEADING(h) \
    { .help = (h) }
#define OPTION_HELP(h) \
    { .name = "help", .kind = OPTION_IS_HELP, .help = (h) }
#define OPTION_FLAG(n, field, h) \
    { OPTION(n, NULL, OPTION_IS_FLAG, field, h) }
#define OPTION_TEXT(n, v, field, h) \
    { OPTION(n, v, OPTION_IS_TEXT, field, h) }
#define OPTION_OUTPUT(n, v, field, h) \
    { OPTION(n, v, OPTION_IS_OUTPUT, field, h) }
#define OPTION_NUMBER(n, v, field, l, m, h) \
    { OPTION(n, v, OPTION_IS_NUMBER, field, h), .low = (l), .high = (m) }
#define OPTION_SIZE(n, field, h) \
    { OPTION(n, "WxH", OPTION_IS_SIZE, field, h), .wanted = "WIDTHxHEIGHT, each 1 to 16384" }
#define OPTION_CHOICE(n, v, field, list, h) \
    { OPTION(n, v, OPTION_IS_CHOICE, field, h), .names = (list) }
#define OPTION_SPECIAL(n, v, function, takes, field, h) \
    { OPTION(n, v, OPTION_IS_SPECIAL, field, h), .read = (function), .wanted = (takes) }

/* Parses the arguments up to --help, whose text it prints. At most `words` arguments may be no
 * options; returns these, NULL at the end. Returns NULL if the program is to end with this status:
 * after --help, or after one line on stderr. */
char **optionsRead(const Option *options, size_t count, int argc, char **argv, int words,
                   void *into, int *status);

/* Parses a whole number from low to high. Sets end to the text after it. */
bool optionNumber(const char *text, const char **end, uint32_t low, uint32_t high,
                  uint32_t *number);

#endif
