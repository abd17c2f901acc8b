# What makes a mistake in memory harder to use, for builds that are handed out: canaries on
# the stack, checked copies, stacks that cannot jump over their guard page, marked targets
# of indirect jumps (CET; on ARM: BTI and PAC), tables of addresses that are read-only once
# the program runs, no stack that can be executed, and a tool at an address of chance.
#
# Each flag is used where the compiler has it; PITH_HARDEN=OFF leaves that to CMAKE_C_FLAGS.
# Debug builds go without, for the sanitizers see more, and -D_FORTIFY_SOURCE hides calls
# from them. tests/install/hardened reads the result.
option(PITH_HARDEN "Build Release with the compiler's protections." ON)
if(NOT PITH_HARDEN OR CMAKE_C_FLAGS MATCHES "-fsanitize")
  return()
endif()
include(CheckCCompilerFlag)
include(CheckCSourceCompiles)
include(CheckLinkerFlag)
include(CheckPIESupported)

set(release "$<OR:$<CONFIG:Release>,$<CONFIG:RelWithDebInfo>,$<CONFIG:MinSizeRel>>")

foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection
    -mbranch-protection=standard)
  string(MAKE_C_IDENTIFIER "PITH_HAS${flag}" found)
  set(CMAKE_REQUIRED_FLAGS -Werror) # clang only warns of what is for other machines
  check_c_compiler_flag(${flag} ${found})
  unset(CMAKE_REQUIRED_FLAGS)
  if(${found})
    add_compile_options($<$<AND:${release},$<COMPILE_LANGUAGE:C>>:${flag}>)
  endif()
endforeach()

# Level 3 knows sizes that are computed; it needs a compiler and a C library that do. Some
# compilers come with a level of their own, which is taken back first.
set(fortify 2)
set(CMAKE_REQUIRED_FLAGS "-O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
check_c_source_compiles("
  #include <string.h>
  #if __USE_FORTIFY_LEVEL < 3
  #error
  #endif
  int main(void) { return 0; }" PITH_HAS_FORTIFY_3)
unset(CMAKE_REQUIRED_FLAGS)
if(PITH_HAS_FORTIFY_3)
  set(fortify 3)
endif()
add_compile_options(
  "$<$<AND:${release},$<COMPILE_LANGUAGE:C>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=${fortify}>")

foreach(flag relro now noexecstack)
  check_linker_flag(C LINKER:-z,${flag} PITH_HAS_LINK_${flag})
  if(PITH_HAS_LINK_${flag})
    add_link_options($<${release}:LINKER:-z,${flag}>)
  endif()
endforeach()

# What the tool is made of asks for it with POSITION_INDEPENDENT_CODE.
check_pie_supported(LANGUAGES C)
