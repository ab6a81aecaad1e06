# Compiler flags for fathom's own code. Contraction is off everywhere: the code writes each fma
# explicitly, and the compiler fuses no others (docs/architecture.md, canonical arithmetic).
add_library(fathom_flags_unwatched INTERFACE) # without sanitizers
add_library(fathom_flags INTERFACE)
target_link_libraries(fathom_flags INTERFACE fathom_flags_unwatched)
target_include_directories(fathom_flags_unwatched INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_definitions(fathom_flags_unwatched INTERFACE
    FATHOM_VERSION="${PROJECT_VERSION}"
    $<$<COMPILE_LANGUAGE:C>:_XOPEN_SOURCE=700>)

set(host_flags -ffp-contract=off -Wall -Wextra -Wshadow -Wundef -Wvla -Wpointer-arith)
target_compile_options(fathom_flags_unwatched INTERFACE
    "$<$<COMPILE_LANGUAGE:C,CXX>:${host_flags}>"
    "$<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes;-Wmissing-prototypes>")
if(FATHOM_WERROR)
    target_compile_options(fathom_flags_unwatched INTERFACE
        $<$<COMPILE_LANGUAGE:C,CXX>:-Werror>)
endif()
if(FATHOM_SANITIZE)
    target_compile_options(fathom_flags INTERFACE
        $<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=${FATHOM_SANITIZE}>
        $<$<COMPILE_LANGUAGE:C,CXX>:-fno-omit-frame-pointer>
        $<$<COMPILE_LANGUAGE:C,CXX>:-fno-sanitize-recover=all>
        $<$<C_COMPILER_ID:Clang>:-Wno-pass-failed>) # checks prevent vectorised loops
    target_link_options(fathom_flags INTERFACE -fsanitize=${FATHOM_SANITIZE})
endif()

# Sanitizer flags for kernels, which keep their lanes in local arrays. Memory checks are calls, and
# neither scopes nor addresses that the address sanitizer checks anyway are checked again. With all
# checks inline, an object takes minutes to compile.
add_library(fathom_flags_kernel INTERFACE)
add_library(fathom_flags_fewer_checks INTERFACE)
# in this order
target_link_libraries(fathom_flags_kernel INTERFACE fathom_flags fathom_flags_fewer_checks)
if(FATHOM_SANITIZE MATCHES address)
    target_compile_options(fathom_flags_fewer_checks INTERFACE
        -fno-sanitize-address-use-after-scope
        -fno-sanitize=null,alignment,object-size,pointer-overflow
        $<$<C_COMPILER_ID:Clang>:SHELL:-mllvm -asan-instrumentation-with-call-threshold=0>
        $<$<C_COMPILER_ID:GNU>:--param=asan-instrumentation-with-call-threshold=0>)
endif()
