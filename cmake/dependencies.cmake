# Libraries from the distribution; cmake/setup.sh lists their packages.
include(CheckCXXSourceCompiles)
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS C)
set(OpenGL_GL_PREFERENCE LEGACY) # libGL alone; GLEW needs it anyway
find_package(OpenGL REQUIRED)
find_package(GLEW REQUIRED)
pkg_check_modules(SDL2 REQUIRED IMPORTED_TARGET sdl2)
pkg_check_modules(MPFR REQUIRED IMPORTED_TARGET mpfr)
pkg_check_modules(GMP REQUIRED IMPORTED_TARGET gmp)
pkg_check_modules(PNG REQUIRED IMPORTED_TARGET libpng)
pkg_check_modules(JPEG REQUIRED IMPORTED_TARGET libjpeg)

# WebP is optional: without it, WebP pictures are neither written nor shown, but the views in them
# are read.
set(FATHOM_WEBP AUTO CACHE STRING "WebP pictures: AUTO (where libwebp is), ON (required) or OFF")
set_property(CACHE FATHOM_WEBP PROPERTY STRINGS AUTO ON OFF)
set(FATHOM_HAVE_WEBP OFF)
if(NOT FATHOM_WEBP STREQUAL "OFF")
    pkg_check_modules(WEBP QUIET IMPORTED_TARGET libwebp libwebpmux)
    set(FATHOM_HAVE_WEBP ${WEBP_FOUND})
endif()
if(FATHOM_HAVE_WEBP)
    message(STATUS "WebP pictures: built with libwebp ${WEBP_libwebp_VERSION}")
elseif(FATHOM_WEBP STREQUAL "ON")
    message(FATAL_ERROR "WebP pictures: there is no libwebp with libwebpmux (libwebp-dev in Debian)")
elseif(FATHOM_WEBP STREQUAL "AUTO")
    message(STATUS "WebP pictures: not built, there is no libwebp with libwebpmux (libwebp-dev in Debian)")
endif()
# OpenEXRCore, the C library of OpenEXR, is optional: without it, EXR pictures are neither written
# nor read.
set(FATHOM_EXR AUTO CACHE STRING "EXR pictures: AUTO (where OpenEXR is), ON (required) or OFF")
set_property(CACHE FATHOM_EXR PROPERTY STRINGS AUTO ON OFF)
set(FATHOM_HAVE_EXR OFF)
if(NOT FATHOM_EXR STREQUAL "OFF")
    pkg_check_modules(OPENEXR QUIET OpenEXR>=3.1)
    set(FATHOM_HAVE_EXR ${OPENEXR_FOUND})
endif()
if(FATHOM_HAVE_EXR)
    find_library(OPENEXR_CORE_LIBRARY OpenEXRCore HINTS ${OPENEXR_LIBRARY_DIRS} REQUIRED)
    message(STATUS "EXR pictures: built with OpenEXR ${OPENEXR_VERSION}")
elseif(FATHOM_EXR STREQUAL "ON")
    message(FATAL_ERROR "EXR pictures: there is no OpenEXR 3.1 (libopenexr-dev in Debian)")
elseif(FATHOM_EXR STREQUAL "AUTO")
    message(STATUS "EXR pictures: not built, there is no OpenEXR 3.1 (libopenexr-dev in Debian)")
endif()

# libtiff is optional, too: without it, there are no posters.
set(FATHOM_TIFF AUTO CACHE STRING "Posters: AUTO (where libtiff is), ON (required) or OFF")
set_property(CACHE FATHOM_TIFF PROPERTY STRINGS AUTO ON OFF)
set(FATHOM_HAVE_TIFF OFF)
if(NOT FATHOM_TIFF STREQUAL "OFF")
    pkg_check_modules(TIFF QUIET IMPORTED_TARGET libtiff-4>=4.5)
    set(FATHOM_HAVE_TIFF ${TIFF_FOUND})
endif()
if(FATHOM_HAVE_TIFF)
    message(STATUS "Posters: built with libtiff ${TIFF_VERSION}")
elseif(FATHOM_TIFF STREQUAL "ON")
    message(FATAL_ERROR "Posters: there is no libtiff 4.5 (libtiff-dev in Debian)")
elseif(FATHOM_TIFF STREQUAL "AUTO")
    message(STATUS "Posters: not built, there is no libtiff 4.5 (libtiff-dev in Debian)")
endif()

# MPI is optional: without it, fathom-mpi is not built, and machines share work by a folder or by parts.
set(FATHOM_MPI AUTO CACHE STRING "fathom-mpi: AUTO (where MPI is), ON (required) or OFF")
set_property(CACHE FATHOM_MPI PROPERTY STRINGS AUTO ON OFF)
set(FATHOM_HAVE_MPI OFF)
if(NOT FATHOM_MPI STREQUAL "OFF")
    find_package(MPI QUIET COMPONENTS C)
    set(FATHOM_HAVE_MPI ${MPI_C_FOUND})
endif()
if(FATHOM_HAVE_MPI)
    message(STATUS "fathom-mpi: built with MPI ${MPI_C_VERSION}")
elseif(FATHOM_MPI STREQUAL "ON")
    message(FATAL_ERROR "fathom-mpi: there is no MPI (libopenmpi-dev and openmpi-bin in Debian)")
elseif(FATHOM_MPI STREQUAL "AUTO")
    message(STATUS "fathom-mpi: not built, there is no MPI (libopenmpi-dev and openmpi-bin in Debian)")
endif()

pkg_check_modules(FREETYPE REQUIRED IMPORTED_TARGET freetype2)

# Dear ImGui with its SDL2 and OpenGL 3 backends: one static library in Debian. Version 1.89 renamed
# the SDL2 backend's header.
find_path(IMGUI_INCLUDE_DIR imgui.h PATH_SUFFIXES imgui REQUIRED)
find_library(IMGUI_LIBRARY imgui REQUIRED)
find_library(STB_LIBRARY stb) # a separate library in Debian, part of Dear ImGui elsewhere
add_library(fathom_imgui INTERFACE)
target_include_directories(fathom_imgui SYSTEM INTERFACE
    ${IMGUI_INCLUDE_DIR} ${IMGUI_INCLUDE_DIR}/backends)
target_link_libraries(fathom_imgui INTERFACE ${IMGUI_LIBRARY}
    $<$<BOOL:${STB_LIBRARY}>:${STB_LIBRARY}> PkgConfig::FREETYPE)
# Dear ImGui's glyph builder with FreeType is optional: without it, text uses the bitmap font.
set(CMAKE_REQUIRED_INCLUDES ${IMGUI_INCLUDE_DIR})
set(CMAKE_REQUIRED_LIBRARIES ${IMGUI_LIBRARY} $<$<BOOL:${STB_LIBRARY}>:${STB_LIBRARY}>
    PkgConfig::FREETYPE)
check_cxx_source_compiles("
    #include <imgui.h>
    #include <imgui_freetype.h>
    int main() { return ImGuiFreeType::GetBuilderForFreeType() == nullptr; }" FATHOM_IMGUI_FREETYPE)
unset(CMAKE_REQUIRED_INCLUDES)
unset(CMAKE_REQUIRED_LIBRARIES)
if(FATHOM_IMGUI_FREETYPE)
    target_compile_definitions(fathom_imgui INTERFACE FATHOM_IMGUI_FREETYPE)
endif()
if(EXISTS ${IMGUI_INCLUDE_DIR}/backends/imgui_impl_sdl2.h)
    target_compile_definitions(fathom_imgui INTERFACE FATHOM_IMGUI_SDL2_H)
endif()
