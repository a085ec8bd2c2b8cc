# The constants that shaders need of the headers that C and GLSL share, as WGSL:
#   awk -f wgsl_constants.awk HEADER...
# SPDX-License-Identifier: MIT

# Of commands, host structures and this header itself.
/^#define MUR_(C |COUNTER|VERSION|STREAM|REHASH|MULTI|MAX_PREDICATES|PREDICATE|COMPARE|STATS)/ {
    next
}
/^#define MUR_(TABLE_ALIGNMENT|[A-Z_]*_CAPACITY|[A-Z]*_UNIT|[A-Z]*_(ALL|PER_TABLE|SETS)|FORMAT_COUNT)/ { next }
/^#define MUR_(LAYOUT|SLOT_SIZE|SECTOR|TABLE_HOME_FIRST|TABLE_UNORDERED|TAG_INDEX_SHIFT)/ { next }
/^#define MUR_HEADER_(SIZE|MAGIC|VERSION|CAPACITY|SLOT_COUNT|SEED|FLAGS|PROBE|STREAM)/ { next }

# A name, a number, no more than a comment behind it.
/^#define [A-Z][A-Z0-9_]* +([(]-[0-9]+[)]|0x[0-9A-F]+u|[0-9.]+[uf]?) *(\/\*.*)?$/ {
    value = $3
    type = value ~ /u$/ ? "u32" : value ~ /[.]/ ? "f32" : "i32"
    sub(/f$/, "", value)
    gsub(/[()]/, "", value)
    print "const " $2 ": " type " = " value ";"
}
