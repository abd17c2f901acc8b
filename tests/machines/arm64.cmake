# ARM with 64 bits: the byte searches use NEON. Programs run in an emulator.
set(PITH_FOREIGN arm64)
set(PITH_TRIPLET aarch64-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/foreign.cmake)

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
find_program(PITH_ARM64_GCC NAMES aarch64-linux-gnu-gcc aarch64-linux-gnu-gcc-14
  aarch64-linux-gnu-gcc-13 aarch64-linux-gnu-gcc-12 REQUIRED)
set(CMAKE_C_COMPILER ${PITH_ARM64_GCC})
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64;-L;/usr/aarch64-linux-gnu)
