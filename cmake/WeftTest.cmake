# weft_add_test(NAME area SOURCES file... [LABELS label...] [INTERNAL] [LIBRARIES target...])
# One executable and one ctest entry per area. INTERNAL tests see src/ and the hidden symbols;
# the others are hosts of the shared library. Labels: tools/check/all.sh says which configurations run which; `slow`
# keeps a test out of `make check`. Target `tests_threads` builds what tests labelled `threads` run.
add_custom_target(tests_threads)
function(weft_add_test)
    cmake_parse_arguments(PARSE_ARGV 0 arg "INTERNAL" "NAME" "SOURCES;LABELS;LIBRARIES")
    set(target test_${arg_NAME})
    add_executable(${target} ${arg_SOURCES})
    weft_target_defaults(${target})
    target_link_libraries(${target} PRIVATE weft_test_support ${arg_LIBRARIES})
    if(arg_INTERNAL)
        target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src")
        target_link_libraries(${target} PRIVATE weft_static)
    else()
        target_link_libraries(${target} PRIVATE weft)
    endif()
    add_test(NAME ${arg_NAME} COMMAND ${target})
    set_tests_properties(${arg_NAME} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT 900)
    if("threads" IN_LIST arg_LABELS)
        add_dependencies(tests_threads ${target})
    endif()
endfunction()

# weft_hide_drivers(NAME): drivers leave memory behind, and what the sanitizer tells of it when the process ends names no
# module. Where leaks are looked for, this test sees no Vulkan driver; those of Vulkan look by Weft's own allocator.
function(weft_hide_drivers name)
    if(WEFT_SANITIZE)
        set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT VK_ICD_FILENAMES=/dev/null VK_DRIVER_FILES=/dev/null)
    endif()
endfunction()

# weft_add_fuzz(NAME area SOURCES file... CORPUS folder [SEEDS folder]): a fuzz target that sees src/, as a test labelled
# `fuzz`. With WEFT_FUZZ it looks for new inputs for WEFT_FUZZ_SECONDS, from those of SEEDS as well, and keeps them in the
# build folder; otherwise it replays the corpus.
set(WEFT_FUZZ_SECONDS 60 CACHE STRING "How long each libFuzzer program runs as a test")
function(weft_add_fuzz)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;CORPUS;SEEDS" "SOURCES")
    set(target fuzz_${arg_NAME})
    set(corpus "${CMAKE_CURRENT_SOURCE_DIR}/${arg_CORPUS}")
    add_executable(${target} ${arg_SOURCES})
    weft_target_defaults(${target})
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
    target_link_libraries(${target} PRIVATE weft_static)
    if(WEFT_FUZZ)
        set(found "${CMAKE_CURRENT_BINARY_DIR}/${arg_NAME}_found")
        file(MAKE_DIRECTORY "${found}")
        target_link_options(${target} PRIVATE -fsanitize=fuzzer)
        add_test(NAME ${target} COMMAND ${target} -max_total_time=${WEFT_FUZZ_SECONDS} -timeout=10
            -print_final_stats=1 "${found}" "${corpus}" ${arg_SEEDS})
    else()
        target_sources(${target} PRIVATE "${PROJECT_SOURCE_DIR}/tests/support/fuzz_replay.c")
        add_test(NAME ${target} COMMAND ${target} "${corpus}")
    endif()
    set_tests_properties(${target} PROPERTIES LABELS fuzz)
endfunction()
