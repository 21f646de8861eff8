#!/bin/sh
# get-flights.sh [DEST]: puts three million US flights of 2001 (Parquet, 13 MB) into DEST
# (.deps/flights), from the npm package vega-datasets (BSD-3-Clause) by `npm pack`.
#
# Archive and file are checked against the sums below before anything is moved. Nothing is fetched
# if DEST already holds the file. Safe to run twice at once.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
dest=${1:-$root/.deps/flights}
package=vega-datasets@3.2.1
archive_sum=6f72fda460a9863fae5fcb32f85bcd49e1761fdea6dc6cf9f4962472881cc5a3
file_sum=dbeb920c90f59b6ccaff823dcc3d08f25a97fa1ce128d93f40be4e931f5900b0

sum_of() {
  if command -v sha256sum > /dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d' ' -f1
}

if [ -f "$dest/flights-3m.parquet" ] && [ "$(sum_of "$dest/flights-3m.parquet")" = $file_sum ]; then
  echo "flights are in $dest"
  exit 0
fi

command -v npm > /dev/null || { echo "get-flights: needs npm (apt-get install nodejs npm)" >&2; exit 1; }
mkdir -p "$dest"
work=$(mktemp -d "$dest/.get-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# verify FILE SUM: leaves everything as it was unless the sum is the pinned one.
verify() {
  found=$(sum_of "$1")
  if [ "$found" != "$2" ]; then
    echo "get-flights: ${1#"$work"/} has the wrong SHA-256" >&2
    echo "  found    $found" >&2
    echo "  expected $2" >&2
    exit 1
  fi
}

archive=$(cd "$work" && npm pack --silent --prefer-offline --ignore-scripts $package) || {
  echo "get-flights: cannot fetch $package with npm pack" >&2
  exit 1
}
verify "$work/$archive" $archive_sum
# The package has no licence file of its own: its package.json names the licence and the authors.
tar -xzf "$work/$archive" -C "$work" package/data/flights-3m.parquet package/package.json
verify "$work/package/data/flights-3m.parquet" $file_sum
mv -f "$work/package/package.json" "$dest/package.json"
chmod 644 "$work/package/data/flights-3m.parquet"
mv -f "$work/package/data/flights-3m.parquet" "$dest/flights-3m.parquet"
echo "flights are now in $dest"
