#pragma once

#include <mutex>
#include <string>
#include <vector>

namespace retrofill {

// A region at the bottom of the terminal that is drawn again in place. Any thread.
class LiveRegion {
 public:
  // Replaces what was drawn last.
  void Draw(const std::vector<std::string>& lines);
  // Prints text above the region, which is drawn again below it.
  void PrintAbove(const std::string& text);
  // Prints text on standard error, which goes to the same terminal, above the region.
  void Interject(const std::string& text);
  // Leaves what stands there and starts below it.
  void Finish();

 private:
  std::string Erase() const;

  std::mutex mutex_;
  std::vector<std::string> lines_;
};

}  // namespace retrofill
