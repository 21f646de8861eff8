#include "cli/settings.h"

namespace retrofill {

Result<GlobalArguments> MergeSettings(GlobalArguments arguments, const Environment& environment) {
  const auto take = [&](std::string& value, std::string_view name) {
    if (value.empty()) value = environment.Find(name).value_or("");
  };
  take(arguments.config, "RETROFILL_CONFIG");
  take(arguments.directory, "RETROFILL_DIRECTORY");
  take(arguments.format, "RETROFILL_FORMAT");
  take(arguments.color, "RETROFILL_COLOR");
  arguments.no_input = arguments.no_input || IsSwitchedOn(environment, "RETROFILL_NO_INPUT");
  arguments.readonly = arguments.readonly || IsSwitchedOn(environment, "RETROFILL_READONLY");
  const std::string& color = arguments.color;
  if (!color.empty() && color != "auto" && color != "always" && color != "never") {
    return Fail(ErrorCode::kInvalid, "C0103", "color `{}` is not one of auto, always, never",
                color);
  }
  return arguments;
}

bool IsSwitchedOn(const Environment& environment, std::string_view name) {
  const std::optional<std::string> value = environment.Find(name);
  return value && *value != "0";
}

}  // namespace retrofill
