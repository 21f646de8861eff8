#!/bin/sh
# setup.sh build|test: installs what building (or testing, on top) needs and is missing: Debian
# packages, the DuckDB library, the flights of the demo. Asks nothing; no network when all is there.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
build_packages="make g++ cmake ninja-build ccache mold git ca-certificates tzdata
  libabsl-dev libcli11-dev libexpected-dev libfmt-dev libssl-dev libsqlite3-dev libyaml-cpp-dev
  nlohmann-json3-dev"
test_packages="libgtest-dev libgmock-dev librapidcheck-dev libbenchmark-dev tmux clang-format-19"

case ${1:-} in
  build) wanted=$build_packages ;;
  test) wanted="$build_packages $test_packages" ;;
  *)
    echo "usage: tools/setup.sh build|test" >&2
    exit 2 ;;
esac
# Where there is a node already, Debian's npm would conflict with it.
command -v npm > /dev/null || wanted="$wanted nodejs npm"

system=$(. /etc/os-release 2> /dev/null && echo "${ID:-}-${VERSION_ID:-}" || uname -s)
if [ "$system" != debian-12 ]; then
  echo "setup: this installs packages on Debian 12 only, and this is $system. Needed are:" >&2
  echo $wanted | tr ' ' '\n' | sed 's/^/  /' >&2
  echo "then tools/get-duckdb.sh, tools/get-flights.sh and cmake --workflow --preset dev" >&2
  exit 1
fi

installed=$(dpkg-query -W -f='${db:Status-Abbrev} ${Package}\n' 2> /dev/null | sed -n 's/^ii  *//p')
missing=""
for package in $wanted; do
  echo "$installed" | grep -qxF "$package" || missing="$missing $package"
done
if [ -n "$missing" ]; then
  echo "installing:$missing"
  as_root=""
  [ "$(id -u)" = 0 ] || as_root="sudo"
  options="-o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 -qq"
  export DEBIAN_FRONTEND=noninteractive
  # A stale or unreachable list of some other repository is no reason to stop: installing decides.
  $as_root apt-get $options update < /dev/null || true
  $as_root apt-get $options install -y --no-install-recommends $missing < /dev/null
fi

"$root/tools/get-duckdb.sh"
"$root/tools/get-flights.sh"
