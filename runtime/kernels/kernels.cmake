# The modules of kernels.def, each kernel's source compiled as its kind says (kernels.h); and the table of
# each family, which says which kernel has which modules.
# SPDX-License-Identifier: MIT

# murmuration_kernels(TARGET): adds all of them to a target. Sets murmuration_modules in the caller's
# scope: for each module a string "symbol|source|options".
function(murmuration_kernels target)
  set(definition ${CMAKE_CURRENT_SOURCE_DIR}/kernels/kernels.def)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${definition})
  set(others MUR_KEYS_64 MUR_KERNEL_FORMAT=mur_constant_format)
  set(defines_32)
  set(defines_64 MUR_INT64_ATOMICS)
  set(defines_of_32 ${others})
  set(defines_of_64 ${others} MUR_INT64_ATOMICS)
  set(defines_k64v32 MUR_KEYS_64 MUR_REHASH_WIDE)
  set(suffixes_PLAIN "none")
  set(suffixes_BY_CONSTANT "none")
  set(suffixes_BY_WIDTH _32 _64)
  set(suffixes_BY_SLOT "none" _k64v32)
  set(suffixes_BY_FORMAT "none" _of_32 _of_64)
  set(suffixes_BY_BOTH _32 _64 _of_32 _of_64)
  set(modules)
  set(families)
  file(STRINGS ${definition} rows REGEX "^KERNEL\\(")
  foreach(row IN LISTS rows)
    string(REGEX MATCH "^KERNEL\\(([A-Z0-9_]+), ([a-z0-9_]+), ([a-z0-9_]+), ([A-Z_]+), [0-9]+, ([A-Z0-9_]+), ([A-Z_]+),"
           found "${row}")
    set(kernel ${CMAKE_MATCH_1})
    set(source shaders/kernels/${CMAKE_MATCH_2}/${CMAKE_MATCH_3}.comp)
    set(name ${CMAKE_MATCH_3})
    string(TOLOWER ${CMAKE_MATCH_6} family)
    list(APPEND families ${family})
    set(code)
    foreach(suffix IN LISTS suffixes_${CMAKE_MATCH_4})
      set(defines ${defines${suffix}})
      if(suffix STREQUAL "none")
        set(suffix "")
        set(defines)
      endif()
      set(symbol mur_spv_${name}${suffix})
      string(APPEND declarations_${family}
             "extern const uint32_t ${symbol}[];\nextern const size_t ${symbol}_size;\n")
      string(APPEND code "{${symbol}, &${symbol}_size}, ")
      list(TRANSFORM defines PREPEND -D OUTPUT_VARIABLE options)
      list(JOIN options " " options)
      set(module "${symbol}|${source}|${options}")
      if(NOT module IN_LIST modules)
        list(APPEND modules "${module}")
        murmuration_shader(${target} ${PROJECT_SOURCE_DIR}/${source} ${symbol} GROUP ${family}
                           DEFINES ${defines})
      endif()
    endforeach()
    string(APPEND codes_${family} "    {MUR_KERNEL_${kernel}, {${code}}},\n")
  endforeach()
  # Not in the files of the modules: tests link others in place of these.
  list(REMOVE_DUPLICATES families)
  foreach(family IN LISTS families)
    set(file ${CMAKE_CURRENT_BINARY_DIR}/families/family_${family}.c)
    file(CONFIGURE OUTPUT ${file} @ONLY CONTENT "#include <kernels/kernels.h>\n
${declarations_${family}}
static const MurKernelCode codes[] = {\n${codes_${family}}};
const MurFamily mur_family_${family} = {codes, sizeof codes / sizeof codes[0]};\n")
    target_sources(${target} PRIVATE ${file})
  endforeach()
  set(murmuration_modules "${modules}" PARENT_SCOPE)
endfunction()
