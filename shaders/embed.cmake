# Writes a SPIR-V binary as a C array: cmake -DSPIRV=in.spv -DOUTPUT=out.c -DSYMBOL=name -P embed.cmake
# SPDX-License-Identifier: MIT
file(READ ${SPIRV} hex HEX)
# Words are little-endian in the file, whatever machine compiled it.
string(REGEX REPLACE "(..)(..)(..)(..)" "0x\\4\\3\\2\\1,\n" words "${hex}")
file(WRITE ${OUTPUT} "#include <stddef.h>
#include <stdint.h>
extern const uint32_t ${SYMBOL}[];
extern const size_t ${SYMBOL}_size;
const uint32_t ${SYMBOL}[] = {\n${words}};
const size_t ${SYMBOL}_size = sizeof ${SYMBOL};
")
