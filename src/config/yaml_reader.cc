#include "config/yaml_reader.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "base/text.h"

namespace retrofill {
namespace {

// Without aliases a text has fewer nodes than bytes; this many more may come from aliases.
constexpr size_t kMaxAliasNodes = 20'000;
constexpr int kMaxDepth = 64;

// The bytes of a line that begin at a byte offset, and the number of characters before it.
struct LinePosition {
  std::string_view rest;
  int characters = 0;
};

LinePosition Locate(std::string_view line, int byte_column) {
  const size_t byte = std::min(line.size(), static_cast<size_t>(std::max(0, byte_column)));
  return {.rest = line.substr(byte),
          .characters = static_cast<int>(CharacterCount(line.substr(0, byte)))};
}

// How many bytes of the line the scalar takes that begins there.
size_t ScalarBytes(std::string_view rest, std::string_view value) {
  if (rest.empty()) return 0;
  if (rest.front() == '"' || rest.front() == '\'') {
    const char quote = rest.front();
    for (size_t i = 1; i < rest.size(); ++i) {
      if (quote == '"' && rest[i] == '\\') {
        ++i;
      } else if (rest[i] == quote) {
        if (quote == '"' || i + 1 == rest.size() || rest[i + 1] != quote) return i + 1;
        ++i;
      }
    }
    return rest.size();
  }
  if (rest.front() == '|' || rest.front() == '>') return 1;
  if (rest.starts_with(value)) return value.size();
  return Trim(rest).size();
}

// Turns the nodes of the library into ours.
class TreeBuilder {
 public:
  TreeBuilder(std::shared_ptr<const SourceFile> file, size_t bytes)
      : file_(std::move(file)), max_nodes_(bytes + kMaxAliasNodes) {}

  Place PlaceOf(const YAML::Mark& mark, std::string_view value) const {
    if (mark.is_null() || mark.line < 0) return Place{.file = file_};
    Place place{.file = file_, .line = mark.line + 1, .column = mark.column + 1, .length = 1};
    if (static_cast<size_t>(mark.line) >= file_->lines.size()) return place;
    const LinePosition position = Locate(file_->lines[static_cast<size_t>(mark.line)], mark.column);
    place.column = position.characters + 1;
    const std::string_view written = position.rest.substr(0, ScalarBytes(position.rest, value));
    place.length = std::max(1, static_cast<int>(CharacterCount(written)));
    return place;
  }

  Error Broken(Place place, std::string message) const {
    return Error(ErrorCode::kInvalid, "C0101",
                 fmt::format("`{}` is not YAML: {}", file_->name, message))
        .At(OriginOf(place));
  }

  // `parent` stands in where the library knows no place.
  Result<YamlNode> Build(const YAML::Node& from, const Place& parent, int depth) {
    YamlNode node;
    node.place = PlaceOf(from.Mark(), from.IsScalar() ? from.Scalar() : "");
    if (!from.IsScalar()) node.place.length = 1;
    if (node.place.line == 0 || (from.IsNull() && !IsWrittenNull(node.place))) node.place = parent;
    if (depth > kMaxDepth) return Broken(node.place, "it is nested too deeply");
    if (++nodes_ > max_nodes_) return Broken(node.place, "its aliases make too many values");
    if (from.IsScalar()) {
      node.kind = YamlNode::Kind::kScalar;
      node.text = from.Scalar();
      node.quoted = from.Tag() == "!";
      return node;
    }
    if (from.IsSequence()) {
      node.kind = YamlNode::Kind::kList;
      for (const YAML::Node& item : from) {
        RF_ASSIGN(YamlNode built, Build(item, node.place, depth + 1));
        node.items.push_back(std::move(built));
      }
      return node;
    }
    if (from.IsMap()) return BuildMap(from, std::move(node), depth);
    return node;
  }

 private:
  // Whether a null stands there as `~` or `null`; for `key:` with nothing behind it the library
  // names the place of what follows.
  bool IsWrittenNull(const Place& place) const {
    if (static_cast<size_t>(place.line) > file_->lines.size()) return false;
    const std::string& line = file_->lines[static_cast<size_t>(place.line) - 1];
    // Characters before the place are counted, bytes are looked at: step over continuations.
    size_t byte = 0;
    for (int column = 1; column < place.column && byte < line.size(); ++column) {
      do ++byte;
      while (byte < line.size() && (static_cast<unsigned char>(line[byte]) & 0xC0U) == 0x80U);
    }
    const std::string word = Lower(line.substr(byte, 4));
    return word.starts_with("~") || word == "null";
  }

  Result<YamlNode> BuildMap(const YAML::Node& from, YamlNode node, int depth) {
    node.kind = YamlNode::Kind::kMap;
    std::set<std::string> seen;
    for (const auto& pair : from) {
      const std::string key = pair.first.IsScalar() ? pair.first.Scalar() : std::string();
      Place place = PlaceOf(pair.first.Mark(), key);
      if (place.line == 0) place = node.place;
      if (!pair.first.IsScalar()) return Broken(place, "a key must be a text");
      if (!seen.insert(key).second) {
        return Broken(place, fmt::format("key `{}` stands twice in one map", key));
      }
      RF_ASSIGN(YamlNode value, Build(pair.second, place, depth + 1));
      node.entries.push_back({.key = key, .key_place = place, .value = std::move(value)});
    }
    return node;
  }

  std::shared_ptr<const SourceFile> file_;
  size_t nodes_ = 0;
  size_t max_nodes_;
};

// Hears where documents begin, and nothing else.
class DocumentStarts : public YAML::EventHandler {
 public:
  const std::vector<YAML::Mark>& marks() const { return marks_; }

  void OnDocumentStart(const YAML::Mark& mark) override { marks_.push_back(mark); }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}

 private:
  std::vector<YAML::Mark> marks_;
};

// Where something follows the first document. The library's own LoadAll never ends, and eats all
// memory, on texts such as `,a`: a document that takes up nothing. So at most two are read.
std::optional<YAML::Mark> SecondDocument(const std::string& text) {
  std::istringstream stream(text);  // the only input that the library's parser takes
  YAML::Parser parser(stream);
  DocumentStarts starts;
  for (int document = 0; document < 2; ++document) {
    if (!parser.HandleNextDocument(starts)) break;
  }
  if (starts.marks().size() < 2) return std::nullopt;
  return starts.marks().back();
}

// The first line and column of a byte that no text may have.
std::optional<Place> BadByte(const std::shared_ptr<const SourceFile>& file) {
  for (size_t i = 0; i < file->lines.size(); ++i) {
    const std::string& line = file->lines[i];
    if (IsUtf8(line) && line.find('\0') == std::string::npos) continue;
    return Place{.file = file, .line = static_cast<int>(i) + 1, .column = 1, .length = 1};
  }
  return std::nullopt;
}

std::string Sentence(std::string message) {
  while (!message.empty() && message.back() == '.') message.pop_back();
  return Lower(message.substr(0, 1)) + (message.empty() ? "" : message.substr(1));
}

}  // namespace

Origin OriginOf(const Place& place, std::string label) {
  Origin origin{.label = std::move(label)};
  if (place.file == nullptr) return origin;
  origin.file = place.file->name;
  origin.line = place.line;
  origin.column = place.column;
  origin.length = std::max(1, place.length);
  if (place.line >= 1 && static_cast<size_t>(place.line) <= place.file->lines.size()) {
    origin.lines.push_back(place.file->lines[static_cast<size_t>(place.line) - 1]);
  }
  return origin;
}

const YamlEntry* YamlNode::Find(std::string_view key) const {
  const auto found =
      std::ranges::find_if(entries, [key](const YamlEntry& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

YamlEntry* YamlNode::Find(std::string_view key) {
  return const_cast<YamlEntry*>(std::as_const(*this).Find(key));
}

Result<YamlNode> ReadYaml(std::string_view text, const YamlSource& source) {
  // A byte order mark is no part of the first line; the library skips it as well.
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const auto file = std::make_shared<SourceFile>(SourceFile{
      .name = source.name, .folder = source.folder, .order = source.order, .lines = Lines(text)});
  TreeBuilder builder(file, text.size());
  if (const auto bad = BadByte(file)) return builder.Broken(*bad, "it is not UTF-8 text");
  try {
    const std::string copy(text);
    if (const auto mark = SecondDocument(copy)) {
      return builder.Broken(builder.PlaceOf(*mark, ""), "something follows its first document");
    }
    return builder.Build(YAML::Load(copy), {.file = file, .line = 1, .column = 1}, 0);
  } catch (const YAML::Exception& e) {
    return builder.Broken(builder.PlaceOf(e.mark, ""), Sentence(e.msg));
  }
}

}  // namespace retrofill
