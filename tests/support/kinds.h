/* The table types: each format with each of its atomic widths and empty values.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_KINDS_H
#define MUR_TEST_KINDS_H

#include <murmuration/murmuration.h>
#include <murmuration/words.h>

#include <stdbool.h>
#include <stdint.h>

/* Layouts: a format and an atomic width. Shaders are compiled for each layout. Shader variants and
 * test cases have the same names. */
#define TABLE_LAYOUTS(X) X(k32v32_32) X(k32v32_64) X(k64v32_32) X(k64v32_64) X(k32) X(k64) X(k64v64)

/* Layouts of bucketed tables. */
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

/* Names of the types, in the order of table_kinds. */
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
    uint32_t format;
    MurAtomicWidth width;
    bool zero; /* the empty value is 0; false for sets */
    Layout layout;
    uint32_t flags; /* MUR_TABLE_BUCKETS, or 0 */
} TableKind;

/* The types of K32V32 come first, then the types of K64V32. Types with an even index have the empty
 * value of all ones. In each group of four, the last two types have 64-bit atomics. */
enum { KINDS_OF_K32V32 = 4, KINDS_WITH_WIDTHS = 8 };
extern const TableKind table_kinds[ALL_KINDS];

/* Returns the type of a layout. zero: whether its empty value is 0 or all ones. Sets ignore it. */
const TableKind *layout_kind(Layout layout, bool zero);

/* Returns whether this tier runs the type. The normal tier runs each layout once, and each format,
 * width and bucketed type with both empty values. */
bool kind_is_usual(const TableKind *kind);

/* Returns a linear type of the same format, to which the entries can be moved. */
const TableKind *kind_without_buckets(const TableKind *kind);

/* format_type returns the type of a format, with buckets if flags has MUR_TABLE_BUCKETS, or NULL.
 * type_format returns the format of a GPU type or host type. */
MurType format_type(uint32_t format, uint32_t flags);
uint32_t type_format(MurType type);

MurTableCreateInfo kind_info(const TableKind *kind, uint64_t capacity);
bool kind_is_wide(const TableKind *kind); /* 64-bit atomics */
bool kind_is_set(const TableKind *kind);
bool kind_offers(const TableKind *kind, uint32_t mode);
uint32_t kind_key_words(const TableKind *kind);
uint32_t kind_value_words(const TableKind *kind); /* 0 for sets */

#endif
