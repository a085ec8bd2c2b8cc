/* Tests of comparisons: compare, and best-peers, which creates the file for compare.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "murbench.h"
#include "support/seed.h"

#include <math.h>
#include <string.h>

/* ---- compare -------------------------------------------------------------------------------- */

/* Runs a script with two files of this run's folder. */
static Program run_script(const char *script, const char *first, const char *second) {
    Program program;
    programRun(script, (const char *const[]){first, second, NULL}, file_in("."), &program);
    return program;
}

/* Runs suites with 2^10 pairs, or 2^10 slots in suite load. Writes rows.csv with these peers. */
static void compare(const char *suites, const char *lines) {
    const char *const args[] = {"--quick",     "--suite", suites,  "--min-log2n",       "10",
                                "--max-log2n", "10",      "--csv", file_in("rows.csv"), NULL};
    fileWrite(file_in("peers.csv"), lines, strlen(lines));
    Program program = program_run("murbench", NULL, false, args);
    program_succeeded(&program);
    program = run_script(BENCH "/compare", file_in("peers.csv"), file_in("rows.csv"));
    program_succeeded(&program);
    fileWrite(file_in("rows.csv"), program.out, strlen(program.out));
}

/* The expected peer of an operation's rows. peer: its rate; 0: none. does: the peer's operation. */
typedef struct Beside {
    const char *suite, *operation, *variant; /* variant: part of it */
    double load, peer;
    const char *does;
    size_t rows;
} Beside;

static void check_beside(const CsvLine *line, void *user) {
    for (Beside *beside = user; beside->suite; ++beside) {
        if (row_is(line, "suite", beside->suite) && row_is(line, "operation", beside->operation) &&
            strstr(row_text(line, "variant"), beside->variant) &&
            fabs(row_figure(line, "load") - beside->load) < 1e-3 &&
            (!row_is(line, "suite", "size") || row_is(line, "format", "K32V32"))) {
            const double ratio = beside->peer > 0 ? row_figure(line, "rate") / beside->peer : 0;
            ++beside->rows;
            if (fabs(row_figure(line, "peer") - beside->peer) > 1e-3 ||
                fabs(row_figure(line, "of_peer") - ratio) > 1e-4 + 1e-3 * ratio ||
                !row_is(line, "peer_does", beside->does)) {
                ROW_FAIL(line, "%s of %s (%s), not %f of %f (%s)", row_text(line, "of_peer"),
                         row_text(line, "peer"), row_text(line, "peer_does"), ratio, beside->peer,
                         beside->does);
            }
        }
    }
}

static void require_beside(const char *suites, const char *lines, Beside *beside) {
    compare(suites, lines);
    (void)for_each_row(file_in("rows.csv"), check_beside, beside);
    for (; beside->suite; ++beside) {
        assert_true(beside->rows > 0);
    }
}

/* Inserts of half of the pairs into the other half have their own peer. A build's peer is the sum
 * of the times of a clear and an insert, if both are known. A retrieve's peer includes a count. */
BENCH_TEST(compare_adds_what_is_alike) {
    static const char lines[] =
        "workload,n_or_load,op,rate,peer\n"
        "W1,1024,insert,3,a\nW1,512,insert,4,a\n"
        "W3,1024,insert_half,5,a\nW3,512,insert_half,7,a\nW3,1024,erase_half,8,a\n"
        "W2,0.5,insert,1,a\nW2,0.9,insert,1.8,a\nW1,512,clear,1,b\n"
        "W5,1024,mv_retrieve(per_value),9,a\nW5,1024,mv_count+retrieve(per_value),10,a\n"
        "W5,256,mv_count+retrieve(per_value),10,a\n";
    Beside with[] = {
        {"size", "insert", "", 0.5, 3, "insert", 0},
        {"size", "insert half", "", 0.5, 5, "insert half beside the other half", 0},
        {"size", "erase half", "", 0.5, 8, "erase half, no statuses", 0},
        {"size", "find hit", "", 0.5, 0, "", 0},
        {"size", "build", "", 0.5, 3, "insert without the clear that a build is", 0},
        {"load", "build", "", 0.5, 0.5, "clear + insert", 0},
        {"load", "build", "", 0.9, 0.9, "clear + insert", 0}, /* 0.9/1.8 + 0.5/1, for 0.9 */
        {0},
    };
    Beside many[] = {
        {"multi", "multi count + retrieve", ", 8 a key", 0.5, 10,
         "count + retrieve of keys and values", 0},
        {"multi", "multi count + retrieve", ", 256 a key", 0.5, 0, "", 0},
        {0},
    };
    require_beside("size,load", lines, with);
    if (test_full()) { /* kernels of multi compile slowly */
        require_beside("multi", lines, many);
    }
}

BENCH_TEST(compare_wants_peers_and_rows) {
    static const char rows[] = "suite,operation,variant,rate\n", peers[] = "W1,1024,insert,3,a\n";
    static const char *const wrong[][2] = {
        {"/nonexistent.csv", "rows.csv"},  {"/dev/null", "rows.csv"},  {"rows.csv", "rows.csv"},
        {"peers.csv", "/nonexistent.csv"}, {"peers.csv", "/dev/null"}, {"peers.csv", "peers.csv"},
    };
    fileWrite(file_in("peers.csv"), peers, strlen(peers));
    fileWrite(file_in("rows.csv"), rows, strlen(rows));
    assert_int_equal(run_script(BENCH "/compare", "--help", NULL).status, 0);
    assert_int_equal(run_script(BENCH "/compare", "peers.csv", "rows.csv").status, 0);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        const Program program = run_script(BENCH "/compare", wrong[i][0], wrong[i][1]);
        assert_int_not_equal(program.status, 0);
        assert_int_equal(strncmp(program.error, "compare: ", 9), 0);
    }
}

/* ---- best-peers ----------------------------------------------------------------------------- */

static Program best_peers(const char *first, const char *second) {
    return run_script(BENCH "/best-peers", first, second);
}

BENCH_TEST(best_peers_are_merged) {
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
    fileWrite(file_in("rows.csv"), raw, strlen(raw));
    fileWrite(file_in("peers.csv"), own, strlen(own));
    const Program program = best_peers(file_in("rows.csv"), file_in("peers.csv"));
    program_succeeded(&program);
    assert_string_equal(program.out, best);
}

BENCH_TEST(best_peers_wants_rows) {
    static const char head[] =
        "peer,workload,n,load_factor,op,ms_median,gops,ms_min,capacity,round\n";
    const char *const wrong[] = {file_in("rows.csv"), file_in("peers.csv"), "/nonexistent.csv",
                                 NULL};
    fileWrite(wrong[0], "a,b,c\n1,2,3\n", 12);
    fileWrite(wrong[1], head, strlen(head));
    assert_int_equal(best_peers("--help", NULL).status, 0);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        const Program program = best_peers(wrong[i], NULL);
        assert_int_not_equal(program.status, 0);
        assert_true(i > 1 || strncmp(program.error, "best-peers: ", 12) == 0);
    }
}
