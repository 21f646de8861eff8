#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace retrofill {

// How a diagnostic is drawn. Colour repeats what the words say and changes nothing else.
struct DiagnosticStyle {
  bool color = false;
  bool more = false;  // ends with `= more: retrofill explain ID`
};

// `level[id]: message`, the place with its lines and carets, then notes and helps (product
// document, 8.4). Every line ends with a newline.
std::string DiagnosticText(const Diagnostic& diagnostic, const DiagnosticStyle& style = {});

// The diagnostic of an error; what was being done follows as notes, innermost first.
std::string ErrorText(const Error& error, const DiagnosticStyle& style = {});

// "error", "warning", "note".
std::string_view LevelText(Level level);

}  // namespace retrofill
