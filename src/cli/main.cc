#include <string>
#include <vector>

#include "base/environment.h"
#include "cli/program.h"

int main(int count, char** values) {
  const std::vector<std::string> arguments(values + 1, values + count);
  return retrofill::RunProgram(arguments, retrofill::Environment::OfProcess());
}
