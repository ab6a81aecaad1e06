# The formulas' names, from the list in render/formula.h: each has kernels of its own.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS render/formula.h)
file(READ render/formula.h formula_list)
string(REGEX MATCHALL "\n +X\\([a-z0-9_]+," formulas "${formula_list}")
list(TRANSFORM formulas REPLACE "\n +X\\(([a-z0-9_]+)," "\\1")
