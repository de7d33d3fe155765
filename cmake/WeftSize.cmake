# Release builds are for speed where pixels and commands are made, and for size everywhere else: the library is
# meant to be carried along (docs/decisions/0008-release-builds-are-small.md).
include(CheckCCompilerFlag)
include(CheckLinkerFlag)

string(REPLACE "-O3" "-O2" CMAKE_C_FLAGS_RELEASE "${CMAKE_C_FLAGS_RELEASE}")

# Sources that run once per object, pass or submission, not once per command, vertex or pixel.
set(WEFT_COLD_SOURCES
    "/src/shader/"
    "/src/frame/(builtin|context|diag|dispatch|frame|layer|material|plan|quads|report.*|target|transient)\\.c"
    "/src/base/(alloc|library|log|system_.*|tasks|text|thread_.*|unpack)\\.c"
    "/src/core/(adapter|allocator|attach|barrier|build|caps|check_.*|command|compute.*|copy|describe|device)\\.c"
    "/src/core/(diag|format|graphics_pipeline|heap|layout|lint|memory|names|native|object|pipeline|pipeline_cache|query|queue|read|record)\\.c"
    "/src/core/(reflect|region|render|render_state|retire|rules|sampler|scope|shader|shutdown|startup|submission)\\.c"
    "/src/core/(surface|table|texture|timeline|transient|view|view_pool)\\.c"
    "/src/hal/(check|format|registry)\\.c"
    "/src/backends/noop/(device|queue|surface|texture)\\.c"
    "/src/backends/software/(buffer|command|device|execute|execute_render|format|memory|pipeline|queue|surface|table|texture)\\.c"
    "/src/backends/software/exec/(context|emit.*|ir|lower.*|optimize|program|regalloc|run_funs|run_words)\\.c"
    "/src/backends/software/image/(block|block_.*|image|mips|transfer)\\.c"
    "/src/backends/software/raster/(clip|plan|resolve)\\.c"
    "/src/backends/vulkan/(acceleration|adapter|buffer|command|device|faults|format|heap|instance|interop|memory|mend|mips|pipeline_cache|query|queue)\\.c"
    "/src/backends/vulkan/(root_module|shader|surface|texture|window)\\.c")

# How a compiler is told to care for nothing but size. What it would keep ready in registers, over calls and out of
# loops, takes code to save and to bring back; a function's way out is shorter to jump to than to repeat.
set(WEFT_SMALL)
foreach(flag IN ITEMS -Os -Oz -fno-caller-saves -fno-move-loop-invariants -fno-optimize-sibling-calls)
    string(MAKE_C_IDENTIFIER "WEFT_HAS${flag}" has)
    check_c_compiler_flag(${flag} ${has})
    if(${has})
        list(APPEND WEFT_SMALL ${flag})
    endif()
endforeach()

# All sources: C needs no unwind tables, and what only tests call is not linked into the library. Loops stay aligned.
set(WEFT_LEAN -fno-asynchronous-unwind-tables -ffunction-sections -fdata-sections -fno-align-functions -fno-align-jumps
    -fno-align-labels)

# The linker: relative relocations in packed form, calls between exported functions that no one can redirect, and no
# padding between code and data.
set(WEFT_LINK_SMALL -z,pack-relative-relocs -z,noseparate-code -Bsymbolic-functions --gc-sections)

# weft_shrink(objects library): release builds carry nothing that they do not need.
function(weft_shrink objects library)
    target_compile_options(${objects} PRIVATE "$<$<CONFIG:Release>:${WEFT_LEAN}>")
    get_target_property(sources ${objects} SOURCES)
    foreach(source IN LISTS sources)
        foreach(cold IN LISTS WEFT_COLD_SOURCES)
            if("${source}" MATCHES "${cold}")
                set_property(SOURCE "${source}" TARGET_DIRECTORY ${objects}
                    APPEND PROPERTY COMPILE_OPTIONS "$<$<CONFIG:Release>:${WEFT_SMALL}>")
                break()
            endif()
        endforeach()
    endforeach()
    foreach(flag IN LISTS WEFT_LINK_SMALL)
        string(MAKE_C_IDENTIFIER "WEFT_HAS_LINK${flag}" has)
        check_linker_flag(C "LINKER:${flag}" ${has})
        if(${has})
            target_link_options(${library} PRIVATE LINKER:${flag})
        endif()
    endforeach()
endfunction()
