# Compiles the GLSL file SOURCE to SPIRV, and writes that as a C header OUTPUT that defines the array SYMBOL; DEPFILE tells
# what SPIRV is made of. GLSLANG is the compiler, OPTIONS are what it is given. Used by WeftShaders.cmake.
#
# The compiler takes a tenth of a second to start, whatever it compiles, so that what it made is kept in the folder CACHE:
# targets that embed the same shader, and build trees that share the folder, compile it once.
cmake_minimum_required(VERSION 3.25)

file(TIMESTAMP "${GLSLANG}" age)
string(MD5 key "${GLSLANG};${age};${OPTIONS};${SOURCE}")
set(kept "${CACHE}/${key}.spv")

# Made of files that are all older than it, as far as clocks can tell?
set(fresh FALSE)
if(EXISTS "${kept}" AND EXISTS "${kept}.d")
    set(fresh TRUE)
    file(READ "${kept}.d" made_of)
    string(REPLACE "\\ " "\n" files "${made_of}") # a space in a name
    string(REGEX REPLACE "[ \t]+" ";" files "${files}")
    foreach(name IN LISTS files)
        string(REPLACE "\n" " " name "${name}")
        if("${name}" IS_NEWER_THAN "${kept}")
            set(fresh FALSE)
        endif()
    endforeach()
endif()

if(NOT fresh)
    # Another process may be doing the same: what is under the name that is looked for is always whole.
    string(RANDOM LENGTH 16 draft)
    set(draft "${CACHE}/${draft}")
    file(MAKE_DIRECTORY "${CACHE}")
    execute_process(COMMAND "${GLSLANG}" ${OPTIONS} --depfile "${draft}.d" -o "${draft}" "${SOURCE}" RESULT_VARIABLE failed)
    if(failed)
        file(REMOVE "${draft}" "${draft}.d")
        message(FATAL_ERROR "${SOURCE} does not compile")
    endif()
    file(READ "${draft}.d" made_of) # `output: input input`, a line
    string(REGEX REPLACE "^[^\n]*: +" "" made_of "${made_of}")
    string(STRIP "${made_of}" made_of)
    file(WRITE "${draft}.d" "${made_of}")
    file(RENAME "${draft}.d" "${kept}.d")
    file(RENAME "${draft}" "${kept}")
endif()

file(COPY_FILE "${kept}" "${SPIRV}")
string(REPLACE " " "\\ " target "${SPIRV}")
file(WRITE "${DEPFILE}" "${target}: ${made_of}\n")

file(READ "${kept}" hex HEX)
# The words of a module have the byte order of the machine that wrote it, the one that builds.
string(REGEX REPLACE "(..)(..)(..)(..)" "0x\\4\\3\\2\\1,\n" words "${hex}")
file(WRITE "${OUTPUT}" "#include <stdint.h>\n\nstatic const uint32_t ${SYMBOL}[] = {\n${words}};\n")
