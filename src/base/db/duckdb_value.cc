#include <fmt/core.h>

#include <cstdint>

#include <duckdb.h>

#include "base/check.h"
#include "base/db/duckdb_text.h"

namespace retrofill {
namespace {

std::string TakeText(char* text) {
  std::string taken = text == nullptr ? std::string() : std::string(text);
  duckdb_free(text);
  return taken;
}

// The engine's own text of a value.
std::string PrintAndDestroy(duckdb_value value) {
  std::string text = TakeText(duckdb_get_varchar(value));
  duckdb_destroy_value(&value);
  return text;
}

std::string TextOf(const duckdb_string_t& text) {
  duckdb_string_t copy = text;
  return std::string(duckdb_string_t_data(&copy), duckdb_string_t_length(text));
}

duckdb_hugeint WideOf(int64_t narrow) {
  return duckdb_hugeint{.lower = static_cast<uint64_t>(narrow), .upper = narrow < 0 ? -1 : 0};
}

std::string DecimalText(const DuckdbLayout& layout, const void* data, size_t row) {
  duckdb_hugeint unscaled{};
  switch (static_cast<duckdb_type>(layout.internal)) {
    case DUCKDB_TYPE_SMALLINT:
      unscaled = WideOf(static_cast<const int16_t*>(data)[row]);
      break;
    case DUCKDB_TYPE_INTEGER:
      unscaled = WideOf(static_cast<const int32_t*>(data)[row]);
      break;
    case DUCKDB_TYPE_BIGINT:
      unscaled = WideOf(static_cast<const int64_t*>(data)[row]);
      break;
    default:
      unscaled = static_cast<const duckdb_hugeint*>(data)[row];
      break;
  }
  return PrintAndDestroy(duckdb_create_decimal({.width = static_cast<uint8_t>(layout.width),
                                                .scale = static_cast<uint8_t>(layout.scale),
                                                .value = unscaled}));
}

template <typename T>
const T& At(const void* data, size_t row) {
  return static_cast<const T*>(data)[row];
}

// The value at `row` as the engine prints it.
std::string ValueText(const DuckdbLayout& layout, const void* data, size_t row) {
  switch (static_cast<duckdb_type>(layout.type)) {
    case DUCKDB_TYPE_VARCHAR:
      return TextOf(At<duckdb_string_t>(data, row));
    case DUCKDB_TYPE_BIGINT:
      return fmt::format("{}", At<int64_t>(data, row));
    case DUCKDB_TYPE_INTEGER:
      return fmt::format("{}", At<int32_t>(data, row));
    case DUCKDB_TYPE_SMALLINT:
      return fmt::format("{}", At<int16_t>(data, row));
    case DUCKDB_TYPE_TINYINT:
      return fmt::format("{}", static_cast<int>(At<int8_t>(data, row)));
    case DUCKDB_TYPE_UBIGINT:
      return fmt::format("{}", At<uint64_t>(data, row));
    case DUCKDB_TYPE_UINTEGER:
      return fmt::format("{}", At<uint32_t>(data, row));
    case DUCKDB_TYPE_USMALLINT:
      return fmt::format("{}", At<uint16_t>(data, row));
    case DUCKDB_TYPE_UTINYINT:
      return fmt::format("{}", static_cast<unsigned>(At<uint8_t>(data, row)));
    case DUCKDB_TYPE_BOOLEAN:
      return At<bool>(data, row) ? "true" : "false";
    case DUCKDB_TYPE_HUGEINT:
      return PrintAndDestroy(duckdb_create_hugeint(At<duckdb_hugeint>(data, row)));
    case DUCKDB_TYPE_UHUGEINT:
      return PrintAndDestroy(duckdb_create_uhugeint(At<duckdb_uhugeint>(data, row)));
    case DUCKDB_TYPE_DECIMAL:
      return DecimalText(layout, data, row);
    case DUCKDB_TYPE_FLOAT:
      return PrintAndDestroy(duckdb_create_float(At<float>(data, row)));
    case DUCKDB_TYPE_DOUBLE:
      return PrintAndDestroy(duckdb_create_double(At<double>(data, row)));
    case DUCKDB_TYPE_DATE:
      return PrintAndDestroy(duckdb_create_date(At<duckdb_date>(data, row)));
    case DUCKDB_TYPE_TIME:
      return PrintAndDestroy(duckdb_create_time(At<duckdb_time>(data, row)));
    case DUCKDB_TYPE_TIMESTAMP:
      return PrintAndDestroy(duckdb_create_timestamp(At<duckdb_timestamp>(data, row)));
    case DUCKDB_TYPE_TIMESTAMP_TZ:
      return PrintAndDestroy(duckdb_create_timestamp_tz(At<duckdb_timestamp>(data, row)));
    case DUCKDB_TYPE_TIMESTAMP_S:
      return PrintAndDestroy(duckdb_create_timestamp_s(At<duckdb_timestamp_s>(data, row)));
    case DUCKDB_TYPE_TIMESTAMP_MS:
      return PrintAndDestroy(duckdb_create_timestamp_ms(At<duckdb_timestamp_ms>(data, row)));
    case DUCKDB_TYPE_TIMESTAMP_NS:
      return PrintAndDestroy(duckdb_create_timestamp_ns(At<duckdb_timestamp_ns>(data, row)));
    case DUCKDB_TYPE_INTERVAL:
      return PrintAndDestroy(duckdb_create_interval(At<duckdb_interval>(data, row)));
    default:
      break;
  }
  RF_CHECK(false, "a value of type {} was to be cast by the engine", layout.type);
}

}  // namespace

std::optional<std::string> DuckdbTypeText(_duckdb_logical_type* type) {
  const std::string alias = TakeText(duckdb_logical_type_get_alias(type));
  if (!alias.empty()) return alias;
  switch (duckdb_get_type_id(type)) {
    case DUCKDB_TYPE_BOOLEAN:
      return "BOOLEAN";
    case DUCKDB_TYPE_TINYINT:
      return "TINYINT";
    case DUCKDB_TYPE_SMALLINT:
      return "SMALLINT";
    case DUCKDB_TYPE_INTEGER:
      return "INTEGER";
    case DUCKDB_TYPE_BIGINT:
      return "BIGINT";
    case DUCKDB_TYPE_UTINYINT:
      return "UTINYINT";
    case DUCKDB_TYPE_USMALLINT:
      return "USMALLINT";
    case DUCKDB_TYPE_UINTEGER:
      return "UINTEGER";
    case DUCKDB_TYPE_UBIGINT:
      return "UBIGINT";
    case DUCKDB_TYPE_FLOAT:
      return "FLOAT";
    case DUCKDB_TYPE_DOUBLE:
      return "DOUBLE";
    case DUCKDB_TYPE_TIMESTAMP:
      return "TIMESTAMP";
    case DUCKDB_TYPE_DATE:
      return "DATE";
    case DUCKDB_TYPE_TIME:
      return "TIME";
    case DUCKDB_TYPE_INTERVAL:
      return "INTERVAL";
    case DUCKDB_TYPE_HUGEINT:
      return "HUGEINT";
    case DUCKDB_TYPE_UHUGEINT:
      return "UHUGEINT";
    case DUCKDB_TYPE_VARCHAR:
      return "VARCHAR";
    case DUCKDB_TYPE_TIMESTAMP_S:
      return "TIMESTAMP_S";
    case DUCKDB_TYPE_TIMESTAMP_MS:
      return "TIMESTAMP_MS";
    case DUCKDB_TYPE_TIMESTAMP_NS:
      return "TIMESTAMP_NS";
    case DUCKDB_TYPE_TIMESTAMP_TZ:
      return "TIMESTAMP WITH TIME ZONE";
    case DUCKDB_TYPE_DECIMAL:
      return fmt::format("DECIMAL({},{})", duckdb_decimal_width(type), duckdb_decimal_scale(type));
    default:
      return std::nullopt;
  }
}

DuckdbLayout DuckdbLayoutOf(_duckdb_logical_type* type) {
  DuckdbLayout layout{.type = static_cast<int>(duckdb_get_type_id(type))};
  if (layout.type == DUCKDB_TYPE_DECIMAL) {
    layout.width = duckdb_decimal_width(type);
    layout.scale = duckdb_decimal_scale(type);
    layout.internal = static_cast<int>(duckdb_decimal_internal_type(type));
  }
  return layout;
}

bool PrintsDuckdbValues(const DuckdbLayout& layout) {
  switch (static_cast<duckdb_type>(layout.type)) {
    case DUCKDB_TYPE_BOOLEAN:
    case DUCKDB_TYPE_TINYINT:
    case DUCKDB_TYPE_SMALLINT:
    case DUCKDB_TYPE_INTEGER:
    case DUCKDB_TYPE_BIGINT:
    case DUCKDB_TYPE_UTINYINT:
    case DUCKDB_TYPE_USMALLINT:
    case DUCKDB_TYPE_UINTEGER:
    case DUCKDB_TYPE_UBIGINT:
    case DUCKDB_TYPE_FLOAT:
    case DUCKDB_TYPE_DOUBLE:
    case DUCKDB_TYPE_TIMESTAMP:
    case DUCKDB_TYPE_DATE:
    case DUCKDB_TYPE_TIME:
    case DUCKDB_TYPE_INTERVAL:
    case DUCKDB_TYPE_HUGEINT:
    case DUCKDB_TYPE_UHUGEINT:
    case DUCKDB_TYPE_VARCHAR:
    case DUCKDB_TYPE_TIMESTAMP_S:
    case DUCKDB_TYPE_TIMESTAMP_MS:
    case DUCKDB_TYPE_TIMESTAMP_NS:
    case DUCKDB_TYPE_TIMESTAMP_TZ:
    case DUCKDB_TYPE_DECIMAL:
      return true;
    default:
      return false;
  }
}

void AppendDuckdbRows(_duckdb_data_chunk* chunk, const std::vector<DuckdbLayout>& layouts,
                      size_t limit, std::vector<std::vector<std::optional<std::string>>>& rows) {
  const size_t first = rows.size();
  const size_t count = std::min<size_t>(duckdb_data_chunk_get_size(chunk), limit - first);
  rows.resize(first + count, std::vector<std::optional<std::string>>(layouts.size()));
  for (size_t column = 0; column < layouts.size(); ++column) {
    duckdb_vector vector = duckdb_data_chunk_get_vector(chunk, column);
    const void* data = duckdb_vector_get_data(vector);
    uint64_t* validity = duckdb_vector_get_validity(vector);
    for (size_t row = 0; row < count; ++row) {
      if (validity != nullptr && !duckdb_validity_row_is_valid(validity, row)) continue;
      rows[first + row][column] = ValueText(layouts[column], data, row);
    }
  }
}

}  // namespace retrofill
