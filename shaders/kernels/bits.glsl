// Answers as bits, a word for 32 items: a workgroup puts its own together in shared memory, and
// each word is stored once. (Subgroup operations would do for devices that have them, and subgroups
// of the right size.)
//
// SPDX-License-Identifier: MIT

shared uint bit_words[MUR_WORKGROUP / 32u];

// In uniform control flow, by every invocation of the workgroup. count: of items; set: the bit of
// the item that this invocation owns. Bits after the last item are 0, and words without an item
// stay as they are.
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
