# The flags of every target of ours, as the interface library retrofill_compile.
add_library(retrofill_compile INTERFACE)
target_compile_features(retrofill_compile INTERFACE cxx_std_20)
target_compile_options(retrofill_compile INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Woverloaded-virtual
  -Wimplicit-fallthrough "-ffile-prefix-map=${CMAKE_SOURCE_DIR}=.")
target_compile_definitions(retrofill_compile INTERFACE _GLIBCXX_ASSERTIONS)
if(RETROFILL_WERROR)
  target_compile_options(retrofill_compile INTERFACE -Werror)
endif()
