/* SPDX-License-Identifier: MIT */
#include "kinds.h"

#include "seed.h"

#include <murmuration/buckets.h>
#include <murmuration/host.h>
#include <murmuration/multi.h>
#include <murmuration/rows.h>

#define KIND(name, format, layout, zero) \
    { name, MUR_FORMAT_##format, MUR_ATOMIC_WIDTH_32, zero, LAYOUT_##layout, 0 }
#define WIDE_KIND(name, format, layout, zero) \
    { name, MUR_FORMAT_##format, MUR_ATOMIC_WIDTH_64, zero, LAYOUT_##layout, 0 }

#define BUCKET_KIND(name, format, width, layout, zero)                        \
    {                                                                         \
        "buckets " name, MUR_FORMAT_##format, MUR_ATOMIC_WIDTH_##width, zero, \
            LAYOUT_buckets_##layout, MUR_TABLE_BUCKETS                        \
    }

const TableKind table_kinds[ALL_KINDS] = {
    KIND("K32V32, 32-bit atomics", K32V32, k32v32_32, false),
    KIND("K32V32, 32-bit atomics, reserved 0", K32V32, k32v32_32, true),
    WIDE_KIND("K32V32, 64-bit atomics", K32V32, k32v32_64, false),
    WIDE_KIND("K32V32, 64-bit atomics, reserved 0", K32V32, k32v32_64, true),
    KIND("K64V32, 32-bit atomics", K64V32, k64v32_32, false),
    KIND("K64V32, 32-bit atomics, reserved 0", K64V32, k64v32_32, true),
    WIDE_KIND("K64V32, 64-bit atomics", K64V32, k64v32_64, false),
    WIDE_KIND("K64V32, 64-bit atomics, reserved 0", K64V32, k64v32_64, true),
    KIND("K32", K32, k32, false),
    WIDE_KIND("K64", K64, k64, false),
    WIDE_KIND("K64V64", K64V64, k64v64, false),
    WIDE_KIND("K64V64, reserved 0", K64V64, k64v64, true),
    BUCKET_KIND("K32V32, 32-bit atomics", K32V32, 32, k32v32_32, false),
    BUCKET_KIND("K32V32, 32-bit atomics, reserved 0", K32V32, 32, k32v32_32, true),
    BUCKET_KIND("K32V32, 64-bit atomics", K32V32, 64, k32v32_64, false),
    BUCKET_KIND("K32V32, 64-bit atomics, reserved 0", K32V32, 64, k32v32_64, true),
    BUCKET_KIND("K64V32, 32-bit atomics", K64V32, 32, k64v32_32, false),
    BUCKET_KIND("K64V32, 32-bit atomics, reserved 0", K64V32, 32, k64v32_32, true),
    BUCKET_KIND("K64V32, 64-bit atomics", K64V32, 64, k64v32_64, false),
    BUCKET_KIND("K64V32, 64-bit atomics, reserved 0", K64V32, 64, k64v32_64, true),
    BUCKET_KIND("K32", K32, 32, k32, false),
    BUCKET_KIND("K64, 32-bit atomics", K64, 32, k64_32, false),
    BUCKET_KIND("K64, 64-bit atomics", K64, 64, k64_64, false),
};

const TableKind *layout_kind(Layout layout, bool zero) {
    uint32_t i = 0;
    while (table_kinds[i].layout != layout) {
        ++i;
    }
    return &table_kinds[i + (zero && !kind_is_set(&table_kinds[i]))];
}

bool kind_is_usual(const TableKind *kind) {
    static const bool zero[ALL_LAYOUTS] = {
        [LAYOUT_k32v32_64] = true,
        [LAYOUT_k64v32_32] = true,
        [LAYOUT_buckets_k32v32_32] = true,
        [LAYOUT_buckets_k64v32_64] = true,
    };
    return test_full() || kind_is_set(kind) || kind->layout == LAYOUT_k64v64 ||
           kind->zero == zero[kind->layout];
}

const TableKind *kind_without_buckets(const TableKind *kind) {
    uint32_t i = 0;
    while (table_kinds[i].format != kind->format || table_kinds[i].zero != kind->zero) {
        ++i;
    }
    return kind->flags ? &table_kinds[i] : kind;
}

/* Programs with MUR_TEST_HOST_ALONE contain no kernels, so they use only host types. */
#ifdef MUR_TEST_HOST_ALONE
#define TYPE(format, flags, name) \
    { MUR_FORMAT_##format, flags, murHostType##name, murHostType##name }
#else
#define TYPE(format, flags, name) \
    { MUR_FORMAT_##format, flags, murType##name, murHostType##name }
#endif

static const struct {
    uint32_t format, flags;
    MurType (*type)(void);
    MurType (*host)(void);
} types[] = {
    TYPE(K32V32, 0, K32V32),
    TYPE(K64V32, 0, K64V32),
    TYPE(K64V64, 0, K64V64),
    TYPE(K32, 0, K32),
    TYPE(K64, 0, K64),
    TYPE(K32V32, MUR_TABLE_BUCKETS, BucketsK32V32),
    TYPE(K64V32, MUR_TABLE_BUCKETS, BucketsK64V32),
    TYPE(K32, MUR_TABLE_BUCKETS, BucketsK32),
    TYPE(K64, MUR_TABLE_BUCKETS, BucketsK64),
    TYPE(K64V32_MULTI, 0, MultiK64),
    TYPE(R32, 0, Rows),
    TYPE(K64V32, UINT32_MAX, MultiK32), /* matches no flags: only type_format finds it */
};
enum { TYPES = sizeof types / sizeof types[0] };

MurType format_type(uint32_t format, uint32_t flags) {
    size_t i = 0;
    while (i < TYPES &&
           (types[i].format != format || types[i].flags != (flags & MUR_TABLE_BUCKETS))) {
        ++i;
    }
    return i < TYPES ? types[i].type() : NULL;
}

uint32_t type_format(MurType type) {
    size_t i = 0;
    while (type && i < TYPES && types[i].type() != type && types[i].host() != type) {
        ++i;
    }
    return i < TYPES ? types[i].format : UINT32_MAX;
}

MurTableCreateInfo kind_info(const TableKind *kind, uint64_t capacity) {
    return (MurTableCreateInfo){
        .capacity = capacity,
        .emptyValue = kind->zero ? MUR_EMPTY_VALUE_ZERO : MUR_EMPTY_VALUE_MAX,
        .atomicWidth = kind->width,
        .type = format_type(kind->format, kind->flags),
        .pName = kind->name,
    };
}

bool kind_is_wide(const TableKind *kind) {
    return kind->width == MUR_ATOMIC_WIDTH_64;
}

bool kind_is_set(const TableKind *kind) {
    return MUR_IS_SET(kind->format);
}

bool kind_offers(const TableKind *kind, uint32_t mode) {
    const bool common = mode == MUR_MODE_ASSIGN || mode == MUR_MODE_INSERT;
    if (common || kind_is_set(kind)) {
        return common;
    }
    return mode == MUR_MODE_UPDATE || kind->zero == (mode != MUR_MODE_MIN);
}

uint32_t kind_key_words(const TableKind *kind) {
    return MUR_IS_64(kind->format) ? 2 : 1;
}

uint32_t kind_value_words(const TableKind *kind) {
    return kind_is_set(kind) ? 0 : kind->format == MUR_FORMAT_K64V64 ? 2 : 1;
}
