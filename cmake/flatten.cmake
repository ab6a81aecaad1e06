# fathom_flatten(TARGET PREFIX FILE): compiles FILE into TARGET as fathom_embed does, with its
# includes expanded, each at its first occurrence, for compilers that cannot open files. This file
# is also the script that writes the text: cmake -DROOT=... -DFILE=... -DOUTPUT=... -P flatten.cmake
function(fathom_flatten target prefix file)
    get_filename_component(name ${file} NAME)
    set(output ${PROJECT_BINARY_DIR}/generated/${name})
    add_custom_command(OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -DFILE=${file} -DOUTPUT=${output}
            -P ${PROJECT_SOURCE_DIR}/cmake/flatten.cmake
        DEPENDS ${PROJECT_SOURCE_DIR}/${file} ${PROJECT_SOURCE_DIR}/cmake/flatten.cmake
        DEPFILE ${output}.d
        COMMENT "Flattening ${name}" VERBATIM)
    fathom_embed(${target} ${prefix} ${output})
endfunction()

# Appends FILE with its includes expanded to flat_text, and the names of the files to flat_files.
function(flatten file)
    list(FIND flat_files "${file}" seen)
    if(seen GREATER -1)
        return()
    endif()
    list(APPEND flat_files ${file})
    file(READ ${ROOT}/${file} text)
    while(text MATCHES "(^|\n)#include \"([^\"]*)\"\n")
        set(directive "#include \"${CMAKE_MATCH_2}\"\n")
        set(included ${CMAKE_MATCH_2})
        string(FIND "${text}" "${directive}" at)
        string(SUBSTRING "${text}" 0 ${at} before)
        string(LENGTH "${directive}" length)
        math(EXPR at "${at} + ${length}")
        string(SUBSTRING "${text}" ${at} -1 text)
        string(APPEND flat_text "${before}")
        flatten(${included})
    endwhile()
    string(APPEND flat_text "${text}")
    set(flat_text "${flat_text}" PARENT_SCOPE)
    set(flat_files "${flat_files}" PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
    set(flat_text "")
    set(flat_files "")
    flatten(${FILE})
    file(WRITE ${OUTPUT} "${flat_text}")
    list(TRANSFORM flat_files PREPEND ${ROOT}/)
    list(JOIN flat_files " " files)
    file(WRITE ${OUTPUT}.d "${OUTPUT}: ${files}\n")
endif()
