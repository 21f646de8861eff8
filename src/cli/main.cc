#include <string>
#include <vector>

#include "base/check.h"
#include "base/environment.h"
#include "cli/output.h"
#include "cli/program.h"

int main(int count, char** values) {
  retrofill::KeepStandardStreams();
  // From here on a failed check ends the program with status 70 instead of aborting it.
  retrofill::SetCheckReportFolder("");
  const std::vector<std::string> arguments(values + 1, values + count);
  return retrofill::RunProgram(arguments, retrofill::Environment::OfProcess());
}
