# The 32 bits of an x86: size_t and pointers are half as long, and a double in an
# expression has more digits than one in memory (x87). Programs run as they are. The
# preset says -m32, and where the kernel's headers are: those for 64 bits are the same,
# and Debian's package that says so excludes compilers for other machines.
set(PITH_FOREIGN i386)
set(PITH_TRIPLET i386-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/foreign.cmake)
