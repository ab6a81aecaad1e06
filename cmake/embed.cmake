# fathom_embed(TARGET PREFIX FILE...): compiles the files into TARGET as the table embedded_PREFIX
# (render/base/embedded.h), in the order of their names. This file is also the script that writes
# the table:
# cmake -DPREFIX=... -DOUTPUT=... -DFILES=a|b -P embed.cmake
function(fathom_embed target prefix)
    set(output ${PROJECT_BINARY_DIR}/generated/embedded_${prefix}.c)
    set(files ${ARGN})
    list(TRANSFORM files PREPEND ${PROJECT_SOURCE_DIR}/ REGEX "^[^/]")
    list(JOIN files "|" joined)
    add_custom_command(OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} -DPREFIX=${prefix} -DOUTPUT=${output} "-DFILES=${joined}"
            -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
        DEPENDS ${files} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
        COMMENT "Embedding ${prefix}" VERBATIM)
    target_sources(${target} PRIVATE ${output})
endfunction()

function(write_embedded prefix output files)
    string(REPLACE "|" ";" files "${files}")
    set(keyed "")
    foreach(file IN LISTS files)
        get_filename_component(name "${file}" NAME)
        list(APPEND keyed "${name}|${file}")
    endforeach()
    list(SORT keyed)
    set(data "")
    set(table "")
    set(count 0)
    foreach(entry IN LISTS keyed)
        string(REGEX MATCH "^([^|]*)\\|(.*)$" _ "${entry}")
        set(name "${CMAKE_MATCH_1}")
        file(READ "${CMAKE_MATCH_2}" bytes HEX)
        string(LENGTH "${bytes}" size)
        math(EXPR size "${size} / 2")
        string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
        string(APPEND data "static const char file_${count}[] = {${bytes}'\\0'};\n")
        string(APPEND table "    {\"${name}\", file_${count}, ${size}},\n")
        math(EXPR count "${count} + 1")
    endforeach()
    file(WRITE "${output}"
        "#include \"render/base/embedded.h\"\n\n${data}\n"
        "const struct embedded_file embedded_${prefix}[] = {\n${table}};\n"
        "const size_t embedded_${prefix}_count = ${count};\n")
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
    write_embedded("${PREFIX}" "${OUTPUT}" "${FILES}")
endif()
