/* Commands with real tables and arrays, all in memory that the host sees.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_PLAN_SCENE_H
#define MUR_PLAN_SCENE_H

#include "support/gpu.h" /* first: it says where Vulkan comes from */

#include "plan_case.h"

typedef enum SceneKeys {
    KEYS_DISTINCT,
    KEYS_FEW,      /* each many times: too many for one slice's bin */
    KEYS_ONE_HOME, /* distinct, with one home slot: far from it in the end */
    KEYS_LAST      /* a quarter of them with homes in the last slots */
} SceneKeys;

typedef struct SceneInfo {
    const char *name;
    Verb verb;
    Way way;
    uint32_t format;
    bool wide, zero;
    uint32_t capacity;
    uint32_t filled; /* keys in the table before, or in the source; every fifth is erased again */
    uint32_t count;  /* items, or room for results */
    uint32_t known;  /* of the items' keys, the first so many were there before */
    SceneKeys keys;
    MurInsertMode mode;
    bool exclusive, withoutResults;
    uint32_t sourceCapacity;
    bool newSeed, withoutMap;
    uint32_t flags; /* of the table, or of the source */
    /* Pagers: nothing moves; several chunks. Paged tables: there is no page for one that is full;
     * what there is, is in frames. */
    bool resident, several;
    bool hasFile, checkpoint; /* the latter only with a file */
    uint32_t pagesVerb;
    bool builds;    /* paged batches */
    uint32_t words; /* of groups; 0: as many as are always enough */
} SceneInfo;

extern const SceneInfo scene_infos[];
extern const uint32_t scene_count;

/* What a command is given lies in a buffer each, with a margin behind it. */
enum { SCENE_MARGIN = 256 };
typedef struct Scene {
    Gpu *gpu;
    const SceneInfo *info;
    PlanCase test;
    MurTable table, source;
    MurPager pager;
    MurPagedTable paged;
    GpuBuffer buffers[CASE_MEMORY]; /* as case_memory() numbers them */
    Memory memory[CASE_MEMORY];
    uint32_t memoryCount;
    bool bare; /* it is recorded only: what tables hold does not matter */
} Scene;

/* With tables of this context, which takes the scene's way from now on. blocking NULL: bare. */
Scene scene_open(Gpu *gpu, MurContext context, MurBlocking blocking, const SceneInfo *info);
void scene_close(Scene *scene);

/* Records the command itself. */
VkResult scene_record(Scene *scene, VkCommandBuffer cmd);
/* What the library says it would like to be lent for the command. */
VkDeviceSize scene_scratch(const Scene *scene);

/* Of scene.c, scene_pages.c and scene_kinds.c. Memory for the command, of so many bytes. */
MurArray scene_give(Scene *scene, uint64_t size);
void scene_fill_rows(Scene *scene, MurBlocking blocking, MurTable table);
void scene_give_rows(Scene *scene);
void scene_give_age(Scene *scene);
void scene_give_pager(Scene *scene, MurContext context);
void scene_give_paged(Scene *scene, MurContext context);

#endif
