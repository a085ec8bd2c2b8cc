# The library in single files: murmuration.h, murmuration.c (kernels included) and one shader file for
# each language. The target amalgamation of the build runs this file:
#   cmake -DSOURCE=... -DBUILD=... "-DSOURCES=a.c;..." -P amalgamation.cmake
# SOURCES: the library's C files, those of the repository and those that the build made. Writes into
# BUILD/amalgamation. The database library, which requires SQLite, is not part of it.
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


set(head "/* The library's C files in one. Compile it as C11 with Vulkan's headers, beside murmuration.h.\n * SPDX-License-Identifier: MIT */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#ifndef MUR_BUILDING
#define MUR_BUILDING
#endif
#include \"murmuration.h\"\n")
list(FILTER SOURCES INCLUDE REGEX "[.]c$")
list(TRANSFORM SOURCES PREPEND ${SOURCE}/runtime/ REGEX "^[^/]")
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
