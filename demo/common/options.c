/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE /* getopt_long */
#include "options.h"

#include "message.h"

#include <ctype.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, WORDS = 128, MAX_SIDE = 16384 };

bool optionNumber(const char *text, const char **end, uint32_t low, uint32_t high,
                  uint32_t *number) {
    char *after;
    if (!isdigit((unsigned char)*text)) {
        return false;
    }
    unsigned long long value = strtoull(text, &after, 10);
    *end = after;
    if (value < low || value > high || after - text > 10) {
        return false;
    }
    *number = (uint32_t)value;
    return true;
}

/* Writes a description of the values that an option accepts. */
static void describe(const Option *option, char words[WORDS]) {
    int used = 0;
    words[0] = '\0';
    if (option->kind == OPTION_IS_NUMBER) {
        (void)snprintf(words, WORDS, "%u to %u", option->low, option->high);
    }
    for (int i = 0; option->kind == OPTION_IS_CHOICE && option->names[i]; ++i) {
        used += snprintf(words + used, (size_t)(WORDS - used), "%s%s",
                         i == 0                 ? ""
                         : option->names[i + 1] ? ", "
                                                : " or ",
                         option->names[i]);
    }
}

static void printHelp(const Option *options, size_t count) {
    for (const Option *option = options; option < options + count; ++option) {
        char words[WORDS];
        char name[32];
        if (!option->name) {
            (void)printf("%s\n", option->help);
            continue;
        }
        (void)snprintf(name, sizeof name, "--%s %s", option->name,
                       option->value ? option->value : "");
        describe(option, words);
        const char *line = option->help;
        for (int length = 0; *line; line += length + (line[length] == '\n'), name[0] = '\0') {
            length = (int)strcspn(line, "\n");
            const bool last = line[length] == '\0' && words[0];
            (void)printf("  %-21s %.*s%s%s\n", name, length, line, last ? "; " : "",
                         last ? words : "");
        }
    }
}

static bool choose(const char *const *names, const char *text, uint32_t *choice) {
    for (*choice = 0; names[*choice]; ++*choice) {
        if (strcmp(text, names[*choice]) == 0) {
            return true;
        }
    }
    return false;
}

/* Reads the value of an option. value: NULL for options without a value. */
static bool readOption(const Option *option, const char *value, void *into) {
    char words[WORDS];
    const char *end = "";
    void *at = (char *)into + option->at;
    uint32_t *number = at;
    bool good = true;
    switch (option->kind) {
    case OPTION_IS_FLAG:
        *(bool *)at = true;
        break;
    case OPTION_IS_TEXT:
    case OPTION_IS_OUTPUT:
        *(const char **)at = value;
        break;
    case OPTION_IS_NUMBER:
        good = optionNumber(value, &end, option->low, option->high, number) && *end == '\0';
        break;
    case OPTION_IS_SIZE:
        good = optionNumber(value, &end, 1, MAX_SIDE, number) && *end == 'x' &&
               optionNumber(end + 1, &end, 1, MAX_SIDE, number + 1) && *end == '\0';
        break;
    case OPTION_IS_CHOICE:
        good = choose(option->names, value, number);
        break;
    default:
        good = option->read(value, into);
    }
    describe(option, words);
    return good || sayError("--%s wants %s%s, not \"%s\"", option->name,
                            option->kind == OPTION_IS_NUMBER ? "a number from " : "",
                            option->wanted ? option->wanted : words, value);
}

char **optionsRead(const Option *options, size_t count, int argc, char **argv, int words,
                   void *into, int *status) {
    struct option known[MOST + 1] = {{0}};
    for (size_t i = 0, at = 0; i < count && at < MOST; ++i) {
        if (options[i].name) {
            known[at++] = (struct option){options[i].name,
                                          options[i].value ? required_argument : no_argument, NULL,
                                          256 + (int)i};
        }
    }
    opterr = 0; /* otherwise getopt prints lines that start with argv[0] */
    *status = EXIT_FAILURE;
    for (;;) {
        const char *argument = argv[optind < argc ? optind : 0];
        const int option = getopt_long(argc, argv, ":", known, NULL);
        if (option == -1) {
            const bool fine = optind + words >= argc ||
                              sayError("unexpected argument \"%s\"; see --help",
                                       argv[optind + words]);
            return fine ? argv + optind : NULL;
        }
        if (option == ':' || option == '?') {
            (void)sayError(option == ':' ? "%s wants a value; see --help"
                                         : "unknown option \"%s\"; see --help",
                           argument);
            return NULL;
        }
        if (options[option - 256].kind == OPTION_IS_HELP) {
            printHelp(options, count);
            *status = EXIT_SUCCESS;
            return NULL;
        }
        if (!readOption(&options[option - 256], optarg, into)) {
            return NULL;
        }
    }
}
