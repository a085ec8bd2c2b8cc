# Compiling GLSL at build time and embedding it as C arrays.
#
#   murmuration_shader(TARGET SOURCE SYMBOL [DEFINES NAME[=VALUE]...] [INCLUDES DIR...])
#
# adds to TARGET a C file that defines   const uint32_t SYMBOL[]   and   const size_t SYMBOL_size
# (bytes). The SPIR-V is checked, stripped and made small, which is no slower, unless
# MURMURATION_PLAIN_SHADERS is set. Editing SOURCE or any file that it includes rebuilds it. Declare
# both extern where you use them.
# SPDX-License-Identifier: MIT

find_program(MURMURATION_GLSLANG glslangValidator REQUIRED)
find_program(MURMURATION_SPIRV_VAL spirv-val REQUIRED)
find_program(MURMURATION_SPIRV_OPT spirv-opt REQUIRED)

set(MURMURATION_SHADER_SOURCE_DIR ${CMAKE_CURRENT_LIST_DIR} CACHE INTERNAL "")

function(murmuration_shader target source symbol)
  cmake_parse_arguments(shader "" "" "DEFINES;INCLUDES" ${ARGN})
  get_filename_component(source ${source} ABSOLUTE)
  set(base ${CMAKE_CURRENT_BINARY_DIR}/${target}.shaders/${symbol})
  list(TRANSFORM shader_DEFINES PREPEND -D)
  list(TRANSFORM shader_INCLUDES PREPEND -I)
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${target}.shaders)
  set(optimize)
  if(NOT MURMURATION_PLAIN_SHADERS)
    set(optimize COMMAND ${MURMURATION_SPIRV_OPT} --target-env=vulkan1.2 --strip-debug -Os
                         ${base}.spv -o ${base}.spv)
  endif()
  # Two steps, because the file of dependencies names the SPIR-V as what depends.
  add_custom_command(
    OUTPUT ${base}.spv
    COMMAND ${MURMURATION_GLSLANG} --quiet --target-env vulkan1.2 ${shader_DEFINES}
            -I${MURMURATION_SHADER_SOURCE_DIR} ${shader_INCLUDES}
            --depfile ${base}.d -o ${base}.spv ${source}
    COMMAND ${MURMURATION_SPIRV_VAL} --target-env vulkan1.2 ${base}.spv
    ${optimize}
    DEPENDS ${source}
    DEPFILE ${base}.d
    COMMENT "Compiling shader ${symbol}"
    VERBATIM)
  add_custom_command(
    OUTPUT ${base}.c
    COMMAND ${CMAKE_COMMAND} -DSPIRV=${base}.spv -DOUTPUT=${base}.c -DSYMBOL=${symbol}
            -P ${MURMURATION_SHADER_SOURCE_DIR}/embed.cmake
    DEPENDS ${base}.spv ${MURMURATION_SHADER_SOURCE_DIR}/embed.cmake
    COMMENT "Embedding shader ${symbol}"
    VERBATIM)
  target_sources(${target} PRIVATE ${base}.c)
endfunction()
