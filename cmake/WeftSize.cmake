# Release builds are for speed where pixels and commands are made, and for size everywhere else: the library is
# meant to be carried along (docs/decisions/0005-release-builds-are-small.md).
include(CheckLinkerFlag)

string(REPLACE "-O3" "-O2" CMAKE_C_FLAGS_RELEASE "${CMAKE_C_FLAGS_RELEASE}")

# Sources that run once per object, not once per command, vertex or pixel.
set(WEFT_COLD_SOURCES
    "/src/shader/"
    "/src/core/(adapter|attach|barrier|buffer|build|caps|check_[a-ce-su-z].*|compute_pipeline|describe|device|diag)\\.c"
    "/src/core/(graphics_pipeline|heap|layout|lint.*|memory|names|object|pipeline|query|queue|read|reflect|region)\\.c"
    "/src/core/(retire|rules|sampler|scope|shader|shutdown|startup|surface|texture|timeline|view|view_pool)\\.c"
    "/src/hal/(check|registry)\\.c"
    "/src/frame/(builtin|context|diag|layer|material|report.*|target|transient)\\.c"
    "/src/backends/software/(buffer|device|format|memory|pipeline|queue|surface|texture)\\.c"
    "/src/backends/software/exec/(emit.*|ir|lower.*|optimize|program|regalloc)\\.c")

# weft_shrink(objects library): C needs no unwind tables, and cold sources are compiled for size.
function(weft_shrink objects library)
    target_compile_options(${objects} PRIVATE $<$<CONFIG:Release>:-fno-asynchronous-unwind-tables>)
    get_target_property(sources ${objects} SOURCES)
    foreach(source IN LISTS sources)
        foreach(cold IN LISTS WEFT_COLD_SOURCES)
            if("${source}" MATCHES "${cold}")
                set_property(SOURCE "${source}" TARGET_DIRECTORY ${objects}
                    APPEND PROPERTY COMPILE_OPTIONS $<$<CONFIG:Release>:-Os>)
                break()
            endif()
        endforeach()
    endforeach()
    check_linker_flag(C "LINKER:-z,pack-relative-relocs" WEFT_HAS_RELR)
    if(WEFT_HAS_RELR)
        target_link_options(${library} PRIVATE LINKER:-z,pack-relative-relocs)
    endif()
endfunction()
