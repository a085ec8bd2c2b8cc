# The source archive: the library with its SPIR-V as C arrays, for a C compiler and Vulkan's headers
# alone. The target dist of the build runs this file:
#   cmake -DSOURCE=... -DBUILD=... -DNAME=murmuration-1.2.3 "-DSOURCES=a.c;..." -P dist.cmake
# SOURCES: the library's C files, those of the repository and those that the build has made. Writes BUILD/NAME.tar.gz.
# SPDX-License-Identifier: MIT
cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/documents.cmake)
set(tree ${BUILD}/${NAME})
file(REMOVE_RECURSE ${tree})
foreach(path CMakeLists.txt include runtime shaders/murmuration shaders/kernels/push.h
    shaders/murmuration.glsl shaders/murmuration.hlsli shaders/murmuration.wgsl
    shaders/murmuration_read.wgsl shaders/murmuration_write.wgsl shaders/murmuration_spatial.wgsl)
  get_filename_component(folder ${path} DIRECTORY)
  file(COPY ${SOURCE}/${path} DESTINATION ${tree}/${folder})
endforeach()
file(REMOVE ${tree}/runtime/kernels/kernels.cmake ${tree}/runtime/dist.cmake ${tree}/runtime/amalgamation.cmake)
copy_documents(${SOURCE} ${tree})
file(COPY ${BUILD}/amalgamation DESTINATION ${tree})
list(FILTER SOURCES INCLUDE REGEX "[.]c$")
set(list)
foreach(file IN LISTS SOURCES)
  if(NOT IS_ABSOLUTE ${file})
    set(file ${SOURCE}/runtime/${file})
  endif()
  file(RELATIVE_PATH path ${SOURCE} ${file})
  if(NOT EXISTS ${tree}/${path} OR path MATCHES "^[.][.]")
    get_filename_component(name ${file} NAME)
    file(MAKE_DIRECTORY ${tree}/runtime/embedded)
    set(path runtime/embedded/embedded_${name})
    set(FROM ${file})
    include(${SOURCE}/shaders/embed.cmake)
    file(COPY_FILE ${OUTPUT} ${tree}/${path})
  endif()
  # Compilers name objects after files: two files of one name would overwrite each other's object.
  get_filename_component(name ${path} NAME)
  if(name IN_LIST names)
    message(FATAL_ERROR "${path}: the library has another file named ${name}, expected unique names")
  endif()
  list(APPEND names ${name})
  string(APPEND list "${path}\n")
endforeach()
file(WRITE ${tree}/sources.txt "${list}")
# The archive has the same bytes for the same files, on every machine and at every time.
execute_process(COMMAND tar --create --format=ustar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner
                --mode=a=rX,u+w --directory=${BUILD} --file=${BUILD}/${NAME}.tar ${NAME} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND gzip --no-name -7 --force ${BUILD}/${NAME}.tar COMMAND_ERROR_IS_FATAL ANY)
