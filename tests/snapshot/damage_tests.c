/* Snapshots that are truncated, changed, foreign or of a future version, and snapshots with valid
 * checksums but impossible content. Each returns an error and leaves the destination table
 * unchanged.
 * SPDX-License-Identifier: MIT */
#include "snapshot_test.h"

#include <stdlib.h>
#include <string.h>

/* A table into which loading must fail, and a copy of its memory. Loading has two paths, so there
 * are two targets: one with the description of the saved table, and another one. */
typedef struct Target {
    Image image;
    uint8_t *before;
} Target;

typedef struct Scene {
    Image source;
    Bytes bytes;
    uint32_t none; /* the table's empty value */
    Target targets[2];
} Scene;

static Target open_target(const MurTableCreateInfo *info) {
    Target target = {image_open(info), malloc(4096)};
    assert_non_null(target.before);
    assert_true(target.image.size <= 4096);
    murHostInsert(&target.image.table, MUR_MODE_ASSIGN, 5, 6);
    memcpy(target.before, target.image.table.pImage, (size_t)target.image.size);
    return target;
}

/* Opens a scene (snapshot and targets) whose table has 12 slots: consecutive hashes with home 0,
 * and a hash of the last home that wraps. */
static Scene open_scene(int kind) {
    MurTableCreateInfo info = kind_info(&table_kinds[kind], 5);
    Scene scene = {.source = image_open(&info), .none = kind & 1 ? 0 : UINT32_MAX};
    for (uint32_t i = 0; i < 3; ++i) {
        murHostInsert(&scene.source.table, MUR_MODE_ASSIGN, mur_key(0x10000000 + i, 0), i + 1);
    }
    murHostErase(&scene.source.table, mur_key(0x10000001, 0));
    murHostInsert(&scene.source.table, MUR_MODE_ASSIGN, mur_key(MUR_EMPTY, 0), 9);
    scene.bytes = bytes_of(&scene.source.table);
    scene.targets[0] = open_target(&info);
    info.capacity = 40;
    scene.targets[1] = open_target(&info);
    return scene;
}

static void close_scene(Scene *scene) {
    for (int i = 0; i < 2; ++i) {
        image_close(&scene->targets[i].image);
        free(scene->targets[i].before);
    }
    bytes_free(&scene->bytes);
    image_close(&scene->source);
}

/* Requires that both targets reject the first `size` bytes of a snapshot. The test puts them into
 * memory of this size. */
static void refused(Scene *scene, const uint8_t *data, size_t size, VkResult expected,
                    const char *what, size_t where) {
    uint8_t *exact = test_allocate(size ? size : 1);
    memcpy(exact, data, size);
    for (int i = 0; i < 2; ++i) {
        const Target *target = &scene->targets[i];
        const VkResult result = murLoadSnapshotFromMemory(exact, size, &target->image.table);
        if (result != expected) {
            fail_msg("%s %zu, target %d: %s, not %s", what, where, i, murResultName(result),
                     murResultName(expected));
        }
        if (memcmp(target->before, target->image.table.pImage, (size_t)target->image.size) != 0) {
            fail_msg("%s %zu: target %d has changed", what, where, i);
        }
    }
    free(exact);
}

static void loads(Scene *scene, const char *what) {
    const MurTableCreateInfo info = {.capacity = 40};
    Image image = image_open(&info);
    const VkResult result = murLoadSnapshotFromMemory(scene->bytes.data, scene->bytes.size,
                                                      &image.table);
    if (result != VK_SUCCESS) {
        fail_msg("%s: %s", what, murResultName(result));
    }
    image_close(&image);
}

/* A case with a scene of this table type. */
#define SCENE_CASE(name, kind)           \
    static void name##_of(Scene *scene); \
    PLAIN_TEST(name) {                   \
        Scene scene = open_scene(kind);  \
        name##_of(&scene);               \
        close_scene(&scene);             \
    }                                    \
    static void name##_of(Scene *scene)

/* Requires that the scene's snapshot is rejected with this error. */
static void bad(Scene *scene, VkResult expected, const char *what, size_t where) {
    refused(scene, scene->bytes.data, scene->bytes.size, expected, what, where);
}

/* Changes a word of the scene's snapshot, and corrects the checksums. */
static void put(Scene *scene, size_t at, uint32_t word) {
    bytes_set(&scene->bytes, at, word);
    seal(scene->bytes.data, scene->bytes.size);
}

SCENE_CASE(truncated_snapshots_are_rejected, 0) {
    for (size_t size = 0; size < scene->bytes.size; ++size) {
        refused(scene, scene->bytes.data, size, MUR_ERROR_CORRUPT, "size", size);
        MurSnapshotInfo info;
        assert_int_equal(murReadSnapshotInfoFromMemory(scene->bytes.data, size, &info),
                         size < SLOTS ? MUR_ERROR_CORRUPT : VK_SUCCESS);
    }
}

SCENE_CASE(longer_snapshot_is_rejected, 0) {
    uint8_t longer[1024] = {0};
    memcpy(longer, scene->bytes.data, scene->bytes.size);
    refused(scene, longer, scene->bytes.size + 1, MUR_ERROR_CORRUPT, "one byte more", 0);
    refused(scene, longer, sizeof longer, MUR_ERROR_CORRUPT, "many bytes more", 0);
}

SCENE_CASE(every_changed_bit_is_detected, 1) {
    for (size_t bit = 0; bit < 8 * scene->bytes.size; ++bit) {
        scene->bytes.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        const bool version = bit / 8 >= 8 && bit / 8 < 12;
        bad(scene, version ? MUR_ERROR_VERSION : MUR_ERROR_CORRUPT, "bit", bit);
        scene->bytes.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    loads(scene, "unchanged");
}

SCENE_CASE(other_versions_are_reported, 0) {
    bytes_set(&scene->bytes, 8, 2);
    bad(scene, MUR_ERROR_VERSION, "version", 2);
    seal(scene->bytes.data, scene->bytes.size);
    bad(scene, MUR_ERROR_VERSION, "version", 2);
    bytes_set(&scene->bytes, 8, 0);
    bad(scene, MUR_ERROR_VERSION, "version", 0);
    bytes_set(&scene->bytes, 8, 1);
    for (uint32_t layout = MUR_LAYOUT_VERSION - 1; layout <= MUR_LAYOUT_VERSION + 1; layout += 2) {
        MurSnapshotInfo info;
        put(scene, HEAD + 4 * MUR_HEADER_VERSION, layout);
        bad(scene, MUR_ERROR_VERSION, "layout", layout);
        assert_int_equal(murReadSnapshotInfoFromMemory(scene->bytes.data, scene->bytes.size, &info),
                         MUR_ERROR_VERSION);
    }
    put(scene, HEAD + 4 * MUR_HEADER_VERSION, MUR_LAYOUT_VERSION);
    loads(scene, "this version");
}

/* ---- Changes with correct checksums --------------------------------------------------------- */

/* Changes of words, after which the checksums are corrected. If `loads` is true, loading may
 * succeed; otherwise it must reject the snapshot. */
typedef struct Change {
    const char *what;
    struct {
        size_t at; /* offset in the snapshot; 0: no change */
        uint32_t word;
    } words[3];
    bool loads;
} Change;
#define REFUSED(what, ...) \
    { what, {__VA_ARGS__}, false }
#define LOADS(what, ...) \
    { what, {__VA_ARGS__}, true }
#define AT_HEADER(word) (HEAD + 4 * MUR_HEADER_##word)

static void judge_changes(Scene *scene, const Change *changes, size_t count) {
    const Bytes unchanged = scene->bytes;
    loads(scene, "unchanged");
    for (size_t i = 0; i < count; ++i) {
        scene->bytes.data = test_allocate(unchanged.size);
        memcpy(scene->bytes.data, unchanged.data, unchanged.size);
        for (size_t j = 0; j < 3 && changes[i].words[j].at; ++j) {
            const size_t at = changes[i].words[j].at;
            const uint32_t word = changes[i].words[j].word;
            const bool none = word == UINT32_MAX && at % 8 == 4; /* stands for the empty value */
            put(scene, at, none ? scene->none : word);
        }
        assert_memory_not_equal(scene->bytes.data, unchanged.data, unchanged.size);
        if (changes[i].loads) {
            loads(scene, changes[i].what);
        } else {
            bad(scene, MUR_ERROR_CORRUPT, changes[i].what, i);
        }
        bytes_free(&scene->bytes);
        scene->bytes = unchanged;
    }
}
#define JUDGE(scene, ...)                                                  \
    do {                                                                   \
        const Change changes[] = {__VA_ARGS__};                            \
        judge_changes(scene, changes, sizeof changes / sizeof changes[0]); \
    } while (0)

PLAIN_TEST(inconsistent_content_with_valid_checksums_is_rejected) {
    for (int kind = 0; kind < KINDS_OF_K32V32; ++kind) {
        Scene scene = open_scene(kind);
        JUDGE(&scene, REFUSED("image size", {16, 256 + 8 * 16}),
              REFUSED("image size beyond 4 GiB", {20, 1}), REFUSED("count of entries", {24, 4}),
              REFUSED("high word of the count of entries", {28, 1}),
              REFUSED("magic of the image", {HEAD, 0}),
              REFUSED("capacity", {AT_HEADER(CAPACITY), 20}),
              REFUSED("no capacity", {AT_HEADER(CAPACITY), 0}),
              REFUSED("slots", {AT_HEADER(SLOT_COUNT), 16}),
              REFUSED("flags", {AT_HEADER(FLAGS), 0x80000000}),
              REFUSED("state", {AT_HEADER(STATE), 8}),
              REFUSED("no probes", {AT_HEADER(PROBE_SECTORS), 0}),
              REFUSED("key of the extra slot", {AT_HEADER(EXTRA), 1}),
              REFUSED("value of the extra slot", {AT_HEADER(EXTRA) + 4, UINT32_MAX}),
              REFUSED("an entry erased", {SLOTS + 4, UINT32_MAX}),
              REFUSED("a tombstone alive", {SLOTS + 12, 7}),
              REFUSED("a value without a key", {SLOTS + 4 * 8 + 4, 7}),
              REFUSED("a value without a key, counted", {SLOTS + 4 * 8 + 4, 7}, {24, 4}),
              REFUSED("an empty slot before an entry", {SLOTS + 8, MUR_EMPTY}),
              REFUSED("an empty slot before a key", {SLOTS + 8, UINT32_MAX}),
              REFUSED("a key before its home", {SLOTS + 8, 0xF0000000}));
        close_scene(&scene);
    }
}

/* Sets the sorted flag on a sorted table, and on an unsorted table. */
SCENE_CASE(false_sorted_flag_is_rejected, 2) {
    const size_t state = AT_HEADER(STATE);
    JUDGE(scene, LOADS("in order", {state, MUR_STATE_ORDERED}),
          REFUSED("out of order", {state, MUR_STATE_ORDERED}, {SLOTS, 0x10000002},
                  {SLOTS + 16, 0x10000000}),
          LOADS("no order claimed", {SLOTS, 0x10000002}, {SLOTS + 16, 0x10000000}));
}

/* Replaces the scene's snapshot by that of a table with this capacity and `count` hashes, beginning
 * with `first`. */
static void take_row(Scene *scene, uint64_t capacity, uint32_t first, uint32_t count) {
    MurTableCreateInfo info = kind_info(&table_kinds[0], capacity);
    Image image = image_open(&info);
    for (uint32_t i = 0; i < count; ++i) {
        murHostInsert(&image.table, MUR_MODE_ASSIGN, mur_key(first + i, 0), i + 1);
    }
    bytes_free(&scene->bytes);
    scene->bytes = bytes_of(&image.table);
    image_close(&image);
}

/* Entries of the last home may wrap to slot 0 only if MUR_STATE_WRAPPED is set, and only if their
 * probe meets no free slot. */
SCENE_CASE(wrapped_entries_are_checked, 0) {
    take_row(scene, 4, 0xF0000000, 7); /* the entries are in slots 3 to 7, 0 and 1 */
    const size_t last = SLOTS + 8 * 7;
    JUDGE(scene, REFUSED("wrap not said", {AT_HEADER(STATE), 0}),
          REFUSED("gap at the end", {last, MUR_EMPTY}, {last + 4, UINT32_MAX}, {24, 6}),
          REFUSED("gap at the beginning", {SLOTS, MUR_EMPTY}, {SLOTS + 4, UINT32_MAX}, {24, 6}),
          REFUSED("out of reach", {AT_HEADER(PROBE_SECTORS), 2}));
}

/* All entries have one home slot: more of them than the probe limit of the changed header
 * allows. */
SCENE_CASE(entries_beyond_the_probe_limit_are_rejected, 0) {
    take_row(scene, 32, 0x10000000, 12); /* probe limits: 14 slots from home 2, or 10 slots */
    JUDGE(scene, LOADS("just in reach", {AT_HEADER(PROBE_SECTORS), 4}),
          REFUSED("out of reach", {AT_HEADER(PROBE_SECTORS), 3}));
}

SCENE_CASE(saving_damaged_tables_is_rejected, 0) {
    uint32_t *words = scene->source.table.pImage;
    words[MUR_HEADER_WORDS + 2] = MUR_EMPTY; /* a free slot before an entry */
    assert_int_equal(murWriteSnapshot(&scene->source.table, scene->bytes.data, scene->bytes.size),
                     MUR_ERROR_CORRUPT);
    assert_int_equal(murSaveSnapshot("damaged.mur", &scene->source.table), MUR_ERROR_CORRUPT);
}

/* Copies a slot of a bucketed table with 128 slots. */
static void copy_slot(uint8_t *slots, uint32_t format, uint32_t from, uint32_t to) {
    const size_t size = format == MUR_FORMAT_K32 ? 4 : 8;
    memcpy(slots + size * to, slots + size * from, size);
    if (format == MUR_FORMAT_K64V32) {
        memcpy(slots + 8 * (128 + (size_t)to), slots + 8 * (128 + (size_t)from), 8);
    }
}

/* Returns whether the table can be saved and loaded. If so, its entry must be found; otherwise the
 * destination must be unchanged. The table has no filter bits. */
static bool is_right(Bytes *bytes, const Image *image, const Image *to, uint64_t key) {
    memcpy(image->table.pImage, bytes->data + HEAD, (size_t)image->size);
    uint8_t *data = test_allocate(bytes->size);
    const VkResult saved = murWriteSnapshot(&image->table, data, bytes->size);
    free(data);
    seal(bytes->data, bytes->size);
    murHostInsert(&to->table, MUR_MODE_INSERT, key + 1, 1);
    assert_int_equal(murLoadSnapshotFromMemory(bytes->data, bytes->size, &to->table), saved);
    MurStats stats;
    murHostStats(&to->table, &stats);
    assert_int_equal(stats.live, saved == VK_SUCCESS);
    assert_int_equal(murHostFind(&to->table, key).status,
                     saved == VK_SUCCESS ? MUR_FOUND : MUR_ABSENT);
    assert_true(saved == VK_SUCCESS || saved == MUR_ERROR_CORRUPT);
    return saved == VK_SUCCESS;
}

/* Requires that loading rejects a key in two slots, and a key outside of its buckets. The buckets
 * of the key are 0 and 4. */
PLAIN_TEST(keys_in_foreign_buckets_and_twice_are_rejected) {
    for (int kind = TABLE_KINDS; kind < ALL_KINDS; ++kind) {
        const MurTableCreateInfo info = kind_info(&table_kinds[kind], 128);
        Image source = image_open(&info), target = image_open(&info);
        const uint64_t hash = (uint64_t)1 << 32 | 0x80000005;
        const uint64_t key = MUR_IS_64(type_format(info.type)) ? mur_key64(hash, 0) : mur_key(1, 0);
        assert_int_equal(murHostInsert(&source.table, MUR_MODE_INSERT, key, 9).slot, 0);
        Bytes bytes = bytes_of(&source.table);
        uint32_t places = 0;
        for (uint32_t slot = 1; slot < 128; ++slot) {
            copy_slot(bytes.data + SLOTS, type_format(info.type), 0, slot);
            assert_false(is_right(&bytes, &source, &target, key));
            copy_slot(bytes.data + SLOTS, type_format(info.type), slot == 1 ? 2 : 1, 0);
            places += is_right(&bytes, &source, &target, key);
            copy_slot(bytes.data + SLOTS, type_format(info.type), slot, 0);
            copy_slot(bytes.data + SLOTS, type_format(info.type), slot == 1 ? 2 : 1, slot);
        }
        assert_int_equal(places, 15 + 16);
        bytes_free(&bytes);
        image_close(&source);
        image_close(&target);
    }
}
