// How JSON texts are read. The only user of nlohmann's parser, which by itself accepts a key twice
// and any depth.

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/text.h"

namespace retrofill {

namespace {

// Builds a Json from the parser's events; stops it by returning false, with the reason in problem_.
class Builder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit Builder(size_t max_depth) : max_depth_(max_depth) {}

  bool null() override { return Add(Json()); }
  bool boolean(bool value) override { return Add(Json(value)); }
  bool number_integer(number_integer_t value) override {
    if (value < -kMaxJsonInteger) return Stop("the integer is below -2^53 + 1");
    return Add(Json(value));
  }
  bool number_unsigned(number_unsigned_t value) override {
    if (value > static_cast<uint64_t>(kMaxJsonInteger))
      return Stop("the integer is above 2^53 - 1");
    return Add(Json(value));
  }
  bool number_float(number_float_t value, const string_t& text) override {
    // The parser hands integers over that do not fit 64 bits as floating point.
    if (text.find_first_of(".eE") == string_t::npos) return Stop("the integer is out of range");
    return Add(Json(value));
  }
  bool string(string_t& value) override { return Add(Json(std::move(value))); }
  bool binary(binary_t&) override { return Stop("binary values are no JSON"); }
  bool start_object(size_t) override { return Open(Json::Object()); }
  bool end_object() override { return Close(); }
  bool start_array(size_t) override { return Open(Json::Array()); }
  bool end_array() override { return Close(); }
  bool key(string_t& name) override {
    if (open_.back().value.Has(name)) return Stop(fmt::format("the key `{}` stands twice", name));
    open_.back().key = std::move(name);
    return true;
  }
  bool parse_error(size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    position_ = position;
    if (problem_.empty()) problem_ = Reason(error.what());
    return false;
  }

  Json& root() { return root_; }
  const std::string& problem() const { return problem_; }
  std::optional<size_t> position() const { return position_; }

 private:
  struct Level {
    Json value;
    std::string key;  // of the member that comes next
  };

  bool Stop(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }

  bool Open(Json value) {
    if (open_.size() == max_depth_) {
      return Stop(fmt::format("the text is nested more than {} levels deep", max_depth_));
    }
    open_.push_back({std::move(value), {}});
    return true;
  }

  bool Close() {
    Json value = std::move(open_.back().value);
    open_.pop_back();
    return Add(std::move(value));
  }

  bool Add(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (open_.back().value.is_array()) {
      open_.back().value.Append(std::move(value));
    } else {
      open_.back().value[open_.back().key] = std::move(value);
    }
    return true;
  }

  // `[json.exception.parse_error.101] parse error at line 1, column 5: syntax error while ... - X`
  // to the part after the place, which we say ourselves.
  static std::string Reason(std::string_view what) {
    const size_t place = what.find("column ");
    const size_t colon = what.find(": ", place == std::string_view::npos ? 0 : place);
    if (colon != std::string_view::npos) what.remove_prefix(colon + 2);
    std::string reason = ToUtf8(what);
    std::replace(reason.begin(), reason.end(), '\'', '`');
    return reason;
  }

  size_t max_depth_;
  Json root_;
  std::vector<Level> open_;
  std::string problem_;
  std::optional<size_t> position_;  // bytes read when the parser itself gave up
};

// Counts the bytes the parser has taken, so that a refusal of ours has a place too.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, const char** furthest) : at_(at), furthest_(furthest) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    *furthest_ = std::max(*furthest_, at_);
    return *this;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** furthest_;
};

Origin OriginAt(std::string_view text, size_t offset, const std::string& name) {
  offset = std::min(offset, text.size());
  const std::string_view before = text.substr(0, offset);
  const size_t line_start =
      before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  std::string_view line = text.substr(line_start);
  line = line.substr(0, line.find('\n'));
  Origin origin;
  origin.file = name;
  origin.line = static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1;
  origin.column =
      static_cast<int>(CharacterCount(text.substr(line_start, offset - line_start))) + 1;
  origin.lines = {ToUtf8(line)};
  return origin;
}

}  // namespace

Result<Json> Json::Parse(std::string_view text, const JsonSource& source) {
  Builder builder(source.max_depth);
  const char* furthest = text.data();
  const CountingIterator begin(text.data(), &furthest);
  const CountingIterator end(text.data() + text.size(), &furthest);
  if (nlohmann::json::sax_parse(begin, end, &builder)) return std::move(builder.root());
  // Both count one past the offending character.
  const size_t taken = builder.position().value_or(static_cast<size_t>(furthest - text.data()));
  return Fail(source.code, source.id, "cannot read {} as JSON: {}", source.name, builder.problem())
      .At(OriginAt(text, taken == 0 ? 0 : taken - 1, source.name));
}

}  // namespace retrofill
