/* The kinds of tables: each format with each atomic width and reserved value that it takes.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_KINDS_H
#define MUR_TEST_KINDS_H

#include <murmuration/murmuration.h>
#include <murmuration/words.h>

#include <stdbool.h>
#include <stdint.h>

/* What a shader is compiled for: a format and the width of its atomics. Names are those of the
 * shaders' variants and of test cases. */
#define TABLE_LAYOUTS(X) X(k32v32_32) X(k32v32_64) X(k64v32_32) X(k64v32_64) X(k32) X(k64) X(k64v64)

/* Those of tables in buckets. */
#define BUCKET_LAYOUTS(X) \
    X(buckets_k32v32_32)  \
    X(buckets_k32v32_64)  \
    X(buckets_k64v32_32) X(buckets_k64v32_64) X(buckets_k32) X(buckets_k64_32) X(buckets_k64_64)

#define TABLE_LAYOUT_ENUM(name) LAYOUT_##name,
typedef enum Layout {
    TABLE_LAYOUTS(TABLE_LAYOUT_ENUM) LAYOUT_COUNT,
    LAYOUT_LAST = LAYOUT_COUNT - 1,
    BUCKET_LAYOUTS(TABLE_LAYOUT_ENUM) ALL_LAYOUTS
} Layout;

/* The kinds by name, in the order of the list. */
#define TABLE_KIND_NAMES(X) \
    X(k32v32_32_max)        \
    X(k32v32_32_zero)       \
    X(k32v32_64_max)        \
    X(k32v32_64_zero)       \
    X(k64v32_32_max)        \
    X(k64v32_32_zero)       \
    X(k64v32_64_max)        \
    X(k64v32_64_zero)       \
    X(k32_set)              \
    X(k64_set)              \
    X(k64v64_max)           \
    X(k64v64_zero)
#define TABLE_KIND_ENUM(name) KIND_##name,
#define BUCKET_KIND_NAMES(X)  \
    X(buckets_k32v32_32_max)  \
    X(buckets_k32v32_32_zero) \
    X(buckets_k32v32_64_max)  \
    X(buckets_k32v32_64_zero) \
    X(buckets_k64v32_32_max)  \
    X(buckets_k64v32_32_zero) \
    X(buckets_k64v32_64_max)  \
    X(buckets_k64v32_64_zero) \
    X(buckets_k32_set)        \
    X(buckets_k64_32_set)     \
    X(buckets_k64_64_set)
typedef enum KindName {
    TABLE_KIND_NAMES(TABLE_KIND_ENUM) TABLE_KINDS,
    KIND_LAST = TABLE_KINDS - 1,
    BUCKET_KIND_NAMES(TABLE_KIND_ENUM) ALL_KINDS
} KindName;

typedef struct TableKind {
    const char *name;
    MurFormat format;
    MurAtomicWidth width;
    bool zero; /* the reserved value is 0; of sets: false */
    Layout layout;
    uint32_t flags; /* of MurTableCreateInfo */
} TableKind;

/* Those of K32V32 come first, then those of K64V32: even ones have the reserved value of all ones,
 * the second two 64-bit atomics. */
enum { KINDS_OF_K32V32 = 4, KINDS_WITH_WIDTHS = 8 };
extern const TableKind table_kinds[ALL_KINDS];

/* The kind of a layout with the reserved value 0, or all ones. Sets have but one. */
const TableKind *layout_kind(Layout layout, bool zero);

/* Does this tier run what runs for each kind? The normal one takes each layout once, and with each
 * format, width and bucket either reserved value. */
bool kind_is_usual(const TableKind *kind);

/* Its entries can be moved there: a kind with its format. */
const TableKind *kind_without_buckets(const TableKind *kind);

MurTableCreateInfo kind_info(const TableKind *kind, uint64_t capacity);
bool kind_is_wide(const TableKind *kind); /* 64-bit atomics */
bool kind_is_set(const TableKind *kind);
bool kind_offers(const TableKind *kind, uint32_t mode);
uint32_t kind_key_words(const TableKind *kind);
uint32_t kind_value_words(const TableKind *kind); /* of sets: 0 */

#endif
