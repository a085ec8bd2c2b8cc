/* SPDX-License-Identifier: MIT */
#include "call_code.h"

#include "seed.h"

/* Columns: a layout; its modules (ONE: by address; BOTH: also for bound buffers); the layout whose
 * read-only modules it uses; their number; the accesses that the normal tier runs. */
#define VARIANTS(X)                                                          \
    X(k32v32_32, BOTH, k32v32_32, BOTH, 1 << ACCESS_ADDRESS)                 \
    X(k32v32_64, BOTH, k32v32_32, BOTH, 1 << ACCESS_ARRAY)                   \
    X(k64v32_32, BOTH, k64v32_32, BOTH, 1 << ACCESS_ADDRESS)                 \
    X(k64v32_64, BOTH, k64v32_32, BOTH, 1 << ACCESS_ADDRESS)                 \
    X(k32, BOTH, k32, BOTH, 1 << ACCESS_ADDRESS)                             \
    X(k64, BOTH, k64, BOTH, 1 << ACCESS_ADDRESS | 1 << ACCESS_BUFFER)        \
    X(k64v64, BOTH, k64v64, BOTH, 1 << ACCESS_ADDRESS | 1 << ACCESS_BUFFER)  \
    X(buckets_k32v32_32, ONE, buckets_k32v32_32, ONE, 1 << ACCESS_ADDRESS)   \
    X(buckets_k32v32_64, ONE, buckets_k32v32_32, ONE, 0)                     \
    X(buckets_k64v32_32, BOTH, buckets_k64v32_32, BOTH, 1 << ACCESS_ADDRESS) \
    X(buckets_k64v32_64, ONE, buckets_k64v32_32, BOTH, 1 << ACCESS_ADDRESS)  \
    X(buckets_k32, ONE, buckets_k32, ONE, 1 << ACCESS_ADDRESS)               \
    X(buckets_k64_32, BOTH, buckets_k64_32, BOTH, 1 << ACCESS_BUFFER)        \
    X(buckets_k64_64, ONE, buckets_k64_32, BOTH, 1 << ACCESS_ADDRESS)

#define DECLARE_ONE(name, suffix) GPU_SPIRV(calls_##name##_address##suffix);
#define DECLARE_BOTH(name, suffix) \
    DECLARE_ONE(name, suffix)      \
    GPU_SPIRV(calls_##name##_buffer##suffix);
#define DECLARE(name, modules, read, readModules, usual) \
    DECLARE_##modules(name, ) DECLARE_##readModules(read, _read)
VARIANTS(DECLARE)
GPU_SPIRV(calls_k32v32_32_array);
GPU_SPIRV(calls_k32v32_64_array);
GPU_SPIRV(calls_k32v32_32_array_read);

typedef struct Code {
    const uint32_t *words;
    const size_t *size;
} Code;

#define CODE(symbol) \
    { symbol, &symbol##_size }
#define CODE_ONE(name, suffix) \
    { CODE(calls_##name##_address##suffix) }
#define CODE_BOTH(name, suffix) \
    { CODE(calls_##name##_address##suffix), CODE(calls_##name##_buffer##suffix) }
#define VARIANT(name, modules, read, readModules, usual) \
    [LAYOUT_##name] = {CODE_##modules(name, ), CODE_##readModules(read, _read), usual},
static const struct {
    Code write[2], read[2];
    uint32_t usual;
} variants[ALL_LAYOUTS] = {VARIANTS(VARIANT)};
static const Code arrays[3] = {CODE(calls_k32v32_32_array), CODE(calls_k32v32_64_array),
                               CODE(calls_k32v32_32_array_read)};

bool call_is_usual(Layout layout, Access access) {
    return (variants[layout].usual >> access & 1) != 0 || test_full();
}

GpuKernel call_kernel(Gpu *gpu, Layout layout, Access access, bool readOnly) {
    assert_true(access != ACCESS_ARRAY || layout <= LAYOUT_k32v32_64);
    const Code code = access == ACCESS_ARRAY ? arrays[readOnly ? 2 : layout]
                      : readOnly             ? variants[layout].read[access]
                                             : variants[layout].write[access];
    return access == ACCESS_ARRAY
               ? gpu_kernel_of_array(gpu, code.words, *code.size, sizeof(CallPush),
                                     CALL_ARRAY_TABLES)
               : gpu_kernel(gpu, code.words, *code.size, sizeof(CallPush), access == ACCESS_BUFFER);
}
