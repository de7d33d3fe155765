# How every C target of the project is compiled.
option(WEFT_WERROR "Warnings are errors" ON)
set(WEFT_SANITIZE "" CACHE STRING "Sanitizers for everything, as -fsanitize takes them: address,undefined or thread")
option(WEFT_COVERAGE "Instrument for gcov" OFF)
option(WEFT_FUZZ "Build libFuzzer programs (clang only) instead of tests that replay their corpora" OFF)

find_program(WEFT_CCACHE ccache)
mark_as_advanced(WEFT_CCACHE)
if(WEFT_CCACHE AND NOT CMAKE_C_COMPILER_LAUNCHER)
    set(CMAKE_C_COMPILER_LAUNCHER "${WEFT_CCACHE}")
endif()
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(WEFT_SANITIZE)
    add_compile_options(-fsanitize=${WEFT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${WEFT_SANITIZE})
endif()
if(WEFT_COVERAGE)
    add_compile_options(--coverage)
    add_link_options(--coverage)
endif()
if(WEFT_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# weft_target_defaults(target): C11, hidden symbols, our warnings, and arithmetic that is the same everywhere:
# a contracted multiply-add would make results depend on the processor.
function(weft_target_defaults target)
    set_target_properties(${target} PROPERTIES
        C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF C_VISIBILITY_PRESET hidden)
    target_compile_definitions(${target} PRIVATE _POSIX_C_SOURCE=200809L)
    target_compile_options(${target} PRIVATE
        -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -ffp-contract=off
        $<$<BOOL:${WEFT_WERROR}>:-Werror>)
endfunction()
