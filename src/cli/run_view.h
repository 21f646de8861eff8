#pragma once

#include <string>
#include <vector>

#include "cli/context.h"
#include "cli/live_map.h"
#include "engine/run_operation.h"
#include "report/run_lines.h"

namespace retrofill {

// Shows a run while it goes on: a map that is drawn again on a terminal, else one line an event and
// a progress line every 30 s; JSON Lines where that was asked for. Called on the main thread, but
// for Say.
class RunView {
 public:
  explicit RunView(const Context& context) : context_(context) {}

  void OnStep(const std::string& doing);
  void OnEvents(const std::vector<Event>& events, const BackfillState& state);
  void OnIdle(const BackfillState& state);
  // One progress line on standard error, for whoever asked for it.
  void ShowProgress(const BackfillState& state);
  // Prints text of its own, such as the outcome of the proof.
  void Print(const std::string& text);
  // Says something on standard error. Any thread.
  void Say(const std::string& text) { region_.Interject(text); }
  // Draws for the last time. Whatever follows is printed below.
  void Finish();

 private:
  bool animates() const { return context_.is_text() && context_.terminal.can_animate(); }
  Progress ProgressNow(const BackfillState& state);
  void Draw(const BackfillState& state);

  const Context& context_;
  LiveRegion region_;
  std::string step_;
  bool started_ = false;
  absl::Duration started_at_;
  absl::Duration progress_at_;
  absl::Duration drawn_at_;
  int64_t done_at_start_ = 0;
};

}  // namespace retrofill
