#include "cli/run_view.h"

#include "cli/output.h"
#include "report/map_text.h"

namespace retrofill {
namespace {

constexpr absl::Duration kProgressEvery = absl::Seconds(30);
constexpr absl::Duration kDrawEvery = absl::Milliseconds(100);

}  // namespace

Progress RunView::ProgressNow(const BackfillState& state) {
  const absl::Duration now = context_.clock->Monotonic();
  if (!started_) {
    started_ = true;
    started_at_ = progress_at_ = now;
    done_at_start_ = DoneCount(state);
  }
  return {
      .now = context_.clock->Now(), .elapsed = now - started_at_, .done_at_start = done_at_start_};
}

void RunView::Draw(const BackfillState& state) {
  const absl::Duration now = context_.clock->Monotonic();
  const Progress progress = ProgressNow(state);
  if (now - drawn_at_ < kDrawEvery && drawn_at_ != absl::ZeroDuration()) return;
  drawn_at_ = now;
  region_.Draw(MapLines(state, {.width = context_.terminal.width(),
                                .height = context_.terminal.height(),
                                .color = context_.terminal.color_output(),
                                .note = step_,
                                .progress = progress}));
}

void RunView::OnStep(const std::string& doing) {
  step_ = doing;
  if (context_.is_text() && context_.global.verbose) Print(doing + "\n");
}

void RunView::OnEvents(const std::vector<Event>& events, const BackfillState& state) {
  ProgressNow(state);
  if (animates()) {
    for (const Event& event : events) {
      if (std::holds_alternative<SessionStarted>(event.body)) step_.clear();
      const bool last = std::holds_alternative<RangePublished>(event.body) ||
                        std::holds_alternative<BackfillDone>(event.body) ||
                        std::holds_alternative<RangeVerified>(event.body) ||
                        std::holds_alternative<AttentionNeeded>(event.body) ||
                        std::holds_alternative<BackfillPaused>(event.body);
      if (last) drawn_at_ = absl::ZeroDuration();
    }
    Draw(state);
    return;
  }
  switch (context_.format) {
    case Format::kText:
      WriteOut(EventLines(events, state));
      break;
    case Format::kJsonLines:
      WriteData(EventJsonLines(events, state));
      break;
    case Format::kJson:
      if (!context_.global.quiet) WriteError(EventLines(events, state));
      break;
  }
}

void RunView::ShowProgress(const BackfillState& state) {
  Say(ProgressLine(state, ProgressNow(state)));
}

void RunView::OnIdle(const BackfillState& state) {
  const Progress progress = ProgressNow(state);
  if (animates()) {
    Draw(state);
    return;
  }
  const absl::Duration now = context_.clock->Monotonic();
  if (context_.format != Format::kText || now - progress_at_ < kProgressEvery) return;
  progress_at_ = now;
  WriteOut(ProgressLine(state, progress));
}

void RunView::Print(const std::string& text) {
  if (!context_.is_text()) {
    if (!context_.global.quiet) WriteError(text);
    return;
  }
  if (animates()) {
    region_.PrintAbove(text);
  } else {
    WriteOut(text);
  }
}

void RunView::Finish() { region_.Finish(); }

}  // namespace retrofill
