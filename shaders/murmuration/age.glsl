// Murmuration: noting when an entry was used, for murCmdAge (<murmuration/age.h>).
//
// A touch writes only where it changes something: of many invocations that use one entry in a frame
// few store. Touches of one frame may run beside each other and beside anything but murCmdAge.
// slot: what the calls on tables give, MUR_NO_SLOT among it, which touches nothing.
//
// SPDX-License-Identifier: MIT

// The same where the ages are a bound buffer: array is the array in its block. An argument may be
// evaluated more than once.
#define MUR_TOUCH(array, slot, frame)                           \
    do {                                                        \
        if ((slot) != MUR_NO_SLOT && array[slot] != (frame)) {  \
            array[slot] = (frame);                              \
        }                                                       \
    } while (false)

#if !defined(MUR_BUFFER_BINDING) && !defined(MUR_HLSL)
layout(buffer_reference, std430, buffer_reference_align = 4) buffer MurAgeWord {
    uint word;
};

// ages: the address of the array, low word in x.
void mur_touch(uvec2 ages, uint slot, uint frame) {
    if (slot != MUR_NO_SLOT) {
        MurAgeWord age = MurAgeWord(mur_offset(ages, slot, 2u));
        if (age.word != frame) {
            age.word = frame;
        }
    }
}
#endif
