#include "transform/source_files.h"

#include <string>
#include <utility>

namespace retrofill {

Error OfSource(const Source& source, SourceRead read, Error error) {
  const bool is_of_file =
      error.id() == "X0207" || (error.id() == "W0109" && read == SourceRead::kColumns);
  if (source.files.empty() || !is_of_file) return error;
  // What the engine said, which names the file, without our words for SQL that a person wrote.
  const std::string& said = error.message();
  const size_t colon = said.find(": ");
  Error unreadable = Fail(ErrorCode::kInvalid, "C0111", "cannot read the files of source `{}`: {}",
                          source.name, colon == std::string::npos ? said : said.substr(colon + 2))
                         .Note("its `files` are " + source.files)
                         .At(source.origin);
  for (const std::string& note : error.diagnostic().notes) {
    unreadable = std::move(unreadable).Note(note);
  }
  return std::move(unreadable)
      .Help(
          "restore or correct the file that is named, or correct `files`, then run the command "
          "again: nothing was changed");
}

}  // namespace retrofill
