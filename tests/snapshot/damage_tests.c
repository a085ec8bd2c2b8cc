/* Snapshots that are cut off, changed, foreign or of the future, and well-sealed ones whose content
 * cannot be: each is an error, and the table that should have been loaded is as before.
 *
 * SPDX-License-Identifier: MIT */
#include "snapshot_test.h"

#include <stdlib.h>
#include <string.h>

/* A table that must not change, and a copy of what it was. One is like the table that was saved,
 * one is not, so that both ways of loading are tried. */
typedef struct Target {
    Image image;
    uint8_t *before;
} Target;

typedef struct Scene {
    Image source;
    Bytes bytes;
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

/* 12 slots: hashes in a row from home 0, one wrapped around from the last home. */
static Scene open_scene(int kind) {
    MurTableCreateInfo info = kind_info(&table_kinds[kind], 5);
    Scene scene = {.source = image_open(&info)};
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

/* size bytes of a snapshot, in memory that ends there, are refused by both targets. */
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

/* A case of a scene of that kind. */
#define SCENE_CASE(name, kind)           \
    static void name##_of(Scene *scene); \
    PLAIN_TEST(name) {                   \
        Scene scene = open_scene(kind);  \
        name##_of(&scene);               \
        close_scene(&scene);             \
    }                                    \
    static void name##_of(Scene *scene)

/* The scene's own bytes are refused. */
static void bad(Scene *scene, VkResult expected, const char *what, size_t where) {
    refused(scene, scene->bytes.data, scene->bytes.size, expected, what, where);
}

/* A word of the scene's bytes becomes another, and their checksums right. */
static void put(Scene *scene, size_t at, uint32_t word) {
    bytes_set(&scene->bytes, at, word);
    bytes_seal(&scene->bytes);
}

SCENE_CASE(every_shorter_snapshot_is_refused, 0) {
    for (size_t size = 0; size < scene->bytes.size; ++size) {
        refused(scene, scene->bytes.data, size, MUR_ERROR_BAD_IMAGE, "size", size);
        MurSnapshotInfo info;
        assert_int_equal(murReadSnapshotInfoFromMemory(scene->bytes.data, size, &info),
                         size < SLOTS ? MUR_ERROR_BAD_IMAGE : VK_SUCCESS);
    }
}

SCENE_CASE(a_longer_snapshot_is_refused, 0) {
    uint8_t longer[1024] = {0};
    memcpy(longer, scene->bytes.data, scene->bytes.size);
    refused(scene, longer, scene->bytes.size + 1, MUR_ERROR_BAD_IMAGE, "one byte more", 0);
    refused(scene, longer, sizeof longer, MUR_ERROR_BAD_IMAGE, "many bytes more", 0);
}

SCENE_CASE(every_changed_bit_is_noticed, 1) {
    for (size_t bit = 0; bit < 8 * scene->bytes.size; ++bit) {
        scene->bytes.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        const bool version = bit / 8 >= 8 && bit / 8 < 12;
        bad(scene, version ? MUR_ERROR_BAD_VERSION : MUR_ERROR_BAD_IMAGE, "bit", bit);
        scene->bytes.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    loads(scene, "unchanged");
}

SCENE_CASE(foreign_files_are_refused, 0) {
    uint8_t data[600];
    memset(data, 0, sizeof data);
    refused(scene, data, sizeof data, MUR_ERROR_BAD_IMAGE, "zeros", 0);
    memset(data, 0xFF, sizeof data);
    refused(scene, data, sizeof data, MUR_ERROR_BAD_IMAGE, "ones", 0);
    memcpy(data, "\x89PNG\r\n\x1a\n", 8);
    refused(scene, data, sizeof data, MUR_ERROR_BAD_IMAGE, "a picture", 0);
    refused(scene, scene->source.table.pImage, (size_t)scene->source.size, MUR_ERROR_BAD_IMAGE,
            "an image without a head", 0);
}

SCENE_CASE(other_versions_are_told_apart, 0) {
    bytes_set(&scene->bytes, 8, 2);
    bad(scene, MUR_ERROR_BAD_VERSION, "version", 2);
    bytes_seal(&scene->bytes);
    bad(scene, MUR_ERROR_BAD_VERSION, "version", 2);
    bytes_set(&scene->bytes, 8, 0);
    bad(scene, MUR_ERROR_BAD_VERSION, "version", 0);
    bytes_set(&scene->bytes, 8, 1);
    for (uint32_t layout = MUR_LAYOUT_VERSION - 1; layout <= MUR_LAYOUT_VERSION + 1; layout += 2) {
        MurSnapshotInfo info;
        put(scene, HEAD + 4 * MUR_HEADER_VERSION, layout);
        bad(scene, MUR_ERROR_BAD_VERSION, "layout", layout);
        assert_int_equal(murReadSnapshotInfoFromMemory(scene->bytes.data, scene->bytes.size, &info),
                         MUR_ERROR_BAD_VERSION);
    }
    put(scene, HEAD + 4 * MUR_HEADER_VERSION, MUR_LAYOUT_VERSION);
    loads(scene, "this version");
}

/* ---- Sealed all the same -------------------------------------------------------------------- */

typedef struct Change {
    const char *what;
    size_t at;
    uint32_t word;
} Change;

PLAIN_TEST(contradictions_are_refused_though_the_checksums_are_right) {
    const size_t header = HEAD, slots = SLOTS;
    const Change changes[] = {
        {"image size", 16, 256 + 8 * 16},
        {"image size beyond 4 GiB", 20, 1},
        {"count of entries", 24, 4},
        {"high word of the count of entries", 28, 1},
        {"magic of the image", header, 0},
        {"capacity", header + 4 * MUR_HEADER_CAPACITY, 20},
        {"no capacity", header + 4 * MUR_HEADER_CAPACITY, 0},
        {"slots", header + 4 * MUR_HEADER_SLOT_COUNT, 16},
        {"flags", header + 4 * MUR_HEADER_FLAGS, 0x80000000},
        {"state", header + 4 * MUR_HEADER_STATE, 8},
        {"no probes", header + 4 * MUR_HEADER_PROBE_SECTORS, 0},
        {"key of the extra slot", header + 4 * MUR_HEADER_EXTRA, 1},
        {"value of the extra slot", header + 4 * MUR_HEADER_EXTRA + 4, UINT32_MAX},
        {"an entry erased", slots + 4, UINT32_MAX},
        {"a tombstone alive", slots + 12, 7},
        {"a value without a key", slots + 4 * 8 + 4, 7},
        {"an empty slot before an entry", slots + 8, MUR_EMPTY},
        {"an empty slot before a key", slots + 8, UINT32_MAX},
        {"a key before its home", slots + 8, 0xF0000000},
    };
    for (int kind = 0; kind < KINDS_OF_K32V32; ++kind) {
        Scene scene = open_scene(kind);
        for (size_t i = 0; i < sizeof changes / sizeof changes[0]; ++i) {
            uint32_t word = changes[i].word;
            if ((kind & 1) && word == UINT32_MAX && changes[i].at % 8 == 4) {
                word = 0; /* the reserved value */
            }
            const uint32_t saved = bytes_word(&scene.bytes, changes[i].at);
            assert_int_not_equal(saved, word);
            put(&scene, changes[i].at, word);
            bad(&scene, MUR_ERROR_BAD_IMAGE, changes[i].what, i);
            put(&scene, changes[i].at, saved);
        }
        loads(&scene, "unchanged");
        close_scene(&scene);
    }
}

/* The order flag on a table that is not in order, and on one that is. */
SCENE_CASE(a_false_claim_of_order_is_refused, 2) {
    put(scene, HEAD + 4 * MUR_HEADER_STATE, MUR_STATE_ORDERED);
    loads(scene, "in order");
    bytes_set(&scene->bytes, SLOTS, 0x10000002);
    put(scene, SLOTS + 16, 0x10000000);
    bad(scene, MUR_ERROR_BAD_IMAGE, "out of order", 0);
    put(scene, HEAD + 4 * MUR_HEADER_STATE, 0);
    loads(scene, "no order claimed");
}

/* The scene's bytes are this one's, which is closed. */
static void take_bytes(Scene *scene, Image *image) {
    bytes_free(&scene->bytes);
    scene->bytes = bytes_of(&image->table);
    image_close(image);
}

/* Entries of the last home, wrapped around: right only if the state says so and nothing is empty on
 * their way. */
SCENE_CASE(wrapped_entries_are_checked, 0) {
    MurTableCreateInfo info = kind_info(&table_kinds[0], 4); /* 8 slots */
    Image wrapped = image_open(&info);
    for (uint32_t i = 0; i < 7; ++i) { /* slots 3 to 7, 0, 1 */
        murHostInsert(&wrapped.table, MUR_MODE_ASSIGN, mur_key(0xF0000000 + i, 0), i + 1);
    }
    take_bytes(scene, &wrapped);
    loads(scene, "wrapped");
    const Change changes[] = {
        {"wrap not said", HEAD + 4 * MUR_HEADER_STATE, 0},
        {"gap at the end", SLOTS + 8 * 7, MUR_EMPTY},
        {"gap at the beginning", SLOTS, MUR_EMPTY},
        {"out of reach", HEAD + 4 * MUR_HEADER_PROBE_SECTORS, 2},
    };
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; ++i) {
        Bytes changed = {malloc(scene->bytes.size), scene->bytes.size};
        assert_non_null(changed.data);
        memcpy(changed.data, scene->bytes.data, changed.size);
        bytes_set(&changed, changes[i].at, changes[i].word);
        if (changes[i].word == MUR_EMPTY) { /* a slot becomes empty, one entry less */
            bytes_set(&changed, changes[i].at + 4, UINT32_MAX);
            bytes_set(&changed, 24, 6);
        }
        bytes_seal(&changed);
        refused(scene, changed.data, changed.size, MUR_ERROR_BAD_IMAGE, changes[i].what, i);
        bytes_free(&changed);
    }
}

/* One entry too many, in a slot that no key has claimed, and counted. */
SCENE_CASE(values_without_keys_are_refused, 0) {
    bytes_set(&scene->bytes, SLOTS + 4 * 8 + 4, 7);
    put(scene, 24, 4);
    bad(scene, MUR_ERROR_BAD_IMAGE, "a value", 0);
}

/* A row of entries of one home, longer than the probe limit that the header is changed to say. */
SCENE_CASE(entries_out_of_reach_are_refused, 0) {
    const MurTableCreateInfo info = {.capacity = 32};
    Image row = image_open(&info);
    for (uint32_t i = 0; i < 12; ++i) {
        murHostInsert(&row.table, MUR_MODE_ASSIGN, mur_key(0x10000000 + i, 0), i + 1);
    }
    take_bytes(scene, &row);
    put(scene, HEAD + 4 * MUR_HEADER_PROBE_SECTORS, 4); /* 14 slots from home 2 */
    loads(scene, "just in reach");
    put(scene, HEAD + 4 * MUR_HEADER_PROBE_SECTORS, 3); /* 10 */
    bad(scene, MUR_ERROR_BAD_IMAGE, "out of reach", 0);
}

SCENE_CASE(damaged_images_are_not_saved, 0) {
    uint32_t *words = scene->source.table.pImage;
    words[MUR_HEADER_WORDS + 2] = MUR_EMPTY; /* a free slot before an entry */
    assert_int_equal(murWriteSnapshot(&scene->source.table, scene->bytes.data, scene->bytes.size),
                     MUR_ERROR_BAD_IMAGE);
    assert_int_equal(murSaveSnapshot("damaged.mur", &scene->source.table), MUR_ERROR_BAD_IMAGE);
}

/* Of 128 slots in buckets: what a slot holds goes to another one, too. */
static void copy_slot(uint8_t *slots, uint32_t format, uint32_t from, uint32_t to) {
    const size_t size = format == MUR_FORMAT_K32 ? 4 : 8;
    memcpy(slots + size * to, slots + size * from, size);
    if (format == MUR_FORMAT_K64V32) {
        memcpy(slots + 8 * (128 + (size_t)to), slots + 8 * (128 + (size_t)from), 8);
    }
}

/* Can the image be saved and loaded? Then its entry is found, else the table that it should have
 * been loaded into is empty. There is no filter. */
static bool is_right(Bytes *bytes, const Image *image, const Image *to, uint64_t key) {
    memcpy(image->table.pImage, bytes->data + HEAD, (size_t)image->size);
    uint8_t *data = test_allocate(bytes->size);
    const VkResult saved = murWriteSnapshot(&image->table, data, bytes->size);
    free(data);
    bytes_seal(bytes);
    murHostInsert(&to->table, MUR_MODE_KEEP, key + 1, 1);
    assert_int_equal(murLoadSnapshotFromMemory(bytes->data, bytes->size, &to->table), saved);
    MurStats stats;
    murHostStats(&to->table, &stats);
    assert_int_equal(stats.live, saved == VK_SUCCESS);
    assert_int_equal(murHostFind(&to->table, key).status,
                     saved == VK_SUCCESS ? MUR_FOUND : MUR_ABSENT);
    assert_true(saved == VK_SUCCESS || saved == MUR_ERROR_BAD_IMAGE);
    return saved == VK_SUCCESS;
}

/* A key of buckets 0 and 4 or another one is in two slots, or in one of any bucket. */
PLAIN_TEST(keys_in_foreign_buckets_and_twice_are_refused) {
    for (int kind = TABLE_KINDS; kind < ALL_KINDS; ++kind) {
        const MurTableCreateInfo info = kind_info(&table_kinds[kind], 128);
        Image source = image_open(&info), target = image_open(&info);
        const uint64_t hash = (uint64_t)1 << 32 | 0x80000005;
        const uint64_t key = MUR_IS_64(info.format) ? mur_key64(hash, 0) : mur_key(1, 0);
        assert_int_equal(murHostInsert(&source.table, MUR_MODE_KEEP, key, 9).slot, 0);
        Bytes bytes = bytes_of(&source.table);
        uint32_t places = 0;
        for (uint32_t slot = 1; slot < 128; ++slot) {
            copy_slot(bytes.data + SLOTS, info.format, 0, slot);
            assert_false(is_right(&bytes, &source, &target, key));
            copy_slot(bytes.data + SLOTS, info.format, slot == 1 ? 2 : 1, 0);
            places += is_right(&bytes, &source, &target, key);
            copy_slot(bytes.data + SLOTS, info.format, slot, 0);
            copy_slot(bytes.data + SLOTS, info.format, slot == 1 ? 2 : 1, slot);
        }
        assert_int_equal(places, 15 + 16);
        bytes_free(&bytes);
        image_close(&source);
        image_close(&target);
    }
}
