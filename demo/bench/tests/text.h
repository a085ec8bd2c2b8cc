/* Reading CSV and checking JSON, no more of either than murbench writes.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_TEXT_H
#define MUR_TEST_TEXT_H

#include <stddef.h>

enum { CSV_MAX_FIELDS = 24, CSV_FIELD = 96 };

typedef struct CsvLine {
    char fields[CSV_MAX_FIELDS][CSV_FIELD];
    size_t count;
} CsvLine;

/* Reads the next line; fields may be in quotation marks. NULL at the end of the text, else where
 * the next line begins. A line that does not follow the format fails the test. */
const char *csv_next(const char *text, CsvLine *line);

/* Where a JSON value ends, or NULL if the text does not begin with one. */
const char *json_value(const char *text);

#endif
