/* Frames in which a share of the keys gives way to fresh ones, each followed by a reclaim: nothing
 * is lost, doubled or told MUR_FULL, however long it goes on. On the host twin; a few on the
 * device.
 *
 *     reclaim_churn_test                     the tests
 *     reclaim_churn_test FRAMES CSV          loads of 0.5 to 0.8 for so many frames, and shares of
 *                                            slots and the mean probe over time into a file
 *
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "reclaim.h"

#include "support/seed.h"

#include <murmuration/host.h>

#include <stdio.h>
#include <stdlib.h>

/* A table on the host, and the keys that should be there. */
typedef struct Stream {
    MurHostTable table;
    void *image;
    uint64_t *keys;
    uint32_t count, capacity;
    uint64_t next; /* fresh keys are numbered */
    Random random;
} Stream;

static Stream stream_open(const Kind *kind, uint32_t capacity, uint32_t load, uint64_t seed) {
    Stream stream = {.count = (uint32_t)((uint64_t)capacity * load / 100),
                     .capacity = capacity,
                     .random = {seed}};
    const MurTableCreateInfo info = {
        .capacity = capacity,
        .seed = (uint32_t)random_next(&stream.random),
        .reservedValue = kind->zero ? MUR_RESERVED_VALUE_ZERO : MUR_RESERVED_VALUE_MAX,
        .atomicWidth = kind->width,
        .format = kind->format,
    };
    uint64_t size;
    gpu_require(murHostGetImageSize(&info, &size));
    assert_int_equal(posix_memalign(&stream.image, 64, (size_t)size), 0);
    gpu_require(murHostCreate(&info, stream.image, size, &stream.table));
    stream.keys = calloc(stream.count, sizeof *stream.keys);
    assert_non_null(stream.keys);
    return stream;
}

static void stream_close(Stream *stream) {
    free(stream->image);
    free(stream->keys);
}

static void insert_fresh(Stream *stream, uint32_t i) {
    stream->keys[i] = stream->next++ * 0x9E3779B1u & UINT32_MAX; /* 2^32 different ones */
    const MurHostResult told = murHostInsert(&stream->table, MUR_MODE_KEEP, stream->keys[i],
                                             1 + stream->keys[i] % 1000);
    assert_int_equal(told.status, MUR_INSERTED);
}

static void stream_fill(Stream *stream) {
    for (uint32_t i = 0; i < stream->count; ++i) {
        insert_fresh(stream, i);
    }
}

/* share: in hundredths, of the keys. */
static void stream_frame(Stream *stream, uint32_t share) {
    const uint32_t changed = (uint32_t)((uint64_t)stream->count * share / 100);
    for (uint32_t i = 0; i < changed; ++i) { /* the first ones give way */
        const uint32_t other = i + random_below(&stream->random, stream->count - i);
        const uint64_t key = stream->keys[other];
        stream->keys[other] = stream->keys[i];
        assert_int_equal(murHostErase(&stream->table, key).status, MUR_ERASED);
    }
    murHostReclaim(&stream->table, 0, NULL, NULL);
    for (uint32_t i = 0; i < changed; ++i) {
        insert_fresh(stream, i);
    }
}

static View stream_view(const Stream *stream) {
    return view_of(&stream->table.ref, stream->image);
}

/* Every key is there, and nothing else: no key twice. */
static void stream_check(const Stream *stream) {
    const View view = stream_view(stream);
    const char *wrong = view_wrong(&view);
    if (wrong) {
        fail_msg("%s", wrong);
    }
    MurStats stats;
    murHostStats(&stream->table, &stats);
    assert_int_equal(stats.live, stream->count);
    assert_int_equal(stats.full, 0);
    for (uint32_t i = 0; i < stream->count; ++i) {
        assert_int_equal(murHostFind(&stream->table, stream->keys[i]).status, MUR_FOUND);
        assert_int_equal(murHostInsert(&stream->table, MUR_MODE_KEEP, stream->keys[i], 1).status,
                         MUR_EXISTED);
    }
}

static void keys_come_and_go_on_the_host(void **state) {
    (void)state;
    for (uint32_t i = 0; i < KINDS; ++i) {
        Stream stream = stream_open(&kinds[i], 1500, 60, test_seed(0xC4C41) + i);
        stream_fill(&stream);
        for (uint32_t frame = 0; frame < 200; ++frame) {
            stream_frame(&stream, 30);
            if (frame % 20 == 0) {
                stream_check(&stream);
            }
        }
        stream_check(&stream);
        const View view = stream_view(&stream);
        assert_int_not_equal(view_count(&view, SLOT_HOLE), 0);
        assert_true(view_count(&view, SLOT_FREE) > 1500 / 20);
        stream_close(&stream);
    }
}

/* The same keys may come back here; the model says what each word must be. */
static void keys_come_and_go_on_the_device(void **state) {
    for (uint32_t i = 0; i < KINDS; ++i) {
        const ChurnOptions options = {
            .capacity = 600, .seed = test_seed(0xC4C42) + i, .items = 3600};
        Churn churn;
        churn_open(*state, &churn, &kinds[i], &options);
        churn_insert(&churn, some_absent, 10);
        for (uint32_t frame = 0; frame < 12; ++frame) {
            churn_erase(&churn, some_present, 30);
            churn_reclaim(&churn);
            assert_int_equal(view_count(&churn.view, SLOT_ERASED), 0);
            gpu_take(churn.gpu, frame % 2 ? WAY_HOME_FIRST : WAY_DIRECT);
            churn_insert(&churn, some_absent, 3);
            churn_check(&churn);
        }
        gpu_take(churn.gpu, WAY_DEFAULT);
        assert_int_not_equal(view_count(&churn.view, SLOT_HOLE), 0);
        assert_int_equal(churn.full, 0);
        churn_close(&churn);
    }
}

/* ---- Figures -------------------------------------------------------------------------------- */

static void print_row(FILE *csv, const Stream *stream, uint32_t load, uint32_t frame) {
    const View view = stream_view(stream);
    const double slots = view.slotCount;
    MurStats stats;
    murHostStats(&stream->table, &stats);
    fprintf(csv, "%u,%u,%.4f,%.4f,%.4f,%.4f,%.3f,%u,%llu\n", load, frame,
            view_count(&view, SLOT_FREE) / slots, view_count(&view, SLOT_ERASED) / slots,
            view_count(&view, SLOT_HOLE) / slots, view_count(&view, SLOT_LIVE) / slots,
            (double)stats.probeSum / stats.live, stats.probeMax, (unsigned long long)stats.full);
}

static void measure(FILE *csv, uint32_t frames) {
    enum { CAPACITY = 20000 };
    fprintf(csv, "load,frame,free,erased,hole,live,mean_probe,longest_probe,full\n");
    for (uint32_t load = 50; load <= 80; load += 10) {
        Stream stream = stream_open(&kinds[1], CAPACITY, load, load);
        stream_fill(&stream);
        for (uint32_t frame = 0; frame <= frames; ++frame) {
            if (frame % (frames / 100 + 1) == 0 || frame == frames) {
                print_row(csv, &stream, load, frame);
                stream_check(&stream);
            }
            stream_frame(&stream, 30);
        }
        stream_close(&stream);
    }
}

static const char *const *arguments;

static void figures(void **state) {
    (void)state;
    FILE *csv = fopen(arguments[2], "w");
    assert_non_null(csv);
    measure(csv, (uint32_t)strtoul(arguments[1], NULL, 10));
    assert_int_equal(fclose(csv), 0);
}

int main(int argc, char **argv) {
    arguments = (const char *const *)argv;
    if (argc == 3) {
        const struct CMUnitTest tests[] = {cmocka_unit_test(figures)};
        return cmocka_run_group_tests_name("reclaim_figures", tests, NULL, NULL);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_come_and_go_on_the_host),
        gpu_test(keys_come_and_go_on_the_device),
    };
    return cmocka_run_group_tests_name("reclaim_churn", tests, gpu_group_setup, gpu_group_teardown);
}
