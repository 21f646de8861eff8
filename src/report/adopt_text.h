#pragma once

#include <string>

#include "base/json.h"
#include "engine/adopt_operation.h"

namespace retrofill {

std::string AdoptText(const AdoptResult& result);
Json AdoptJson(const AdoptResult& result);

}  // namespace retrofill
