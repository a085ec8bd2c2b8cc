# Writes a C file that embeds SPIR-V binaries, as arrays or, with INCLUDED, by the assembler's .incbin:
#   cmake "-DSPIRV=in.spv;..." "-DSYMBOLS=name;..." -DOUTPUT=out.c [-DINCLUDED=ON] -P embed.cmake
# Included with FROM=embedded.c, sets OUTPUT to that file with arrays, which it writes only once.
# SPDX-License-Identifier: MIT
if(FROM)
  file(STRINGS ${FROM} lines REGEX ": [.]incbin ")
  set(OUTPUT ${FROM})
  if(lines)
    set(OUTPUT ${FROM}.arrays)
  endif()
  if(NOT ${FROM} IS_NEWER_THAN ${OUTPUT} OR NOT lines)
    return()
  endif()
  list(TRANSFORM lines REPLACE "^ *\"([a-z0-9_]+): .*$" "\\1" OUTPUT_VARIABLE SYMBOLS)
  list(TRANSFORM lines REPLACE "^.*[.]incbin ..([^\"]*[.]spv).*$" "\\1" OUTPUT_VARIABLE SPIRV)
endif()
set(text "/* SPDX-License-Identifier: MIT */\n#include <stddef.h>\n#include <stdint.h>\n")
foreach(file symbol IN ZIP_LISTS SPIRV SYMBOLS)
  if(INCLUDED)
    file(SIZE ${file} size)
    string(APPEND text "__asm__(\".pushsection .rodata\\n.p2align 2\\n.globl ${symbol}\\n.hidden ${symbol}\\n\"
        \"${symbol}: .incbin \\\"${file}\\\"\\n.popsection\");
extern const size_t ${symbol}_size;
const size_t ${symbol}_size = ${size};
")
    continue()
  endif()
  file(READ ${file} hex HEX)
  # Words are little-endian in the file, whatever machine compiled it.
  string(REGEX REPLACE "(..)(..)(..)(..)" "0x\\4\\3\\2\\1,\n" words "${hex}")
  string(APPEND text "extern const uint32_t ${symbol}[];
extern const size_t ${symbol}_size;
const uint32_t ${symbol}[] = {\n${words}};
const size_t ${symbol}_size = sizeof ${symbol};
")
endforeach()
string(RANDOM part) # other processes may write the same file
file(WRITE ${OUTPUT}.${part} "${text}")
file(RENAME ${OUTPUT}.${part} ${OUTPUT})
