#include "engine/open_once.h"

#include <map>
#include <utility>

#include "base/check.h"

namespace retrofill {
namespace {

// The open database, for one of those who use it.
class SharedWarehouse final : public Warehouse {
 public:
  explicit SharedWarehouse(std::shared_ptr<Warehouse> warehouse)
      : warehouse_(std::move(warehouse)) {}

  Result<std::unique_ptr<Session>> Connect() override { return warehouse_->Connect(); }
  std::string EngineTag() const override { return warehouse_->EngineTag(); }
  std::string EngineName() const override { return warehouse_->EngineName(); }
  std::string StrengthText() const override { return warehouse_->StrengthText(); }
  bool SoleWriter() const override { return warehouse_->SoleWriter(); }
  Result<std::unique_ptr<Scratch>> OpenScratch(const std::string& folder) override {
    return warehouse_->OpenScratch(folder);
  }

 private:
  std::shared_ptr<Warehouse> warehouse_;
};

}  // namespace

WarehouseOpener OpenOnce(WarehouseOpener open) {
  using Kept = std::map<std::string, std::shared_ptr<Warehouse>>;
  return [open = std::move(open), kept = std::make_shared<Kept>()](
             const Connection& connection, Access access,
             bool may_be_missing) -> Result<std::unique_ptr<Warehouse>> {
    RF_CHECK(access == Access::kReadOnly, "{} is to be read only", connection.name);
    auto held = kept->find(connection.name);
    if (held == kept->end()) {
      RF_ASSIGN(std::shared_ptr<Warehouse> opened, open(connection, access, may_be_missing));
      held = kept->emplace(connection.name, std::move(opened)).first;
    }
    return std::unique_ptr<Warehouse>(std::make_unique<SharedWarehouse>(held->second));
  };
}

}  // namespace retrofill
