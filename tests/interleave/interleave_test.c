/* Tests all interleavings of two or three operations on keys that are as similar as possible. Each
 * fault of the protocol (protocol.h) must cause an error in some interleaving.
 * SPDX-License-Identifier: MIT */
#include "explore.h"
#include "support/cases.h"

#include "../support/seed.h"

#include <string.h>

/* Each row is a pair of hashes, and each hash is {low half, high half}. The pairs have one equal
 * half, or halves that are 0 or the sentinel, or nothing in common. A half that is the sentinel is
 * stored as 0, so the stored halves of {1, EMPTY} and {1, 0} are equal. */
static const uint8_t pairs[][2][2] = {
    {{1, 1}, {1, 2}},
    {{1, 1}, {2, 1}},
    {{1, 1}, {2, 2}},
    {{1, EMPTY}, {1, 0}},
    {{1, EMPTY}, {1, 1}},
    {{EMPTY, 1}, {0, 1}},
    {{EMPTY, 1}, {EMPTY, 2}},
    {{0, 0}, {EMPTY, EMPTY}},
    {{EMPTY, 0}, {0, EMPTY}},
    {{0, 0}, {0, EMPTY}},
    {{EMPTY, EMPTY}, {EMPTY, 0}},
    {{0, 1}, {0, 2}},
    {{1, 0}, {EMPTY, 0}},
};
enum { PAIRS = sizeof pairs / sizeof pairs[0] };

/* The third key's hash, in tests with three keys. It has the common half of the pair. */
static const uint8_t thirds[][2] = {{1, 3}, {0, 0}, {EMPTY, EMPTY}, {1, EMPTY}};
enum { THIRDS = sizeof thirds / sizeof thirds[0] };

/* Operations before the concurrent ones. They leave no key, or present or erased keys. */
static const struct {
    uint32_t count;
    Wish wishes[BEFORE];
} befores[] = {
    {0, {{0}}},
    {1, {{ASSIGN, 0}}},
    {2, {{ASSIGN, 0}, {ERASE, 0}}},
    {2, {{ASSIGN, 1}, {ASSIGN, 0}}},
    {3, {{ASSIGN, 1}, {ASSIGN, 0}, {ERASE, 1}}},
};
enum { BEFORES = sizeof befores / sizeof befores[0] };

typedef struct Total {
    uint64_t scenes, states;
    Scene wrongScene;
    Verdict wrong; /* result with the first error */
} Total;

static void run(Total *total, const Scene *scene) {
    if (total->wrong.wrong) {
        return;
    }
    const Verdict verdict = explore(scene);
    ++total->scenes;
    total->states += verdict.states;
    if (verdict.wrong) {
        total->wrong = verdict;
        total->wrongScene = *scene;
    }
}

static void set_keys(Scene *scene, uint32_t pair, uint32_t homes, const uint8_t *third) {
    Key *keys = scene->setting.keys;
    keys[0] = (Key){pairs[pair][0][0], pairs[pair][0][1], (uint8_t)(homes & 1), 0};
    keys[1] = (Key){pairs[pair][1][0], pairs[pair][1][1], (uint8_t)(homes >> 1 & 1), 0};
    /* Without a third key, key 2 has halves that match no slot. */
    keys[2] = third ? (Key){third[0], third[1], (uint8_t)(homes >> 2 & 1), 0} : (Key){99, 99, 0, 0};
}

static bool third_differs(uint32_t pair, const uint8_t *third) {
    return memcmp(pairs[pair][0], third, 2) != 0 && memcmp(pairs[pair][1], third, 2) != 0;
}

/* Interleaves `count` operations on the two keys of a pair: all pairs, all types of operations. */
static void run_pairs(Total *total, Fault fault, uint32_t count) {
    enum { WISHES = 2 * KIND_COUNT };
    Scene scene = {.setting = {.fault = fault}, .count = count};
    enum { HOMES = 3 }; /* home slots of the two keys: equal; 1 and 0; 0 and 1 */
    for (uint32_t at = 0; at < PAIRS * HOMES * BEFORES; ++at) {
        set_keys(&scene, at % PAIRS, at / PAIRS % HOMES, NULL);
        const uint32_t before = at / PAIRS / HOMES;
        if (count == 3 && (before % 2 != 0 || (fault == FAULT_NONE && !test_full() && at % 5))) {
            continue; /* skips some cases, to save time */
        }
        scene.beforeCount = befores[before].count;
        memcpy(scene.before, befores[before].wishes, sizeof scene.before);
        for (uint32_t a = 0; a < WISHES; ++a) {
            for (uint32_t b = a; b < WISHES; ++b) {
                for (uint32_t c = b; c < (count == 3 ? WISHES : b + 1); ++c) {
                    scene.wishes[0] = (Wish){(Kind)(a / 2), a % 2};
                    scene.wishes[1] = (Wish){(Kind)(b / 2), b % 2};
                    scene.wishes[2] = (Wish){(Kind)(c / 2), c % 2};
                    run(total, &scene);
                }
            }
        }
    }
}

/* Bucketed tables before the concurrent operations: empty; the first bucket has one free slot;
 * it is full; the key is in its second bucket, although the first has a free slot, or is erased
 * there. */
static const struct {
    uint32_t count;
    Wish wishes[BEFORE];
} bucket_befores[] = {
    {0, {{0}}},
    {1, {{ASSIGN, 2}}},
    {2, {{ASSIGN, 2}, {ASSIGN, 1}}},
    {4, {{ASSIGN, 2}, {ASSIGN, 1}, {ASSIGN, 0}, {FREE, 1}}},
    {5, {{ASSIGN, 2}, {ASSIGN, 1}, {ASSIGN, 0}, {FREE, 1}, {ERASE, 0}}},
};
enum { BUCKET_BEFORES = sizeof bucket_befores / sizeof bucket_befores[0] };

/* Runs operations on two keys that share the first bucket, or both buckets in the same or in the
 * other order. The third key's two buckets are the same. */
static void run_buckets(Total *total, Fault fault) {
    enum { WISHES = 2 * KIND_COUNT, PLACES = 3 };
    static const uint8_t places[PLACES][2] = {{0, 4}, {0, 2}, {2, 0}};
    Scene scene = {.setting = {.buckets = true, .fault = fault}, .count = 3};
    for (uint32_t at = 0; at < PAIRS * PLACES * BUCKET_BEFORES; ++at) {
        if (fault == FAULT_NONE && !test_full() && at % 7) {
            continue;
        }
        const uint32_t before = at % BUCKET_BEFORES; /* for a fault, some earlier states suffice */
        const uint8_t *place = places[at / BUCKET_BEFORES % PLACES];
        set_keys(&scene, at / BUCKET_BEFORES / PLACES, 0, NULL);
        scene.setting.keys[0].second = 2;
        scene.setting.keys[1].home = place[0];
        scene.setting.keys[1].second = place[1];
        scene.beforeCount = bucket_befores[before].count;
        memcpy(scene.before, bucket_befores[before].wishes, sizeof scene.before);
        for (uint32_t i = 0; i < WISHES * WISHES * WISHES; ++i) {
            const uint32_t a = i % WISHES, b = i / WISHES % WISHES, c = i / WISHES / WISHES;
            if (a > b || b > c) {
                continue;
            }
            scene.wishes[0] = (Wish){(Kind)(a / 2), a % 2};
            scene.wishes[1] = (Wish){(Kind)(b / 2), b % 2};
            scene.wishes[2] = (Wish){fault == FAULT_FREES_BESIDE ? FREE : (Kind)(c / 2), c % 2};
            run(total, &scene);
        }
    }
}

/* Runs three concurrent operations on three keys: each key is inserted, found or erased. */
static void run_thirds(Total *total, Fault fault) {
    Scene scene = {.setting = {.fault = fault}, .count = 3};
    for (uint32_t at = 0; at < PAIRS * THIRDS * 8; ++at) {
        const uint8_t *third = thirds[at / PAIRS % THIRDS];
        if (!third_differs(at % PAIRS, third) || (!test_full() && at % 2)) {
            continue;
        }
        set_keys(&scene, at % PAIRS, at / PAIRS / THIRDS, third);
        for (uint32_t kind = KEEP; kind <= ERASE; ++kind) {
            scene.beforeCount = kind == ERASE ? 1 : 0;
            scene.before[0] = (Wish){ASSIGN, 2};
            scene.wishes[0] = (Wish){KEEP, 0};
            scene.wishes[1] = (Wish){KEEP, 1};
            scene.wishes[2] = (Wish){(Kind)kind, 2};
            run(total, &scene);
        }
    }
}

/* Runs operations on rows of two keys that share the hash, the home slot, both or neither, after up
 * to three earlier operations. */
static void run_rows(Total *total, Fault fault) {
    enum { KINDS = 3, WISHES = 2 * KINDS, ROW_BEFORES = 4 };
    static const Kind kinds[KINDS] = {KEEP, FIND, ERASE};
    static const Wish before[] = {{KEEP, 0}, {KEEP, 1}, {ERASE, 0}};
    Scene scene = {.setting = {.rows = true, .fault = fault}, .count = 3};
    memcpy(scene.before, before, sizeof before);
    for (uint32_t at = 0; at < 2 * 2 * ROW_BEFORES; ++at) {
        scene.setting.keys[0] = (Key){.high = 1};
        scene.setting.keys[1] = (Key){.high = (uint8_t)(1 + at % 2), .home = at / 2 % 2};
        scene.beforeCount = at / 4;
        for (uint32_t i = 0; i < WISHES * WISHES * WISHES; ++i) {
            const uint32_t all[] = {i % WISHES, i / WISHES % WISHES, i / WISHES / WISHES};
            for (uint32_t j = 0; j < 3; ++j) { /* explore() gives row numbers in this order */
                scene.wishes[j] = (Wish){kinds[all[j] / 2], all[j] % 2};
                scene.setting.keyOf[1 + j] = all[j] % 2;
                scene.setting.keyOf[1 + OPERATIONS + j] = before[j].key;
            }
            run(total, &scene);
        }
    }
}

static void report(const Total *total) {
    const Scene *scene = &total->wrongScene;
    for (uint32_t k = 0; k < KEYS; ++k) {
        const Key *key = &scene->setting.keys[k];
        print_message("key %u: {%u %u}, home slot %u\n", k, key->low, key->high, key->home);
    }
    for (uint32_t i = 0; i < scene->beforeCount; ++i) {
        print_message("before: %u on key %u\n", (unsigned)scene->before[i].kind,
                      scene->before[i].key);
    }
    for (uint32_t i = 0; i < scene->count; ++i) {
        print_message("operation %u: %u on key %u\n", i, (unsigned)scene->wishes[i].kind,
                      scene->wishes[i].key);
    }
    print_message("%s; steps as operation:words seen, then slots: %s\n", total->wrong.wrong,
                  total->wrong.trace);
}

static void require_right(const Total *total) {
    print_message("%llu scenes, %llu states\n", (unsigned long long)total->scenes,
                  (unsigned long long)total->states);
    if (total->wrong.wrong) {
        report(total);
        fail();
    }
    assert_true(total->scenes > 500 && total->states > 10 * total->scenes);
}

PLAIN_TEST(two_operations) {
    Total total = {0};
    run_pairs(&total, FAULT_NONE, 2);
    require_right(&total);
}

PLAIN_TEST(three_operations) {
    Total total = {0};
    run_pairs(&total, FAULT_NONE, 3);
    require_right(&total);
}

PLAIN_TEST(three_keys) {
    Total total = {0};
    run_thirds(&total, FAULT_NONE);
    require_right(&total);
}

PLAIN_TEST(in_buckets) {
    Total total = {0};
    run_buckets(&total, FAULT_NONE);
    require_right(&total);
}

PLAIN_TEST(in_rows) {
    Total total = {0};
    run_rows(&total, FAULT_NONE);
    require_right(&total);
}

PLAIN_TEST(every_fault_is_detected) {
    for (uint32_t fault = FAULT_NONE + 1; fault < FAULT_COUNT; ++fault) {
        Total total = {0};
        if (fault < FAULTS_OF_BUCKETS) {
            run_pairs(&total, (Fault)fault, 2);
            run_pairs(&total, (Fault)fault, 3);
        } else {
            (fault < FAULTS_OF_ROWS ? run_buckets : run_rows)(&total, (Fault)fault);
        }
        const char *wrong = total.wrong.wrong;
        if (!wrong) {
            fail_msg("fault %u does not show in %llu scenes", fault,
                     (unsigned long long)total.scenes);
        }
        print_message("fault %u: %s, after %llu scenes\n", fault, wrong ? wrong : "nothing",
                      (unsigned long long)total.scenes);
    }
}
