# The parts of the manual that a source archive and an install contain.
# SPDX-License-Identifier: MIT

# unlink_missing(FILE): replaces links to files that do not exist, relative to FILE, by the text of the link, and
# removes images that do not exist.
function(unlink_missing file)
  get_filename_component(folder ${file} DIRECTORY)
  file(READ ${file} text)
  string(REPLACE "](" "<link>" links "${text}") # brackets would prevent CMake from splitting the list
  string(REGEX MATCHALL "<link>[^() \n]+\\)" links "${links}")
  list(REMOVE_DUPLICATES links)
  foreach(link IN LISTS links)
    string(REGEX REPLACE "<link>(.*)\\)" "\\1" target "${link}")
    string(REGEX REPLACE "#.*" "" path "${target}")
    if(target MATCHES "^[a-z]+:" OR EXISTS ${folder}/${path})
      continue()
    endif()
    string(REGEX REPLACE "([.+*?$^])" "\\\\\\1" target "${target}")
    string(REGEX REPLACE "!\\[[^]]*\\]\\(${target}\\)\n*" "" text "${text}")
    string(REGEX REPLACE "\\[([^]]+)\\]\\(${target}\\)" "\\1" text "${text}")
  endforeach()
  file(WRITE ${file} "${text}")
endfunction()

# copy_documents(SOURCE TREE): copies the licence, the changelog and the manual. Call it after copying all files to
# which they link.
function(copy_documents source tree)
  file(GLOB documents RELATIVE ${source} ${source}/LICENSE ${source}/*.md ${source}/include/*.md
       ${source}/shaders/*.md)
  foreach(document IN LISTS documents)
    get_filename_component(folder ${document} DIRECTORY)
    file(COPY ${source}/${document} DESTINATION ${tree}/${folder})
  endforeach()
  file(GLOB_RECURSE documents ${tree}/*.md)
  foreach(document IN LISTS documents)
    unlink_missing(${document})
  endforeach()
endfunction()
