# Compiles shaders at build time and embeds them.
#
#   murmuration_shader(TARGET SOURCE SYMBOL [GROUP NAME] [DEFINES NAME[=VALUE]...] [INCLUDES DIR...])
#
# adds to TARGET   const uint32_t SYMBOL[]   and   const size_t SYMBOL_size   (bytes), in one C file per group of
# shaders; programs link whole groups of a static library. The SPIR-V is stripped and optimised for size (twice: the
# second pass removes another 3%), which is not slower, and then validated: before, validation would take three times
# as long. MURMURATION_PLAIN_SHADERS keeps the compiler's output instead. The passes before -Os halve its time and
# only change the order of its output: most code consists of branches that constants decide, and is removed before a
# pass that is slow with many variables. HLSL is NAME.STAGE.hlsl with the entry point main, and becomes SPIR-V 1.3,
# because glslang's front end produces invalid code for later versions. Editing SOURCE or an included file rebuilds
# it. Declare both symbols extern.
# SPDX-License-Identifier: MIT

find_program(MURMURATION_GLSLANG glslangValidator REQUIRED)
find_program(MURMURATION_SPIRV_VAL spirv-val REQUIRED)
find_program(MURMURATION_SPIRV_OPT spirv-opt REQUIRED)

set(MURMURATION_SHADER_SOURCE_DIR ${CMAKE_CURRENT_LIST_DIR} CACHE INTERNAL "")

function(murmuration_shader target source symbol)
  cmake_parse_arguments(shader "" "GROUP" "DEFINES;INCLUDES" ${ARGN})
  get_filename_component(source ${source} ABSOLUTE)
  set(base ${CMAKE_CURRENT_BINARY_DIR}/${target}.shaders/${symbol})
  list(TRANSFORM shader_DEFINES PREPEND -D)
  list(TRANSFORM shader_INCLUDES PREPEND -I)
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${target}.shaders)
  set(environment --target-env vulkan1.2)
  set(language ${environment})
  if(source MATCHES "[.]([a-z]+)[.]hlsl$")
    set(environment --target-env vulkan1.1)
    set(language -D -e main -S ${CMAKE_MATCH_1} ${environment})
  endif()
  # For tests that compile it again from other files.
  list(JOIN language " " words)
  list(JOIN shader_DEFINES " " defines)
  set_property(TARGET ${target} APPEND PROPERTY MURMURATION_SHADERS
               "${symbol}|${base}.spv|${source}|${words}|${defines}")
  set(finish)
  if(NOT MURMURATION_PLAIN_SHADERS)
    set(finish COMMAND ${MURMURATION_SPIRV_OPT} --target-env=vulkan1.2 --skip-validation --strip-debug
                       --eliminate-dead-branches --eliminate-dead-functions
                       --merge-return --inline-entry-points-exhaustive --eliminate-dead-functions
                       --eliminate-local-single-block --eliminate-local-single-store
                       --simplify-instructions --eliminate-dead-branches
                       --eliminate-dead-code-aggressive -Os -Os ${base}.spv -o ${base}.spv
               COMMAND ${MURMURATION_SPIRV_VAL} ${environment} ${base}.spv)
  endif()
  # Two steps, because the dependency file names the SPIR-V as the target.
  add_custom_command(
    OUTPUT ${base}.spv
    COMMAND ${MURMURATION_GLSLANG} --quiet -g0 ${language} ${shader_DEFINES}
            -I${MURMURATION_SHADER_SOURCE_DIR} ${shader_INCLUDES}
            --depfile ${base}.d -o ${base}.spv ${source}
    ${finish}
    DEPENDS ${source}
    DEPFILE ${base}.d
    COMMENT "Compiling shader ${symbol}"
    VERBATIM)
  murmuration_spirv(${target} ${base}.spv ${symbol} ${shader_GROUP})
endfunction()

# Adds existing SPIR-V in the same way:   murmuration_spirv(TARGET FILE SYMBOL [GROUP])
function(murmuration_spirv target spirv symbol)
  get_filename_component(spirv ${spirv} ABSOLUTE)
  set(group ${ARGN})
  if(NOT group)
    set(group shaders)
  endif()
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${target}.shaders/${group}.c)
  # The assembler includes the SPIR-V: compiling arrays takes a tenth of the build. Archives contain arrays. With -flto,
  # references to the assembler's symbols would not be resolved.
  set(included)
  if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang" AND CMAKE_EXECUTABLE_FORMAT STREQUAL "ELF" AND
     CMAKE_C_BYTE_ORDER STREQUAL "LITTLE_ENDIAN")
    set(included -DINCLUDED=ON)
    set_source_files_properties(${output} PROPERTIES COMPILE_OPTIONS -fno-lto)
  endif()
  get_target_property(files ${target} MURMURATION_FILES_${group})
  set_property(TARGET ${target} APPEND PROPERTY MURMURATION_FILES_${group} ${spirv})
  set_property(TARGET ${target} APPEND PROPERTY MURMURATION_SYMBOLS_${group} ${symbol})
  if(files)
    return()
  endif()
  # Includes files that are added later, because the list is evaluated at generation time.
  set(files $<TARGET_PROPERTY:${target},MURMURATION_FILES_${group}>)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DSPIRV=${files} -DSYMBOLS=$<TARGET_PROPERTY:${target},MURMURATION_SYMBOLS_${group}>
            -DOUTPUT=${output} ${included} -P ${MURMURATION_SHADER_SOURCE_DIR}/embed.cmake
    DEPENDS ${files} ${MURMURATION_SHADER_SOURCE_DIR}/embed.cmake
    COMMENT "Embedding ${group} of ${target}"
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
  if(MURMURATION_SANITIZE AND NOT included) # guards of another module with the same name would lie inside
    set_source_files_properties(${output} PROPERTIES COMPILE_OPTIONS -fno-sanitize=all)
  endif()
endfunction()
