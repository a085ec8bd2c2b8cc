/* Commands with real tables and arrays, in one host-visible buffer.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_PLAN_SCENE_H
#define MUR_PLAN_SCENE_H

#include "support/gpu.h" /* first: selects the source of Vulkan */

#include "plan_case.h"

typedef enum SceneKeys {
    KEYS_DISTINCT,
    KEYS_FEW,      /* each many times: too many for one partition's bin */
    KEYS_ONE_HOME, /* distinct, with one home slot: far from home in the end */
    KEYS_LAST      /* a quarter with homes in the last slots */
} SceneKeys;

typedef struct SceneInfo {
    const char *name;
    Verb verb;
    Way way;
    uint32_t capacity;
    uint32_t filled; /* initial keys of the table or source; every fifth is erased again */
    uint32_t count;  /* items, or capacity for results */
    uint32_t known;  /* number of the items' keys that were present */
    uint32_t format;
    bool wide, zero;
    SceneKeys keys;
    MurInsertMode mode;
    bool exclusive, withoutResults, hasQueries;
    uint32_t sourceCapacity;
    bool newSeed;
    uint32_t flags;    /* of the table, or of the source */
    uint32_t words;    /* of groups; 0: always enough */
    bool ascending;    /* their values */
    uint32_t reserved; /* slots of a bucket */
    /* For pagers: pages stay in the store; the store has several chunks; there is a file, and a
     * checkpoint begins. */
    bool resident, several, hasFile, checkpoint;
    /* For paged tables: a full page finds no free page; pages are in the pool. */
    bool full, inFrames;
} SceneInfo;

extern const SceneInfo scene_infos[];
extern const uint32_t scene_count;

typedef struct Scene {
    Gpu *gpu;
    const SceneInfo *info;
    MurBlocking blocking; /* NULL: the command is only recorded; tables are empty */
    GpuBuffer memory;
    PlanCase test; /* its memory is part of that buffer */
    MurTable table, source;
    MurPager pager;
    MurPagedTable paged;
} Scene;

/* Opens a scene with tables of this context, which uses the scene's path from now on. */
Scene scene_open(Gpu *gpu, MurContext context, MurBlocking blocking, const SceneInfo *info);
void scene_close(Scene *scene);

/* Returns the host's pointer to an address; NULL for 0. */
void *scene_at(const Scene *scene, uint64_t address);
/* Returns the used size of the buffer. */
uint64_t scene_size(const Scene *scene);

/* Records the command itself. */
VkResult scene_record(const Scene *scene, VkCommandBuffer cmd);

/* For scene.c and scene_pages.c: returns additional memory of the case. */
MurBufferRange scene_place(Scene *scene, uint64_t bytes);
void scene_set_word(const Scene *scene, uint64_t address, uint32_t word);
/* Creates and fills the pager and the paged table, and gives the command its arrays. */
void scene_open_pages(Scene *scene, MurContext context);

#endif
