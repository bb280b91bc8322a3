# The targets of mpit over the headers in ${mpit_include}, for an installation and for a source tree.
#
# mpit::mpit asks for C++20 where the project says nothing of a standard. A target with CXX_STANDARD keeps its own, since nothing
# may change the language of a project's files behind its back: the files that include mpit are then compiled as C++20 by
# set_source_files_properties(mine.cpp PROPERTIES COMPILE_OPTIONS -std=c++20). mpit::headers never asks for a standard, for
# projects that choose it in another way.
find_package(Threads REQUIRED)

if(NOT TARGET mpit::mpit)
    add_library(mpit::headers INTERFACE IMPORTED GLOBAL)
    set_target_properties(mpit::headers PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${mpit_include}")
    # No instruction of RISC-V exchanges 16 bytes.
    target_link_libraries(mpit::headers INTERFACE Threads::Threads $<$<STREQUAL:${CMAKE_SYSTEM_PROCESSOR},riscv64>:atomic>)
    add_library(mpit::mpit INTERFACE IMPORTED GLOBAL)
    target_link_libraries(mpit::mpit INTERFACE mpit::headers)
    target_compile_features(mpit::mpit INTERFACE $<$<STREQUAL:$<TARGET_PROPERTY:CXX_STANDARD>,>:cxx_std_20>)
endif()
