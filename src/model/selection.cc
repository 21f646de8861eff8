#include "model/selection.h"

#include <algorithm>

#include "base/text.h"
#include "model/instant_text.h"
#include "model/key_reader.h"
#include "model/selection_filter.h"
#include "model/selection_time.h"
#include "model/selection_words.h"
#include "model/time_word.h"

namespace retrofill {
namespace {

constexpr size_t kNamedAtMost = 5;

Error EmptySelection(std::string_view why) {
  return Fail(ErrorCode::kInvalid, "P0102", "the selection is empty{}{}", why.empty() ? "" : ": ",
              why);
}

class Resolver {
 public:
  Resolver(const SelectionArguments& arguments, const SelectionContext& context)
      : arguments_(arguments), context_(context), space_(*context.space) {}

  Result<Selection> Run() {
    RF_TRY(CheckSize());
    for (const std::string& word : arguments_.words) RF_TRY(AddSelectionWord(word, space_, words_));
    RF_TRY(AddExceptions());
    RF_TRY(CheckWholeTable());
    if (arguments_.start || arguments_.end) {
      RF_TRY(SelectInstants());
    } else {
      RF_TRY(SelectNames());
    }
    RF_TRY(Subtract());
    RF_ASSIGN(selection_.set,
              ApplyFilters(words_.filters, space_, context_.table, std::move(selection_.set)));
    if (selection_.set.empty()) {
      return EmptySelection(words_.filters.empty() ? "what was named is left out again"
                                                   : "no partition passes the filters")
          .Note("an empty selection is never a success");
    }
    RF_TRY(KeepStates());
    WarnOfCut();
    return std::move(selection_);
  }

 private:
  Status CheckSize() const;
  Status AddExceptions();
  Status CheckWholeTable() const;
  Status SelectNames();
  Status SelectInstants();
  Status Subtract();
  void WarnOfOutside(const std::vector<PartitionSet>& sets, const PartitionSet& outside);
  Status KeepStates();
  void WarnOfCut();

  Error At(Error error, const SelectionItem& item) const {
    if (error.diagnostic().origin) return error;
    return std::move(error).At(WordOrigin(item.word, item.begin, item.end));
  }
  Result<Interval> TimeOf(const SelectionItem& item, const KeyToken& token) const;
  Result<Interval> RangeOf(const SelectionItem& item) const;
  Result<Interval> OpenRange() const;
  Result<PartitionSet> PositiveItem(const SelectionItem& item);
  Result<PartitionSet> NegativeItem(const SelectionItem& item) const;
  Result<PartitionSet> OnGrid(const Interval& interval, std::vector<CellRange> cells, bool instants,
                              std::string_view text);
  bool HasNames() const {
    return std::any_of(words_.items.begin(), words_.items.end(),
                       [](const SelectionItem& item) { return !item.negated; });
  }
  absl::Time LastComplete() const;

  const SelectionArguments& arguments_;
  const SelectionContext& context_;
  const PartitionSpace& space_;
  SelectionWords words_;
  bool excluded_in_words_ = false;
  Selection selection_;
};

Status Resolver::CheckSize() const {
  size_t bytes = 0;
  for (const std::string& word : arguments_.words) bytes += word.size();
  for (const std::string& word : arguments_.except) bytes += word.size();
  return bytes > kMaxSelectionBytes ? Status(SelectionTooLong()) : Ok();
}

Status Resolver::AddExceptions() {
  excluded_in_words_ = !words_.items.empty() && !HasNames();
  SelectionWords except;
  for (const std::string& word : arguments_.except) RF_TRY(AddSelectionWord(word, space_, except));
  if (!except.filters.empty() || !except.states.empty()) {
    const std::string_view word =
        except.filters.empty() ? except.states[0].word : except.filters[0].word;
    return Fail(ErrorCode::kInvalid, "P0109", "`--except {}` is not a list of partitions",
                Shown(word))
        .Help(
            "`--except` takes keys and ranges; a filter or state word leaves out with `!=` or "
            "`!@`");
  }
  for (SelectionItem& item : except.items) {
    item.negated = true;
    words_.items.push_back(std::move(item));
  }
  const bool instants = arguments_.start || arguments_.end;
  if (HasNames() && instants) {
    return Fail(ErrorCode::kInvalid, "C0203", "names and instants were given together")
        .Note("names are inclusive, `--end` is not included")
        .Help("give either names such as `2026-01` or `--start` and `--end`");
  }
  if (excluded_in_words_ && !instants) {
    const std::string all = space_.has_time() ? ".." : "all";
    std::string list;
    for (const SelectionItem& item : words_.items) {
      if (&item == &words_.items[0] + kNamedAtMost) {
        list += ",...";
        break;
      }
      list += fmt::format(",!{}", item.text());
    }
    return Fail(ErrorCode::kInvalid, "P0101", "there is nothing to subtract `{}` from",
                words_.items[0].text())
        .At(WordOrigin(words_.items[0].word, words_.items[0].begin, words_.items[0].end))
        .Help(fmt::format("did you mean `'{}{}'`?", all, list));
  }
  return Ok();
}

Status Resolver::CheckWholeTable() const {
  if (space_.has_time() || !space_.dimensions().empty()) return Ok();
  const bool part = arguments_.start || arguments_.end || !words_.filters.empty() ||
                    std::any_of(words_.items.begin(), words_.items.end(),
                                [](const SelectionItem& item) { return !item.all(); });
  if (!part) return Ok();
  return Fail(ErrorCode::kRefused, "P0204", "`{}` is rebuilt as a whole, it has no parts to choose",
              context_.table)
      .Help("its only key is `all`");
}

void Resolver::WarnOfCut() {
  if (selection_.cut.empty()) return;
  std::vector<std::string> named(selection_.cut);
  if (named.size() > kNamedAtMost) named.resize(kNamedAtMost);
  Diagnostic warning =
      Warn("P0104", "`--align in` leaves out {} that the selection cuts: {}{}",
           Plural(static_cast<int64_t>(selection_.cut.size()), "partition", "partitions"),
           Join(named, ", "), named.size() < selection_.cut.size() ? " ..." : "");
  warning.helps.push_back("`--align out` takes them whole");
  selection_.warnings.push_back(std::move(warning));
}

absl::Time Resolver::LastComplete() const {
  const Grid& grid = space_.grid();
  const absl::Time end = grid.Floor(std::min(context_.watermark, context_.as_of));
  return grid.end() ? std::min(end, *grid.end()) : end;
}

Result<Interval> Resolver::TimeOf(const SelectionItem& item, const KeyToken& token) const {
  Result<Interval> interval = ReadTimeWord(token.text, space_.grid(), context_.as_of);
  if (interval) return interval;
  Error error = std::move(interval).error();
  if (error.id() == "P0109" && !IsTimeShape(token.text)) {
    error = Error(std::move(error).Help("or a time before now: `today`, `yesterday`, `7d`, `3mo`"));
  }
  return std::move(error).At(WordOrigin(item.word, token.begin, token.end));
}

Result<Interval> Resolver::OpenRange() const {
  const Grid& grid = space_.grid();
  if (!grid.begin()) {
    return Fail(ErrorCode::kInvalid, "P0107", "the range has no start, and `{}` declares no begin",
                context_.table)
        .Help("set `partition.begin` in the configuration, or name a start");
  }
  return Interval{*grid.begin(), LastComplete()};
}

// From the start of the left name to the end of the right one. Open ends are filled in.
Result<Interval> Resolver::RangeOf(const SelectionItem& item) const {
  const Grid& grid = space_.grid();
  Interval range{absl::InfinitePast(), absl::InfiniteFuture()};
  if (item.left) {
    RF_ASSIGN(const Interval first, TimeOf(item, *item.left));
    range.start = first.start;
  } else {
    RF_ASSIGN(const Interval open, OpenRange());
    range.start = open.start;
  }
  if (item.right) {
    RF_ASSIGN(const Interval last, TimeOf(item, *item.right));
    range.end = last.end;
  } else {
    range.end = LastComplete();
  }
  if (range.start < range.end) return range;
  if (item.left && item.right) {
    return Fail(ErrorCode::kInvalid, "P0103", "the range `{}` is reversed", item.text())
        .Help(fmt::format("write `{}..{}`", item.right->text, item.left->text));
  }
  if (item.right) {
    return Fail(ErrorCode::kInvalid, "P0106", "`{}` ends before the table, which begins {}",
                item.text(), grid.KeyText(grid.Containing(range.start)))
        .Note("no part of it lies inside");
  }
  return EmptySelection(fmt::format("`{}` has no complete partition yet", item.text()))
      .Note(fmt::format("everything before {} is complete", InstantText(range.end)))
      .Help("name the end to take later partitions literally");
}

Result<PartitionSet> Resolver::OnGrid(const Interval& interval, std::vector<CellRange> cells,
                                      bool instants, std::string_view text) {
  const Grid& grid = space_.grid();
  RF_ASSIGN(const AlignedInterval aligned, AlignTo(grid, interval, arguments_.align, instants));
  RF_TRY(CheckInside(grid, aligned.interval, text));
  for (const std::optional<Interval>& cut : {aligned.cut_first, aligned.cut_last}) {
    if (cut) selection_.cut.push_back(grid.KeyText(*cut));
  }
  return PartitionSet::Rectangle({aligned.interval}, std::move(cells));
}

Result<PartitionSet> Resolver::PositiveItem(const SelectionItem& item) {
  const std::vector<CellRange> all_cells = {{0, space_.cell_count()}};
  if (!space_.has_time()) {
    if (item.range) {
      return Fail(ErrorCode::kInvalid, "P0109", "malformed selection `{}`: `{}` has no time axis",
                  Shown(item.word), context_.table)
          .Note("dimension values have no order, so there are no ranges of them")
          .Help("list the values: `eu,us`; quote a value that has `..` in it");
    }
    RF_ASSIGN(KeyPiece piece, ReadKey(item.word, item.key, space_));
    return PartitionSet::Rectangle({piece.interval}, std::move(piece.cells));
  }
  if (item.range || item.all()) {
    RF_ASSIGN(const Interval range, RangeOf(item));
    return OnGrid(range, all_cells, false, item.text());
  }
  std::optional<Interval> time;
  if (item.key[0].kind == KeyToken::Kind::kBare) {
    RF_ASSIGN(time, TimeOf(item, item.key[0]));
  }
  RF_ASSIGN(KeyPiece piece, ReadKey(item.word, item.key, space_, time));
  return OnGrid(piece.interval, std::move(piece.cells), false, item.text());
}

// What is left out may reach past the range: its open ends stop where the selection does.
Result<PartitionSet> Resolver::NegativeItem(const SelectionItem& item) const {
  const std::vector<CellRange> all_cells = {{0, space_.cell_count()}};
  if (!space_.has_time() || (!item.range && !item.all())) {
    std::optional<Interval> time;
    if (space_.has_time() && item.key[0].kind == KeyToken::Kind::kBare) {
      RF_ASSIGN(time, TimeOf(item, item.key[0]));
    }
    RF_ASSIGN(KeyPiece piece, ReadKey(item.word, item.key, space_, time));
    if (space_.has_time()) {
      RF_ASSIGN(const AlignedInterval aligned,
                AlignTo(space_.grid(), piece.interval, arguments_.align, false));
      piece.interval = aligned.interval;
    }
    return PartitionSet::Rectangle({piece.interval}, std::move(piece.cells));
  }
  Interval range = selection_.set.Hull();
  if (item.left) {
    RF_ASSIGN(const Interval first, TimeOf(item, *item.left));
    range.start = first.start;
  }
  if (item.right) {
    RF_ASSIGN(const Interval last, TimeOf(item, *item.right));
    range.end = last.end;
  }
  if (range.start >= range.end) {
    if (!item.left || !item.right) return PartitionSet();
    return Fail(ErrorCode::kInvalid, "P0103", "the range `{}` is reversed", item.text())
        .Help(fmt::format("write `{}..{}`", item.right->text, item.left->text));
  }
  RF_ASSIGN(const AlignedInterval aligned, AlignTo(space_.grid(), range, arguments_.align, false));
  return PartitionSet::Rectangle({aligned.interval}, all_cells);
}

Status Resolver::SelectNames() {
  if (!HasNames()) {
    Interval range = PartitionSpace::AllTime();
    if (space_.has_time()) {
      RF_ASSIGN(range, OpenRange());
      if (range.start >= range.end) {
        return EmptySelection("the table has no complete partition yet")
            .Note(fmt::format("everything before {} is complete", InstantText(range.end)));
      }
    }
    selection_.set = PartitionSet::All(space_, range);
    return Ok();
  }
  std::vector<PartitionSet> sets;
  for (const SelectionItem& item : words_.items) {
    if (item.negated) continue;
    Result<PartitionSet> set = PositiveItem(item);
    if (!set) return At(std::move(set).error(), item);
    sets.push_back(*std::move(set));
  }
  selection_.set = Union(std::move(sets));
  return Ok();
}

Status Resolver::SelectInstants() {
  if (!space_.has_time()) {
    return Fail(ErrorCode::kInvalid, "P0109",
                "`--start` and `--end` need a time axis, `{}` has none", context_.table)
        .Help("name dimension values instead");
  }
  const Zone& zone = space_.grid().zone();
  Interval interval{absl::InfinitePast(), LastComplete()};
  if (arguments_.start) {
    RF_ASSIGN(interval.start, ReadInstant(*arguments_.start, zone, "--start"));
  } else {
    RF_ASSIGN(const Interval open, OpenRange());
    interval.start = open.start;
  }
  if (arguments_.end) {
    RF_ASSIGN(interval.end, ReadInstant(*arguments_.end, zone, "--end"));
  }
  if (interval.start == interval.end || (interval.start > interval.end && !arguments_.end)) {
    return EmptySelection("start and end are the same instant, and the end is not included")
        .Help("name the first instant after the range as `--end`");
  }
  const std::string text =
      fmt::format("[{}, {})", InstantText(interval.start), InstantText(interval.end));
  if (interval.start > interval.end) {
    return Fail(ErrorCode::kInvalid, "P0103",
                "the range is reversed: the end lies before the start")
        .Help(fmt::format("write `--start {} --end {}`", arguments_.end.value_or(""),
                          arguments_.start.value_or(LocalInstantText(interval.start, zone))));
  }
  RF_ASSIGN(selection_.set, OnGrid(interval, {{0, space_.cell_count()}}, true, text));
  return Ok();
}

Status Resolver::Subtract() {
  std::vector<PartitionSet> sets;
  for (const SelectionItem& item : words_.items) {
    if (!item.negated) continue;
    Result<PartitionSet> set = NegativeItem(item);
    if (!set) return At(std::move(set).error(), item);
    sets.push_back(*std::move(set));
  }
  const PartitionSet excluded = Union(sets);
  WarnOfOutside(sets, Difference(excluded, selection_.set));
  selection_.set = Difference(selection_.set, excluded);
  return Ok();
}

// `sets` are those of the negated items; `outside` is what they name beyond the selection.
void Resolver::WarnOfOutside(const std::vector<PartitionSet>& sets, const PartitionSet& outside) {
  if (outside.empty()) return;
  auto set = sets.begin();
  size_t named = 0;
  for (const SelectionItem& item : words_.items) {
    if (!item.negated) continue;
    const PartitionSet beyond = Intersection(*set, outside);
    const bool apart = beyond == *set++;
    if (beyond.empty()) continue;
    if (named++ == kNamedAtMost) return;
    selection_.warnings.push_back(Warn("P0106", "`!{}` lies {}outside of the selection",
                                       item.text(), apart ? "" : "partly "));
    selection_.warnings.back().notes.push_back(apart ? "it leaves nothing out"
                                                     : "only the part inside is left out");
  }
}

Status Resolver::KeepStates() {
  for (const SelectionStates& word : words_.states) {
    if (!context_.state) {
      return Fail(ErrorCode::kInvalid, "P0109", "`{}` cannot be used here", word.word)
          .Note("this command does not look at the state of partitions");
    }
    selection_.uses_state = true;
    PartitionSet named;
    for (const std::string& state : word.states) {
      RF_ASSIGN(const PartitionSet set, context_.state(state, selection_.set));
      named = Union(named, set);
    }
    selection_.set =
        word.negated ? Difference(selection_.set, named) : Intersection(selection_.set, named);
  }
  return Ok();
}

}  // namespace

Error SelectionTooLong() {
  return Fail(ErrorCode::kRefused, "P0212", "the selection has more than {}, which is the most",
              ByteSizeText(kMaxSelectionBytes))
      .Help("name ranges such as `2026-01..2026-03`, months or years in place of single keys");
}

Result<Selection> ResolveSelection(const SelectionArguments& arguments,
                                   const SelectionContext& context) {
  return Resolver(arguments, context).Run();
}

}  // namespace retrofill
