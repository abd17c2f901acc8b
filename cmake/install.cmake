# What `cmake --install` copies: the header, both libraries, the files by which
# pkg-config and find_package find them, the tool with its man page and shell
# completions, and the texts. Every path inside is relative, so that the prefix
# may be chosen at install time and the tree moved afterwards.
include(CMakePackageConfigHelpers)

install(FILES include/pith.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS ${PITH_LIBRARIES} EXPORT pith-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# ------------------------------------------------------- find_package, pkg-config

set(PITH_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/pith)
install(EXPORT pith-targets NAMESPACE pith:: DESTINATION ${PITH_PACKAGE_DIR})
configure_package_config_file(cmake/pith-config.cmake.in pith-config.cmake
  INSTALL_DESTINATION ${PITH_PACKAGE_DIR}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(pith-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/pith-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/pith-config-version.cmake
  DESTINATION ${PITH_PACKAGE_DIR})

# pkg-config knows where a .pc file lies; the way from there to the prefix is the
# same wherever the tree ends up, unless the library directory was given absolutely.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  set(PITH_PC_PREFIX "${CMAKE_INSTALL_PREFIX}")
  set(PITH_PC_LIBDIR "${CMAKE_INSTALL_FULL_LIBDIR}")
  set(PITH_PC_INCLUDEDIR "${CMAKE_INSTALL_FULL_INCLUDEDIR}")
else()
  file(RELATIVE_PATH way "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
  string(REGEX REPLACE "/$" "" way "${way}")
  set(PITH_PC_PREFIX "\${pcfiledir}/${way}")
  set(PITH_PC_LIBDIR "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
  set(PITH_PC_INCLUDEDIR "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
set(PITH_PC_COMPRESSORS "")
foreach(compressor IN LISTS PITH_COMPRESSORS)
  string(APPEND PITH_PC_COMPRESSORS " -l${library_${compressor}}")
endforeach()
configure_file(cmake/pith.pc.in pith.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/pith.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# ---------------------------------------------- the tool, its manual, completions

if(PITH_TOOLS)
  install(TARGETS pith_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

  # The tool writes its own manual and completions, from the tables its --help
  # uses. A tool built for another machine cannot be run here.
  if(NOT CMAKE_CROSSCOMPILING)
    set(PITH_TEXTS ${CMAKE_CURRENT_BINARY_DIR}/texts)
    function(pith_generate name destination installed_name)
      add_custom_command(
        OUTPUT ${PITH_TEXTS}/${name}
        COMMAND ${CMAKE_COMMAND} -DOUTPUT=${PITH_TEXTS}/${name}
          "-DCOMMAND=$<TARGET_FILE:pith_cli>;${ARGN}"
          -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/capture.cmake
        DEPENDS pith_cli cmake/capture.cmake
        COMMENT "Writing texts/${name}"
        VERBATIM)
      set_property(GLOBAL APPEND PROPERTY PITH_GENERATED ${PITH_TEXTS}/${name})
      install(FILES ${PITH_TEXTS}/${name}
        DESTINATION ${destination} RENAME ${installed_name})
    endfunction()

    pith_generate(pith.1 ${CMAKE_INSTALL_MANDIR}/man1 pith.1 help --man)
    pith_generate(pith.bash ${CMAKE_INSTALL_DATADIR}/bash-completion/completions pith
      help --completions bash)
    pith_generate(pith.zsh ${CMAKE_INSTALL_DATADIR}/zsh/site-functions _pith
      help --completions zsh)
    pith_generate(pith.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d pith.fish
      help --completions fish)
    get_property(generated GLOBAL PROPERTY PITH_GENERATED)
    add_custom_target(texts ALL DEPENDS ${generated})
  endif()
endif()

# The pages keep their places beside each other, so that links between them lead somewhere.
install(FILES LICENSE THIRD_PARTY.md README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR}
  USE_SOURCE_PERMISSIONS)
