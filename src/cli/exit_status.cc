#include "cli/exit_status.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace retrofill {
namespace {

struct IdStatus {
  std::string_view prefix;  // of the id; longer ones stand first
  int status;
};

// Ids whose exit status does not follow from what the caller does about the error.
constexpr std::array kIdStatus = {
    IdStatus{"C0204", kExitRefused},     IdStatus{"C0", kExitUsage},
    IdStatus{"P01", kExitUsage},         IdStatus{"P02", kExitRefused},
    IdStatus{"X0104", kExitRefused},     IdStatus{"X0105", kExitRefused},
    IdStatus{"X0199", kExitBug},         IdStatus{"X0205", kExitUsage},
    IdStatus{"X0206", kExitUsage},       IdStatus{"X0302", kExitRefused},
    IdStatus{"X0303", kExitUnavailable}, IdStatus{"X0305", kExitRefused},
    IdStatus{"R0101", kExitRefused},     IdStatus{"R0", kExitBadAnswer},
    IdStatus{"I0", kExitBadAnswer},      IdStatus{"S03", kExitRefused},
    IdStatus{"A01", kExitRefused},       IdStatus{"W0101", kExitUnavailable},
    IdStatus{"W0104", kExitUnavailable}, IdStatus{"W0108", kExitUnavailable},
    IdStatus{"W0109", kExitUnavailable}, IdStatus{"W0201", kExitUnavailable},
    IdStatus{"W0202", kExitBadAnswer},   IdStatus{"W01", kExitRefused},
};

int StatusOfCode(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalid:
      return kExitUsage;
    case ErrorCode::kRefused:
    case ErrorCode::kConflict:
      return kExitRefused;
    case ErrorCode::kFailed:
      return kExitBadAnswer;
    case ErrorCode::kUnavailable:
    case ErrorCode::kIndeterminate:
      return kExitUnavailable;
    case ErrorCode::kCancelled:
      return kExitStoppedEarly;
    case ErrorCode::kCorrupt:
    case ErrorCode::kInternal:
      return kExitBug;
  }
  return kExitBug;
}

}  // namespace

int ExitStatusOf(const Error& error) {
  if (error.code() == ErrorCode::kCancelled) return kExitStoppedEarly;
  for (const IdStatus& entry : kIdStatus) {
    if (error.id().starts_with(entry.prefix)) return entry.status;
  }
  return StatusOfCode(error.code());
}

int WorstExitStatus(std::initializer_list<int> statuses) {
  constexpr std::array kOrder = {kExitUsage,     kExitBug,     kExitUnavailable,
                                 kExitBadAnswer, kExitRefused, kExitStoppedEarly};
  for (const int status : kOrder) {
    if (std::find(statuses.begin(), statuses.end(), status) != statuses.end()) return status;
  }
  return kExitDone;
}

}  // namespace retrofill
