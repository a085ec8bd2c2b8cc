# Adds the target Vulkan::Headers if the project has none. The build and the installed package use this file.
#
# find_package(Vulkan) is not used, because it requires the loader's library, which engines with volk and
# cross-compilers may lack. The cache variable is the same.
# SPDX-License-Identifier: MIT
if(NOT TARGET Vulkan::Headers)
  find_path(Vulkan_INCLUDE_DIR vulkan/vulkan_core.h HINTS "$ENV{VULKAN_SDK}/include"
    DOC "The folder above vulkan/vulkan_core.h")
  mark_as_advanced(Vulkan_INCLUDE_DIR)
  if(Vulkan_INCLUDE_DIR)
    add_library(Vulkan::Headers INTERFACE IMPORTED GLOBAL)
    set_target_properties(Vulkan::Headers PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${Vulkan_INCLUDE_DIR}")
  endif()
endif()
