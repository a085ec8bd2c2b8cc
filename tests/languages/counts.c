/* See counts.h. SPDX-License-Identifier: MIT */
#include "counts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[CALL_COUNT] = {
    [CALL_FIND] = "find and find_slot",
    [CALL_FIND_VALUE] = "find_slot, with the value",
    [CALL_SLOT_VALUE] = "slot_value",
    [CALL_ENTRY] = "slot_entry",
    [CALL_SPATIAL] = "spatial_key_at, parent, child",
    [CALL_CENTER] = "spatial_center, face, level",
    [CALL_MODES + MUR_MODE_ASSIGN] = "upsert",
    [CALL_MODES + MUR_MODE_KEEP] = "insert",
    [CALL_MODES + MUR_MODE_ADD] = "add",
    [CALL_MODES + MUR_MODE_MIN] = "min",
    [CALL_MODES + MUR_MODE_MAX] = "max",
    [CALL_MODES + MUR_MODE_OR] = "or",
    [CALL_MODES + MUR_MODE_UPDATE] = "update",
    [CALL_ERASE] = "erase, with value and slot",
    [CALL_ERASE_ONLY] = "erase",
    [CALL_EXCHANGE] = "slot_exchange",
    [CALL_COMPARE] = "slot_compare_exchange",
    [CALL_REFUSED] = "writes, refused: 64-bit atomics",
    [CALL_STORM_KEEP] = "storm: inserts",
    [CALL_STORM_ERASE] = "storm: inserts, erases",
    [CALL_STORM_SUM] = "storm: sums",
};

typedef struct Counts {
    uint32_t of[CALL_COUNT][FORMATS][2]; /* in programs that only look up; that write */
} Counts;
static Counts counts[LANGUAGE_COUNT];

Call call_of(const Operation *operation, bool refused) {
    const uint32_t kind = TRACE_KIND(operation->kind);
    if (refused && kind >= TRACE_WRITES) {
        return CALL_REFUSED;
    }
    switch (kind) {
    case TRACE_INSERT:
    case TRACE_NAMED:
        return (Call)(CALL_MODES + operation->c);
    case TRACE_ERASE:
        return CALL_ERASE;
    case TRACE_ERASE_ONLY:
        return CALL_ERASE_ONLY;
    case TRACE_EXCHANGE:
        return CALL_EXCHANGE;
    case TRACE_COMPARE:
        return CALL_COMPARE;
    default:
        return (Call)(CALL_FIND + kind - TRACE_FIND);
    }
}

void count_calls(int language, uint32_t format, bool writes, Call call, uint32_t count) {
    counts[language].of[call][format][writes] += count;
}

static void cell(char *text, size_t size, const uint32_t count[2]) {
    if (count[0] && count[1]) {
        snprintf(text, size, "%u + %u", count[1], count[0]);
    } else if (count[0] || count[1]) {
        snprintf(text, size, "%u", count[0] + count[1]);
    } else {
        snprintf(text, size, "-");
    }
}

/* The rows of the table, one text. */
static void table_of(const Counts *of, char *text, size_t size) {
    size_t at = 0;
    for (int call = 0; call < CALL_COUNT; ++call) {
        char cells[FORMATS][32];
        for (int format = 0; format < FORMATS; ++format) {
            cell(cells[format], sizeof cells[format], of->of[call][format]);
        }
        at += (size_t)snprintf(text + at, size - at, "| %s | %s | %s | %s |\n", names[call],
                               cells[MUR_FORMAT_K32V32], cells[MUR_FORMAT_K64V32],
                               cells[MUR_FORMAT_K32]);
        assert_true(at < size);
    }
}

void counts_of_the_readme(void **state) {
    static const Counts none;
    static char readme[32 << 10], table[4 << 10];
    (void)state;
    if (getenv("MUR_TEST_SEED")) {
        skip(); /* other operations */
    }
    FILE *file = fopen(LANGUAGES_README, "r");
    assert_non_null(file);
    assert_in_range(fread(readme, 1, sizeof readme - 1, file), 1, sizeof readme - 2);
    fclose(file);
    int ran = 0;
    for (int language = 0; language < LANGUAGE_COUNT; ++language) {
        if (memcmp(&counts[language], &none, sizeof none) == 0) {
            continue; /* by MUR_TEST_CASE */
        }
        ++ran;
        table_of(&counts[language], table, sizeof table);
        if (!strstr(readme, table)) {
            fail_msg("%s: README.md does not have this table:\n%s", languageNames[language], table);
        }
    }
    if (!ran) {
        skip();
    }
}
