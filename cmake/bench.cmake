# The benchmark, and the peer it is measured against where that is installed. The
# library never sees any of this.

# What both programs share: everything in bench/ but the two main functions.
file(GLOB PITH_BENCH_PARTS CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/bench/*.c)
list(REMOVE_ITEM PITH_BENCH_PARTS ${CMAKE_CURRENT_SOURCE_DIR}/bench/pith_bench.c)
add_library(bench_parts OBJECT ${PITH_BENCH_PARTS})
target_include_directories(bench_parts PUBLIC include)
target_compile_options(bench_parts PRIVATE ${PITH_WARNINGS})

add_executable(pith-bench bench/pith_bench.c $<TARGET_OBJECTS:bench_parts>)
target_compile_options(pith-bench PRIVATE ${PITH_WARNINGS})
target_link_libraries(pith-bench PRIVATE pith_static m)

# The peer is C++, which nothing else here needs: the language is switched on only
# where simdjson and a compiler for it are both found. A compiler that was missing
# last time is looked for again. Beside the tests there is nothing to measure.
if(PITH_TESTS)
  return()
endif()
find_path(SIMDJSON_INCLUDE simdjson.h)
find_library(SIMDJSON_LIBRARY simdjson)
mark_as_advanced(SIMDJSON_INCLUDE SIMDJSON_LIBRARY)
if(SIMDJSON_INCLUDE AND SIMDJSON_LIBRARY)
  if(NOT CMAKE_CXX_COMPILER)
    unset(CMAKE_CXX_COMPILER CACHE)
  endif()
  include(CheckLanguage)
  check_language(CXX)
  if(CMAKE_CXX_COMPILER)
    enable_language(CXX)
    add_executable(simdjson-peer
      bench/simdjson_peer.cpp $<TARGET_OBJECTS:bench_parts>)
    target_include_directories(simdjson-peer PRIVATE ${SIMDJSON_INCLUDE})
    target_compile_features(simdjson-peer PRIVATE cxx_std_17)
    target_link_libraries(simdjson-peer PRIVATE ${SIMDJSON_LIBRARY} pith_static m)
  endif()
endif()
