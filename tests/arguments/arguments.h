/* Describes the arguments of each command, written by hand from the public headers. reject.c
 * derives wrong calls from the descriptions. They must not be taken from the checks in the library,
 * because they test these checks.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_ARGUMENTS_H
#define MUR_TEST_ARGUMENTS_H

#include "support/observe.h"

#include <murmuration/group.h>
#include <murmuration/growable.h>
#include <murmuration/mirror.h>
#include <murmuration/multi.h>
#include <murmuration/paged.h>

/* Items of a batch, and length and distance of rows in 32-bit words. */
enum { ITEMS = 64, ROW_WORDS = 3, ROW_STRIDE = 4 };

/* Objects that commands accept: one of each type, and a second one of each table type. */
typedef enum Type {
    PLAIN, /* K32V32, without kernel sets */
    K32V32,
    K32V32_ZERO,
    K64V32, /* empty value 0 */
    K64V64,
    K32,
    K64,
    BUCKETS_K32V32,
    BUCKETS_K64V32, /* empty value 0, with ages */
    BUCKETS_K32,
    BUCKETS_K64,
    MULTI_32,
    MULTI_64,
    ROWS,
    SHADER_ROWS, /* without MUR_ROWS: only shaders compare the rows */
    TABLE_TYPES,
    PAGED_BY_KEY = TABLE_TYPES, /* K32V32 */
    PAGED_BY_PARTITION,         /* K64V32, empty value 0 */
    PAGED_BY_HASH,              /* K32, persistent */
    PAGER,
    GROWABLE,
    MIRROR,
    TYPES
} Type;

#define BIT(type)     (1u << (type))
#define TABLES        (BIT(TABLE_TYPES) - 1)
#define BUCKETS       (BIT(MULTI_32) - BIT(BUCKETS_K32V32))
#define MULTI         (BIT(MULTI_32) | BIT(MULTI_64))
#define ANY_ROWS      (BIT(ROWS) | BIT(SHADER_ROWS))
#define PAGED         (BIT(PAGER) - BIT(PAGED_BY_KEY))
#define EXCEPT(types) (TABLES & ~(types))

typedef struct TypeInfo {
    const char *name;
    MurType (*type)(void);
    MurTableCreateInfo info; /* paged tables use only emptyValue */
    MurKernels (*kernels[MUR_MAX_KERNELS])(void);
    /* Bytes per key and per value in arrays, or 0 if commands accept no such array. multiKey: bytes
     * per key in the commands of multi.h. */
    uint32_t key, multiKey, value;
    /* A rehash requires source and destination types with equal `content`. 0: not a source. */
    uint32_t content;
    MurPageLocality locality;
} TypeInfo;
extern const TypeInfo type_infos[TYPES];

/* Memory of an object. name: the object's name in the library's messages. */
typedef struct Range {
    const char *name;
    VkDeviceAddress address;
    VkDeviceSize size;
} Range;

typedef struct Object {
    void *handle, *twin; /* both NULL if the device lacks the type; twin: a second one */
    MurPager pager;      /* the pager of a paged table */
    Range ranges[4];
    uint32_t rangeCount;
    Range twinRange;
} Object;

enum { MOST_MEMBERS = 10 };

typedef struct Scene {
    Gpu gpu;
    Observed observed; /* a context whose pipelines do nothing, because no command is executed */
    GpuBuffer memory;
    VkDeviceSize taken; /* used bytes at the start of memory */
    Object objects[TYPES];
    MurTable foreign; /* a K32V32 table of another context */
    VkDeviceAddress homes[MOST_MEMBERS];
} Scene;

/* Unused bytes between two memory ranges, at least the size of any array of a command. */
enum { SCENE_GAP = 1 << 16 };

int scene_setup(void **scene);
int scene_teardown(void **scene);
/* Returns unused memory whose offset is a multiple of 4096 bytes. */
MurBufferRange scene_take(Scene *scene, VkDeviceSize size);
MurTableCreateInfo scene_table_info(Type type);

/* The arguments of one call. other: the second object, or the output. word: the mode, content,
 * flags or priority, depending on the command. */
typedef struct Call {
    VkCommandBuffer cmd;
    void *object, *other;
    uint32_t word;
    void *info;
} Call;

/* Flags of an array that a command receives. An array without WRITTEN is only read. */
enum {
    REQUIRED = 1,
    WRITTEN = 2,
    WHOLE = 4,       /* the command uses all bytes of MurArray.size */
    NONE = 8,        /* a call with this array is rejected */
    ADDRESS = 16,    /* a VkDeviceAddress of one 32-bit word, not a MurArray */
    PARTITIONS = 32, /* as NONE, but tables with MUR_PAGE_BY_PARTITION require it */
    ABSENT = 64      /* no call sets this member */
};
/* Element sizes that depend on the type. */
enum { KEY = 1001, MULTI_KEY, VALUE };

/* An array in a struct. count: number of elements that the command uses for ITEMS items. */
typedef struct Member {
    const char *name;
    size_t offset;
    uint32_t element; /* bytes per element; also the alignment of the address */
    uint32_t count;
    uint32_t flags;
    VkDeviceSize (*bytes)(const Call *call); /* returns the array's used bytes; replaces count */
} Member;

/* A value that the command must reject, or, if result is LIMIT, the largest valid value. text: a
 * part of the expected error message; NULL: the name. */
typedef struct Bad {
    const char *name;
    size_t offset, size; /* place in info; size 0: the value is Call.word */
    uint64_t value;
    const char *text;
    VkResult result; /* 0: MUR_ERROR_INVALID_ARGUMENT; LIMIT: the value is valid */
    uint32_t types;  /* mask of types; 0: all types */
    float real;      /* if not 0, a float that replaces value */
} Bad;
#define LIMIT              VK_NOT_READY
#define AT(Struct, member) .name = #member, .offset = offsetof(Struct, member)
#define BAD(Struct, member, ...) \
    { AT(Struct, member), .size = sizeof(((Struct *)0)->member), .value = __VA_ARGS__ }
#define BAD_PARAMETER(parameter, ...) \
    { .name = #parameter, .value = __VA_ARGS__ }
#define TAKES(objects, most) .types = (objects), .dispatches = (most)
#define REJECT(objects, part) \
    { objects, part }
#define MEMBER(Struct, member, ...) \
    { AT(Struct, member), __VA_ARGS__ }
#define INFO(parameter, Type, ...) \
    .pInfo = #parameter, .info = &(const Type){__VA_ARGS__}, .size = sizeof(Type)

/* Flags of commands. */
enum {
    WRITES = 1,     /* the command writes the table, or the destination */
    MODES = 2,      /* word is an insert mode */
    NO_UPDATE = 4,  /* word must not be MUR_MODE_UPDATE */
    PAIR = 8,       /* object is the source, other the destination */
    OPTIONAL = 16,  /* info may be NULL */
    RESULT = 32,    /* at least one array with WRITTEN is required */
    EMPTY = 64,     /* a call without items, or with an all-zero info, records nothing */
    BY_VALUE = 128, /* info is a MurArray that is passed by value */
    ONCE = 256,     /* a second call with equal arguments is rejected */
};

typedef struct Command {
    const char *name;
    VkResult (*call)(const Call *call);
    uint32_t types; /* types whose handles have the C type of the parameter */
    struct {
        uint32_t types;
        const char *text;
    } rejects[4]; /* masks of rejected types, and a part of the error message */
    uint32_t flags;
    /* Largest number of dispatches, as the header states. plain: the number for a call without
     * optional arrays; 0: equal. */
    uint32_t dispatches, plain;
    const char *pInfo, *pOther; /* names of the parameters in messages; NULL: no such parameter */
    const void *info;           /* info of a valid call without arrays, which reject() sets */
    size_t size, predicates;    /* predicates: offset of the array of predicates in info; 0: none */
    Member members[MOST_MEMBERS];
    Bad bad[8];
} Command;

/* Makes valid and wrong calls from the description, for each type. Each wrong call must return the
 * documented error, log one message that names the function and the argument, and record nothing.
 * Each valid call must record as many dispatches as the header states, and allocate nothing. */
void reject(Scene *scene, const Command *command);

/* Requires this result, one logged error with both texts (NULL: no error), and no recorded call.
 * recorded: interpose_recorded() before the call. Clears the log. */
void expect_rejected(Scene *scene, VkResult result, VkResult expected, uint32_t recorded,
                     const char *first, const char *second, const char *what);
/* Writes a wrong value to its offset in a command's info. */
void bad_put(const Bad *bad, void *info);

#define SCENE_CASE(name) GPU_TEST_OF(name, Scene, scene, scene_setup, scene_teardown)

/* Defines a test case for one command. arguments: the arguments of the call, in parentheses. All
 * other parameters initialise members of Command. */
#define COMMAND(function, arguments, ...) COMMAND_AS(function, function, arguments, __VA_ARGS__)
#define COMMAND_AS(id, function, arguments, ...)                                     \
    static VkResult id##_call(const Call *call) {                                    \
        return function arguments;                                                   \
    }                                                                                \
    SCENE_CASE(id##_rejects_bad_arguments) {                                         \
        const Command command = {.name = #function, .call = id##_call, __VA_ARGS__}; \
        reject(scene, &command);                                                     \
    }

#endif
