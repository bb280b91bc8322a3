# A placeholder: mpit has no public home yet. SHA512 is the checksum of a released tarball.
set(mpit_home "https://example.invalid/mpit")

vcpkg_download_distfile(ARCHIVE
    URLS "${mpit_home}/mpit-${VERSION}.tar.xz"
    FILENAME "mpit-${VERSION}.tar.xz"
    SHA512 0
)
vcpkg_extract_source_archive(SOURCE_PATH ARCHIVE "${ARCHIVE}")

set(VCPKG_BUILD_TYPE release) # header-only
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}")
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH share/cmake/mpit)
# The file stands one folder higher than where mpit installs it.
vcpkg_replace_string("${CURRENT_PACKAGES_DIR}/share/mpit/mpit-config.cmake"
    "\${CMAKE_CURRENT_LIST_DIR}/../../.." "\${CMAKE_CURRENT_LIST_DIR}/../..")

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/share/licenses")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
