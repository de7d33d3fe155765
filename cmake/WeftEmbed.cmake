# Writes the SPIR-V file INPUT as a C header OUTPUT that defines the array SYMBOL. Used by WeftShaders.cmake.
file(READ "${INPUT}" hex HEX)
# The words of a module have the byte order of the machine that wrote it, the one that builds.
string(REGEX REPLACE "(..)(..)(..)(..)" "0x\\4\\3\\2\\1,\n" words "${hex}")
file(WRITE "${OUTPUT}" "#include <stdint.h>\n\nstatic const uint32_t ${SYMBOL}[] = {\n${words}};\n")
