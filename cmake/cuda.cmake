# Decides FATHOM_HAVE_CUDA: is there an nvcc, does it accept this host compiler, and for which
# architectures can it build?
set(FATHOM_HAVE_CUDA OFF)
if(FATHOM_CUDA STREQUAL "OFF")
    return()
endif()
if(FATHOM_CUDA STREQUAL "ON")
    set(missing_level FATAL_ERROR)
else()
    set(missing_level STATUS)
endif()

find_program(FATHOM_NVCC nvcc HINTS ENV CUDACXX ENV CUDA_PATH ENV CUDA_HOME
    PATHS /usr/local/cuda /opt/cuda PATH_SUFFIXES bin)
if(NOT FATHOM_NVCC)
    message(${missing_level} "CUDA backend: not built, there is no nvcc")
    return()
endif()

# A trial by hand, because enable_language(CUDA) would stop the whole build.
set(trial ${PROJECT_BINARY_DIR}/nvcc-trial)
file(WRITE ${trial}/trial.cu
    "#include <cuda_runtime.h>\n__global__ void k(int *p) { *p = 1; }\nint main() { return 0; }\n")
set(host_option "")
if(CMAKE_CUDA_HOST_COMPILER)
    set(host_option -ccbin ${CMAKE_CUDA_HOST_COMPILER})
elseif(DEFINED ENV{CUDAHOSTCXX})
    set(host_option -ccbin $ENV{CUDAHOSTCXX})
endif()
execute_process(
    COMMAND ${FATHOM_NVCC} ${host_option} -cudart static -o ${trial}/trial ${trial}/trial.cu
    RESULT_VARIABLE trial_result OUTPUT_VARIABLE trial_output ERROR_VARIABLE trial_output)
if(NOT trial_result EQUAL 0)
    file(WRITE ${trial}/output.txt "${trial_output}")
    string(REGEX MATCH "[^\n]*error[^\n]*" trial_reason "${trial_output}")
    if(missing_level STREQUAL "STATUS")
        set(missing_level WARNING)
    endif()
    message(${missing_level}
        "CUDA backend: not built, ${FATHOM_NVCC} fails on a trial program: ${trial_reason} "
        "(all of it: ${trial}/output.txt)")
    return()
endif()

execute_process(COMMAND ${FATHOM_NVCC} --version OUTPUT_VARIABLE nvcc_version)
string(REGEX MATCH "V([0-9]+)\\.[0-9.]+" nvcc_version "${nvcc_version}")
if(CMAKE_MATCH_1 LESS 12)
    message(${missing_level} "CUDA backend: not built, nvcc 12 or newer is needed, "
        "${FATHOM_NVCC} is ${nvcc_version}")
    return()
endif()

# Machine code for the generations in use, and PTX of the newest for those to come.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
    execute_process(COMMAND ${FATHOM_NVCC} --list-gpu-code OUTPUT_VARIABLE known)
    set(architectures "")
    foreach(architecture 75 80 86 89 90 120)
        if(known MATCHES "sm_${architecture}[^0-9a-z]")
            list(APPEND architectures ${architecture}-real)
        endif()
    endforeach()
    list(POP_BACK architectures newest)
    string(REPLACE "-real" "" newest "${newest}")
    list(APPEND architectures ${newest})
    set(CMAKE_CUDA_ARCHITECTURES ${architectures} CACHE STRING "GPU generations to build for")
endif()

set(CMAKE_CUDA_COMPILER ${FATHOM_NVCC} CACHE FILEPATH "The CUDA compiler")
set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
set(CMAKE_CUDA_STANDARD 17)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
set(CMAKE_CUDA_FLAGS_RELEASE "-O3 -DNDEBUG")
enable_language(CUDA)
find_package(CUDAToolkit REQUIRED)
set(FATHOM_HAVE_CUDA ON)
message(STATUS "CUDA backend: built with nvcc ${nvcc_version} for ${CMAKE_CUDA_ARCHITECTURES}")
