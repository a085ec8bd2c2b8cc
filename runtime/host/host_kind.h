/* Table types on the host: a kind has the slot format, type flags and atomic width of a table.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_HOST_KIND_H
#define MUR_HOST_KIND_H

#include <murmuration/words.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__OPTIMIZE__) /* without optimization, inlining only enlarges code */
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

/* The flags that a type has beside its slot format: does it evict? */
#define HOST_TYPE_FLAGS          (MUR_TABLE_TYPE_MASK & ~MUR_TABLE_FORMAT_MASK)
#define HOST_KIND(format, flags) ((format) << MUR_TABLE_FORMAT_SHIFT | (flags))

#define HOST_CASE(kind, ...)    \
    case kind: {                \
        enum { KIND = (kind) }; \
        __VA_ARGS__;            \
        break;                  \
    }

#define HOST_COMPARED           HOST_KIND(MUR_FORMAT_R32, 0)
#define HOST_COMPARED_RUN(...)  HOST_CASE(HOST_COMPARED, __VA_ARGS__)
#define HOST_COMPARED_SKIP(...) HOST_CASE(HOST_COMPARED, (void)KIND)

/* Runs code with the table type as the constant KIND, for all types with linear probing. */
#define HOST_SWITCH(kind, COMPARED, ...)                                      \
    switch (kind) {                                                           \
        HOST_CASE(HOST_KIND(MUR_FORMAT_K32V32, MUR_TABLE_INT64), __VA_ARGS__) \
        HOST_CASE(HOST_KIND(MUR_FORMAT_K64V32, 0), __VA_ARGS__)               \
        HOST_CASE(HOST_KIND(MUR_FORMAT_K64V32, MUR_TABLE_INT64), __VA_ARGS__) \
        HOST_CASE(HOST_KIND(MUR_FORMAT_K32, 0), __VA_ARGS__)                  \
        HOST_CASE(HOST_KIND(MUR_FORMAT_K64, MUR_TABLE_INT64), __VA_ARGS__)    \
        HOST_CASE(HOST_KIND(MUR_FORMAT_K64V64, MUR_TABLE_INT64), __VA_ARGS__) \
        COMPARED(__VA_ARGS__)                                                 \
    default: {                                                                \
        enum { KIND = HOST_KIND(MUR_FORMAT_K32V32, 0) };                      \
        __VA_ARGS__;                                                          \
        break;                                                                \
    }                                                                         \
    }
#define HOST_BY_LINEAR_KIND(kind, ...) HOST_SWITCH(kind, HOST_COMPARED_RUN, __VA_ARGS__)

/* Runs code like HOST_SWITCH, for all table types. For tables that evict, only the type flags
 * of KIND are constant: with a loop per type, functions would become too long for optimisers. */
#define HOST_BRANCH(kind, COMPARED, ...)                \
    if (MUR_EVICTS(kind)) {                             \
        const uint32_t KIND = (kind) | HOST_TYPE_FLAGS; \
        __VA_ARGS__;                                    \
    } else {                                            \
        HOST_SWITCH(kind, COMPARED, __VA_ARGS__)        \
    }
#define HOST_BY_KIND(kind, ...) HOST_BRANCH(kind, HOST_COMPARED_RUN, __VA_ARGS__)

/* For operations on keys: the block of code does not run for tables that compare keys, because
 * these store none. */
#define HOST_BY_LINEAR_KEY_KIND(kind, ...) HOST_SWITCH(kind, HOST_COMPARED_SKIP, __VA_ARGS__)
#define HOST_BY_KEY_KIND(kind, ...)        HOST_BRANCH(kind, HOST_COMPARED_SKIP, __VA_ARGS__)

HOST_INLINE bool host_is_wide(uint32_t kind) {
    return (kind & MUR_TABLE_INT64) != 0;
}

HOST_INLINE uint32_t host_format(uint32_t kind) {
    return MUR_TABLE_FORMAT(kind);
}

HOST_INLINE bool host_evicts(uint32_t kind) {
    return MUR_EVICTS(kind);
}

HOST_INLINE uint32_t host_kind_of(uint32_t flags) {
    return HOST_KIND(MUR_SLOT_FORMAT(MUR_TABLE_FORMAT(flags)),
                     flags & (MUR_TABLE_INT64 | HOST_TYPE_FLAGS));
}

HOST_INLINE bool host_is_set(uint32_t kind) {
    return MUR_IS_SET(host_format(kind));
}

HOST_INLINE bool host_compares(uint32_t kind) {
    return host_format(kind) == MUR_FORMAT_R32;
}

/* Returns whether slots have two key words. If keys are compared, these are index and hash. */
HOST_INLINE bool host_has_wide_keys(uint32_t kind) {
    return MUR_IS_64(host_format(kind)) || host_compares(kind);
}

HOST_INLINE bool host_has_wide_values(uint32_t kind) {
    return MUR_HAS_WIDE_VALUES(host_format(kind));
}

/* Returns whether key and value share one 64-bit word, which one atomic operation writes. */
HOST_INLINE bool host_is_packed(uint32_t kind) {
    return host_format(kind) == MUR_FORMAT_K32V32 && host_is_wide(kind);
}

/* Returns whether the two words of a key in a slot are claimed one after the other. */
HOST_INLINE bool host_claims_halves(uint32_t kind) {
    return host_has_wide_keys(kind) && !host_is_wide(kind);
}

HOST_INLINE bool host_has_tags(uint32_t kind) {
    return host_format(kind) == MUR_FORMAT_K64V32 ||
           (host_format(kind) == MUR_FORMAT_K64 && !host_is_wide(kind));
}

/* Returns whether key and value fit the table's widths. */
HOST_INLINE bool host_fits(uint32_t kind, uint64_t key, uint64_t value) {
    return (host_has_wide_keys(kind) || key <= UINT32_MAX) &&
           (host_has_wide_values(kind) || value <= UINT32_MAX);
}

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

/* Returns item i of an array of values. Sets have no values; 1 means that the key is present. */
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
