#pragma once

// Texts that are part of the program (cmake/Embed.cmake).

#include <span>
#include <string_view>

namespace retrofill {

struct EmbeddedFile {
  std::string_view path;  // relative to the embedded folder, with `/`
  std::string_view text;
};

// Everything below src/cli/demo, by path.
std::span<const EmbeddedFile> DemoFiles();

}  // namespace retrofill
