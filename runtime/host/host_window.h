/* The start of a probe: compares the window, the 64 bytes from the home slot on, at once.
 *
 * The end of a run of claimed slots is unpredictable, and a branch misprediction costs more time
 * than comparing the whole window without branches.
 *
 * Skipped slots always belong to other keys: the first key word of a slot changes from empty to
 * that of a key, and then at most to that of a tombstone. If the word is neither empty nor that of
 * a hash, the hash can never claim the slot. Therefore it does not matter when, or in which order,
 * the window was read. No other conclusion may be drawn from the window: the probe itself begins at
 * the slot where the comparison ended, with its own loads.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_HOST_WINDOW_H
#define MUR_HOST_WINDOW_H

#include "host_slot.h"

/* Size of the window in bytes: one cache line, so that two prefetches always cover it. No table is
 * smaller. */
#define HOST_WINDOW 64u

HOST_INLINE uint32_t host_window_slots(uint32_t kind) {
    return HOST_WINDOW >> MUR_SLOT_SHIFT(host_format(kind));
}

/* Returns the window's first slot: the home slot, unless the table ends before the window does. */
HOST_INLINE uint32_t host_window_start(const HostView *view, uint32_t kind, uint32_t home) {
    const uint32_t last = view->ref.slotCount - host_window_slots(kind);
    return home < last ? home : last;
}

/* Prefetches the window, which may be in two cache lines. Addresses after the table's end are not
 * valid pointers, but a prefetch accepts any address. */
HOST_INLINE void host_window_fetch(const HostView *view, uint32_t kind, uint32_t home) {
    const uintptr_t at = (uintptr_t)host_slot(view, kind, home).key;
    const uint32_t last = host_evicts(kind) ? (MUR_HOME_SLOTS(true) << host_key_shift(kind)) - 1
                                            : HOST_WINDOW - 1;
    HOST_PREFETCH((const void *)at);
    HOST_PREFETCH((const void *)(at + last));
}

/* ThreadSanitizer does not recognise that each word of a vector is read as a whole. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HOST_TSAN
#endif
#elif defined(__SANITIZE_THREAD__)
#define HOST_TSAN
#endif

#if defined(__GNUC__) && defined(__SSE2__) && !defined(HOST_TSAN)

#include <emmintrin.h>

/* Returns a mask of the words of a vector that are MUR_EMPTY or the wanted word. */
HOST_INLINE __m128i host_stops(__m128i words, __m128i wanted) {
    return _mm_or_si128(_mm_cmpeq_epi32(words, wanted),
                        _mm_cmpeq_epi32(words, _mm_set1_epi32((int)MUR_EMPTY)));
}

/* Returns words 0, 2, 4 and 6 of the eight words in two vectors. */
HOST_INLINE __m128i host_even_words(__m128i a, __m128i b) {
    return _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(a), _mm_castsi128_ps(b), 0x88));
}

/* Returns one bit per slot of the window, set if the slot's first word is empty or the wanted word.
 * A vector may load different words at different times, because only each word must be complete. */
HOST_INLINE uint32_t host_window_stops(uint32_t kind, const uint8_t *at, uint32_t first) {
    const __m128i *from = (const __m128i *)(const void *)at;
    const __m128i wanted = _mm_set1_epi32((int)first);
    __m128i a = _mm_loadu_si128(from), b = _mm_loadu_si128(from + 1);
    __m128i c = _mm_loadu_si128(from + 2), d = _mm_loadu_si128(from + 3);
    switch (MUR_SLOT_SHIFT(host_format(kind))) {
    case 2:
        a = _mm_packs_epi32(host_stops(a, wanted), host_stops(b, wanted));
        c = _mm_packs_epi32(host_stops(c, wanted), host_stops(d, wanted));
        return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(a, c));
    case 3:
        a = host_stops(host_even_words(a, b), wanted);
        c = host_stops(host_even_words(c, d), wanted);
        return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(_mm_packs_epi32(a, c), a));
    default:
        a = host_even_words(host_even_words(a, b), host_even_words(c, d));
        return (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(host_stops(a, wanted)));
    }
}

/* Returns how many slots, from the home slot on, a probe may skip because they belong to other
 * keys. It never skips the window's last slot. */
HOST_INLINE uint32_t host_others(const HostView *view, uint32_t kind, uint64_t hash) {
    const uint32_t home = host_home(view, kind, hash);
    const uint32_t start = host_window_start(view, kind, home);
    const uint32_t stops = host_window_stops(kind, host_slot(view, kind, start).key,
                                             (uint32_t)host_stored(kind, hash).words);
    const uint32_t last = 1u << (host_window_slots(kind) - 1);
    return (uint32_t)__builtin_ctz((stops | last) >> (home - start));
}

#else

/* Returns the number of slots that a probe may skip, without vectors. Compares only four slots,
 * because comparing more word by word takes longer than a branch misprediction. */
HOST_INLINE uint32_t host_others(const HostView *view, uint32_t kind, uint64_t hash) {
    const uint32_t home = host_home(view, kind, hash);
    const uint32_t wanted = (uint32_t)host_stored(kind, hash).words;
    uint32_t others = 0;
    bool all = true;
    for (uint32_t i = 0; i < 4; ++i) { /* never more than the padding, so inside the table */
        const uint32_t word = (uint32_t)host_key_words(kind, host_slot(view, kind, home + i));
        all = all & (word != MUR_EMPTY) & (word != wanted);
        others += all;
    }
    return others;
}

#endif
#endif
