# `pith mcp`, which needs libevent: PITH_MCP is AUTO (where its headers are found), ON (they
# must be there) or OFF. The tool is not linked with it; it is loaded when the command is
# used. With PITH_WHOLE it is linked in, for machines without it. Without libevent the
# command says what is missing.
set(PITH_MCP AUTO CACHE STRING "Build pith mcp: AUTO, ON or OFF.")

file(GLOB PITH_PROXY_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/proxy/*.c)
set(needs_libevent "/(lines|loop|worker|relay|serve|client_libevent)\\.c$")
find_path(PITH_LIBEVENT_INCLUDE event2/event.h)
mark_as_advanced(PITH_LIBEVENT_INCLUDE)
if(PITH_MCP AND PITH_LIBEVENT_INCLUDE)
  list(FILTER PITH_PROXY_SOURCES EXCLUDE REGEX "/without_libevent\\.c$")
elseif(PITH_MCP AND NOT PITH_MCP STREQUAL "AUTO")
  message(FATAL_ERROR "PITH_MCP is ON, but event2/event.h is missing")
else()
  message(STATUS "Building without mcp: event2/event.h is missing or not wanted")
  list(FILTER PITH_PROXY_SOURCES EXCLUDE REGEX ${needs_libevent})
endif()

add_library(pith_proxy STATIC ${PITH_PROXY_SOURCES})
target_compile_options(pith_proxy PRIVATE ${PITH_WARNINGS})
target_include_directories(pith_proxy PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(pith_proxy PUBLIC pith_db Threads::Threads)
set_target_properties(pith_proxy PROPERTIES POSITION_INDEPENDENT_CODE ON)
set_source_files_properties(proxy/client_libevent.c PROPERTIES
  COMPILE_OPTIONS -fvisibility=hidden)
if(PITH_LIBEVENT_INCLUDE)
  target_include_directories(pith_proxy SYSTEM PRIVATE ${PITH_LIBEVENT_INCLUDE})
  if(PITH_MCP AND PITH_WHOLE)
    target_compile_definitions(pith_proxy PRIVATE PITH_LIBEVENT_INSIDE)
    target_link_libraries(pith_proxy PUBLIC -l:libevent_core.a)
  endif()
endif()
