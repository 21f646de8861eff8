#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/selection.h"

namespace retrofill {

// Where a command's flags and arguments are written to. Implemented by the parser; the commands of
// verb_flags.cc know no parser. Pointers must live until the line is read. `names` is `--flag` or
// `-f,--flag`.
class Flags {
 public:
  virtual ~Flags() = default;
  virtual void Switch(const std::string& names, bool* given, const std::string& help) = 0;
  virtual void Text(const std::string& names, std::string* value, const std::string& kind,
                    const std::string& help) = 0;
  virtual void OptionalText(const std::string& names, std::optional<std::string>* value,
                            const std::string& kind, const std::string& help) = 0;
  // `in` or `out`.
  virtual void Align(const std::string& names, retrofill::Align* value,
                     const std::string& help) = 0;
  // A whole number from 1; `most` says what its upper end is, where that is known later.
  virtual void Number(const std::string& names, int* value, const std::string& help,
                      const std::string& most = "") = 0;
  virtual void Number(const std::string& names, std::optional<int>* value, const std::string& help,
                      const std::string& most = "") = 0;
  virtual void List(const std::string& names, std::vector<std::string>* values,
                    const std::string& kind, const std::string& help) = 0;
  // One argument; `needed` ones that are missing are C0202.
  virtual void Argument(const std::string& name, std::string* value, const std::string& help,
                        bool needed) = 0;
  // All further arguments.
  virtual void Rest(const std::string& name, std::vector<std::string>* values,
                    const std::string& help) = 0;
};

}  // namespace retrofill
