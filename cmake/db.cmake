# The databases of `pith query`, each through its own client library and each optional:
# PITH_SQLITE, PITH_MARIADB and PITH_POSTGRES are AUTO (what is found is used), ON (it
# must be there) or OFF. What is missing is looked for again next time. The tool is linked
# with none of them: db/db_load.c loads the one that is asked for. A file with a database's
# name in its own is for that one, the others are for all.
find_package(Threads REQUIRED)
file(GLOB PITH_DB_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/db/*.c)
set(PITH_DB_SHARED ${PITH_DB_SOURCES})
list(FILTER PITH_DB_SHARED EXCLUDE REGEX "_(sqlite|mariadb|postgres)[^/]*$")
add_library(pith_db STATIC ${PITH_DB_SHARED})
target_compile_options(pith_db PRIVATE ${PITH_WARNINGS})
target_link_libraries(pith_db PUBLIC pith_open ${CMAKE_DL_LIBS} Threads::Threads)
set_target_properties(pith_db PROPERTIES POSITION_INDEPENDENT_CODE ON)

function(pith_database name header library)
  set(PITH_${name} AUTO CACHE STRING "Build with ${name}: AUTO, ON or OFF.")
  if(NOT PITH_${name} AND NOT PITH_${name} STREQUAL "AUTO")
    return()
  endif()
  find_path(PITH_${name}_INCLUDE ${header} PATH_SUFFIXES mariadb postgresql)
  find_library(PITH_${name}_LIBRARY ${library})
  mark_as_advanced(PITH_${name}_INCLUDE PITH_${name}_LIBRARY)
  if(PITH_${name}_INCLUDE AND PITH_${name}_LIBRARY)
    string(TOLOWER ${name} lower)
    set(sources ${PITH_DB_SOURCES})
    list(FILTER sources INCLUDE REGEX "_${lower}[^/]*$")
    target_sources(pith_db PRIVATE ${sources})
    # These functions have the names of the library's, which must not find them.
    set_source_files_properties(db/client_${lower}.c PROPERTIES
      COMPILE_OPTIONS -fvisibility=hidden)
    target_include_directories(pith_db SYSTEM PRIVATE ${PITH_${name}_INCLUDE})
    target_compile_definitions(pith_db PRIVATE PITH_WITH_${name})
  elseif(NOT PITH_${name} STREQUAL "AUTO")
    message(FATAL_ERROR "PITH_${name} is ON, but ${header} or lib${library} is missing")
  else()
    message(STATUS "Building without ${name}: ${header} or lib${library} is missing")
  endif()
endfunction()

pith_database(SQLITE sqlite3.h sqlite3)
pith_database(MARIADB mysql.h mariadb)
pith_database(POSTGRES libpq-fe.h pq)
