#include "warehouse/scratch.h"

#include <memory>

#include "warehouse/warehouse.h"

namespace retrofill {

Result<std::unique_ptr<Scratch>> Warehouse::OpenScratch(const std::string&) {
  return Fail(ErrorCode::kRefused, "W0107", "no proof can be made on {}", EngineName());
}

}  // namespace retrofill
