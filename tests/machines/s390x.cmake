# IBM's mainframe: the highest byte of a number comes first in memory. Programs run in an
# emulator.
set(PITH_FOREIGN s390x)
set(PITH_TRIPLET s390x-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/foreign.cmake)

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR s390x)
find_program(PITH_S390X_GCC NAMES s390x-linux-gnu-gcc s390x-linux-gnu-gcc-14
  s390x-linux-gnu-gcc-13 s390x-linux-gnu-gcc-12 REQUIRED)
set(CMAKE_C_COMPILER ${PITH_S390X_GCC})
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-s390x;-L;/usr/s390x-linux-gnu)
