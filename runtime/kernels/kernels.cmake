# Compiles the modules of kernels.def; KIND (kernels.h) decides how. Generates one C file per family, so that
# programs link only the families that they name, and the functions of table types (types.def) and kernel sets
# (sets.def), which name families.
# SPDX-License-Identifier: MIT

# murmuration_rows(MACRO FILE): reads the rows of a file, MACRO(NAME, column, ...). MACRO_rows becomes the
# list of names, MACRO_NAME the list of columns.
macro(murmuration_rows macro file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  string(REPLACE "\n${macro}(" "\nmurmuration_row(${macro}, " text "${text}")
  set(${macro}_rows)
  cmake_language(EVAL CODE "${text}")
endmacro()
macro(murmuration_row)
  set(row ${ARGV})
  list(JOIN row " " row)
  string(REPLACE ", " ";" row "${row}")
  list(POP_FRONT row rows)
  list(GET row 0 name)
  list(APPEND ${rows}_rows ${name})
  set(${rows}_${name} "${row}")
endmacro()
# murmuration_columns(ROW NAME...): sets variables of these names to the columns of a row, in order. "A | B" becomes
# a list.
macro(murmuration_columns row)
  set(columns "${row}")
  foreach(name ${ARGN})
    list(POP_FRONT columns ${name})
    string(REPLACE " | " ";" ${name} "${${name}}")
  endforeach()
endmacro()

# murmuration_module(FAMILY MODULE SYMBOL [DEFINES...]): adds a module of the current kernel to a family.
macro(murmuration_module family module symbol)
  list(APPEND families ${family})
  string(APPEND declarations_${family}
         "extern const uint32_t ${symbol}[];\nextern const size_t ${symbol}_size;\n")
  string(APPEND codes_${family} "    {MUR_KERNEL_${kernel}, ${module}, ${symbol}, &${symbol}_size},\n")
  if(NOT ${symbol} IN_LIST modules)
    list(APPEND modules ${symbol})
    murmuration_shader(${target} ${PROJECT_SOURCE_DIR}/shaders/kernels/${folder}/${source}.comp ${symbol}
                       GROUP ${family} DEFINES ${ARGN})
  endif()
endmacro()

# murmuration_code(NAME HEADER TEXT): adds a C file, which includes a header of kernels/, to the target.
macro(murmuration_code name header text)
  set(file ${CMAKE_CURRENT_BINARY_DIR}/families/${name}.c)
  file(CONFIGURE OUTPUT ${file} @ONLY CONTENT "/* SPDX-License-Identifier: MIT */
#include <kernels/${header}>\n\n${text}")
  target_sources(${target} PRIVATE ${file})
endmacro()

# murmuration_families(LIST NAME...): declares the named families that exist, and sets LIST to their addresses, as
# the initializer of a C array.
macro(murmuration_families list)
  set(${list})
  set(declarations)
  foreach(family ${ARGN})
    if(family IN_LIST families)
      string(APPEND declarations "extern const MurFamily mur_family_${family};\n")
      string(APPEND ${list} "&mur_family_${family}, ")
    endif()
  endforeach()
endmacro()

# murmuration_kernels(TARGET): adds all modules and families to a target.
function(murmuration_kernels target)
  murmuration_rows(TYPE ${CMAKE_CURRENT_SOURCE_DIR}/types/types.def)
  murmuration_rows(KERNEL ${CMAKE_CURRENT_SOURCE_DIR}/kernels/kernels.def)
  murmuration_rows(SET ${CMAKE_CURRENT_SOURCE_DIR}/kernels/sets.def)
  set(type_columns type function format flags defines shape key widths empty capabilities sets)
  set(brought) # families that types bring
  foreach(name IN LISTS TYPE_rows)
    murmuration_columns("${TYPE_${name}}" ${type_columns})
    list(APPEND brought ${sets})
  endforeach()
  foreach(name IN LISTS KERNEL_rows)
    murmuration_columns("${KERNEL_${name}}" kernel folder source kind group variant set for)
    set(symbol mur_spv_${source})
    string(TOLOWER ${set} family)
    if(kind STREQUAL "PLAIN" OR kind STREQUAL "BY_CONSTANT")
      murmuration_module(${family} 0 ${symbol})
      continue()
    elseif(kind STREQUAL "BY_WIDTH")
      murmuration_module(${family} 0 ${symbol}_32)
      murmuration_module(${family} 1 ${symbol}_64 MUR_INT64_ATOMICS)
      continue()
    endif()
    set(shapes) # table types that have modules
    foreach(name IN LISTS TYPE_rows)
      murmuration_columns("${TYPE_${name}}" ${type_columns})
      if(NOT (for STREQUAL "EVERY" OR for IN_LIST capabilities) OR shape IN_LIST shapes)
        continue()
      endif()
      list(APPEND shapes ${shape})
      string(TOLOWER ${shape} lower)
      set(linked ${family})
      if(set IN_LIST brought)
        set(linked ${family}_${lower})
      endif()
      set(all MUR_KERNEL_FORMAT=MUR_FORMAT_${format} MUR_KERNEL_FLAGS=${flags} ${defines})
      list(REMOVE_ITEM all NONE)
      set(wide ${all} MUR_INT64_ATOMICS)
      if(NOT kind STREQUAL "BY_BOTH" AND NOT "SLOTS_BY_WIDTH" IN_LIST capabilities)
        if(widths STREQUAL "W64")
          set(all ${wide})
        endif()
        murmuration_module(${linked} "MUR_MODULE(${shape}, 0)" ${symbol}_${lower} ${all})
      elseif(widths STREQUAL "W32")
        murmuration_module(${linked} "MUR_MODULE(${shape}, 0)" ${symbol}_${lower} ${all})
      elseif(widths STREQUAL "W64")
        murmuration_module(${linked} "MUR_MODULE(${shape}, 1)" ${symbol}_${lower} ${wide})
      else()
        murmuration_module(${linked} "MUR_MODULE(${shape}, 0)" ${symbol}_${lower}_32 ${all})
        murmuration_module(${linked} "MUR_MODULE(${shape}, 1)" ${symbol}_${lower}_64 ${wide})
      endif()
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES families)
  # Families are not in the files of the modules, because tests replace modules by others.
  foreach(family IN LISTS families)
    murmuration_code(family_${family} family.h "${declarations_${family}}
static const MurKernelCode codes_${family}[] = {\n${codes_${family}}};
const MurFamily mur_family_${family} = {
    codes_${family}, sizeof codes_${family} / sizeof codes_${family}[0]};\n")
  endforeach()
  foreach(name IN LISTS TYPE_rows)
    murmuration_columns("${TYPE_${name}}" ${type_columns})
    string(TOLOWER "${sets}" sets)
    string(TOLOWER ${shape} lower)
    set(named)
    foreach(set IN LISTS sets)
      list(APPEND named ${set} ${set}_${lower})
    endforeach()
    murmuration_families(addresses ${named})
    murmuration_code(type_${name} kernels.h "${declarations}
MUR_API MurType murType${function}(void) {
    static const MurFamily *const kernels[] = {${addresses}NULL};
    static const struct MurType_T type = {&mur_types[MUR_TYPE_${name}], kernels};
    return &type;
}\n")
  endforeach()
  foreach(name IN LISTS SET_rows)
    murmuration_columns("${SET_${name}}" function set for named)
    string(TOLOWER "${named}" named)
    murmuration_families(addresses ${named})
    murmuration_code(kernels_${set} kernels.h "${declarations}
MUR_API MurKernels murKernels${function}(void) {
    static const struct MurKernels_T set = {MUR_SET_${set}, {${addresses}}};
    return &set;
}\n")
  endforeach()
endfunction()
