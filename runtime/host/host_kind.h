/* Kinds of tables on the host, what slots look like and how wide atomics are, as in
 * MurTableRef.flags; arrays of a kind.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_HOST_KIND_H
#define MUR_HOST_KIND_H

#include <murmuration/words.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__OPTIMIZE__) /* else it would only make large code of it */
#define HOST_INLINE static inline __attribute__((always_inline))
#else
#define HOST_INLINE static inline
#endif
#if defined(__GNUC__)
#define HOST_APART           static __attribute__((noinline))
#define HOST_PREFETCH(where) __builtin_prefetch(where)
#else
#define HOST_APART           static
#define HOST_PREFETCH(where) ((void)(where))
#endif

/* ---- Kinds ---------------------------------------------------------------------------------- */

#define HOST_KIND(format, flags) ((format) << MUR_TABLE_FORMAT_SHIFT | (flags))

#define HOST_CASE(kind, ...)    \
    case kind: {                \
        enum { KIND = (kind) }; \
        __VA_ARGS__;            \
        break;                  \
    }

/* Rows are no keys: a file of what takes keys has nothing that runs for them. */
#define HOST_ROWS HOST_KIND(MUR_FORMAT_R32, 0)
#ifndef HOST_ROWS_CASE
#define HOST_ROWS_CASE(...) HOST_CASE(HOST_ROWS, __VA_ARGS__)
#endif

/* Runs a block with KIND being the kind as a constant. There are no other kinds without buckets. */
#define HOST_BY_LINEAR_KIND(kind, ...)                                        \
    switch (kind) {                                                           \
        HOST_CASE(HOST_KIND(MUR_FORMAT_K32V32, MUR_TABLE_INT64), __VA_ARGS__) \
        HOST_CASE(HOST_KIND(MUR_FORMAT_K64V32, 0), __VA_ARGS__)               \
        HOST_CASE(HOST_KIND(MUR_FORMAT_K64V32, MUR_TABLE_INT64), __VA_ARGS__) \
        HOST_CASE(HOST_KIND(MUR_FORMAT_K32, 0), __VA_ARGS__)                  \
        HOST_CASE(HOST_KIND(MUR_FORMAT_K64, MUR_TABLE_INT64), __VA_ARGS__)    \
        HOST_CASE(HOST_KIND(MUR_FORMAT_K64V64, MUR_TABLE_INT64), __VA_ARGS__) \
        HOST_ROWS_CASE(__VA_ARGS__)                                           \
    default: {                                                                \
        enum { KIND = HOST_KIND(MUR_FORMAT_K32V32, 0) };                      \
        __VA_ARGS__;                                                          \
        break;                                                                \
    }                                                                         \
    }

/* The same for all kinds. Of tables in buckets all that is constant is that they are: with loops
 * for each of those, functions would get so long that compilers do worse by the others, too. */
#define HOST_BY_KIND(kind, ...)                           \
    if ((kind)&MUR_TABLE_BUCKETS) {                       \
        const uint32_t KIND = (kind) | MUR_TABLE_BUCKETS; \
        __VA_ARGS__;                                      \
    } else {                                              \
        HOST_BY_LINEAR_KIND(kind, __VA_ARGS__)            \
    }

HOST_INLINE bool host_is_wide(uint32_t kind) {
    return (kind & MUR_TABLE_INT64) != 0;
}

HOST_INLINE uint32_t host_format(uint32_t kind) {
    return MUR_TABLE_FORMAT(kind);
}

HOST_INLINE bool host_in_buckets(uint32_t kind) {
    return (kind & MUR_TABLE_BUCKETS) != 0;
}

/* The kind of a table with these flags. */
HOST_INLINE uint32_t host_kind_of(uint32_t flags) {
    return HOST_KIND(MUR_SLOT_FORMAT(MUR_TABLE_FORMAT(flags)),
                     flags & (MUR_TABLE_INT64 | MUR_TABLE_BUCKETS));
}

HOST_INLINE bool host_is_set(uint32_t kind) {
    return MUR_IS_SET(host_format(kind));
}

HOST_INLINE bool host_has_rows(uint32_t kind) {
    return host_format(kind) == MUR_FORMAT_R32;
}

/* Or, of rows, number and hash, which stand in place of a hash of 64 bits. */
HOST_INLINE bool host_has_wide_keys(uint32_t kind) {
    return MUR_IS_64(host_format(kind)) || host_has_rows(kind);
}

HOST_INLINE bool host_has_wide_values(uint32_t kind) {
    return host_format(kind) == MUR_FORMAT_K64V64;
}

/* Key and value in one word that one operation writes. */
HOST_INLINE bool host_is_packed(uint32_t kind) {
    return host_format(kind) == MUR_FORMAT_K32V32 && host_is_wide(kind);
}

/* The two halves of a key are claimed one after the other. */
HOST_INLINE bool host_claims_halves(uint32_t kind) {
    return host_has_wide_keys(kind) && !host_is_wide(kind);
}

/* Slots have tags. */
HOST_INLINE bool host_has_tags(uint32_t kind) {
    return host_format(kind) == MUR_FORMAT_K64V32 ||
           (host_format(kind) == MUR_FORMAT_K64 && !host_is_wide(kind));
}

/* Have key and value the table's widths? */
HOST_INLINE bool host_fits(uint32_t kind, uint64_t key, uint64_t value) {
    return (host_has_wide_keys(kind) || key <= UINT32_MAX) &&
           (host_has_wide_values(kind) || value <= UINT32_MAX);
}

/* ---- Arrays --------------------------------------------------------------------------------- */

HOST_INLINE uint64_t host_key_at(uint32_t kind, const void *keys, size_t i) {
    return host_has_wide_keys(kind) ? ((const uint64_t *)keys)[i] : ((const uint32_t *)keys)[i];
}

HOST_INLINE void host_set_key(uint32_t kind, void *keys, size_t i, uint64_t key) {
    if (host_has_wide_keys(kind)) {
        ((uint64_t *)keys)[i] = key;
    } else {
        ((uint32_t *)keys)[i] = (uint32_t)key;
    }
}

/* Sets have no values but the one that says that a key is there. */
HOST_INLINE uint64_t host_value_at(uint32_t kind, const void *values, size_t i) {
    return host_is_set(kind)            ? 1
           : host_has_wide_values(kind) ? ((const uint64_t *)values)[i]
                                        : ((const uint32_t *)values)[i];
}

HOST_INLINE void host_set_value(uint32_t kind, void *values, size_t i, uint64_t value) {
    if (host_has_wide_values(kind)) {
        ((uint64_t *)values)[i] = value;
    } else if (!host_is_set(kind)) {
        ((uint32_t *)values)[i] = (uint32_t)value;
    }
}

#endif
