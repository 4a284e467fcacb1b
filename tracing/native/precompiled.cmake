# Included by CMake in the middle of Z3's own files (CMAKE_PROJECT_INCLUDE): has every component include precompiled.h
# as a precompiled header, compiled once. Nearly half of what Z3 takes to compile is reading the same headers.

function(chcfuzz_precompile folder)
    get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target IN LISTS targets)
        get_target_property(type "${target}" TYPE)
        if(type STREQUAL OBJECT_LIBRARY AND target STREQUAL util)
            target_precompile_headers(util PRIVATE "${CHCFUZZ_NATIVE}/precompiled.h")
        elseif(type STREQUAL OBJECT_LIBRARY)
            target_precompile_headers("${target}" REUSE_FROM util)
        endif()
    endforeach()
    get_property(folders DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
    foreach(below IN LISTS folders)
        chcfuzz_precompile("${below}")
    endforeach()
endfunction()

cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL chcfuzz_precompile "${CMAKE_SOURCE_DIR}")
