// Keys and values of murbench. Key i is a bijection of i, so keys are distinct. No value is an
// empty value. Included after murmuration.glsl. SPDX-License-Identifier: MIT

uint pair_key(uint i) {
    return mur_hash(i, 0x9E3779B9u);
}

uint pair_value(uint i) {
    return (i * 0x9E3779B1u >> 1) + 1u;
}

// Returns the pair of a key of one word.
uint pair_of(uint key) {
    return mur_key(key, 0x9E3779B9u);
}
