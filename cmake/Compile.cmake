# The flags of every target of ours, as the interface library retrofill_compile.
option(RETROFILL_HARDEN "flags that make memory faults harder to exploit" OFF)

add_library(retrofill_compile INTERFACE)
target_compile_features(retrofill_compile INTERFACE cxx_std_20)
target_compile_options(retrofill_compile INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Woverloaded-virtual
  -Wimplicit-fallthrough "-ffile-prefix-map=${CMAKE_SOURCE_DIR}=.")
target_compile_definitions(retrofill_compile INTERFACE _GLIBCXX_ASSERTIONS)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # Optimising, g++ 12 sees overlaps in every "text" + string that are not there (its bug 105329),
  # and reads of members that a moved variant does not hold (its bug 105562).
  target_compile_options(retrofill_compile INTERFACE
    $<$<NOT:$<CONFIG:Debug>>:-Wno-restrict> $<$<NOT:$<CONFIG:Debug>>:-Wno-maybe-uninitialized>)
endif()
if(RETROFILL_WERROR)
  target_compile_options(retrofill_compile INTERFACE -Werror)
endif()
if(RETROFILL_HARDEN)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
  target_compile_options(retrofill_compile INTERFACE -fstack-protector-strong -fstack-clash-protection)
  target_compile_definitions(retrofill_compile INTERFACE $<$<NOT:$<CONFIG:Debug>>:_FORTIFY_SOURCE=2>)
  # Not -z now: binding all of DuckDB at the start costs 5 ms of every command.
  target_link_options(retrofill_compile INTERFACE -pie -Wl,-z,relro,-z,noexecstack)
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    target_compile_options(retrofill_compile INTERFACE -fcf-protection)
  endif()
endif()
