# What makes the build of Z3 short; included by its project(), see JOINED in build_z3_traced.sh.
#
# A file's functions take less time than the headers and templates that each file reads and makes anew. So files are
# compiled several at a time, but for those whose names clash with a neighbour's, and for the folders whose edges are
# counted (edges.allowlist), where nothing of a counter may depend on what stands beside it. Only these have line tables.

set(CMAKE_UNITY_BUILD ON)
set(CMAKE_UNITY_BUILD_BATCH_SIZE 12)

function(chcfuzz_join folder)
    get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target IN LISTS targets)
        get_target_property(type ${target} TYPE)
        if(NOT type STREQUAL "OBJECT_LIBRARY")
            continue()
        elseif(folder MATCHES "/src/(muz|qe)(/|$)")
            set_target_properties(${target} PROPERTIES UNITY_BUILD OFF)
        else()
            target_compile_options(${target} PRIVATE -g0)
        endif()
    endforeach()
    get_property(below DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
    foreach(subfolder IN LISTS below)
        chcfuzz_join("${subfolder}")
    endforeach()
endfunction()

function(chcfuzz_arrange)
    chcfuzz_join("${CMAKE_SOURCE_DIR}")
    foreach(file
            ast/ast_smt2_pp.cpp
            ast/pp.cpp
            ast/sls/sls_arith_base.cpp
            cmd_context/tactic_cmds.cpp
            nlsat/nlsat_evaluator.cpp
            nlsat/nlsat_interval_set.cpp)
        cmake_path(GET file PARENT_PATH folder)
        set_source_files_properties("${CMAKE_SOURCE_DIR}/src/${file}"
            DIRECTORY "${CMAKE_SOURCE_DIR}/src/${folder}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endforeach()
endfunction()

cmake_language(DEFER CALL chcfuzz_arrange)
