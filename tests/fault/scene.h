/* The operations that can fail, and their prerequisites.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_SCENE_H
#define MUR_TEST_SCENE_H

#include "support/observe.h"

#include <murmuration/growable.h>
#include <murmuration/mirror.h>
#include <murmuration/paged.h>

enum { SCENE_COUNT = 64 };

/* A scene is the objects of a run: an observed context and, as the operation requires, a helper, a
 * table, a pager, a paged table, and host arrays. */
typedef struct Scene {
    Observed observed;
    MurContextCreateInfo info;
    MurTable table;
    MurPager pager;
    MurPagedTable paged;
    MurGrowable growable;
    MurMirror mirror;
    uint32_t keys[SCENE_COUNT];
    uint32_t values[SCENE_COUNT];
    struct {
        uint32_t arrays[3][SCENE_COUNT]; /* values, statuses, slots */
        uint32_t count;
        MurStats stats;
    } out; /* result arrays, overwritten before each run */
} Scene;

typedef struct Operation {
    const char *name;
    void (*prepare)(Scene *scene); /* optional; prepares a scene */
    VkResult (*run)(Scene *scene);
    void (*check)(const Scene *scene); /* optional; checks the results of a successful run */
    void (*undo)(Scene *scene);        /* destroys the objects of a run */
    void *(*creates)(Scene *scene);    /* the handle that run creates, if any */
    bool makesContext;                 /* run creates the context itself */
    bool makesPipelines;               /* run creates all pipelines of a table */
    uint32_t faults;                   /* calls that can fail in one run; two per pipeline */
} Operation;

extern const Operation create_context, create_context_of_two_families, prepare_pipelines,
    create_table, create_pager, create_paged_table, create_growable, create_mirror, create_blocking,
    blocking_clear, blocking_insert, blocking_find, blocking_erase, blocking_extract,
    blocking_stats;

/* Prepares a scene for runs. scene_end fails the test if any object is left. */
void scene_begin(Scene *scene, Gpu *gpu, const Operation *operation);
void scene_end(Scene *scene);

/* Restores the table content that the blocking calls expect, if there is a table. */
void scene_refill(Scene *scene);

void scene_poison(Scene *scene);
/* Fails the test if the host arrays changed after scene_poison. */
void scene_expect_untouched(const Scene *scene, const char *what);

#endif
