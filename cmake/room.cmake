# belfry_room(<name> DEPENDS <rooms...> [SOURCES ...] [CUDA_SOURCES ...] [LIBRARIES ...]
#             [TESTS ...] [VECTOR_TESTS ...] [SLOW_TESTS ...] [GPU_TESTS ...] [BENCHES ...]
#             [GPU_BENCHES ...])
#
# One room is one target `belfry_<name>`, and this is the only way to make one. DEPENDS is the room's
# whole right to include: scripts/check_rooms.py reads the same lists. Paths are relative to the
# room's folder (src/belfry/<name>, tests/<name>, bench/<name>). CUDA_SOURCES are built with
# BELFRY_CUDA=ON only. LIBRARIES are third-party targets.
#
# TESTS, VECTOR_TESTS and SLOW_TESTS become <name>_tests, <name>_vector_tests and <name>_slow_tests
# with the ctest labels unit, vectors and slow. GPU_TESTS are built with BELFRY_CUDA=ON and become
# <name>_gpu_tests (label gpu), a program that needs nothing but the driver and what lies beside it.
set(BELFRY_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 warns falsely on `"text" + std::string` (GCC bug 105651, fixed in 13).
  list(APPEND BELFRY_WARNINGS -Wno-restrict)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # One set for both compilers: in C++ GCC's -Wconversion leaves this out.
  list(APPEND BELFRY_WARNINGS -Wno-sign-conversion)
endif()

# The rooms with parsers report their coverage to libFuzzer; arithmetic would only be slower for it.
set(BELFRY_FUZZED_ROOMS base r1cs groth16 filecoin config)

# What `make asan`, `make tsan` and `make ubsan` run.
add_custom_target(unit_programs)

# Several sources as one unit: headers are read and templates made once a unit. `all` halves the work
# of a build; `tests` leaves the rooms' own sources alone, so that a build (the thread sanitizer's)
# proves that each includes what it needs and has no warning that a unit can't show.
set(BELFRY_UNITS none CACHE STRING "Compile several sources of a room as one: none, tests, all")

function(belfry_in_units target kind room files)
  if(NOT BELFRY_UNITS STREQUAL "all" AND NOT BELFRY_UNITS STREQUAL kind)
    return()
  endif()
  list(FILTER files INCLUDE REGEX "\\.cpp$")
  execute_process(COMMAND ${BELFRY_PYTHON} ${CMAKE_SOURCE_DIR}/scripts/units.py
                          --headers ${CMAKE_SOURCE_DIR}/src/belfry/${room} ${files}
                  OUTPUT_VARIABLE units COMMAND_ERROR_IS_FATAL ANY)
  foreach(file unit IN ZIP_LISTS files units)
    set_source_files_properties(${file} PROPERTIES UNITY_GROUP ${unit})
  endforeach()
  # Which sources go together depends on the names in them and in the room's headers.
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/belfry/${room}/*.h)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files} ${headers})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP
                        UNITY_BUILD_CODE_BEFORE_INCLUDE "// NOLINTNEXTLINE(bugprone-suspicious-include)")
  # A local variable may have the name of another file's constant.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-shadow>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # To it all that a unit includes is a header, and types without linkage don't belong there.
    target_compile_options(${target} PRIVATE
                           "$<$<COMPILE_LANGUAGE:CXX>:-Wshadow=local;-Wno-subobject-linkage>")
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13
     AND kind STREQUAL "tests")
    # It inlines differently in units and takes lengths of texts for negative ones (as bug 105651).
    target_compile_options(${target} PRIVATE
                           "$<$<COMPILE_LANGUAGE:CXX>:-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>")
  endif()
endfunction()

function(belfry_room name)
  cmake_parse_arguments(ARG "" ""
    "DEPENDS;SOURCES;CUDA_SOURCES;LIBRARIES;TESTS;VECTOR_TESTS;SLOW_TESTS;GPU_TESTS;BENCHES;GPU_BENCHES" ${ARGN})
  set(target belfry_${name})
  set(sources ${ARG_SOURCES})
  if(BELFRY_CUDA)
    list(APPEND sources ${ARG_CUDA_SOURCES})
  endif()
  list(TRANSFORM sources PREPEND ${CMAKE_SOURCE_DIR}/src/belfry/${name}/)

  if(sources)
    add_library(${target} STATIC ${sources})
    set(scope PUBLIC)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${BELFRY_WARNINGS}>)
    belfry_in_units(${target} sources ${name} "${sources}")
    if(BELFRY_FUZZ AND name IN_LIST BELFRY_FUZZED_ROOMS)
      target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
    endif()
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${target} ${scope} ${CMAKE_SOURCE_DIR}/src)
  list(TRANSFORM ARG_DEPENDS PREPEND belfry_)
  target_link_libraries(${target} ${scope} ${ARG_DEPENDS} ${ARG_LIBRARIES})

  if(BELFRY_TESTS)
    belfry_room_tests(${name} tests unit "${ARG_TESTS}")
    belfry_room_tests(${name} vector_tests vectors "${ARG_VECTOR_TESTS}")
    belfry_room_tests(${name} slow_tests slow "${ARG_SLOW_TESTS}")
    if(BELFRY_CUDA)
      belfry_gpu_tests(${name} "${ARG_GPU_TESTS}")
    endif()
  endif()
  if(BELFRY_CUDA AND ARG_GPU_BENCHES)
    list(TRANSFORM ARG_GPU_BENCHES PREPEND ${CMAKE_SOURCE_DIR}/bench/${name}/)
    add_executable(${name}_gpu_bench ${ARG_GPU_BENCHES})
    target_include_directories(${name}_gpu_bench PRIVATE ${CMAKE_SOURCE_DIR}/tests)
    target_link_libraries(${name}_gpu_bench PRIVATE ${target} belfry_gpu)
    belfry_portable_program(${name}_gpu_bench)
  endif()
  if(BELFRY_BENCH AND ARG_BENCHES)
    list(TRANSFORM ARG_BENCHES PREPEND ${CMAKE_SOURCE_DIR}/bench/${name}/)
    add_executable(${name}_bench ${ARG_BENCHES})
    target_compile_options(${name}_bench PRIVATE ${BELFRY_WARNINGS})
    target_include_directories(${name}_bench PRIVATE ${CMAKE_SOURCE_DIR}/tests)
    target_link_libraries(${name}_bench PRIVATE ${target} benchmark::benchmark_main)
  endif()
endfunction()

# GoogleTest takes half the compile time of a small test: the builds of `make test` and `make asan`,
# which are made from nothing elsewhere, read it once. Others keep ccache's full use instead.
option(BELFRY_TEST_PCH "Precompile what every test includes" OFF)
if(BELFRY_TESTS AND BELFRY_TEST_PCH)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/test_header.cpp CONTENT "")
  add_executable(test_header ${CMAKE_BINARY_DIR}/test_header.cpp)
  target_compile_options(test_header PRIVATE ${BELFRY_WARNINGS})
  # A test may have more definitions, but none less.
  target_link_libraries(test_header PRIVATE simdjson::simdjson GTest::gmock GTest::gtest_main)
  target_compile_definitions(test_header PRIVATE BELFRY_TEST_VECTORS="${CMAKE_SOURCE_DIR}/tests/vectors")
  target_precompile_headers(test_header PRIVATE <gtest/gtest.h> <filesystem> <fstream> <span>)
endif()

# A sanitizer takes longer to start than most cases take.
set_property(GLOBAL PROPERTY BELFRY_TEST_ORDER 0)
option(BELFRY_TEST_PROGRAMS "One ctest test a program, not one a case" OFF)

function(belfry_room_tests room suffix label files)
  if(NOT files)
    return()
  endif()
  list(TRANSFORM files PREPEND ${CMAKE_SOURCE_DIR}/tests/${room}/)
  set(target ${room}_${suffix})
  add_executable(${target} ${files})
  target_compile_options(${target} PRIVATE ${BELFRY_WARNINGS})
  belfry_in_units(${target} tests ${room} "${files}")
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_compile_definitions(${target} PRIVATE BELFRY_TEST_VECTORS="${CMAKE_SOURCE_DIR}/tests/vectors")
  target_link_libraries(${target} PRIVATE belfry_${room} simdjson::simdjson GTest::gmock GTest::gtest_main)
  if(label STREQUAL unit)
    add_dependencies(unit_programs ${target})
  endif()
  if(BELFRY_TEST_PCH)
    target_precompile_headers(${target} REUSE_FROM test_header)
  endif()
  if(BELFRY_TEST_PROGRAMS)
    add_test(NAME ${room}.${suffix} COMMAND ${target})
    # Later rooms first: they take longest, and cli has one process running at a time.
    get_property(order GLOBAL PROPERTY BELFRY_TEST_ORDER)
    math(EXPR order "${order} + 1")
    set_property(GLOBAL PROPERTY BELFRY_TEST_ORDER ${order})
    set_tests_properties(${room}.${suffix} PROPERTIES LABELS ${label} TIMEOUT 1800 COST ${order})
  else()
    gtest_discover_tests(${target} TEST_PREFIX "${room}." DISCOVERY_TIMEOUT 60
                         PROPERTIES LABELS ${label} TIMEOUT 1800)
  endif()
endfunction()

# Every call that a GPU test program makes of the CUDA runtime goes through this file, which says
# which calls there are.
set(BELFRY_CUDA_CALLS ${CMAKE_SOURCE_DIR}/tests/support/cuda_calls.cpp)
file(STRINGS ${BELFRY_CUDA_CALLS} BELFRY_WATCHED_CALLS REGEX "^BELFRY_WATCH\\(")
list(TRANSFORM BELFRY_WATCHED_CALLS REPLACE "^BELFRY_WATCH\\(([A-Za-z_]+),.*$" "\\1")

function(belfry_gpu_tests room files)
  if(NOT files)
    return()
  endif()
  list(TRANSFORM files PREPEND ${CMAKE_SOURCE_DIR}/tests/${room}/)
  set(target ${room}_gpu_tests)
  add_executable(${target} ${files} ${BELFRY_CUDA_CALLS})
  foreach(call ${BELFRY_WATCHED_CALLS} cudaPeekAtLastError cudaGetLastError)
    target_link_options(${target} PRIVATE -Wl,--wrap=${call})
  endforeach()
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  # Relative: they run on another machine, in the root of a copy of this tree.
  target_compile_definitions(${target} PRIVATE BELFRY_TEST_VECTORS="tests/vectors")
  target_link_libraries(${target} PRIVATE belfry_${room} belfry_gpu simdjson::simdjson GTest::gtest_main)
  belfry_portable_program(${target})
  # Not discovered at build time: the machine that builds has no card.
  add_test(NAME ${room}.gpu COMMAND ${target})
  set_tests_properties(${room}.gpu PROPERTIES LABELS gpu)
endfunction()

# Puts a program that is to run on a machine with glibc and the driver alone into one folder, with the
# shared libraries that it needs.
function(belfry_portable_program target)
  set_target_properties(${target} PROPERTIES
                        RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/portable
                        BUILD_RPATH "$ORIGIN" BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN")
  add_custom_command(TARGET ${target} POST_BUILD
                     COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:${target}>
                             -P ${CMAKE_SOURCE_DIR}/cmake/copy_libraries.cmake)
endfunction()

# belfry_isa(<room> <file> <flags...>): compiles one source of a room for an instruction set. Such a
# file holds kernels behind a table that is chosen at run time and includes nothing inline that
# another file could share: the linker might keep the wrong copy.
#
# A test asks nm: an object with a weak function fails it.
function(belfry_isa room file)
  # With a branch for each of its addresses, clang takes minutes for an eight-lane kernel (preset ubsan).
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    list(APPEND ARGN -fno-sanitize=pointer-overflow,object-size)
  endif()
  set_source_files_properties(${CMAKE_SOURCE_DIR}/src/belfry/${room}/${file}
                              TARGET_DIRECTORY belfry_${room} PROPERTIES COMPILE_OPTIONS "${ARGN}")
  if(BELFRY_TESTS)
    add_test(NAME architecture.isa.${room}.${file}
             COMMAND ${BELFRY_PYTHON} ${CMAKE_SOURCE_DIR}/scripts/check_isa_object.py ${CMAKE_NM} ${file}
                     $<TARGET_FILE:belfry_${room}>)
    set_tests_properties(architecture.isa.${room}.${file} PROPERTIES LABELS unit)
  endif()
endfunction()

# The flags for eight-lane kernels (Isa::kIfma). GCC 12 takes its own AVX-512 headers for readers of
# uninitialised variables (its bug 105593).
set(BELFRY_IFMA_FLAGS -mavx512f -mavx512dq -mavx512vl -mavx512bw -mavx512ifma -mbmi2 -madx
                      -Wno-uninitialized)
