# The layouts of kinds.h, and for each layout the options that compile a test shader: the number of its format
# (MUR_FORMAT_*) and the atomic width.
# SPDX-License-Identifier: MIT
set(table_layouts k32v32_32 k32v32_64 k64v32_32 k64v32_64 k32 k64 k64v64)
set(defines_k32v32_32 FORMAT=0)
set(defines_k32v32_64 FORMAT=0 MUR_INT64_ATOMICS)
set(defines_k64v32_32 FORMAT=1)
set(defines_k64v32_64 FORMAT=1 MUR_INT64_ATOMICS)
set(defines_k32 FORMAT=2)
set(defines_k64 FORMAT=3 MUR_INT64_ATOMICS)
set(defines_k64v64 FORMAT=4 MUR_INT64_ATOMICS)
# Bucketed tables.
set(bucket_layouts)
foreach(layout k32v32_32 k32v32_64 k64v32_32 k64v32_64 k32)
  list(APPEND bucket_layouts buckets_${layout})
  set(defines_buckets_${layout} ${defines_${layout}} MUR_BUCKETS=MUR_BUCKETS_ALL)
endforeach()
list(APPEND bucket_layouts buckets_k64_32 buckets_k64_64)
set(defines_buckets_k32 FORMAT=2 MUR_BUCKETS=MUR_BUCKETS_PER_TABLE)
set(defines_buckets_k64_32 FORMAT=3 MUR_BUCKETS=MUR_BUCKETS_SETS)
set(defines_buckets_k64_64 FORMAT=3 MUR_BUCKETS=MUR_BUCKETS_ALL MUR_INT64_ATOMICS)
