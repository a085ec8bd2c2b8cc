/* See instead.h. SPDX-License-Identifier: MIT */
#include "instead.h"

#include "support/gpu.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_SHADERS = 32, MAX_WORDS = 1 << 16 };
static uint32_t words[MAX_SHADERS][MAX_WORDS];
static uint32_t count;

const uint32_t *shader_instead(const char *name, const uint32_t *code, size_t *size) {
    char path[1024];
    const char *folder = getenv("MUR_TEST_SHADERS");
    if (!folder) {
        return code;
    }
    snprintf(path, sizeof path, "%s/%s.spv", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file) {
        return code;
    }
    assert_true(count < MAX_SHADERS);
    *size = fread(words[count], 1, sizeof words[count], file);
    assert_in_range(*size, 4, sizeof words[count] - 1);
    fclose(file);
    printf("shader: %s\n", path);
    return words[count++];
}
