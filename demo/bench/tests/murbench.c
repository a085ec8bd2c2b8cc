/* Runs murbench and reads its rows.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "murbench.h"
#include "support/seed.h"

#include <stdio.h>
#include <string.h>

/* The columns of a CSV file of murbench, and those that compare adds to it. */
#define COLUMNS                                                                      \
    "suite,operation,variant,state,format,pairs,capacity,load,ms,rate,unit,ceiling," \
    "of_ceiling,scratch_bytes,scratch_a_pair,table_bytes,reps,bulk,unsettled"
#define PEER_COLUMNS ",peer,of_peer,peer_does"
enum { PEER_COLUMN_COUNT = 3 };
static const char all_columns[] = COLUMNS PEER_COLUMNS "\n";

/* ---- Running a program ---------------------------------------------------------------------- */

static char folder[64];

const char *file_in(const char *name) {
    return pathIn(folder, name);
}

Program program_run(const char *name, const char *wrong, bool validated, const char *const *args) {
    char path[512];
    const char *all[PROGRAM_ARGUMENTS + 1];
    size_t count = addEnvironment(all, 0, validated);
    do {
        all[count++] = *args;
    } while (*args++);
    Program program;
    (void)snprintf(path, sizeof path, "%s/%s", BINARIES, name);
    assert_int_equal(setenv("MURBENCH_WRONG", wrong ? wrong : "", 1), 0);
    programRun(path, all, folder, &program);
    return program;
}

static Program quick;

const Program *quick_run(void) {
    return &quick;
}

int run_quick(void **state) {
    folderMake(folder);
    const char *const args[] = {"--quick", "--csv",           file_in("quick.csv"),
                                "--suite", murbench_suites(), NULL};
    quick = program_run("murbench", NULL, true, args);
    return 0;
}

int clean(void **state) {
    folderRemove(folder);
    return 0;
}

/* Returns whether the text is exactly one line that begins with `begin`. */
static bool is_line(const char *text, const char *begin) {
    const char *newline = strchr(text, '\n');
    return strncmp(text, begin, strlen(begin)) == 0 && newline && newline[1] == '\0';
}

void program_succeeded(const Program *program) {
    if (program->status != 0 ||
        (*program->error &&
         !is_line(program->error, "murbench: the device's clocks did not settle "))) {
        fail_msg("exit status %d, stderr: %s", program->status, program->error);
    }
}

void program_failed(const Program *program, const char *what) {
    if (program->status != EXIT_FAILURE || !is_line(program->error, "murbench: ")) {
        fail_msg("%s: exit status %d, stderr \"%s\"", what, program->status, program->error);
    }
}

/* ---- Reading rows of the CSV file ----------------------------------------------------------- */

const char *murbench_suites(void) {
    return test_full() ? "overhead,ceilings,size,load,repeat,inshader,whole,multi,mirror,cache,"
                         "paging,large"
                       : "overhead,ceilings,load,mirror";
}

bool murbench_has_suite(const char *name) {
    const char *at = strstr(murbench_suites(), name);
    return at && strchr(",", at[strlen(name)]);
}

const char *row_text(const CsvLine *line, const char *column) {
    unsigned i = 0;
    const char *at = all_columns;
    for (const size_t length = strlen(column);
         strncmp(at, column, length) != 0 || !strchr(",\n", at[length]); ++i) {
        at = strchr(at, ',');
        assert_non_null(at++);
    }
    return line->fields[i];
}

double row_figure(const CsvLine *line, const char *column) {
    return strtod(row_text(line, column), NULL);
}

bool row_is(const CsvLine *line, const char *column, const char *text) {
    return strcmp(row_text(line, column), text) == 0;
}

/* Reads the next line; fields may be in quotation marks. */
static const char *read_line(const char *at, unsigned columns, CsvLine *line) {
    *line = (CsvLine){0};
    for (unsigned i = 0; i < columns; ++i, ++at) {
        const bool quoted = *at == '"';
        at += quoted;
        const size_t length = strcspn(at, quoted ? "\"\n" : ",\"\n");
        assert_true(length < sizeof line->fields[i]);
        memcpy(line->fields[i], at, length);
        line->fields[i][length] = '\0';
        at += length;
        assert_true(!quoted || *at == '"');
        at += quoted;
        assert_int_equal(*at, i + 1 < columns ? ',' : '\n');
    }
    return at;
}

size_t for_each_row(const char *path, void (*visit)(const CsvLine *line, void *user), void *user) {
    const char *text = fileRead(path);
    const size_t header = strcspn(text, "\n");
    const bool all = header == strlen(COLUMNS PEER_COLUMNS);
    CsvLine line;
    size_t rows = 0;
    assert_true(all || header == strlen(COLUMNS));
    assert_int_equal(strncmp(text, all_columns, header), 0);
    for (const char *at = text + header + 1; *at; ++rows) {
        at = read_line(at, all ? CSV_COLUMNS : CSV_COLUMNS - PEER_COLUMN_COUNT, &line);
        visit(&line, user);
    }
    return rows;
}
