# The databases of `pith query`, each through its own client library and each optional:
# PITH_SQLITE, PITH_MARIADB and PITH_POSTGRES are AUTO (what is found is used), ON (it
# must be there) or OFF. With PITH_WHOLE SQLite is linked in. What is missing is looked for again next time. The tool is linked
# with none of them: db/db_load.c loads the one that is asked for. A file with a database's
# name in its own is for that one, the others are for all.
#
# A database is its files, db_NAME.c with the driver and client_NAME.c with the calls of its
# library, and a line at the end of this one.
find_package(Threads REQUIRED)
file(GLOB PITH_DB_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/db/*.c)
add_library(pith_db STATIC)
target_compile_options(pith_db PRIVATE ${PITH_WARNINGS})
target_link_libraries(pith_db PUBLIC pith_open ${CMAKE_DL_LIBS} Threads::Threads)
set_target_properties(pith_db PROPERTIES POSITION_INDEPENDENT_CODE ON)

set(PITH_DATABASES "") # as db/db.c reads them

# pith_database(NAME HEADER LIBRARY PACKAGE SCHEME...): the database of the files *_NAME*.c.
function(pith_database name header library package)
  string(TOUPPER ${name} upper)
  set(sources ${PITH_DB_SOURCES})
  list(FILTER sources INCLUDE REGEX "_${name}[^/]*$")
  list(FILTER PITH_DB_SOURCES EXCLUDE REGEX "_${name}[^/]*$")
  set(PITH_DB_SOURCES ${PITH_DB_SOURCES} PARENT_SCOPE)
  set(PITH_${upper} AUTO CACHE STRING "Build with ${name}: AUTO, ON or OFF.")
  set(row "DB_MISSING(%,${package})")
  if(PITH_${upper} OR PITH_${upper} STREQUAL "AUTO")
    find_path(PITH_${upper}_INCLUDE ${header} PATH_SUFFIXES mariadb postgresql)
    find_library(PITH_${upper}_LIBRARY ${library})
    mark_as_advanced(PITH_${upper}_INCLUDE PITH_${upper}_LIBRARY)
    if(PITH_${upper}_INCLUDE AND PITH_${upper}_LIBRARY)
      target_sources(pith_db PRIVATE ${sources})
      # These functions have the names of the library's, which must not find them.
      set_source_files_properties(db/client_${name}.c PROPERTIES
        COMPILE_OPTIONS -fvisibility=hidden)
      target_include_directories(pith_db SYSTEM PRIVATE ${PITH_${upper}_INCLUDE})
      set(row "DB_BUILT(%,${name})")
    elseif(NOT PITH_${upper} STREQUAL "AUTO")
      message(FATAL_ERROR "PITH_${upper} is ON, but ${header} or lib${library} is missing")
    else()
      message(STATUS "Building without ${name}: ${header} or lib${library} is missing")
    endif()
  endif()
  foreach(scheme IN LISTS ARGN)
    string(REPLACE "%" ${scheme} one "${row}")
    string(APPEND PITH_DATABASES "${one} ")
  endforeach()
  set(PITH_DATABASES "${PITH_DATABASES}" PARENT_SCOPE)
endfunction()

# With SQLite inside, the calls of its driver are those of the library itself.
if(PITH_WHOLE)
  set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/db/client_sqlite.c PROPERTIES
    COMPILE_DEFINITIONS DB_SQLITE_INSIDE)
  target_link_libraries(pith_db PUBLIC -l:libsqlite3.a m)
endif()

pith_database(sqlite sqlite3.h sqlite3 libsqlite3-dev sqlite)
pith_database(mariadb mysql.h mariadb libmariadb-dev mariadb mysql)
pith_database(postgres libpq-fe.h pq libpq-dev postgres postgresql)

target_sources(pith_db PRIVATE ${PITH_DB_SOURCES})
set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/db/db.c PROPERTIES
  COMPILE_DEFINITIONS "PITH_DATABASES=${PITH_DATABASES}")
