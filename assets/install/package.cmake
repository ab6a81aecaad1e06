# Packages: `cpack` in the build folder makes a .deb for this version of Debian, and an archive. The
# archive can be unpacked anywhere, because the program finds share/ next to its bin/.
set(CPACK_GENERATOR TGZ)
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(DPKG_SHLIBDEPS)
if(DPKG_SHLIBDEPS)
    list(APPEND CPACK_GENERATOR DEB)
endif()
set(CPACK_PACKAGE_NAME fathom)
set(CPACK_PACKAGE_VENDOR "fathom developers")
set(CPACK_PACKAGE_CONTACT "fathom developers <fathom@users.noreply.github.com>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "interactive fractal explorer")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# Before a .deb is made, missing programs are reported with their packages.
file(WRITE ${PROJECT_BINARY_DIR}/install/package-needs.cmake [[
if(CPACK_GENERATOR STREQUAL "DEB")
    foreach(need dpkg-shlibdeps:dpkg-dev file:file)
        string(REPLACE ":" ";" need ${need})
        list(GET need 0 program)
        list(GET need 1 package)
        find_program(FATHOM_PACK_${program} ${program})
        if(NOT FATHOM_PACK_${program})
            message(FATAL_ERROR "there is no ${program}: apt install ${package}")
        endif()
    endforeach()
endif()
]])
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_BINARY_DIR}/install/package-needs.cmake)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libegl1, libgl1-mesa-dri, fonts-dejavu-core, ffmpeg")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gnuplot-nox | gnuplot, xclip | wl-clipboard")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Turn the mouse wheel and fall into the Mandelbrot set, without waiting.
fathom draws on an NVIDIA GPU through CUDA, where there is one, and on any
x86-64 processor through AVX-512, AVX2 or plain code. The picture is the
same, byte for byte, whichever of them draws it.

It also shows how often orbits visit each pixel of the view (the Buddhabrot
and its relatives) in runs that can be saved and continued, draws pictures
into files, and measures how fast all of this is.")
include(CPack)
