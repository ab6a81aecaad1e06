# The formulas' names, from the list in render/formula.h: each has kernels of its own.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS render/formula.h)
file(STRINGS render/formula.h formula_rows REGEX "^ +X\\([a-z]")
set(formulas "")
foreach(row ${formula_rows})
    string(REGEX REPLACE "^ +X\\(([a-z0-9_]+),.*" "\\1" name "${row}")
    list(APPEND formulas ${name})
endforeach()
