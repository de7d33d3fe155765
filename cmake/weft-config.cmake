# find_package(weft): the targets weft::weft and weft::weft_static, and the function weft_compile_shader().
include(CMakeFindDependencyMacro)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_dependency(Threads)
include("${CMAKE_CURRENT_LIST_DIR}/weft-targets.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/WeftShaders.cmake")
