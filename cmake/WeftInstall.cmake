# What `cmake --install` puts where: headers, both libraries, and the package files for CMake and pkg-config.
include(CMakePackageConfigHelpers)
set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/weft")

install(DIRECTORY include/weft DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h"
        PATTERN "*.def")
install(TARGETS weft weft_static EXPORT weft)
install(EXPORT weft FILE weft-targets.cmake NAMESPACE weft:: DESTINATION "${package_folder}")

write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/weft-config-version.cmake"
    COMPATIBILITY SameMinorVersion)
install(FILES cmake/weft-config.cmake cmake/WeftShaders.cmake cmake/WeftEmbed.cmake
    "${CMAKE_CURRENT_BINARY_DIR}/weft-config-version.cmake"
    DESTINATION "${package_folder}")

# weft.pc finds its prefix from where it lies, so that the installed tree can be moved; with an absolute
# library folder it names the prefix instead. Appending an absolute path to a path yields the former.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
    set(pc_prefix "${CMAKE_INSTALL_PREFIX}")
else()
    file(RELATIVE_PATH pc_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
    string(PREPEND pc_prefix "\${pcfiledir}/")
endif()
set(pc_libdir "\${prefix}")
cmake_path(APPEND pc_libdir "${CMAKE_INSTALL_LIBDIR}")
set(pc_includedir "\${prefix}")
cmake_path(APPEND pc_includedir "${CMAKE_INSTALL_INCLUDEDIR}")
configure_file(cmake/weft.pc.in weft.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/weft.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

# Installed programs find the library beside them.
if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
    file(RELATIVE_PATH from_bin "/${CMAKE_INSTALL_BINDIR}" "/${CMAKE_INSTALL_LIBDIR}")
    set(CMAKE_INSTALL_RPATH "$ORIGIN/${from_bin}")
endif()
