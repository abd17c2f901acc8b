# Tests are found by where they stand; each C file is a program of its own.
#
#   tests/support/*.c                          shared by all of them
#   tests/{unit,conformance,oom,pathological}/*.c   cmocka tests; may include src/
#   tests/vectors/FORMAT/*.txt                 run by tests/vectors/run.c
#   tests/fuzz/fuzz_X.c                        run briefly, with standalone_main.c
#   tests/roundtrip/*.c                        one program, run for each format
#   examples/X.c                               must compile and exit with 0
#   tests/{cli,golden,docs,db}/run             scripts, given the tool
#   tests/files/{outputs,sessions,terminal}    likewise: hostile files and terminals
#   tests/arrow/run                            pyarrow, Polars and DuckDB as witnesses
#   tests/machines/{threads,fork}.c            many threads; `run` beside it: elsewhere
#
# They run under the sanitizers (preset asan). What is handed to users is tested
# as it is handed to them: PITH_RELEASE_DIR names the tree of the release preset,
# whose tool, libraries and installation the remaining tests examine. So one
# CTest run covers both.

set(PITH_RELEASE_DIR "" CACHE PATH "Built tree of the release preset, to test as well.")
set(PITH_TESTS_DIR ${CMAKE_CURRENT_SOURCE_DIR}/tests)

enable_testing()
find_package(PkgConfig REQUIRED)
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)

# Tests look behind the public header, so they are linked with the objects, not
# with the library that hides them. PITH_TESTS_DIR is where fixtures lie.
file(GLOB support CONFIGURE_DEPENDS ${PITH_TESTS_DIR}/support/*.c)
add_library(pith_test_support STATIC ${support} $<TARGET_OBJECTS:pith_objects>)
target_compile_options(pith_test_support PRIVATE ${PITH_WARNINGS})
target_compile_definitions(pith_test_support PUBLIC PITH_TESTS_DIR="${PITH_TESTS_DIR}")
target_include_directories(pith_test_support
  PUBLIC include src tests ${PITH_TESTS_DIR}/support)
target_link_libraries(pith_test_support PUBLIC
  PkgConfig::CMOCKA ${PITH_COMPRESSOR_LINKS} m)
if(CMAKE_CROSSCOMPILING_EMULATOR)
  target_compile_definitions(pith_test_support PUBLIC PITH_TEST_EMULATED)
endif()
foreach(compressor IN LISTS PITH_COMPRESSORS) # tests ask for what the library has
  string(TOUPPER ${compressor} upper)
  target_compile_definitions(pith_test_support PUBLIC PITH_${upper})
endforeach()

function(pith_test_program name)
  add_executable(${name} ${ARGN})
  target_compile_options(${name} PRIVATE ${PITH_WARNINGS})
  target_link_libraries(${name} PRIVATE pith_test_support)
endfunction()

# A test that hangs fails; the limit is far above what any of them needs, emulated or not.
set(PITH_TEST_SECONDS 1200)
if(CMAKE_CROSSCOMPILING)
  set(PITH_TEST_SECONDS 7200)
endif()
function(pith_test name)
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${PITH_TEST_SECONDS})
endfunction()

file(GLOB fuzzers CONFIGURE_DEPENDS ${PITH_TESTS_DIR}/fuzz/fuzz_*.c)

# What fuzz_mcp looks at is a part of the tool; nothing else of the tool is.
function(pith_with_proxy name)
  if(name MATCHES "^fuzz_mcp")
    foreach(part calls delta messages policy rewrite span splice stats)
      target_sources(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/proxy/${part}.c)
    endforeach()
    target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  endif()
endfunction()

# libFuzzer brings a main function; another fuzzer gets one from tests/fuzz.
set(PITH_FUZZ_MAIN "" CACHE STRING "The file in tests/fuzz with main; libFuzzer's if none.")
if(PITH_FUZZ)
  foreach(source IN LISTS fuzzers)
    get_filename_component(name ${source} NAME_WE)
    if(PITH_FUZZ_MAIN)
      pith_test_program(${name} ${source} ${PITH_TESTS_DIR}/fuzz/${PITH_FUZZ_MAIN})
    else()
      pith_test_program(${name} ${source})
      target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    endif()
    pith_with_proxy(${name})
  endforeach()
endif()

if(NOT PITH_TESTS)
  return()
endif()

# ------------------------------------------------------------ under the sanitizers

add_custom_target(pith_core_tests) # these kinds alone; what `./dev machines` builds
foreach(kind unit conformance oom pathological)
  file(GLOB sources CONFIGURE_DEPENDS ${PITH_TESTS_DIR}/${kind}/*.c)
  foreach(source IN LISTS sources)
    get_filename_component(name ${source} NAME_WE)
    string(REGEX REPLACE "^(test_|${kind}_?)" "" name ${name})
    string(REGEX REPLACE "_$" "" name ${kind}_${name})
    pith_test_program(${name} ${source})
    pith_test(${name} ${name})
    add_dependencies(pith_core_tests ${name})
    if(kind STREQUAL "conformance") # as tests/support/fixtures.h has it
      set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
    endif()
    if(kind STREQUAL "oom")
      list(APPEND swept $<TARGET_OBJECTS:${name}>)
    endif()
    if(kind MATCHES "oom|pathological") # the long ones first, so that none is left last
      set_tests_properties(${name} PROPERTIES COST 100)
    endif()
  endforeach()
endforeach()

# The vectors of each format, which are text files.
pith_test_program(vectors
  ${PITH_TESTS_DIR}/vectors/run.c ${PITH_TESTS_DIR}/vectors/form.c)
add_dependencies(pith_core_tests vectors)
file(GLOB folders CONFIGURE_DEPENDS ${PITH_TESTS_DIR}/vectors/*)
foreach(folder IN LISTS folders)
  file(GLOB texts CONFIGURE_DEPENDS ${folder}/*.txt)
  if(texts)
    get_filename_component(name ${folder} NAME)
    pith_test(vectors_${name} vectors ${texts})
  endif()
endforeach()

# A race, and a look at memory never set, both made on purpose, must be seen.
find_package(Threads REQUIRED)
pith_test_program(threads ${PITH_TESTS_DIR}/machines/threads.c)
target_link_libraries(threads PRIVATE Threads::Threads)
pith_test(threads threads)
pith_test_program(fork ${PITH_TESTS_DIR}/machines/fork.c)
target_link_libraries(fork PRIVATE Threads::Threads)
pith_test(fork fork)
if(CMAKE_C_FLAGS MATCHES "-fsanitize=thread")
  pith_test(threads_race threads race)
  set_tests_properties(threads_race PROPERTIES
    PASS_REGULAR_EXPRESSION "ThreadSanitizer: data race")
elseif(CMAKE_C_FLAGS MATCHES "-fsanitize=memory")
  pith_test(threads_unset threads unset)
  set_tests_properties(threads_unset PROPERTIES
    PASS_REGULAR_EXPRESSION "MemorySanitizer: use-of-uninitialized-value")
endif()

# The limits that stand at four billion, in a library whose numbers are small. The
# vocabularies, which take long to compile, have nothing to do with them.
set(small_sources ${PITH_SOURCES})
list(FILTER small_sources EXCLUDE REGEX "/tokens/data/")
add_executable(limits_small ${PITH_TESTS_DIR}/limits/small.c ${support} ${small_sources}
  $<FILTER:$<TARGET_OBJECTS:pith_objects>,INCLUDE,/tokens/data/>)
target_compile_definitions(limits_small PRIVATE PITH_TESTS_DIR="${PITH_TESTS_DIR}"
  SLOT_TEXT_MOST=300u SLOT_COUNT_MOST=2000u GRAPH_MOST=20u GRAPH_TEXT_MOST=100u
  BPE_PIECE_MOST=500u)
target_include_directories(limits_small
  PRIVATE include src tests ${PITH_TESTS_DIR}/support)
target_link_libraries(limits_small PRIVATE PkgConfig::CMOCKA m)
pith_test(limits_small limits_small)

# Faults of memory and of devices, injected below the library and the tool: the linker
# leads the calls of the C library through tests/faults/layer.c. The tool's main
# function is a part of these programs, under another name.
if(UNIX AND NOT APPLE)
  set(wrapped malloc calloc realloc free strdup strndup write pwrite read pread
    open mkostemp linkat fsync close rename access fstat fchown fchmod flock raise)
  add_library(pith_tool_objects OBJECT ${PITH_CLI_SOURCES})
  target_compile_options(pith_tool_objects PRIVATE ${PITH_WARNINGS})
  target_compile_definitions(pith_tool_objects PRIVATE main=pith_main)
  target_include_directories(pith_tool_objects PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(pith_tool_objects PRIVATE pith_proxy)
  file(GLOB faulty CONFIGURE_DEPENDS ${PITH_TESTS_DIR}/faults/[!t]*.c
    ${PITH_TESTS_DIR}/faults/tool.c)
  add_library(pith_faults OBJECT ${faulty} ${PITH_TESTS_DIR}/support/bytes.c
    ${PITH_TESTS_DIR}/support/testing.c ${PITH_TESTS_DIR}/support/small_vocab.c)
  target_compile_options(pith_faults PRIVATE ${PITH_WARNINGS})
  target_include_directories(pith_faults PUBLIC
    include src tests ${PITH_TESTS_DIR}/support ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(pith_faults PUBLIC PkgConfig::CMOCKA)
  if(PITH_SQLITE_LIBRARY)
    target_compile_definitions(pith_faults PRIVATE PITH_WITH_SQLITE)
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${PITH_TESTS_DIR}/faults/test_*.c)
  foreach(source IN LISTS sources)
    get_filename_component(name ${source} NAME_WE)
    string(REGEX REPLACE "^test_" "faults_" name ${name})
    add_executable(${name} ${source}
      $<TARGET_OBJECTS:pith_faults> $<TARGET_OBJECTS:pith_tool_objects>)
    target_compile_options(${name} PRIVATE ${PITH_WARNINGS})
    target_include_directories(${name} PRIVATE
      $<TARGET_PROPERTY:pith_faults,INTERFACE_INCLUDE_DIRECTORIES>)
    target_link_libraries(${name} PRIVATE pith_proxy PkgConfig::CMOCKA)
    foreach(call IN LISTS wrapped)
      target_link_options(${name} PRIVATE LINKER:--wrap=${call})
    endforeach()
    list(APPEND swept $<TARGET_OBJECTS:${name}>)
    pith_test(${name} ${name})
    set_tests_properties(${name} PROPERTIES COST 90)
  endforeach()

  # What the compressors' libraries say when they have no memory.
  set(unpack_calls_LZ4 LZ4F_createDecompressionContext LZ4F_decompress)
  set(unpack_calls_ZSTD ZSTD_createDCtx ZSTD_decompressStream)
  set(unpack_calls_GZIP inflateInit2_ inflate)
  foreach(compressor IN LISTS PITH_COMPRESSORS)
    string(TOUPPER ${compressor} upper)
    target_compile_definitions(faults_unpack PRIVATE PITH_${upper})
    foreach(call IN LISTS unpack_calls_${upper})
      target_link_options(faults_unpack PRIVATE LINKER:--wrap=${call})
    endforeach()
  endforeach()
endif()

pith_test(faults_full_disk
  ${PITH_TESTS_DIR}/faults/full_disk $<TARGET_FILE:pith_cli>)
# What the sweeps share stands in tests/support/sweep.c.
list(APPEND swept "$<FILTER:$<TARGET_OBJECTS:pith_test_support>,INCLUDE,/sweep\\.c>")
pith_test(header_in_oom
  ${PITH_TESTS_DIR}/oom/covered ${CMAKE_CURRENT_SOURCE_DIR}/include/pith.h ${swept})

set(fuzz_runs 20000)
foreach(source IN LISTS fuzzers)
  get_filename_component(name ${source} NAME_WE)
  pith_test_program(${name}_short ${source} ${PITH_TESTS_DIR}/fuzz/standalone_main.c)
  pith_with_proxy(${name}_short)
  pith_test(${name}_short ${name}_short ${fuzz_runs})
endforeach()

# Random values there and back; ./dev roundtrip does it for as long as one likes.
file(GLOB roundtrip CONFIGURE_DEPENDS ${PITH_TESTS_DIR}/roundtrip/*.c)
pith_test_program(roundtrip ${roundtrip})
foreach(format json ndjson csv tsv toon toon-rows gcf gcf1 soch soch-bin pith pith-2)
  pith_test(roundtrip_${format} roundtrip ${format} 60000)
endforeach()

# What all formats make of random values, of texts with mistakes and of the conformance
# suites, as hashes; without vectors too: the plain twin of every search does what the
# fast one does.
set(frozen_parts ${PITH_TESTS_DIR}/frozen/record.c ${PITH_TESTS_DIR}/frozen/hashed.c
  ${PITH_TESTS_DIR}/diff/mutate.c)
set(frozen_run ${PITH_TESTS_DIR}/frozen/run)
pith_test_program(frozen ${PITH_TESTS_DIR}/frozen/frozen.c ${frozen_parts})
pith_test_program(frozen_errors ${PITH_TESTS_DIR}/frozen/suites.c ${frozen_parts})
add_executable(frozen_plain ${PITH_TESTS_DIR}/frozen/frozen.c ${frozen_parts} ${support}
  ${small_sources} $<FILTER:$<TARGET_OBJECTS:pith_objects>,INCLUDE,/tokens/data/>)
target_compile_definitions(frozen_plain PRIVATE PITH_TESTS_DIR="${PITH_TESTS_DIR}"
  PITH_NO_SIMD)
target_include_directories(frozen_plain
  PRIVATE include src tests ${PITH_TESTS_DIR}/support)
target_link_libraries(frozen_plain PRIVATE PkgConfig::CMOCKA m)
pith_test(frozen ${frozen_run} $<TARGET_FILE:frozen> expected)
pith_test(frozen_plain ${frozen_run} $<TARGET_FILE:frozen_plain> expected)
pith_test(frozen_errors ${frozen_run} $<TARGET_FILE:frozen_errors> expected-suites)
set_tests_properties(frozen_errors PROPERTIES SKIP_RETURN_CODE 77)

file(GLOB examples CONFIGURE_DEPENDS examples/*.c)
foreach(source IN LISTS examples)
  get_filename_component(name ${source} NAME_WE)
  if(name MATCHES "^sqlite_" AND NOT PITH_SQLITE_LIBRARY)
    continue()
  endif()
  add_executable(example_${name} ${source})
  target_compile_options(example_${name} PRIVATE ${PITH_WARNINGS})
  target_link_libraries(example_${name} PRIVATE pith_static)
  if(name MATCHES "^sqlite_")
    target_link_libraries(example_${name} PRIVATE ${PITH_SQLITE_LIBRARY})
  endif()
  pith_test(example_${name} example_${name})
  set_tests_properties(example_${name} PROPERTIES
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/examples)
endforeach()

pith_test(cli ${PITH_TESTS_DIR}/cli/run
  $<TARGET_FILE:pith_cli> ${CMAKE_CURRENT_BINARY_DIR}/cli-test)
pith_test(signals ${PITH_TESTS_DIR}/signals/run $<TARGET_FILE:pith_cli>)
foreach(attacked outputs sessions terminal)
  pith_test(files_${attacked} ${PITH_TESTS_DIR}/files/${attacked} $<TARGET_FILE:pith_cli>)
endforeach()
pith_test(answers ${PITH_TESTS_DIR}/answers/run $<TARGET_FILE:pith_cli>)
pith_test(golden ${PITH_TESTS_DIR}/golden/run $<TARGET_FILE:pith_cli>)
pith_test(docs ${PITH_TESTS_DIR}/docs/run $<TARGET_FILE:pith_cli>)
pith_test(versions ${PITH_TESTS_DIR}/docs/versions)
pith_test(docs_linked ${PITH_TESTS_DIR}/docs/linked)
set_tests_properties(docs_linked PROPERTIES SKIP_RETURN_CODE 77)
if(PITH_RELEASE_DIR) # elsewhere some of the tests are left out
  pith_test(promises ${PITH_TESTS_DIR}/docs/promises ${CMAKE_CURRENT_BINARY_DIR})
endif()

# Against real databases; a server that is not installed is a test that is skipped.
foreach(name cells connect load statements) # without a database
  add_executable(db_${name}
    ${PITH_TESTS_DIR}/db/${name}.c ${PITH_TESTS_DIR}/support/testing.c)
  target_compile_options(db_${name} PRIVATE ${PITH_WARNINGS})
  target_include_directories(db_${name} PRIVATE
    include tests ${PITH_TESTS_DIR}/support ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(db_${name} PRIVATE pith_db PkgConfig::CMOCKA)
  pith_test(db_${name} db_${name})
endforeach()
if(NOT APPLE)
  target_link_options(db_connect PRIVATE LINKER:--wrap=getaddrinfo)
endif()

# Beside the tool a program that calls db.h, with faults of memory and of the client
# libraries below it.
set(db_calls "")
if(UNIX AND NOT APPLE)
  set(db_calls $<TARGET_FILE:db_calls>)
  add_executable(db_calls ${PITH_TESTS_DIR}/db/calls.c ${PITH_TESTS_DIR}/db/client.c
    ${PITH_TESTS_DIR}/faults/layer.c ${PITH_TESTS_DIR}/support/testing.c)
  target_compile_options(db_calls PRIVATE ${PITH_WARNINGS})
  target_include_directories(db_calls PRIVATE
    include src tests ${PITH_TESTS_DIR}/support ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(db_calls PRIVATE pith_db PkgConfig::CMOCKA)
  set(client_calls_SQLITE sqlite3_bind_int64 sqlite3_column_name sqlite3_column_text)
  set(client_calls_MARIADB mysql_init mysql_real_connect mysql_net_read_packet)
  set(client_calls_POSTGRES PQconnectStartParams PQsendQuery PQsendPrepare
    PQsendDescribePrepared PQsendQueryParams PQsetSingleRowMode PQconsumeInput
    PQgetResult PQgetCancel)
  foreach(name SQLITE MARIADB POSTGRES)
    if(PITH_${name}_LIBRARY)
      list(APPEND wrapped ${client_calls_${name}})
      target_compile_definitions(db_calls PRIVATE PITH_WITH_${name})
      target_include_directories(db_calls SYSTEM PRIVATE ${PITH_${name}_INCLUDE})
    endif()
  endforeach()
  foreach(call IN LISTS wrapped ITEMS poll)
    target_link_options(db_calls PRIVATE LINKER:--wrap=${call})
  endforeach()
endif()

foreach(database sqlite mariadb postgres)
  pith_test(db_${database}
    ${PITH_TESTS_DIR}/db/run $<TARGET_FILE:pith_cli> ${database} ${db_calls})
  set_tests_properties(db_${database} PROPERTIES SKIP_RETURN_CODE 77 COST 90)
endforeach()
# Against servers of our own that break their protocols.
foreach(database mariadb postgres)
  pith_test(db_lies_${database}
    ${PITH_TESTS_DIR}/db/lies.py $<TARGET_FILE:pith_cli> ${database})
  set_tests_properties(db_lies_${database} PROPERTIES SKIP_RETURN_CODE 77 COST 90)
endforeach()
# The Python and JavaScript packages, with the library that is handed out; skipped where
# there is no Python or node.
if(PITH_RELEASE_DIR)
  pith_test(python ${CMAKE_CURRENT_SOURCE_DIR}/python/tests/run ${PITH_RELEASE_DIR})
  set_tests_properties(python PROPERTIES SKIP_RETURN_CODE 77 COST 90)
  pith_test(js ${CMAKE_CURRENT_SOURCE_DIR}/js/tests/run ${PITH_RELEASE_DIR})
  set_tests_properties(js PROPERTIES SKIP_RETURN_CODE 77 COST 60)
  pith_test(arrow ${PITH_TESTS_DIR}/arrow/run ${PITH_RELEASE_DIR})
  set_tests_properties(arrow PROPERTIES SKIP_RETURN_CODE 77 COST 90)
endif()

# The Rust crates: what they know of the header, and where cargo is, their tests.
pith_test(rust_bindings ${CMAKE_CURRENT_SOURCE_DIR}/tools/gen_rust.py --check)
if(PITH_RELEASE_DIR)
  pith_test(rust ${CMAKE_CURRENT_SOURCE_DIR}/rust/tests/run ${PITH_RELEASE_DIR})
  set_tests_properties(rust PROPERTIES SKIP_RETURN_CODE 77 COST 90)
endif()

# In front of a server that answers awkwardly, and as a server of a database.
add_executable(mcp_spans
  ${PITH_TESTS_DIR}/mcp/test_spans.c ${PITH_TESTS_DIR}/support/testing.c)
target_compile_options(mcp_spans PRIVATE ${PITH_WARNINGS})
target_include_directories(mcp_spans PRIVATE
  include tests ${PITH_TESTS_DIR}/support ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(mcp_spans PRIVATE pith_proxy PkgConfig::CMOCKA)
pith_test(mcp_spans mcp_spans)
if(TARGET pith_proxy AND PITH_LIBEVENT_INCLUDE)
  pith_test(mcp ${PITH_TESTS_DIR}/mcp/run $<TARGET_FILE:pith_cli>)
  pith_test(mcp_sdk ${PITH_TESTS_DIR}/mcp/sdk/run $<TARGET_FILE:pith_cli>
    ${CMAKE_CURRENT_BINARY_DIR}/mcp-sdk)
  set_tests_properties(mcp_sdk PROPERTIES SKIP_RETURN_CODE 77 COST 80)
endif()

pith_test(num_table ${CMAKE_CURRENT_SOURCE_DIR}/tools/gen_num_table.py --check)
pith_test(crc32c_table ${CMAKE_CURRENT_SOURCE_DIR}/tools/gen_crc32c_table.py --check)

# Its figures mean nothing here; that there are some, does.
pith_test(bench pith-bench examples/orders.json json json --seconds 0.05)
pith_test(bench_tokens pith-bench examples/orders.json json tokens --seconds 0.05)
set_tests_properties(bench bench_tokens PROPERTIES
  PASS_REGULAR_EXPRESSION "\"mb_per_s\":.*\"peak_bytes\":"
  FAIL_REGULAR_EXPRESSION "Sanitizer|error")

# ------------------------------------------------------------- rules of the source

pith_test(layers ${CMAKE_CURRENT_SOURCE_DIR}/tools/check_layers)
pith_test(format ${CMAKE_CURRENT_SOURCE_DIR}/tools/check_format)
set_tests_properties(format PROPERTIES SKIP_RETURN_CODE 77)
pith_test(errors ${CMAKE_CURRENT_SOURCE_DIR}/tools/errors --check)
pith_test(layers_caught ${PITH_TESTS_DIR}/headers/layers_caught)
pith_test(coverage_caught ${PITH_TESTS_DIR}/coverage/caught)
pith_test(locks ${PITH_TESTS_DIR}/locks/run)
pith_test(dev_installs_aloud ${PITH_TESTS_DIR}/dev/installs_aloud)
pith_test(options ${PITH_TESTS_DIR}/options/run ${CMAKE_CURRENT_BINARY_DIR}/options-test)
pith_test(headers ${PITH_TESTS_DIR}/headers/run headers)
pith_test(header_manual ${PITH_TESTS_DIR}/headers/manual)
pith_test(abi ${PITH_TESTS_DIR}/abi/run)
pith_test(abi_caught ${PITH_TESTS_DIR}/abi/caught)
set_tests_properties(abi abi_caught PROPERTIES SKIP_RETURN_CODE 77)
pith_test(sources_with_clang ${PITH_TESTS_DIR}/headers/run sources)
pith_test(amalgamation
  ${PITH_TESTS_DIR}/amalgamation/run ${CMAKE_CURRENT_BINARY_DIR}/amalgamation)
pith_test(amalgamation_switches
  ${PITH_TESTS_DIR}/amalgamation/switches ${CMAKE_CURRENT_BINARY_DIR}/switches)
pith_test(amalgamation_clashes
  ${PITH_TESTS_DIR}/amalgamation/clashes ${CMAKE_CURRENT_BINARY_DIR}/clashes)

# ------------------------------------------------------- under the other sanitizers

# Each in a tree of its own; the rest of what `./dev machines` does takes too long.
if(PITH_RELEASE_DIR)
  foreach(machine tsan msan)
    pith_test(machine_${machine} ${PITH_TESTS_DIR}/machines/run ${machine} short)
    set_tests_properties(machine_${machine} PROPERTIES COST 80)
  endforeach()
endif()

# -------------------------------------------------------------- as it is handed out

if(PITH_RELEASE_DIR)
  # Instructions at n and at 4n. One process, so nothing else is worth starting before it.
  pith_test(release_growth ${PITH_TESTS_DIR}/growth/run
    ${PITH_RELEASE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/growth-test)
  set_tests_properties(release_growth PROPERTIES COST 200)
  pith_test(release_cli ${PITH_TESTS_DIR}/cli/run
    ${PITH_RELEASE_DIR}/pith ${CMAKE_CURRENT_BINARY_DIR}/release-cli-test)
  pith_test(release_golden ${PITH_TESTS_DIR}/golden/run ${PITH_RELEASE_DIR}/pith)
  pith_test(release_demo ${CMAKE_CURRENT_SOURCE_DIR}/examples/demo ${PITH_RELEASE_DIR}/pith)
  pith_test(release_exports ${CMAKE_CURRENT_SOURCE_DIR}/tools/check_exports
    ${CMAKE_CURRENT_SOURCE_DIR}/include/pith.h
    ${PITH_RELEASE_DIR}/libpith.so ${PITH_RELEASE_DIR}/libpith.a)
  foreach(peer json-py ndjson-py) # those that Python brings along; ./dev diff has more
    pith_test(release_diff_${peer} ${PITH_TESTS_DIR}/diff/run
      ${PITH_RELEASE_DIR} ${peer} 2000)
  endforeach()
  pith_test(release_install ${PITH_TESTS_DIR}/install/run
    ${PITH_RELEASE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/install-test)
  pith_test(release_hardened ${PITH_TESTS_DIR}/install/hardened
    ${PITH_RELEASE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/hardened-test)
  pith_test(hardened_caught ${PITH_TESTS_DIR}/install/hardened
    --caught ${CMAKE_CURRENT_BINARY_DIR}/hardened-caught)
  pith_test(release_quiet ${PITH_TESTS_DIR}/install/quiet ${PITH_RELEASE_DIR})
  pith_test(release_startup ${PITH_TESTS_DIR}/install/startup
    ${PITH_RELEASE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/startup-test)
endif()

# ------------------------------------------------------------------- before a commit

# What `./dev check` builds and runs: the unit tests and the rest of the core, which shows
# most mistakes in a few minutes.
add_custom_target(unit_and_core_tests)
add_dependencies(unit_and_core_tests
  pith_core_tests pith_cli frozen frozen_errors limits_small)
get_property(tests DIRECTORY PROPERTY TESTS)
list(FILTER tests INCLUDE REGEX
  "^(unit|vectors|conformance|oom)_|^(frozen|frozen_errors|limits_small|cli|golden|layers|format|errors|abi|rust_bindings)$")
list(REMOVE_ITEM tests oom_sweep)
set_tests_properties(${tests} PROPERTIES LABELS check)
