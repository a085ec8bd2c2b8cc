/* The operations that can fail, each with what it needs to have before it.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_SCENE_H
#define MUR_TEST_SCENE_H

#include "support/observe.h"

#include <murmuration/growable.h>
#include <murmuration/paged.h>

enum { SCENE_COUNT = 64 };

/* What a run has to work with: an observed context and, as far as the operation needs them, a
 * helper, a table, a pager, a table in its pages, and host arrays. */
typedef struct Scene {
    Observed observed;
    MurContextCreateInfo info;
    MurTable table;
    MurPager pager;
    MurPagedTable paged;
    MurGrowable growable;
    uint32_t keys[SCENE_COUNT];
    uint32_t values[SCENE_COUNT];
    struct {
        uint32_t arrays[3][SCENE_COUNT]; /* values, statuses, slots */
        uint32_t count;
        MurStats stats;
    } out; /* poisoned before each run */
} Scene;

typedef struct Operation {
    const char *name;
    void (*prepare)(Scene *scene); /* once a scene; NULL: nothing */
    VkResult (*run)(Scene *scene);
    void (*check)(
        const Scene *scene);        /* what a run that succeeded has done; NULL: nothing to see */
    void (*undo)(Scene *scene);     /* what a run has made, so that the next starts afresh */
    void *(*creates)(Scene *scene); /* the handle that run makes, if it makes one */
    bool makesContext;              /* run makes the context itself */
    bool makesPipelines;            /* all that a table needs */
    uint32_t faults;                /* calls that can fail in one run; of pipelines, two each */
} Operation;

extern const Operation create_context, create_context_of_two_families, prepare_pipelines,
    create_table, create_pager, create_paged_table, create_growable, create_blocking,
    blocking_clear, blocking_insert, blocking_find, blocking_erase, blocking_extract,
    blocking_stats;

/* A scene ready for a run. Ending it fails the test if anything was left behind. */
void scene_begin(Scene *scene, Gpu *gpu, const Operation *operation);
void scene_end(Scene *scene);

/* Brings the table's content back to what the blocking calls expect, if there is a table. */
void scene_refill(Scene *scene);

void scene_poison(Scene *scene);
/* Fails the test unless the host arrays are as scene_poison left them. */
void scene_expect_untouched(const Scene *scene, const char *what);

#endif
