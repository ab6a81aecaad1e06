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

# Adds FATHOM_<NAME>, by which the user chooses an optional library, and sets FATHOM_HAVE_<NAME> to OFF.
macro(fathom_optional name what library)
    set(FATHOM_${name} AUTO CACHE STRING "${what}: AUTO (where ${library} is), ON (required) or OFF")
    set_property(CACHE FATHOM_${name} PROPERTY STRINGS AUTO ON OFF)
    set(FATHOM_HAVE_${name} OFF)
endmacro()
# Sets FATHOM_HAVE_<NAME> if the library was found and is not OFF, and reports it. Fails if it is ON and missing.
macro(fathom_optional_found name what found with missing)
    if(NOT FATHOM_${name} STREQUAL "OFF")
        set(FATHOM_HAVE_${name} ${found})
    endif()
    if(FATHOM_HAVE_${name})
        message(STATUS "${what}: built with ${with}")
    elseif(FATHOM_${name} STREQUAL "ON")
        message(FATAL_ERROR "${what}: there is no ${missing}")
    elseif(FATHOM_${name} STREQUAL "AUTO")
        message(STATUS "${what}: not built, there is no ${missing}")
    endif()
endmacro()

# WebP is optional: without it, WebP pictures are neither written nor shown, but the views in them
# are read.
fathom_optional(WEBP "WebP pictures" libwebp)
if(NOT FATHOM_WEBP STREQUAL "OFF")
    pkg_check_modules(WEBP QUIET IMPORTED_TARGET libwebp libwebpmux)
endif()
fathom_optional_found(WEBP "WebP pictures" "${WEBP_FOUND}" "libwebp ${WEBP_libwebp_VERSION}"
    "libwebp with libwebpmux (libwebp-dev in Debian)")

# OpenEXRCore, the C library of OpenEXR, is optional: without it, EXR pictures are neither written
# nor read.
fathom_optional(EXR "EXR pictures" OpenEXR)
if(NOT FATHOM_EXR STREQUAL "OFF")
    pkg_check_modules(OPENEXR QUIET OpenEXR>=3.1)
endif()
fathom_optional_found(EXR "EXR pictures" "${OPENEXR_FOUND}" "OpenEXR ${OPENEXR_VERSION}"
    "OpenEXR 3.1 (libopenexr-dev in Debian)")
if(FATHOM_HAVE_EXR)
    find_library(OPENEXR_CORE_LIBRARY OpenEXRCore HINTS ${OPENEXR_LIBRARY_DIRS} REQUIRED)
endif()

# libtiff is optional, too: without it, there are no posters.
fathom_optional(TIFF "Posters" libtiff)
if(NOT FATHOM_TIFF STREQUAL "OFF")
    pkg_check_modules(TIFF QUIET IMPORTED_TARGET libtiff-4>=4.5)
endif()
fathom_optional_found(TIFF "Posters" "${TIFF_FOUND}" "libtiff ${TIFF_VERSION}"
    "libtiff 4.5 (libtiff-dev in Debian)")

# MPI is optional: without it, fathom-mpi is not built, and machines share work by a folder or by parts.
fathom_optional(MPI "fathom-mpi" MPI)
if(NOT FATHOM_MPI STREQUAL "OFF")
    find_package(MPI QUIET COMPONENTS C)
endif()
fathom_optional_found(MPI "fathom-mpi" "${MPI_C_FOUND}" "MPI ${MPI_C_VERSION}"
    "MPI (libopenmpi-dev and openmpi-bin in Debian)")

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
