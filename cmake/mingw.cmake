# Builds for 64-bit Windows with Debian's gcc-mingw-w64-x86-64: cmake --preset mingw.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)

set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} /usr/x86_64-w64-mingw32/lib/pkgconfig) # and none of this machine's libraries

# C99's formats instead of Windows' own, which GCC's warnings go on to expect: other builds see to the formats. GCC keeps
# no stack slot at more than 16 bytes there (its bug 54412), but moves vectors of 32 as if it did: the assembler writes
# such moves in the form that any address will do for.
set(CMAKE_C_FLAGS_INIT "-D__USE_MINGW_ANSI_STDIO=1 -Wno-format -Wno-format-extra-args -Wa,-muse-unaligned-vector-move")
foreach(kind IN ITEMS EXE SHARED)
    set(CMAKE_${kind}_LINKER_FLAGS_INIT -static-libgcc)
endforeach()
