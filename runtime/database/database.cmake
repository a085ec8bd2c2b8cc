# murmuration_database: pages in SQLite databases (murmuration/database.h).
# SPDX-License-Identifier: MIT
add_library(murmuration_database database/check.c database/database.c database/header.c
  database/locks.c database/packing.c database/rows.c database/writer.c)
add_library(murmuration::database ALIAS murmuration_database)
target_link_libraries(murmuration_database
  PUBLIC murmuration
  PRIVATE $<BUILD_INTERFACE:murmuration_flags> SQLite::SQLite3 ${CMAKE_THREAD_LIBS_INIT})
# Compressed pages are optional.
option(MURMURATION_DATABASE_ZSTD "Compress pages in databases if there is zstd" ON)
set(zstd_require) # of murmuration-database.pc
if(MURMURATION_DATABASE_ZSTD)
  find_path(ZSTD_INCLUDE_DIR zstd.h)
  find_library(ZSTD_LIBRARY zstd)
  if(ZSTD_INCLUDE_DIR AND ZSTD_LIBRARY)
    target_compile_definitions(murmuration_database PRIVATE MUR_DATABASE_ZSTD=1)
    target_include_directories(murmuration_database SYSTEM PRIVATE ${ZSTD_INCLUDE_DIR})
    target_link_libraries(murmuration_database
      PRIVATE $<BUILD_INTERFACE:${ZSTD_LIBRARY}> $<INSTALL_INTERFACE:zstd>)
    set(zstd_require ", libzstd")
  else()
    message(STATUS "Without compressed pages: zstd (libzstd-dev) was not found")
  endif()
endif()
get_target_property(type murmuration TYPE)
if(type STREQUAL SHARED_LIBRARY) # a shared library hides its internal functions, and the database uses lock.c
  target_sources(murmuration_database PRIVATE base/lock.c)
endif()
set_target_properties(murmuration_database PROPERTIES
  INSTALL_RPATH $<IF:$<PLATFORM_ID:Darwin>,@loader_path,$ORIGIN> # both libraries are in one folder
  UNITY_BUILD OFF C_EXTENSIONS OFF C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_compile_definitions(murmuration_database PRIVATE MUR_BUILDING)
