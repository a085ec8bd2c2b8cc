/* Derives wrong calls from the description of a command.
 * SPDX-License-Identifier: MIT */
#include "arguments.h"

#include <stdio.h>
#include <string.h>

/* Memory that a call uses through a member of its info or, if place is NULL, through an object. */
typedef struct Argument {
    const char *name;
    void *place; /* address of the MurArray or VkDeviceAddress in info */
    MurArray right;
    VkDeviceSize least, used; /* bytes: the smallest valid size, and the size that is used */
    uint32_t element, flags;
} Argument;

typedef struct Trial {
    Scene *scene;
    const Command *command;
    const TypeInfo *type;
    const Object *object;
    Call call;
    uint64_t info[64]; /* memory of Call.info */
    uint64_t out[16];  /* Call.other if it is an output parameter */
    Argument arguments[MOST_MEMBERS + 4];
    uint32_t count;
    uint32_t recorded; /* Vulkan calls that the valid commands recorded so far */
} Trial;

void expect_rejected(Scene *scene, VkResult result, VkResult expected, uint32_t recorded,
                     const char *first, const char *second, const char *what) {
    LogBook *log = &scene->observed.log;
    const bool named = !first || (strstr(log->lastError, first) && strstr(log->lastError, second));
    if (result != expected || log->errors != (first ? 1 : 0) || !named ||
        interpose_recorded() != recorded) {
        fail_msg("%s: %s, expected %s; %u errors, the last \"%s\", expected \"%s\" and \"%s\"; %u "
                 "calls recorded",
                 what, murResultName(result), murResultName(expected), log->errors, log->lastError,
                 first ? first : "none", first ? second : "none", interpose_recorded() - recorded);
    }
    log_book_clear(log);
}

/* ---- Checks of one call --------------------------------------------------------------------- */

static void wrong_result(Trial *trial, VkResult expected, const char *first, const char *second,
                         const char *what) {
    char text[160];
    snprintf(text, sizeof text, "%s, %s, %s", trial->command->name, trial->type->name, what);
    const VkResult result = trial->command->call(&trial->call);
    const char *function = strstr(trial->scene->observed.log.lastError, trial->command->name);
    if (first && function != trial->scene->observed.log.lastError) {
        fail_msg("%s: the message \"%s\" does not begin with the function", text,
                 trial->scene->observed.log.lastError);
    }
    expect_rejected(trial->scene, result, expected, trial->recorded, first, second, text);
    for (uint32_t i = 0; i < 16; ++i) {
        assert_int_equal(trial->out[i], UINT64_MAX);
    }
}

static void wrong(Trial *trial, const char *first, const char *second, const char *what) {
    wrong_result(trial, MUR_ERROR_INVALID_ARGUMENT, first, second, what);
}

/* Returns the number of allocations by the library so far, in host and device memory. */
static uint32_t allocations(const Trial *trial) {
    return trial->scene->observed.memory.calls + (uint32_t)interpose_objects() +
           interpose_calls(ON_vkCreateComputePipelines);
}

static void right_within(Trial *trial, uint32_t most, const char *what) {
    const Command *command = trial->command;
    const uint32_t allocated = allocations(trial), before = interpose_calls(ON_vkCmdDispatch);
    const VkResult result = command->call(&trial->call);
    const uint32_t dispatches = interpose_calls(ON_vkCmdDispatch) - before;
    if (result != VK_SUCCESS || interpose_recorded() == trial->recorded || dispatches > most ||
        (dispatches == 0) != (most == 0) ||
        (allocations(trial) != allocated && !(command->flags & ONCE))) {
        fail_msg("%s, %s, %s: %s, %u dispatches of %u, the log says \"%s\"", command->name,
                 trial->type->name, what, murResultName(result), dispatches, most,
                 trial->scene->observed.log.lastError);
    }
    trial->recorded = interpose_recorded();
}

static void right(Trial *trial, const char *what) {
    right_within(trial, trial->command->dispatches, what);
}

static void either(Trial *trial, bool isRight, const char *first, const char *second,
                   const char *what) {
    if (isRight) {
        right(trial, what);
    } else {
        wrong(trial, first, second, what);
    }
}

/* Sets address and size of an argument: a MurArray in the call's info, or a single address. */
static void put(const Argument *argument, VkDeviceAddress address, VkDeviceSize size) {
    if (argument->flags & ADDRESS) {
        memcpy(argument->place, &address, sizeof address);
    } else {
        const MurArray array = {address, size};
        memcpy(argument->place, &array, sizeof array);
    }
}

static void move(const Argument *argument, VkDeviceAddress address) {
    put(argument, address, argument->right.size);
}

static void restore(const Argument *argument) {
    const bool none = (argument->flags & NONE) != 0;
    put(argument, none ? 0 : argument->right.address, none ? 0 : argument->right.size);
}

/* ---- Arguments of a valid call -------------------------------------------------------------- */

enum { WHOLE_SIZE = 2048 };

static void add_member(Trial *trial, const Member *member, VkDeviceAddress home) {
    const TypeInfo *type = trial->type;
    if (member->flags & ABSENT) {
        return;
    }
    Argument argument = {.name = member->name,
                         .place = (uint8_t *)trial->info + member->offset,
                         .right = {home, SCENE_GAP},
                         .flags = member->flags};
    argument.element = member->element == KEY         ? type->key
                       : member->element == MULTI_KEY ? type->multiKey
                       : member->element == VALUE     ? type->value
                                                      : member->element;
    if (argument.element == 0 ||
        (member->flags & PARTITIONS && type->locality != MUR_PAGE_BY_PARTITION)) {
        argument.flags = NONE;
        argument.element = 4;
    }
    argument.least = member->bytes ? member->bytes(&trial->call)
                                   : (VkDeviceSize)argument.element * member->count;
    argument.used = argument.least;
    if (member->flags & WHOLE) {
        argument.right.size = argument.used = 2 * (argument.least + WHOLE_SIZE / 2);
    }
    assert_in_range(argument.used, 1, SCENE_GAP);
    trial->arguments[trial->count++] = argument;
    restore(&argument);
}

static void add_range(Trial *trial, const Range *range, const char *name, bool written) {
    trial->arguments[trial->count++] = (Argument){.name = name,
                                                  .right = {range->address, range->size},
                                                  .used = range->size,
                                                  .flags = written ? WRITTEN : 0};
}

static void trial_begin(Trial *trial, Scene *scene, const Command *command, Type type) {
    const Object *object = &scene->objects[type];
    const bool pair = command->flags & PAIR, writes = command->flags & WRITES;
    *trial = (Trial){scene, command, &type_infos[type], object, .recorded = interpose_recorded()};
    memset(trial->out, 0xFF, sizeof trial->out);
    trial->call = (Call){scene->gpu.cmd, object->handle, pair ? object->twin : (void *)trial->out,
                         0, trial->info};
    assert_in_range(command->size, 0, sizeof trial->info);
    if (command->info) {
        memcpy(trial->info, command->info, command->size);
    }
    for (uint32_t i = 0; i < MOST_MEMBERS && command->members[i].name; ++i) {
        add_member(trial, &command->members[i], scene->homes[i]);
    }
    for (uint32_t i = 0; i < object->rangeCount; ++i) {
        add_range(trial, &object->ranges[i], pair ? "source" : object->ranges[i].name,
                  type >= TABLE_TYPES || (writes && !pair));
    }
    if (pair) {
        add_range(trial, &object->twinRange, "destination", writes);
    }
}

/* ---- Wrong calls ---------------------------------------------------------------------------- */

static void null_pointers(Trial *trial) {
    const Command *command = trial->command;
    const Call call = trial->call;
    trial->call.cmd = NULL;
    wrong(trial, "cmd is NULL", "", "no command buffer");
    trial->call = call;
    trial->call.object = NULL; /* without an object there is no log */
    wrong(trial, command->flags & PAIR ? "source is NULL" : NULL, "", "no object");
    trial->call = call;
    if (command->pOther) {
        trial->call.other = NULL;
        wrong(trial, command->pOther, "is NULL", "no second object or output");
        trial->call = call;
    }
    if (command->flags & BY_VALUE || !command->pInfo) {
        return;
    }
    trial->call.info = NULL;
    either(trial, command->flags & OPTIONAL, command->pInfo, "is NULL", "no struct");
    trial->call = call;
    trial->info[0] = (uint64_t)(uintptr_t)trial; /* pNext is the first member */
    wrong(trial, "pNext", "", "an extension struct");
    trial->info[0] = 0;
}

static void one_array(Trial *trial, const Argument *argument) {
    const char *name = argument->name;
    const VkDeviceAddress home = argument->right.address;
    if (argument->flags & NONE) {
        move(argument, home);
        wrong(trial, name, "", "an array that must not be given");
        restore(argument);
        return;
    }
    for (uint32_t bytes = 1; bytes < argument->element; bytes *= 2) {
        move(argument, home + bytes);
        wrong(trial, name, "multiple of", "a misaligned array");
    }
    if (argument->flags & REQUIRED) {
        move(argument, 0);
        wrong(trial, name, "is required", "no array");
    }
    if (!(argument->flags & ADDRESS)) {
        const VkDeviceSize sizes[] = {0, argument->least - 1, argument->least - argument->element};
        for (uint32_t i = 0; i < 3 && argument->least; ++i) {
            put(argument, home, sizes[i]);
            wrong(trial, name, "", "a short array");
        }
        move(argument, 0 - (VkDeviceAddress)256);
        wrong(trial, name, "beyond the last address", "an array past the end");
        if (!(argument->flags & WHOLE)) {
            put(argument, home, 0 - home);
            right(trial, "the longest array");
        }
    }
    restore(argument);
}

/* Makes a call without optional arrays. If the command requires a result, this call must fail, and
 * a call per array of results must succeed. */
static void no_arrays(Trial *trial) {
    const Command *command = trial->command;
    const uint32_t most = command->plain ? command->plain : command->dispatches;
    const Argument *end = trial->arguments + trial->count;
    for (const Argument *argument = trial->arguments; argument < end; ++argument) {
        if (argument->place && !(argument->flags & REQUIRED)) {
            move(argument, 0);
        }
    }
    if (command->flags & RESULT) {
        wrong(trial, "values", "is required", "no array for results");
    } else {
        right_within(trial, most, "required arrays only");
    }
    for (const Argument *argument = trial->arguments; argument < end; ++argument) {
        if (command->flags & RESULT && argument->place && argument->flags & WRITTEN &&
            !(argument->flags & (WHOLE | NONE))) {
            restore(argument);
            right_within(trial, most, argument->name);
            move(argument, 0);
        }
    }
    for (const Argument *argument = trial->arguments; argument < end; ++argument) {
        if (argument->place) {
            restore(argument);
        }
    }
}

static VkDeviceSize round_up(VkDeviceSize size, VkDeviceSize step) {
    return (size + step - 1) / step * step;
}

/* Moves array a to the start of array b, then to its end, then so that the end of a overlaps the
 * start of b. Adjacent arrays are valid. */
static void one_overlap(Trial *trial, const Argument *a, const Argument *b) {
    const VkDeviceSize step = a->element, before = round_up(a->used, step);
    const VkDeviceAddress home = b->right.address;
    const VkDeviceAddress on[] = {home, home + (b->used - 1) / step * step, home - before + step};
    for (uint32_t i = 0; i < 3; ++i) {
        move(a, on[i]);
        either(trial, !((a->flags | b->flags) & WRITTEN), a->name, b->name, "an overlap");
    }
    move(a, home + round_up(b->used, step));
    right(trial, "an array directly after another");
    move(a, home - before);
    right(trial, "an array directly before another");
    restore(a);
}

static void arrays(Trial *trial) {
    const Argument *first = trial->arguments, *end = first + trial->count;
    for (const Argument *a = first; a < end; ++a) {
        if (!a->place) {
            continue;
        }
        one_array(trial, a);
        for (const Argument *b = first; b < end; ++b) {
            if (a != b && !((a->flags | b->flags) & NONE)) {
                one_overlap(trial, a, b);
            }
        }
    }
    no_arrays(trial);
}

static void modes(Trial *trial) {
    const bool zero = trial->type->info.emptyValue == MUR_EMPTY_VALUE_ZERO;
    const uint32_t sums = BIT(MUR_MODE_ADD) | BIT(MUR_MODE_MAX) | BIT(MUR_MODE_OR);
    static const int64_t others[] = {7, -1, INT32_MAX, INT32_MIN};
    uint32_t offered = BIT(MUR_MODE_ASSIGN) | BIT(MUR_MODE_INSERT);
    if (trial->type->value) {
        offered |= (zero ? sums : BIT(MUR_MODE_MIN)) |
                   (trial->command->flags & NO_UPDATE ? 0 : BIT(MUR_MODE_UPDATE));
    }
    for (uint32_t i = 0; i < MUR_MODE_UPDATE + 5; ++i) {
        trial->call.word = i <= MUR_MODE_UPDATE ? i : (uint32_t)others[i - MUR_MODE_UPDATE - 1];
        either(trial, i <= MUR_MODE_UPDATE && offered >> i & 1, "mode", "MUR_MODE_ASSIGN, _INSERT",
               "a mode");
    }
    trial->call.word = 0;
}

static void predicates(Trial *trial) {
    static const uint32_t compares[] = {MUR_COMPARE_GREATER_EQUAL + 1, UINT32_MAX, INT32_MAX};
    static const uint32_t words[] = {0, 1, 2, 3, 4, UINT32_MAX};
    const TypeInfo *type = trial->type;
    const uint32_t there = BIT(MUR_PREDICATE_KEY_LOW) |
                           (type->value ? BIT(MUR_PREDICATE_VALUE) : 0) |
                           (type->key == 8 ? BIT(MUR_PREDICATE_KEY_HIGH) : 0) |
                           (type == &type_infos[MULTI_64] ? BIT(MUR_PREDICATE_INDEX) : 0);
    MurPredicate *list = (void *)((uint8_t *)trial->info + trial->command->predicates);
    for (uint32_t i = 0; i < MUR_MAX_PREDICATES; ++i) {
        char name[32];
        snprintf(name, sizeof name, "predicates[%u]", i);
        for (uint32_t j = 0; j < 3; ++j) {
            list[i].compare = compares[j];
            wrong(trial, name, ".compare", "a comparison");
        }
        list[i].compare = MUR_COMPARE_EQUAL;
        for (uint32_t j = 0; j < 6; ++j) {
            list[i].word = words[j];
            either(trial, words[j] < 32 && there >> words[j] & 1, name, ".word", "a predicate");
        }
        list[i] = (MurPredicate){0};
    }
}

void bad_put(const Bad *bad, void *info) {
    const uint32_t low = (uint32_t)bad->value;
    assert_true(bad->size == 4 || bad->size == 8);
    memcpy((uint8_t *)info + bad->offset,
           bad->real != 0   ? (const void *)&bad->real
           : bad->size == 4 ? &low
                            : (void *)&bad->value,
           bad->size);
}

static void bad_values(Trial *trial) {
    const Command *command = trial->command;
    const uint32_t type = BIT(trial->type - type_infos);
    uint64_t info[sizeof trial->info / 8];
    memcpy(info, trial->info, sizeof info);
    for (const Bad *bad = command->bad; bad < command->bad + 8 && bad->name; ++bad) {
        if (bad->types && !(bad->types & type)) {
            continue;
        }
        if (bad->size) {
            bad_put(bad, trial->info);
        } else {
            trial->call.word = (uint32_t)bad->value;
        }
        if (bad->result == LIMIT) {
            right(trial, bad->name);
        } else {
            wrong_result(trial, bad->result ? bad->result : MUR_ERROR_INVALID_ARGUMENT,
                         bad->text ? bad->text : bad->name, "", bad->name);
        }
        memcpy(trial->info, info, sizeof info);
        trial->call.word = 0;
    }
}

static void nothing(Trial *trial) {
    assert_int_equal(trial->command->call(&trial->call), VK_SUCCESS);
    assert_int_equal(interpose_recorded(), trial->recorded);
    assert_int_equal(trial->scene->observed.log.errors, 0);
}

/* Makes a call with 0 items (the member after pNext), then one whose whole info is zero. */
static void no_items(Trial *trial) {
    memset(&trial->info[1], 0, 4);
    nothing(trial);
    memset(trial->info, 0, sizeof trial->info);
    nothing(trial);
}

/* ---- Wrong pairs of source and destination -------------------------------------------------- */

static void same_and_foreign_object(Trial *trial) {
    const Call call = trial->call;
    trial->call.other = call.object;
    wrong(trial, "source and destination", "one table", "a table into itself");
    trial->call.other = call.other;
    trial->call.object = trial->scene->foreign;
    wrong(trial, "source and destination", "two contexts", "a table of another context");
    trial->call = call;
}

/* Makes calls that move entries from this table to a table of each other type. */
static void other_types(Trial *trial, Type type) {
    const Call call = trial->call;
    for (uint32_t other = 0; other < TABLE_TYPES; ++other) {
        const Object *to = &trial->scene->objects[other];
        if (!to->handle || other == type) {
            continue;
        }
        const bool rehash = other != PLAIN, buckets = BUCKETS >> other & 1;
        trial->call.other = to->handle;
        const bool like = type_infos[other].content == trial->type->content;
        either(trial, like && rehash && !buckets,
               !like     ? "source"
               : !rehash ? "murKernelsRehash"
                         : "linear probing",
               like ? "" : "the destination's", type_infos[other].name);
    }
    trial->call = call;
}

/* ---- All calls of a command ----------------------------------------------------------------- */

static const char *rejection(const Command *command, Type type) {
    for (uint32_t i = 0; i < 4; ++i) {
        if (command->rejects[i].types >> type & 1) {
            return command->rejects[i].text;
        }
    }
    return NULL;
}

static void one_type(Scene *scene, const Command *command, Type type) {
    Trial trial;
    trial_begin(&trial, scene, command, type);
    const char *text = rejection(command, type);
    if (text) {
        wrong(&trial, text, "", "a table of a wrong type");
    }
    if (command->flags & PAIR) {
        other_types(&trial, type);
    }
    if (text) {
        return;
    }
    if (!(command->flags & ONCE)) {
        right(&trial, "a right call");
    }
    null_pointers(&trial);
    bad_values(&trial);
    if (command->flags & ONCE) {
        right(&trial, "a right call");
        memset(trial.out, 0xFF, sizeof trial.out);
        wrong(&trial, command->bad[0].name, "", "the same call again");
        return;
    }
    arrays(&trial);
    if (command->flags & MODES) {
        modes(&trial);
    }
    if (command->flags & PAIR) {
        same_and_foreign_object(&trial);
    }
    if (command->predicates) {
        predicates(&trial);
    }
    if (command->flags & EMPTY) {
        no_items(&trial);
    }
}

void reject(Scene *scene, const Command *command) {
    log_book_clear(&scene->observed.log);
    gpu_begin(&scene->gpu);
    for (uint32_t type = 0; type < TYPES; ++type) {
        if (command->types >> type & 1 && scene->objects[type].handle) {
            one_type(scene, command, type);
        }
    }
    gpu_require(vkEndCommandBuffer(scene->gpu.cmd)); /* commands are not executed */
}
