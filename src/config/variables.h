#pragma once

// References to the environment and to secret files inside values (product document, 10.4):
// `${VAR}`, `${VAR:-x}`, `${VAR:?why}`, `${file:/path}`; `$$` is a dollar.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "config/problems.h"
#include "config/yaml_reader.h"

namespace retrofill {

// The value of a variable, or nothing where it is not set.
using VariableReader = std::function<std::optional<std::string>(std::string_view)>;

// Whether the text has a `${` that is not written `$${`.
bool HasReference(std::string_view text);

struct Expansion {
  std::string text{};
  std::vector<Diagnostic> warnings{};  // C0107: a secret file that others can read
};

// Replaces the references. A relative file is looked for from the folder; newlines at the end of a
// file are no part of its value. kInvalid: C0108 a variable without default is not set, C0103 no
// form of a reference, C0111 a file that is missing, empty or unreadable.
Result<Expansion> ExpandReferences(std::string_view text, const VariableReader& environment,
                                   const std::string& folder);

// Adds C0103 for references where the document may have none, and C0106 for keys named password,
// token or secret whose value is written out.
void CheckReferences(const YamlNode& root, Problems& problems);

// Whether a key of that name holds a secret: its last part is password, token or secret.
bool IsSecretKey(std::string_view key);

}  // namespace retrofill
