# What the two toolchains share. The libraries of another architecture are unpacked, not
# installed: tests/machines/fetch puts Debian's packages under build/foreign/.
#
# The toolchain sets PITH_FOREIGN to Debian's name of the architecture and PITH_TRIPLET to
# that of its directories.
get_filename_component(root ${CMAKE_CURRENT_LIST_DIR}/../../build/foreign/${PITH_FOREIGN}
  ABSOLUTE)
set(PITH_FOREIGN_LIBRARIES ${root}/usr/lib/${PITH_TRIPLET})

set(CMAKE_LIBRARY_ARCHITECTURE ${PITH_TRIPLET})
set(CMAKE_FIND_ROOT_PATH ${root})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_EXE_LINKER_FLAGS_INIT
  "-L${PITH_FOREIGN_LIBRARIES} -Wl,-rpath,${PITH_FOREIGN_LIBRARIES}")

set(ENV{PKG_CONFIG_SYSROOT_DIR} ${root})
set(ENV{PKG_CONFIG_LIBDIR} ${PITH_FOREIGN_LIBRARIES}/pkgconfig)
