/* Running murbench, reading its rows.
 *
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "murbench.h"
#include "support/seed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

const char murbench_header[] =
    "suite,operation,variant,state,format,pairs,capacity,load,ms,rate,unit,ceiling,of_ceiling,peer,"
    "of_peer,peer_does,scratch_bytes,scratch_a_pair,table_bytes,reps,probe_mean,probe_max,bulk,"
    "unsettled\n";

/* ---- Files and programs --------------------------------------------------------------------- */

static char folder[] = "/tmp/murbench_test_XXXXXX";

const char *file_in(const char *name) {
    static char paths[16][64];
    static bool made;
    static unsigned next;
    if (!made) {
        assert_non_null(mkdtemp(folder));
        made = true;
    }
    char *path = paths[next++ % 16];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

int folder_remove(void **state) {
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

char *file_read(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t length = 0;
    if (!file) {
        fail_msg("%s cannot be read", path);
    }
    if (getdelim(&text, &length, '\0', file) < 0) { /* it is empty */
        text = realloc(text, 1);
        text[0] = '\0';
    }
    fclose(file);
    return text;
}

void file_write(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

Program program_run(const char *name, const char *wrong, bool validated, const char *const *args) {
    const char *device = getenv("MUR_TEST_DEVICE"), *none = getenv("MUR_TEST_NO_VALIDATION");
    char *command = NULL;
    size_t length = 0;
    FILE *text = open_memstream(&command, &length);
    assert_non_null(text);
    fprintf(text, "MURBENCH_WRONG='%s' '" BINARIES "/%s'", wrong ? wrong : "", name);
    if (device) {
        fprintf(text, " --device '%s'", device);
    }
    if (validated && !(none && strcmp(none, "1") == 0)) {
        fprintf(text, " --validation");
    }
    for (; *args; ++args) {
        fprintf(text, " '%s'", *args);
    }
    fprintf(text, " >%s 2>%s", file_in("output"), file_in("errors"));
    assert_int_equal(fclose(text), 0);
    const int status = system(command);
    free(command);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) < 126);
    return (Program){WEXITSTATUS(status), file_read(file_in("output")),
                     file_read(file_in("errors"))};
}

void program_free(Program *program) {
    free(program->output);
    free(program->errors);
    *program = (Program){0};
}

/* One line that begins like this, and nothing else. */
static bool is_line(const char *text, const char *begin) {
    const char *newline = strchr(text, '\n');
    return strncmp(text, begin, strlen(begin)) == 0 && newline && newline[1] == '\0';
}

void program_succeeded(const Program *program) {
    if (program->status != 0 ||
        (*program->errors &&
         !is_line(program->errors, "murbench: the device's clocks did not settle "))) {
        fail_msg("exit status %d, stderr: %s", program->status, program->errors);
    }
}

void program_failed(const Program *program, const char *what) {
    if (program->status != EXIT_FAILURE || !is_line(program->errors, "murbench: ")) {
        fail_msg("%s: exit status %d, stderr \"%s\"", what, program->status, program->errors);
    }
}

/* ---- Suites and rows ------------------------------------------------------------------------ */

const char *murbench_suites(void) {
    return test_full() ? "start,ceilings,size,load,formats,repeat,frame,inshader,whole,multi,rows,"
                         "cache,paging,large"
                       : "start,ceilings,load,repeat,whole,rows";
}

bool murbench_has_suite(const char *name) {
    const char *at = strstr(murbench_suites(), name);
    return at && strchr(",", at[strlen(name)]);
}

const char *row_text(const CsvLine *line, const char *column) {
    unsigned i = 0;
    const char *at = murbench_header;
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
static const char *read_line(const char *at, CsvLine *line) {
    for (unsigned i = 0; i < CSV_COLUMNS; ++i, ++at) {
        const bool quoted = *at == '"';
        at += quoted;
        const size_t length = strcspn(at, quoted ? "\"\n" : ",\"\n");
        assert_true(length < sizeof line->fields[i]);
        memcpy(line->fields[i], at, length);
        line->fields[i][length] = '\0';
        at += length;
        assert_true(!quoted || *at == '"');
        at += quoted;
        assert_int_equal(*at, i + 1 < CSV_COLUMNS ? ',' : '\n');
    }
    return at;
}

size_t for_each_row(const char *path, void (*visit)(const CsvLine *line, void *user), void *user) {
    char *text = file_read(path);
    const size_t header = strlen(murbench_header);
    CsvLine line;
    size_t rows = 0;
    assert_int_equal(strncmp(text, murbench_header, header), 0);
    for (const char *at = text + header; *at; ++rows) {
        at = read_line(at, &line);
        visit(&line, user);
    }
    free(text);
    return rows;
}
