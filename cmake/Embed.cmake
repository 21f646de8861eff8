# retrofill_embed(<target> <folder> <function>)
#
# Makes every file below <folder> part of <target> as text: the function `<function>()` returns
# a `std::span<const EmbeddedFile>` (cli/embedded_file.h) of them by path relative to <folder>, sorted.
function(retrofill_embed target folder function)
  if(NOT TARGET ${target})
    return()
  endif()
  file(GLOB_RECURSE paths CONFIGURE_DEPENDS RELATIVE "${folder}" "${folder}/*")
  list(SORT paths)
  set(entries "")
  foreach(path IN LISTS paths)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${folder}/${path}")
    file(READ "${folder}/${path}" text)
    string(APPEND entries "    {\"${path}\", R\"rf_text(${text})rf_text\"},\n")
  endforeach()
  set(out "${CMAKE_CURRENT_BINARY_DIR}/embedded/${function}.cc")
  file(CONFIGURE OUTPUT "${out}" @ONLY CONTENT [[
#include "cli/embedded_file.h"

namespace retrofill {
namespace {
constexpr EmbeddedFile kFiles[] = {
@entries@};
}  // namespace
std::span<const EmbeddedFile> @function@() { return kFiles; }
}  // namespace retrofill
]])
  target_sources(${target} PRIVATE "${out}")
endfunction()
