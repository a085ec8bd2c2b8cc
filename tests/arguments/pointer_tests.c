/* Calls of blocking.h without a required pointer, or with a table of another device. Each is
 * rejected before the helper submits.
 * SPDX-License-Identifier: MIT */
#include "arguments.h"

typedef struct Pointer {
    void *right;
    const char *text; /* a part of the error message; NULL: no message */
    void *wrong;      /* another pointer that the call must reject, or NULL */
} Pointer;

/* Checks that a call is rejected before the helper submits its own command buffer. */
#define REJECTED(call, first, second)                                                             \
    do {                                                                                          \
        const VkResult rejected = call;                                                           \
        expect_rejected(scene, rejected, MUR_ERROR_INVALID_ARGUMENT, interpose_recorded(), first, \
                        second, #call);                                                           \
        assert_int_equal(interpose_calls(ON_vkQueueSubmit), 0);                                   \
    } while (0)

/* Makes the call repeatedly. Each time, one of the pointers in p is NULL or `wrong`. */
#define POINTERS(call, ...)                                                       \
    do {                                                                          \
        const Pointer list[] = {__VA_ARGS__};                                     \
        const size_t count = sizeof list / sizeof list[0];                        \
        for (size_t i = 0; i < 2 * count; ++i) {                                  \
            for (size_t j = 0; j < count; ++j) {                                  \
                p[j] = j != i / 2 ? list[j].right : i % 2 ? list[j].wrong : NULL; \
            }                                                                     \
            REJECTED(call, list[i / 2].text, p[i / 2] ? "another device" : "");   \
        }                                                                         \
    } while (0)

SCENE_CASE(blocking_calls_without_pointers_are_rejected) {
    void *p[4];
    uint32_t words[2] = {1, 2}, out[2] = {9, 9}, counted = 8;
    uint8_t image[64];
    MurStats stats;
    MurPredicate where[MUR_MAX_PREDICATES + 1] = {{0}};
    Gpu second;
    MurTable far;
    gpu_open_second(&scene->gpu, &second);
    gpu_require(murCreateTable(second.context, &(MurTableCreateInfo){.capacity = 10}, &far));
    const MurBlocking blocking = scene->observed.blocking;
    const MurTable here = scene->objects[K32V32].handle;
    const Pointer helper = {blocking, NULL, NULL}, table = {here, "table", far};
    const Pointer keys = {words, "keys", NULL}, values = {words, "values", NULL};
    const Pointer found = {out, "values", NULL}, predicates = {where, "pPredicates", NULL};
    const Pointer counts = {&counted, "pCount", NULL}, bytes = {image, "pImage", NULL};
    POINTERS(murBlockingClear(p[0], p[1]), helper, table);
    POINTERS(murBlockingInsert(p[0], p[1], MUR_MODE_INSERT, 2, p[2], p[3], out, out), helper, table,
             keys, values);
    POINTERS(murBlockingFind(p[0], p[1], 2, p[2], p[3], NULL, NULL), helper, table, keys, found);
    POINTERS(murBlockingErase(p[0], p[1], 2, p[2], NULL, out, NULL), helper, table, keys);
    POINTERS(murBlockingExtract(p[0], p[1], 1, p[2], 2, out, NULL, NULL, p[3]), helper, table,
             predicates, counts);
    POINTERS(murBlockingEraseWhere(p[0], p[1], 1, p[2], 2, out, NULL, NULL, p[3]), helper, table,
             predicates, counts);
    POINTERS(murBlockingStats(p[0], p[1], p[2]), helper, table, {&stats, "pStats", NULL});
    POINTERS(murBlockingDownload(p[0], p[1], p[2], sizeof image), helper, table, bytes);
    POINTERS(murBlockingUpload(p[0], p[1], p[2], sizeof image), helper, table, bytes);
    assert_true(out[0] == 9 && out[1] == 9 && counted == 8);
    murDestroyTable(far);
    gpu_close_device(&second);
}

SCENE_CASE(blocking_calls_with_bad_values_are_rejected) {
    uint32_t words[2] = {1, 2}, count = 8;
    MurPredicate where[MUR_MAX_PREDICATES + 1] = {{.compare = 9}};
    const MurBlocking blocking = scene->observed.blocking;
    const MurTable here = scene->objects[K32V32].handle;
    const uint64_t less = murGetTableMemory(here).size - 1;
    REJECTED(murBlockingInsert(blocking, here, (MurInsertMode)17, 2, words, words, NULL, NULL),
             "mode", "");
    REJECTED(murBlockingDownload(blocking, here, words, less), "size", "");
    REJECTED(murBlockingUpload(blocking, here, words, less), "size", "");
    REJECTED(murBlockingExtract(blocking, here, 1, where, 2, words, NULL, NULL, &count),
             "predicates[0].compare", "");
    REJECTED(murBlockingExtract(blocking, here, MUR_MAX_PREDICATES + 1, where, 2, words, NULL, NULL,
                                &count),
             "predicateCount", "");
    assert_int_equal(count, 8);
}
