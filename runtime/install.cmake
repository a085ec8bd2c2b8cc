# Install rules: library, headers, shader include, manual, CMake package, pkg-config file.
# SPDX-License-Identifier: MIT
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(shader_dir ${CMAKE_INSTALL_DATADIR}/murmuration/shaders)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/murmuration)

# Static and shared libraries may share a prefix: each has its own file of targets, and the package chooses
# (murmuration-config.cmake.in). All other files are the same for both.
get_target_property(type murmuration TYPE)
set(kind static)
if(type STREQUAL SHARED_LIBRARY)
  set(kind shared)
endif()
set_target_properties(murmuration PROPERTIES EXPORT_NAME murmuration_${kind})
install(TARGETS murmuration EXPORT murmuration
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/murmuration DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
# Both folders get the headers that C and shaders share, except those for the library only.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/shaders/murmuration DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN hlsl EXCLUDE PATTERN words.h EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/shaders/murmuration DESTINATION ${shader_dir})
foreach(name murmuration.glsl murmuration.hlsli murmuration.wgsl murmuration_read.wgsl murmuration_write.wgsl
        murmuration_spatial.wgsl)
  install(FILES ${PROJECT_SOURCE_DIR}/shaders/${name} DESTINATION ${shader_dir})
endforeach()
# Installs the manual, the changelog and the licence in their state at the time of the install.
set(documents ${CMAKE_CURRENT_BINARY_DIR}/documents)
install(CODE "file(REMOVE_RECURSE \"${documents}\")
include(\"${CMAKE_CURRENT_LIST_DIR}/documents.cmake\")
copy_documents(\"${PROJECT_SOURCE_DIR}\" \"${documents}\")")
install(DIRECTORY ${documents}/ DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The component "database" of the package.
if(TARGET murmuration_database)
  set_target_properties(murmuration_database PROPERTIES EXPORT_NAME database_${kind})
  install(TARGETS murmuration_database EXPORT murmuration_database
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(EXPORT murmuration_database NAMESPACE murmuration:: FILE murmuration-database-${kind}-targets.cmake
    DESTINATION ${package_dir})
  configure_file(database/murmuration-database.pc.in murmuration-database.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/murmuration-database.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

install(EXPORT murmuration NAMESPACE murmuration:: FILE murmuration-${kind}-targets.cmake
  DESTINATION ${package_dir})
configure_package_config_file(murmuration-config.cmake.in murmuration-config.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS shader_dir)
write_basic_package_version_file(murmuration-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES vulkan-headers.cmake ${CMAKE_CURRENT_BINARY_DIR}/murmuration-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/murmuration-config-version.cmake DESTINATION ${package_dir})

# The pkg-config file uses paths relative to its own folder, for any library folder.
file(RELATIVE_PATH pc_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
foreach(dir LIBDIR INCLUDEDIR DATADIR)
  file(RELATIVE_PATH pc_${dir} ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_${dir}})
endforeach()
set(pc_libs "") # for a static library; harmless for a shared library
foreach(library IN LISTS CMAKE_DL_LIBS CMAKE_THREAD_LIBS_INIT)
  if(NOT library MATCHES "^-")
    string(PREPEND library "-l")
  endif()
  string(APPEND pc_libs " ${library}")
endforeach()
configure_file(murmuration.pc.in murmuration.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/murmuration.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
