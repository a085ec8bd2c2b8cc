/* Commands with real tables and arrays, all in one buffer that the host sees.
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
    uint32_t capacity;
    uint32_t filled; /* keys in the table before, or in the source; every fifth is erased again */
    uint32_t count;  /* items, or room for results */
    uint32_t known;  /* of the items' keys, the first so many were there before */
    uint32_t format;
    bool wide, zero;
    SceneKeys keys;
    MurInsertMode mode;
    bool exclusive, withoutResults, hasQueries;
    uint32_t sourceCapacity;
    bool newSeed;
    uint32_t flags; /* of the table, or of the source */
    uint32_t words; /* of groups; 0: as many as are always enough */
    /* Of pagers: pages are where they are stored; the store has several chunks; there is a file,
     * and a checkpoint begins. */
    bool resident, several, hasFile, checkpoint;
    /* Of paged tables: there is no page for one that is full; its pages are in frames. */
    bool full, inFrames;
} SceneInfo;

extern const SceneInfo scene_infos[];
extern const uint32_t scene_count;

typedef struct Scene {
    Gpu *gpu;
    const SceneInfo *info;
    MurBlocking blocking; /* NULL: the command is recorded only; tables hold nothing */
    GpuBuffer memory;
    PlanCase test; /* its memory is part of that buffer */
    MurTable table, source;
    MurPager pager;
    MurPagedTable paged;
} Scene;

/* With tables of this context, which takes the scene's way from now on. */
Scene scene_open(Gpu *gpu, MurContext context, MurBlocking blocking, const SceneInfo *info);
void scene_close(Scene *scene);

/* The host's pointer to an address; NULL for 0. */
void *scene_at(const Scene *scene, uint64_t address);
/* The part of the buffer that is used, from its start. */
uint64_t scene_size(const Scene *scene);

/* Records the command itself. */
VkResult scene_record(const Scene *scene, VkCommandBuffer cmd);

/* Of scene.c and scene_pages.c. More memory of the case. */
MurBufferRange scene_place(Scene *scene, uint64_t bytes);
void scene_set_word(const Scene *scene, uint64_t address, uint32_t word);
/* Makes the pager and the paged table, fills them, and gives the command its arrays. */
void scene_open_pages(Scene *scene, MurContext context);

#endif
