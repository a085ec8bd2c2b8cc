// Evaluates the predicates of an extraction. The including file defines PREDICATES, their array.
// SPDX-License-Identifier: MIT

bool holds(MurPredicatePush predicate, uint word) {
    uint masked = word & predicate.mask;
    switch (predicate.compare) {
    case MUR_COMPARE_EQUAL:
        return masked == predicate.reference;
    case MUR_COMPARE_NOT_EQUAL:
        return masked != predicate.reference;
    case MUR_COMPARE_LESS:
        return masked < predicate.reference;
    case MUR_COMPARE_GREATER_EQUAL:
        return masked >= predicate.reference;
    default:
        return true;
    }
}

bool satisfies(uint value, uvec3 key) {
    bool all = true;
    [[unroll]] for (uint i = 0u; i < MUR_MAX_PREDICATES; ++i) {
        uint word = PREDICATES[i].word;
        all = all && holds(PREDICATES[i], word == MUR_PREDICATE_VALUE     ? value
                                          : word == MUR_PREDICATE_KEY_LOW ? key.x
                                          : word == MUR_PREDICATE_INDEX   ? key.z
                                                                          : key.y);
    }
    return all;
}
