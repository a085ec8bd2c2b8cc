# The library in single files: murmuration.h, murmuration.c (kernels included) and one shader file for
# each language. The target amalgamation of the build runs this file:
#   cmake -DSOURCE=... -DBUILD=... "-DSOURCES=a.c;..." ["-DKERNELS=K64V32;Build;..."] -P amalgamation.cmake
# SOURCES: the library's C files, those of the repository and those that the build made. KERNELS limits
# the code to these types and kernel sets, named as after murType and murKernels. K32V32, Rehash (for
# growable tables) and pages are always included. Writes into BUILD/amalgamation. The database library, which
# requires SQLite, is not included.
# SPDX-License-Identifier: MIT
cmake_minimum_required(VERSION 3.22)
set(folders ${SOURCE}/runtime ${SOURCE}/include ${SOURCE}/shaders)
set(include_line "(^|\n)#include [<\"]([^>\"\n]+)[>\"][^\n]*\n")

# Sets OUT to the path of an included file of the project, or to "" if another project provides it.
function(find_included name includer out)
  get_filename_component(beside ${includer} DIRECTORY)
  set(${out} "" PARENT_SCOPE)
  foreach(folder ${beside} ${folders})
    if(EXISTS ${folder}/${name})
      get_filename_component(path ${folder}/${name} ABSOLUTE)
      set(${out} ${path} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# Sets OUT to the text of a file in which the project's includes are replaced by their text. A header is
# inserted once, at its first include; again only if that include depends on a condition. Other
# files (lists of macro calls) are inserted at each include.
function(expand path out)
  file(READ ${path} text)
  set(done "")
  while(text MATCHES "${include_line}")
    set(line "${CMAKE_MATCH_0}")
    set(name "${CMAKE_MATCH_2}")
    string(FIND "${text}" "${line}" start)
    string(LENGTH "${line}" length)
    string(SUBSTRING "${text}" 0 ${start} before)
    string(APPEND done "${before}")
    math(EXPR start "${start} + ${length}")
    string(SUBSTRING "${text}" ${start} -1 text)
    find_included(${name} ${path} included)
    get_property(inserted GLOBAL PROPERTY inserted)
    if(NOT included)
      string(APPEND done "${line}")
    elseif(included IN_LIST inserted)
      string(APPEND done "\n")
    else()
      string(REGEX MATCHALL "\n#if" opened "\n${done}")
      string(REGEX MATCHALL "\n#endif" closed "\n${done}")
      list(LENGTH opened depth)
      list(LENGTH closed ends)
      math(EXPR depth "${depth} - ${ends}")
      expand(${included} inner)
      string(APPEND done "\n${inner}")
      # The include guard is one of the conditions.
      if(depth LESS_EQUAL 1 AND NOT included MATCHES "[.]def$")
        set_property(GLOBAL APPEND PROPERTY inserted ${included})
      endif()
    endif()
    # The line break before the next include may belong to this match.
    set(text "\n${text}")
  endwhile()
  set(${out} "${done}${text}" PARENT_SCOPE)
endfunction()

# Writes one file: a head, then each given file with its includes.
function(amalgamate name head)
  set(result "${head}")
  foreach(path ${ARGN})
    expand(${path} text)
    string(APPEND result "${text}\n")
  endforeach()
  string(REGEX REPLACE "\n\n\n+" "\n\n" result "${result}")
  file(WRITE ${BUILD}/amalgamation/${name} "${result}")
endfunction()

file(GLOB headers ${SOURCE}/include/murmuration/*.h)
list(FILTER headers EXCLUDE REGEX "/database[.]h$")
amalgamate(murmuration.h "" ${headers} ${SOURCE}/shaders/murmuration/spatial.h)


# Sets OUT to the C files without the code of types and kernel sets that are not named: those of a name, and
# the families of modules that remaining files refer to.
function(select_kernels out)
  set(kept)
  set(families core pager paged)
  set(always K32V32 Rehash) # the default type, and growable tables
  foreach(file ${ARGN})
    if(NOT file MATCHES "/families/(type|kernels)_")
      list(APPEND kept ${file})
      continue()
    endif()
    file(READ ${file} text)
    string(REGEX MATCH "mur(Type|Kernels)([A-Za-z0-9]+)[(]void[)]" found "${text}")
    list(APPEND known ${CMAKE_MATCH_2})
    if(CMAKE_MATCH_2 IN_LIST KERNELS OR CMAKE_MATCH_2 IN_LIST always)
      list(APPEND kept ${file})
      string(REGEX MATCHALL "mur_family_[a-z0-9_]+" names "${text}")
      list(TRANSFORM names REPLACE "^mur_family_" "")
      list(APPEND families ${names})
    endif()
  endforeach()
  foreach(name IN LISTS KERNELS)
    if(NOT name IN_LIST known)
      message(FATAL_ERROR "MURMURATION_KERNELS contains ${name}, expected names of: ${known}")
    endif()
  endforeach()
  foreach(file IN LISTS kept)
    if(file MATCHES "/(families/family_|murmuration[.]shaders/)(.*)[.]c$")
      if(NOT CMAKE_MATCH_2 IN_LIST families)
        list(REMOVE_ITEM kept ${file})
      endif()
    endif()
  endforeach()
  set(${out} ${kept} PARENT_SCOPE)
endfunction()

set(head "/* The library's C files in one. Compile it as C11, with murmuration.h and Vulkan's headers.\n *\n * SPDX-License-Identifier: MIT */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#ifndef MUR_BUILDING
#define MUR_BUILDING
#endif
#include \"murmuration.h\"\n")
list(FILTER SOURCES INCLUDE REGEX "[.]c$")
list(TRANSFORM SOURCES PREPEND ${SOURCE}/runtime/ REGEX "^[^/]")
if(KERNELS)
  select_kernels(SOURCES ${SOURCES})
endif()
amalgamate(murmuration.c "${head}" ${SOURCES})

# Each shader file is complete: the optional includes follow the main file.
set(shaders ${SOURCE}/shaders)
foreach(ending glsl hlsli)
  set_property(GLOBAL PROPERTY inserted "")
  amalgamate(murmuration.${ending} "" ${shaders}/murmuration.${ending} ${shaders}/murmuration/spatial.h)
endforeach()
set_property(GLOBAL PROPERTY inserted "")
expand(${shaders}/murmuration/rows.glsl rows)
file(APPEND ${BUILD}/amalgamation/murmuration.glsl "#ifdef MUR_ROW_COUNT\n${rows}#endif\n")
# A WGSL module declares the table for reads or for writes.
foreach(access read write)
  amalgamate(murmuration_${access}.wgsl "" ${shaders}/murmuration.wgsl ${shaders}/murmuration_${access}.wgsl
             ${shaders}/murmuration_spatial.wgsl)
endforeach()
file(RENAME ${BUILD}/amalgamation/murmuration_write.wgsl ${BUILD}/amalgamation/murmuration.wgsl)
