# What an installation consists of, beside the program (see apps/twinsift).
#
# A static library hands its own dependencies on to whoever links it; a shared one keeps them.
# So the package files name them only if the library is static.
include(CMakePackageConfigHelpers)

get_target_property(library_type twinsift TYPE)
if(library_type STREQUAL "STATIC_LIBRARY")
  set(TWINSIFT_IS_STATIC ON)
  set(TWINSIFT_PC_REQUIRES "Requires: fmt simdjson icu-uc icu-i18n libxxhash libzstd zlib")
  set(TWINSIFT_PC_LIBS " -lstemmer -pthread")
else()
  set(TWINSIFT_IS_STATIC OFF)
  set(TWINSIFT_PC_REQUIRES "")
  set(TWINSIFT_PC_LIBS "")
endif()
file(RELATIVE_PATH TWINSIFT_PC_UP
  "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" TWINSIFT_PC_UP "${TWINSIFT_PC_UP}")

install(TARGETS twinsift EXPORT twinsiftTargets)
install(DIRECTORY include/twinsift DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT twinsiftTargets NAMESPACE twinsift::
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/twinsift)
configure_package_config_file(cmake/twinsiftConfig.cmake.in
  ${PROJECT_BINARY_DIR}/twinsiftConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/twinsift)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/twinsiftConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
configure_file(cmake/twinsift.pc.in ${PROJECT_BINARY_DIR}/twinsift.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/twinsiftConfig.cmake
  ${PROJECT_BINARY_DIR}/twinsiftConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/twinsift)
install(FILES ${PROJECT_BINARY_DIR}/twinsift.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
