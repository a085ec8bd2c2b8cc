// Sorts words of the array SORTED in shared memory. This is a bitonic sort (Batcher 1968) in which
// each merge first compares mirrored words. So all comparisons have the same direction, and any
// number of words can be sorted.
// SPDX-License-Identifier: MIT

// Sorts count words from first on, at least two. Call it in uniform control flow.
void sort_words(uint first, uint count) {
    const uint pairs = 1u << uint(findMSB(count - 1u)); // half of the next power of two
    for (uint size = 2u; size <= 2u * pairs; size *= 2u) {
        for (uint step = size; step > 1u; step /= 2u) {
            barrier();
            for (uint i = gl_LocalInvocationIndex; i < pairs; i += MUR_WORKGROUP) {
                uint at = i % (step / 2u), low = i / (step / 2u) * step + at;
                uint high = step == size ? low + step - 1u - 2u * at : low + step / 2u;
                if (high < count && SORTED[first + low] > SORTED[first + high]) {
                    uint word = SORTED[first + low];
                    SORTED[first + low] = SORTED[first + high];
                    SORTED[first + high] = word;
                }
            }
        }
    }
    barrier();
}
