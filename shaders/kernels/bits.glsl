// Collects one result bit per item, 32 items per word, and stores each word once per workgroup.
// SPDX-License-Identifier: MIT

shared uint bit_words[MUR_WORKGROUP / 32u];

// Writes the bit of this invocation's item. count: number of items. Bits after the last item are 0;
// words without an item are not written. Call it in uniform control flow.
void mur_output_bits(uvec2 array, uint count, bool set) {
    if (!mur_wanted(array)) {
        return;
    }
    uint word = gl_LocalInvocationIndex / 32u;
    uint bit = gl_LocalInvocationIndex % 32u;
    if (bit == 0u) {
        bit_words[word] = 0u;
    }
    barrier();
    uint item;
    bool own = mur_item(count, item);
    if (own && set) {
        atomicOr(bit_words[word], 1u << bit);
    }
    barrier();
    if (own && bit == 0u) {
        mur_output(array, item / 32u, bit_words[word]);
    }
}
