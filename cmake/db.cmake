# The databases of `pith query`, each through its own client library and each optional:
# PITH_SQLITE, PITH_MARIADB and PITH_POSTGRES are AUTO (what is found is used), ON (it
# must be there) or OFF. What is missing is looked for again next time.
find_package(Threads REQUIRED)
add_library(pith_db STATIC db/db.c db/db_cells.c db/db_connect.c
  db/db_mariadb_wire.c db/db_tables.c)
target_compile_options(pith_db PRIVATE ${PITH_WARNINGS})
target_link_libraries(pith_db PUBLIC pith_static m Threads::Threads)

function(pith_database name header library source)
  set(PITH_${name} AUTO CACHE STRING "Build with ${name}: AUTO, ON or OFF.")
  if(NOT PITH_${name} AND NOT PITH_${name} STREQUAL "AUTO")
    return()
  endif()
  find_path(PITH_${name}_INCLUDE ${header} PATH_SUFFIXES mariadb postgresql)
  find_library(PITH_${name}_LIBRARY ${library})
  mark_as_advanced(PITH_${name}_INCLUDE PITH_${name}_LIBRARY)
  if(PITH_${name}_INCLUDE AND PITH_${name}_LIBRARY)
    list(TRANSFORM ARGN PREPEND db/)
    target_sources(pith_db PRIVATE db/${source} ${ARGN})
    target_include_directories(pith_db SYSTEM PRIVATE ${PITH_${name}_INCLUDE})
    target_compile_definitions(pith_db PRIVATE PITH_WITH_${name})
    target_link_libraries(pith_db PUBLIC ${PITH_${name}_LIBRARY})
  elseif(NOT PITH_${name} STREQUAL "AUTO")
    message(FATAL_ERROR "PITH_${name} is ON, but ${header} or lib${library} is missing")
  else()
    message(STATUS "Building without ${name}: ${header} or lib${library} is missing")
  endif()
endfunction()

pith_database(SQLITE sqlite3.h sqlite3 db_sqlite.c)
pith_database(MARIADB mysql.h mariadb db_mariadb.c)
pith_database(POSTGRES libpq-fe.h pq db_postgres.c db_postgres_connect.c
  db_postgres_guard.c)
