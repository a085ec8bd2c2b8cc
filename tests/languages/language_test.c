/* The same table from every shading language. One program, because a software device takes longer
 * to compile a shader than to run all of its cases.
 *
 * SPDX-License-Identifier: MIT */
#include "run.h"

GPU_TEST_GROUP(main, "tests", gpu_test(trace_glsl), gpu_test(trace_hlsl), gpu_test(trace_wgsl),
               gpu_test(storm_glsl_k32v32), gpu_test(storm_glsl_k64v32), gpu_test(storm_glsl_k32),
               gpu_test(storm_hlsl_k32v32), gpu_test(storm_hlsl_k64v32), gpu_test(storm_hlsl_k32),
               gpu_test(storm_wgsl_k32v32), gpu_test(storm_wgsl_k64v32), gpu_test(storm_wgsl_k32),
               gpu_test(storm_glsl_buckets), gpu_test(storm_hlsl_buckets),
               gpu_test(storm_wgsl_buckets))
