# Reads a SPIR-V disassembly, and prints three numbers in a line: buffer blocks that the shader can reach, buffer
# blocks with a member that it may write, and atomic instructions.
#
# SPDX-License-Identifier: MIT

$1 == "OpMemberDecorate" && $4 == "NonWritable" {
    unwritable[$2, $3] = 1
}

$3 == "OpTypeStruct" {
    members[$1] = NF - 3
}

$3 ~ /^OpType(Runtime)?Array$/ && $4 in members {
    element[$1] = $4
}

$3 == "OpTypePointer" && $4 ~ /^(Physical)?StorageBuffer$/ {
    type = $5 in element ? element[$5] : $5
    if (type in members) {
        block[type] = 1
    }
}

$3 ~ /^OpAtomic/ {
    ++atomics
}

END {
    for (type in block) {
        ++blocks
        writable = 0
        for (i = 0; i < members[type]; ++i) {
            writable += !((type, i) in unwritable)
        }
        written += writable > 0
    }
    print blocks + 0, written + 0, atomics + 0
}
