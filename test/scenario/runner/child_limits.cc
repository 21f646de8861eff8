#include "child_limits.h"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/check.h"

namespace retrofill::scenario {

Status LetModesBindChildren() {
  if (geteuid() != 0) return Ok();
  // What root may do in spite of modes are capabilities. One outside the bounding set is lost when
  // a program is started.
  for (const int capability : {CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH}) {
    if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0) continue;
    return Fail(ErrorCode::kRefused, "W0102", "cannot start programs that modes bind: {}",
                std::strerror(errno))
        .Help("run the scenarios as another user than root");
  }
  return Ok();
}

FileSizeLimit::FileSizeLimit(std::optional<int64_t> bytes) {
  if (!bytes) return;
  struct rlimit limit{};
  RF_CHECK(getrlimit(RLIMIT_FSIZE, &limit) == 0, "{}", std::strerror(errno));
  earlier_ = limit.rlim_cur;
  limit.rlim_cur = static_cast<rlim_t>(*bytes);
  // Else the system ends the program in place of failing its write; children inherit this.
  std::signal(SIGXFSZ, SIG_IGN);
  RF_CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0, "{}", std::strerror(errno));
}

FileSizeLimit::~FileSizeLimit() {
  if (!earlier_) return;
  struct rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = static_cast<rlim_t>(*earlier_);
  setrlimit(RLIMIT_FSIZE, &limit);
}

}  // namespace retrofill::scenario
