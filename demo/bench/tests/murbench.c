/* Running murbench, reading its rows.
 *
 * SPDX-License-Identifier: MIT */
#include "murbench.h"
#include "support/seed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

const char murbench_header[] =
    "suite,operation,variant,state,format,pairs,capacity,load,ms,rate,unit,ceiling,of_ceiling,peer,"
    "of_peer,peer_does,scratch_bytes,scratch_a_pair,table_bytes,reps,probe_mean,probe_max,bulk,"
    "unsettled\n";

Program murbench_run_as(const char *program, const char *const *args, bool validated) {
    const char *device = getenv("MUR_TEST_DEVICE");
    const char *none = getenv("MUR_TEST_NO_VALIDATION");
    const char *all[PROGRAM_MAX_ARGS + 1];
    size_t count = 0;
    if (device) {
        all[count++] = "--device";
        all[count++] = device;
    }
    if (validated && !(none && strcmp(none, "1") == 0)) {
        all[count++] = "--validation";
    }
    while (*args) {
        assert_true(count < PROGRAM_MAX_ARGS);
        all[count++] = *args++;
    }
    all[count] = NULL;
    return program_run(program, all);
}

Program murbench_run(const char *const *args, bool validated) {
    return murbench_run_as("murbench", args, validated);
}

const char *murbench_suites(void) {
    static const char quick[] = "start,ceilings,size,load,keys,rehash,memory";
    static const char all[] = "start,ceilings,size,load,whole,keys,mixed,frame,inshader,memory,"
                              "repeat,rehash,clean,formats,multi,paging";
    return test_full() ? all : quick;
}

bool murbench_has_suite(const char *name) {
    const size_t length = strlen(name);
    const char *at = murbench_suites();
    while (strncmp(at, name, length) != 0 || (at[length] && at[length] != ',')) {
        at += strcspn(at, ",");
        if (!*at++) {
            return false;
        }
    }
    return true;
}

/* Nothing, or one line on clocks. */
static bool is_quiet(const char *errors) {
    static const char clocks[] = "murbench: the device's clocks did not settle ";
    const char *newline = strchr(errors, '\n');
    return !*errors ||
           (strncmp(errors, clocks, strlen(clocks)) == 0 && newline && newline[1] == '\0');
}

void murbench_succeeded(const Program *program) {
    if (program->status != 0 || !is_quiet(program->errors)) {
        fail_msg("exit status %d, stderr: %s", program->status, program->errors);
    }
}

double murbench_figure(const CsvLine *line, unsigned column) {
    return strtod(line->fields[column], NULL);
}

bool murbench_is(const CsvLine *line, unsigned column, const char *text) {
    return strcmp(line->fields[column], text) == 0;
}

size_t murbench_rows(const char *path, void (*visit)(const CsvLine *line, void *user), void *user) {
    char *text = program_read(path);
    CsvLine line;
    size_t rows = 0;
    for (const char *at = text + strlen(murbench_header); (at = csv_next(at, &line)); ++rows) {
        visit(&line, user);
    }
    free(text);
    return rows;
}
