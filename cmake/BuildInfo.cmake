# retrofill_build_info(<target>)
#
# Tells <target> what it was built from: version, commit, build type and compiler (cli/build_info.h). The commit is that of the
# last configure step.
function(retrofill_build_info target)
  if(NOT TARGET ${target})
    return()
  endif()
  set(commit "")
  execute_process(COMMAND git -C "${CMAKE_SOURCE_DIR}" rev-parse --short=12 HEAD
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  set(out "${CMAKE_CURRENT_BINARY_DIR}/embedded/build_info.cc")
  file(CONFIGURE OUTPUT "${out}" @ONLY CONTENT [[
#include "cli/build_info.h"

namespace retrofill {
BuildInfo ThisBuild() {
  return {.version = "@PROJECT_VERSION@",
          .commit = "@commit@",
          .build_type = "@CMAKE_BUILD_TYPE@",
          .compiler = "@CMAKE_CXX_COMPILER_ID@ @CMAKE_CXX_COMPILER_VERSION@"};
}
}  // namespace retrofill
]])
  target_sources(${target} PRIVATE "${out}")
endfunction()
