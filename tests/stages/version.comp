#version 460
#extension GL_GOOGLE_include_directive : require
// Tests the version macros in preprocessor conditions. EXPECTED is the version as one number.
// SPDX-License-Identifier: MIT
#include "murmuration.glsl"

#if MUR_VERSION != EXPECTED
#error "MUR_VERSION is not as expected"
#endif
#if 10000 * MUR_VERSION_MAJOR + 100 * MUR_VERSION_MINOR + MUR_VERSION_PATCH != EXPECTED
#error "the parts of the version are not as expected"
#endif

void main() {
}
