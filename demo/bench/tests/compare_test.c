/* What rows are compared with: --compare, and best-peers, which makes its file.
 *
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "murbench.h"
#include "support/seed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* ---- --compare ------------------------------------------------------------------------------ */

/* A run at 2^10 pairs, and 2^12 slots by load, beside these peers; its rows are in rows.csv. */
static Program compare(const char *suites, const char *lines) {
    char csv[256], peers[256];
    snprintf(peers, sizeof peers, "%s", program_file(1, "peers.csv"));
    snprintf(csv, sizeof csv, "%s", program_file(0, "rows.csv"));
    write_file(peers, lines);
    const char *const args[] = {"--quick", "--suite",   suites, "--min-log2n", "10", "--max-log2n",
                                "10",      "--compare", peers,  "--csv",       csv,  NULL};
    Program program = murbench_run(args, false);
    murbench_succeeded(&program);
    return program;
}

/* Of three peers, one is of a size and an operation that were run. */
void compare_adds_the_peer(void **state) {
    (void)state;
    Program program = compare("size", "workload,n_or_load,op,best_gops,peer\n"
                                      "W1,1024,find_hit,12.5,some\nW1,2048,find_hit,99,some\n"
                                      "W4,1024,find_miss,99,some\n");
    assert_non_null(strstr(program.output, "of peer 12.50 (find hit)"));
    /* That would be 1024 keys in 82 ns, so the rows with that peer are told to be behind it. */
    assert_non_null(strstr(program.output, "rows that have a peer are behind it:\n"));
    assert_non_null(strstr(program.output, " of 12.50 (find hit): size, find hit, "));
    char *text = program_read(program_file(0, "rows.csv"));
    CsvLine line;
    for (const char *at = text + strlen(murbench_header); (at = csv_next(at, &line));) {
        const bool met = murbench_is(&line, COLUMN_OPERATION, "find hit");
        assert_true(fabs(murbench_figure(&line, COLUMN_PEER) - (met ? 12.5 : 0)) < 1e-6);
    }
    free(text);
    program_free(&program);
}

/* What rows of an operation must have beside them: 0: nothing. */
typedef struct Beside {
    const char *suite, *operation, *variant; /* a part of it */
    double load, peer;
    const char *does;
} Beside;

static void require_beside(const char *suites, const char *lines, const Beside *beside) {
    Program program = compare(suites, lines);
    char *text = program_read(program_file(0, "rows.csv"));
    CsvLine line;
    for (; beside->suite; ++beside) {
        size_t rows = 0;
        for (const char *at = text + strlen(murbench_header); (at = csv_next(at, &line));) {
            if (!murbench_is(&line, COLUMN_SUITE, beside->suite) ||
                !murbench_is(&line, COLUMN_OPERATION, beside->operation) ||
                !strstr(line.fields[COLUMN_VARIANT], beside->variant) ||
                fabs(murbench_figure(&line, COLUMN_LOAD) - beside->load) > 1e-3) {
                continue;
            }
            ++rows;
            if (fabs(murbench_figure(&line, COLUMN_PEER) - beside->peer) > 1e-3 ||
                !murbench_is(&line, COLUMN_PEER_DOES, beside->does)) {
                fail_msg("%s, %s: beside %s (%s), not %f (%s)", beside->suite, beside->operation,
                         line.fields[COLUMN_PEER], line.fields[COLUMN_PEER_DOES], beside->peer,
                         beside->does);
            }
        }
        assert_true(rows > 0);
    }
    free(text);
    program_free(&program);
}

/* Half into the other half is not an insert from empty; a build is a clear and an insert, by their
 * times, where the clear is known; retrieving counts first. */
void compare_adds_what_is_alike(void **state) {
    static const char lines[] =
        "workload,n_or_load,op,rate,peer\n"
        "W1,1024,insert,3,a\nW1,512,insert,4,a\nW1,1024,clear,6,b\n"
        "W3,1024,insert_half,5,a\nW3,512,insert_half,7,a\nW3,1024,erase_half,8,a\n"
        "W2,0.5,insert,1,a\nW2,0.9,insert,1.8,a\nW1,2048,clear,1,b\n"
        "W5,1024,mv_retrieve(per_value),9,a\nW5,1024,mv_count+retrieve(per_value),10,a\n"
        "W5,256,mv_count+retrieve(per_value),10,a\n";
    const Beside with[] = {
        {"size", "insert", "", 0.5, 3, "insert"},
        {"size", "insert half", "", 0.5, 5, "insert half beside the other half"},
        {"size", "erase half", "", 0.5, 8, "erase half, no statuses"},
        {"size", "find hit", "", 0.5, 0, ""},
        {"size", "build", "", 0.5, 2, "clear + insert"}, /* 1/3 + 1/6 */
        {"load", "build", "", 0.5, 0.5, "clear + insert"},
        {"load", "build", "", 0.9, 0.9, "clear + insert"}, /* 0.9/1.8 + 0.5/1, for 0.9 */
        {0},
    };
    const Beside many[] = {
        {"multi", "multi count + retrieve", ", 8 a key", 0.5, 10,
         "count + retrieve of keys and values"},
        {"multi", "multi count + retrieve", ", 256 a key", 0.5, 0, ""},
        {0},
    };
    const Beside without[] = {
        {"size", "build", "", 0.5, 3, "insert without the clear that a build is"},
        {"size", "insert half", "", 0.5, 0, ""},
        {0},
    };
    (void)state;
    require_beside("size,load", lines, with);
    require_beside("size", "W1,1024,insert,3,a\n", without);
    if (test_full()) { /* its kernels take long to compile */
        require_beside("multi", lines, many);
    }
}

/* Found out before anything is measured. */
void compare_wants_lines(void **state) {
    (void)state;
    char peers[256];
    snprintf(peers, sizeof peers, "%s", program_file(1, "peers.csv"));
    write_file(peers, "workload,n_or_load,op,rate,peer\n");
    const char *const args[] = {"--quick", "--suite", "memory", "--compare", peers, NULL};
    Program program = murbench_run(args, false);
    const char *newline = strchr(program.errors, '\n');
    assert_int_equal(program.status, EXIT_FAILURE);
    assert_non_null(strstr(program.errors, "it has no line workload,n_or_load,op,rate"));
    assert_true(newline && newline[1] == '\0' && !*program.output);
    program_free(&program);
}

/* ---- best-peers ----------------------------------------------------------------------------- */

static int best_peers(const char *files, char output[4096], size_t *length) {
    char command[1024];
    snprintf(command, sizeof command, "'" BENCH "/best-peers' %s 2>&1", files);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    *length = fread(output, 1, 4095, pipe);
    output[*length] = '\0';
    return pclose(pipe);
}

void best_peers_are_merged(void **state) {
    static const char raw[] =
        "peer,workload,n,load_factor,op,ms_median,gops,ms_min,capacity,round\n"
        "slow(default),W1,65536,0.5000,insert,0.020000,3.2768,0.009,131072,1\n"
        "fast,W1,65536,0.5000,insert,0.010000,6.5536,0.009,131072,1\n"
        "fast,W1,65536,0.5000,clear(slots),0.004000,32.7680,0.003,131072,1\n"
        "slow(default),W1,65536,0.5000,clear(slots),0.002000,65.5360,0.001,131072,1\n"
        "fast,W3,65536,0.5000,insert_half,0.010000,3.2768,0.009,131072,1\n"
        "liar,W1,65536,0.5000,insert,0.001000,65.5360,0.001,131072,1\n"
        "WRONG:liar,insert+find,65536,3,,,,,,1\n"
        "liar,W1,262144,0.5000,insert,0.020000,13.1072,0.020,524288,1\n"
        "bght.cht1,W2,26843545,0.8000,find_miss,0.5,50.0,0.5,33554432,1\n"
        "bght.cht1,W2,30198988,0.9000,find_miss,0.5,60.0,0.5,33554432,1\n"
        "fast,W2,30198988,0.9000,find_miss,2.5,12.0,2.5,33554432,1\n"
        "cuda,ceil,256,0,random CAS 64 (MiB),3.6,18.6,3.6,1,1\n";
    static const char own[] =
        "suite,operation,variant,state,format,pairs,capacity,load,ms,rate,unit\n"
        "cuda-size,insert,\"linear probing, 32-bit atomicCAS\",,,65536,131072,0.5000,0.01,7.5,G/s\n"
        "cuda-size,erase half,\"linear probing\",,,32768,131072,0.5000,0.01,2.5,G/s\n"
        "cuda-load,find miss,\"linear probing\",,,30198988,33554432,0.9000,0.01,2.5,G/s\n";
    static const char best[] = "workload,n_or_load,op,rate,peer\n"
                               "W1,65536,clear,32.7680,slow(default)\n"
                               "W1,65536,insert,7.5000,murbench-cuda\n"
                               "W1,262144,insert,13.1072,liar\n"
                               "W2,0.8,find_miss,50.0000,bght.cht1\n"
                               "W2,0.9,find_miss,12.0000,fast\n"
                               "W3,65536,erase_half,2.5000,murbench-cuda\n"
                               "W3,65536,insert_half,3.2768,fast\n";
    char first[256], second[256], files[600], output[4096];
    size_t length;
    (void)state;
    snprintf(first, sizeof first, "%s", program_file(0, "rows.csv"));
    snprintf(second, sizeof second, "%s", program_file(1, "peers.csv"));
    write_file(first, raw);
    write_file(second, own);
    snprintf(files, sizeof files, "'%s' '%s'", first, second);
    assert_int_equal(best_peers(files, output, &length), 0);
    assert_string_equal(output, best);
}

void best_peers_wants_rows(void **state) {
    char path[256], output[4096];
    size_t length;
    (void)state;
    snprintf(path, sizeof path, "%s", program_file(0, "rows.csv"));
    const char *const texts[] = {
        "a,b,c\n1,2,3\n",
        "peer,workload,n,load_factor,op,ms_median,gops,ms_min,capacity,round\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        write_file(path, texts[i]);
        assert_int_not_equal(best_peers(path, output, &length), 0);
        assert_true(strncmp(output, "best-peers: ", 12) == 0);
        assert_ptr_equal(strchr(output, '\n'), output + length - 1);
    }
    assert_int_not_equal(best_peers("/nonexistent/rows.csv", output, &length), 0);
    assert_int_not_equal(best_peers("", output, &length), 0);
    assert_int_equal(best_peers("--help", output, &length), 0);
}
