/* SPDX-License-Identifier: MIT */
#include "call_code.h"

#include "seed.h"

#define DECLARE(name)                  \
    GPU_SPIRV(calls_##name##_address); \
    GPU_SPIRV(calls_##name##_buffer);
#define DECLARE_READ(name)                  \
    GPU_SPIRV(calls_##name##_address_read); \
    GPU_SPIRV(calls_##name##_buffer_read);
TABLE_LAYOUTS(DECLARE)
DECLARE_READ(k32v32_32)
DECLARE_READ(k64v32_32)
DECLARE_READ(k32)
DECLARE_READ(k64)
DECLARE_READ(k64v64)
#define DECLARE_ADDRESS(name) GPU_SPIRV(calls_##name##_address);
BUCKET_LAYOUTS(DECLARE_ADDRESS)
GPU_SPIRV(calls_buckets_k64v32_32_buffer);
GPU_SPIRV(calls_buckets_k64_32_buffer);
GPU_SPIRV(calls_buckets_k32v32_32_address_read);
GPU_SPIRV(calls_buckets_k32_address_read);
DECLARE_READ(buckets_k64v32_32)
DECLARE_READ(buckets_k64_32)
GPU_SPIRV(calls_k32v32_32_array);
GPU_SPIRV(calls_k32v32_64_array);
GPU_SPIRV(calls_k32v32_32_array_read);

typedef struct Code {
    const uint32_t *words;
    const size_t *size;
} Code;

#define CODE(symbol) \
    { symbol, &symbol##_size }
#define READ(name) \
    { CODE(calls_##name##_address_read), CODE(calls_##name##_buffer_read) }
#define READ_ADDRESS(name) \
    { CODE(calls_##name##_address_read) }
#define WRITE(name) {CODE(calls_##name##_address), CODE(calls_##name##_buffer)},
#define WRITE_ADDRESS(name) \
    { CODE(calls_##name##_address) }

/* Of tables in buckets two formats are bound, too. */
static const Code writing[ALL_LAYOUTS][2] = {
    TABLE_LAYOUTS(WRITE) WRITE_ADDRESS(buckets_k32v32_32), WRITE_ADDRESS(buckets_k32v32_64),
    WRITE(buckets_k64v32_32) WRITE_ADDRESS(buckets_k64v32_64), WRITE_ADDRESS(buckets_k32),
    WRITE(buckets_k64_32) WRITE_ADDRESS(buckets_k64_64)};
static const Code reading[ALL_LAYOUTS][2] = {
    READ(k32v32_32),
    READ(k32v32_32),
    READ(k64v32_32),
    READ(k64v32_32),
    READ(k32),
    READ(k64),
    READ(k64v64),
    READ_ADDRESS(buckets_k32v32_32),
    READ_ADDRESS(buckets_k32v32_32),
    READ(buckets_k64v32_32),
    READ(buckets_k64v32_32),
    READ_ADDRESS(buckets_k32),
    READ(buckets_k64_32),
    READ(buckets_k64_32),
};
static const Code arrays[3] = {CODE(calls_k32v32_32_array), CODE(calls_k32v32_64_array),
                               CODE(calls_k32v32_32_array_read)};

bool call_is_usual(Layout layout, Access access) {
    static const bool usual[ALL_LAYOUTS][ACCESS_COUNT] = {
        [LAYOUT_k32v32_32] = {[ACCESS_ADDRESS] = true},
        [LAYOUT_k32v32_64] = {[ACCESS_ARRAY] = true},
        [LAYOUT_k64v32_32] = {[ACCESS_ADDRESS] = true},
        [LAYOUT_k64v32_64] = {[ACCESS_ADDRESS] = true},
        [LAYOUT_k32] = {[ACCESS_ADDRESS] = true, [ACCESS_BUFFER] = true},
        [LAYOUT_k64] = {[ACCESS_ADDRESS] = true, [ACCESS_BUFFER] = true},
        [LAYOUT_k64v64] = {[ACCESS_ADDRESS] = true, [ACCESS_BUFFER] = true},
        [LAYOUT_buckets_k32v32_32] = {[ACCESS_ADDRESS] = true},
        [LAYOUT_buckets_k64v32_32] = {[ACCESS_ADDRESS] = true},
        [LAYOUT_buckets_k64v32_64] = {[ACCESS_ADDRESS] = true},
        [LAYOUT_buckets_k32] = {[ACCESS_ADDRESS] = true},
        [LAYOUT_buckets_k64_32] = {[ACCESS_BUFFER] = true},
        [LAYOUT_buckets_k64_64] = {[ACCESS_ADDRESS] = true},
    };
    return usual[layout][access] || test_full();
}

GpuKernel call_kernel(Gpu *gpu, Layout layout, Access access, bool readOnly) {
    assert_true(access != ACCESS_ARRAY || layout <= LAYOUT_k32v32_64);
    const Code code = access == ACCESS_ARRAY ? arrays[readOnly ? 2 : layout]
                      : readOnly             ? reading[layout][access]
                                             : writing[layout][access];
    return access == ACCESS_ARRAY
               ? gpu_kernel_of_array(gpu, code.words, *code.size, sizeof(CallPush),
                                     CALL_ARRAY_TABLES)
               : gpu_kernel(gpu, code.words, *code.size, sizeof(CallPush), access == ACCESS_BUFFER);
}
