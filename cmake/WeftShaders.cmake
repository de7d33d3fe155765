# weft_compile_shader(TARGET target SOURCES file... [INCLUDES folder...] [DEBUG])
#
# Compiles GLSL to SPIR-V 1.6 (Vulkan 1.3) when the target is built and embeds it: for `lit.vert` the target can
#   #include "lit.vert.spv.h"     // static const uint32_t lit_vert[]; its size is sizeof lit_vert
# The stage is the file's extension: vert, frag, comp, ... INCLUDES are searched by #include in the GLSL
# (which needs GL_GOOGLE_include_directive). DEBUG keeps source lines, so that diagnostics can name them.
# Installed with weft for hosts: it stands alone.

find_program(WEFT_GLSLANG NAMES glslangValidator glslang DOC "The GLSL compiler")
mark_as_advanced(WEFT_GLSLANG)
set(WEFT_SHADER_CACHE "${CMAKE_BINARY_DIR}/weft_shaders" CACHE PATH
    "Where compiled shaders are kept for other targets; build trees may share it")
mark_as_advanced(WEFT_SHADER_CACHE)
set(WEFT_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/WeftEmbed.cmake")

function(weft_compile_shader)
    cmake_parse_arguments(PARSE_ARGV 0 arg "DEBUG" "TARGET" "SOURCES;INCLUDES")
    if(arg_UNPARSED_ARGUMENTS OR NOT arg_TARGET OR NOT arg_SOURCES)
        message(FATAL_ERROR "usage: weft_compile_shader(TARGET target SOURCES file... [INCLUDES folder...] [DEBUG])")
    endif()
    if(NOT WEFT_GLSLANG)
        message(FATAL_ERROR "No GLSL compiler found for the shaders of ${arg_TARGET}. "
            "On Debian: apt-get install glslang-tools")
    endif()

    set(folder "${CMAKE_CURRENT_BINARY_DIR}/${arg_TARGET}_shaders")
    file(MAKE_DIRECTORY "${folder}")
    set(headers "")
    set(options --target-env vulkan1.3 --quiet)
    if(arg_DEBUG)
        list(APPEND options -g)
    endif()
    foreach(include IN LISTS arg_INCLUDES)
        cmake_path(ABSOLUTE_PATH include BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
        list(APPEND options "-I${include}")
    endforeach()

    foreach(source IN LISTS arg_SOURCES)
        cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
        cmake_path(GET source FILENAME name)
        string(MAKE_C_IDENTIFIER "${name}" symbol)
        set(spirv "${folder}/${name}.spv")
        add_custom_command(OUTPUT "${spirv}" "${spirv}.h"
            COMMAND "${CMAKE_COMMAND}" "-DGLSLANG=${WEFT_GLSLANG}" "-DOPTIONS=${options}" "-DSOURCE=${source}"
                "-DSPIRV=${spirv}" "-DDEPFILE=${spirv}.d" "-DOUTPUT=${spirv}.h" -DSYMBOL=${symbol}
                "-DCACHE=${WEFT_SHADER_CACHE}" -P "${WEFT_EMBED_SCRIPT}"
            DEPENDS "${source}" "${WEFT_EMBED_SCRIPT}"
            DEPFILE "${spirv}.d"
            COMMENT "Compiling shader ${name}"
            VERBATIM)
        list(APPEND headers "${spirv}.h")
    endforeach()

    # A target of this folder owns the commands, as the one that wants the headers may belong to another.
    string(MD5 suffix "${CMAKE_CURRENT_BINARY_DIR};${arg_SOURCES}")
    string(SUBSTRING "${suffix}" 0 8 suffix)
    add_custom_target(${arg_TARGET}_shaders_${suffix} DEPENDS ${headers})
    add_dependencies(${arg_TARGET} ${arg_TARGET}_shaders_${suffix})
    target_include_directories(${arg_TARGET} PRIVATE "${folder}")
endfunction()
