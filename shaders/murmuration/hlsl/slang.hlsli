// Murmuration: a table's buffer in Slang. Slang cannot pass a globallycoherent buffer to a function
// (slang#12763), but it can pass a structure that contains one. The structure has the member
// functions of RWByteAddressBuffer.
// SPDX-License-Identifier: MIT

struct MurBuffer {
    globallycoherent RWByteAddressBuffer words;

    uint Load(uint at) {
        return words.Load(at);
    }
    uint4 Load4(uint at) {
        return words.Load4(at);
    }
    void Store(uint at, uint value) {
        words.Store(at, value);
    }
    void InterlockedCompareExchange(uint at, uint compare, uint value, out uint old) {
        words.InterlockedCompareExchange(at, compare, value, old);
    }
#define MUR_INTERLOCKED(name)                      \
    void name(uint at, uint value, out uint old) { \
        words.name(at, value, old);                \
    }
    MUR_INTERLOCKED(InterlockedExchange)
    MUR_INTERLOCKED(InterlockedAdd)
    MUR_INTERLOCKED(InterlockedAnd)
    MUR_INTERLOCKED(InterlockedOr)
    MUR_INTERLOCKED(InterlockedMin)
    MUR_INTERLOCKED(InterlockedMax)
#undef MUR_INTERLOCKED
};
