#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"
#include "cli/command.h"
#include "cli/embedded_file.h"

namespace retrofill {

std::span<const EmbeddedFile> ErrorPages();  // made from docs/errors by cmake/Embed.cmake

Result<Answer> Execute(Context&, const ExplainArguments& arguments) {
  std::string code = arguments.code;
  std::transform(code.begin(), code.end(), code.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  std::vector<std::string> known;
  for (const EmbeddedFile& page : ErrorPages()) {
    const std::string name(page.path.substr(0, page.path.rfind('.')));
    known.push_back(name);
    if (name != code) continue;
    Answer answer;
    answer.type = "explanation";
    answer.text = std::string(page.text);
    answer.data = Json::Object({{"code", name}, {"page", page.text}});
    return answer;
  }
  Error error = Fail(ErrorCode::kInvalid, "C0109", "there is no code `{}`", arguments.code);
  if (const auto near = Nearest(code, known)) {
    return std::move(error).Help(fmt::format("did you mean `retrofill explain {}`?", *near));
  }
  return std::move(error).Help("a code is a letter and four digits, as in `error[P0304]`");
}

}  // namespace retrofill
