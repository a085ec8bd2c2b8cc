# Included by the consumer projects. Compiles the engine's own shader by both compilers.
# SPDX-License-Identifier: MIT
find_program(GLSLANG glslangValidator REQUIRED)
find_program(GLSLC glslc REQUIRED)

set(consumer_DIR ${CMAKE_CURRENT_LIST_DIR})
set(shader ${consumer_DIR}/consumer.comp)
add_custom_command(
  OUTPUT glslang.spv glslc.spv
  COMMAND ${GLSLANG} --quiet --target-env vulkan1.2 -I${murmuration_SHADER_DIR} ${shader}
          -o glslang.spv
  COMMAND ${GLSLC} --target-env=vulkan1.2 -I${murmuration_SHADER_DIR} ${shader}
          -o glslc.spv
  DEPENDS ${shader} VERBATIM)
add_custom_target(consumer_shaders ALL DEPENDS glslang.spv glslc.spv)

# consumer(NAME SOURCE LIBRARY...): adds a program that links murmuration. consumer_volk(NAME): one with its own volk.
function(consumer name source)
  add_executable(${name} ${source})
  target_compile_options(${name} PRIVATE -Wall -Wextra -Werror -Wno-missing-field-initializers)
  target_include_directories(${name} PRIVATE ${consumer_DIR}/../../demo/minimal)
  target_link_libraries(${name} PRIVATE murmuration::murmuration ${ARGN})
endfunction()

function(consumer_volk name)
  find_path(VOLK_DIR volk.c PATH_SUFFIXES volk REQUIRED)
  consumer(${name} ${consumer_DIR}/consumer.c ${CMAKE_DL_LIBS})
  target_compile_definitions(${name} PRIVATE CONSUMER_VOLK VK_NO_PROTOTYPES)
  target_sources(${name} PRIVATE ${VOLK_DIR}/volk.c)
  target_include_directories(${name} SYSTEM PRIVATE ${VOLK_DIR})
  set_source_files_properties(${VOLK_DIR}/volk.c PROPERTIES COMPILE_OPTIONS "-w")
endfunction()
