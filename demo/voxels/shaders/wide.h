/* 64-bit arithmetic that needs no 64-bit integers: the same text for C and GLSL.
 * SPDX-License-Identifier: MIT */
#ifndef WIDE_H
#define WIDE_H

#include "shapes.h"

MUR_STRUCT(Wide) {
    MUR_U32 high, low;
};

MUR_INLINE Wide wideProduct(MUR_U32 a, MUR_U32 b) {
    Wide w;
#if defined(__STDC__) || defined(__cplusplus) || defined(_MSC_VER)
    uint64_t product = (uint64_t)a * b;
    w.high = (MUR_U32)(product >> 32);
    w.low = (MUR_U32)product;
#else
    umulExtended(a, b, w.high, w.low);
#endif
    return w;
}

MUR_INLINE Wide wideSum(Wide a, Wide b) {
    Wide w;
    w.low = a.low + b.low;
    w.high = a.high + b.high + (w.low < a.low ? 1u : 0u);
    return w;
}

MUR_INLINE bool wideAtMost(Wide a, Wide b) {
    return a.high < b.high || (a.high == b.high && a.low <= b.low);
}

#endif
