/* Scenes: commands with real tables and arrays, in one host-visible buffer.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_PLAN_SCENE_H
#define MUR_PLAN_SCENE_H

#include "support/gpu.h" /* must be first: selects the source of Vulkan */

#include "plan_case.h"

typedef enum SceneKeys {
    KEYS_DISTINCT,
    KEYS_FEW,      /* few keys, repeated so often that a partition's bin overflows */
    KEYS_ONE_HOME, /* distinct keys with one home slot, so that later keys are far from it */
    KEYS_LAST      /* a quarter of the keys has its home in the last slots */
} SceneKeys;

typedef struct SceneInfo {
    const char *name;
    Verb verb;
    Way way;
    uint32_t capacity;
    uint32_t filled; /* inserted keys of the table, or source; every fifth is erased */
    uint32_t count;  /* items of a batch, or capacity for results */
    uint32_t known;  /* number of items whose keys are present */
    uint32_t format;
    bool wide, zero;
    SceneKeys keys;
    MurInsertMode mode;
    bool exclusive, withoutResults, hasQueries;
    uint32_t sourceCapacity;
    bool newSeed;
    uint32_t flags;    /* flags of the table, or of the source if there is one */
    uint32_t words;    /* words of the array for value groups; 0: enough for all */
    bool ascending;    /* MUR_GROUP_ASCENDING: groups are sorted */
    uint32_t reserved; /* slots per bucket that an eviction keeps free */
    /* For pagers. resident: all pages are in the pool, which is also the store. several: the store
     * has several chunks. checkpoint: a checkpoint begins. replaces: the store has fewer pages than
     * the pager. */
    bool resident, several, hasFile, checkpoint, replaces;
    /* For paged tables. full: no free page is left for a split. inFrames: pages are in the pool. */
    bool full, inFrames;
} SceneInfo;

extern const SceneInfo scene_infos[];
extern const uint32_t scene_count;

typedef struct Scene {
    Gpu *gpu;
    const SceneInfo *info;
    MurBlocking blocking; /* NULL: commands are recorded but not executed; tables are empty */
    GpuBuffer memory;
    PlanCase test; /* arguments; their memory is in this buffer */
    MurTable table, source;
    MurPager pager;
    MurPagedTable paged;
} Scene;

/* Opens a scene with tables of this context, and sets the context's tuning to the scene's path. */
Scene scene_open(Gpu *gpu, MurContext context, MurBlocking blocking, const SceneInfo *info);
void scene_close(Scene *scene);

/* Returns the host's pointer to a device address of the scene, or NULL for address 0. */
void *scene_at(const Scene *scene, uint64_t address);
/* Returns the bytes of the buffer that are in use. */
uint64_t scene_size(const Scene *scene);

/* Records the scene's command. */
VkResult scene_record(const Scene *scene, VkCommandBuffer cmd);

/* For scene.c and scene_pages.c. Reserves more memory for the case. */
MurBufferRange scene_place(Scene *scene, uint64_t bytes);
void scene_set_word(const Scene *scene, uint64_t address, uint32_t word);
/* Creates and fills the scene's pager or paged table, and reserves its command's arrays. */
void scene_open_pages(Scene *scene, MurContext context);

#endif
