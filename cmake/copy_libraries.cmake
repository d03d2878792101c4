# cmake -DPROGRAM=<file> -P copy_libraries.cmake: puts the shared libraries that a program needs beside
# it, under the names by which it asks for them, but for those of glibc and the driver.
get_filename_component(folder ${PROGRAM} DIRECTORY)
# Found twice are those that lie there already and on this machine.
file(GET_RUNTIME_DEPENDENCIES
     EXECUTABLES ${PROGRAM}
     RESOLVED_DEPENDENCIES_VAR found
     UNRESOLVED_DEPENDENCIES_VAR missing
     CONFLICTING_DEPENDENCIES_PREFIX twice
     PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread|resolv|util)\\.so" "^libcuda\\.so")
if(missing)
  message(FATAL_ERROR "${PROGRAM} needs ${missing}, which this machine does not have")
endif()
foreach(name ${twice_FILENAMES})
  list(APPEND found ${twice_${name}})
endforeach()
foreach(library ${found})
  get_filename_component(name ${library} NAME)
  get_filename_component(place ${library} DIRECTORY)
  if(NOT place STREQUAL folder)
    file(REAL_PATH ${library} file)
    file(COPY_FILE ${file} ${folder}/${name} ONLY_IF_DIFFERENT)
  endif()
endforeach()
