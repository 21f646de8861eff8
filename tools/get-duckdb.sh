#!/bin/sh
# get-duckdb.sh [DEST]: puts the DuckDB library and its C header into DEST (.deps/duckdb).
#
# Both come from npm packages by `npm pack`, which runs no install script, and are checked against
# the sums below before anything is moved. Nothing is fetched if DEST already holds them.
# DUCKDB_LIB_VERSION=1.4.5 picks the other pinned version of the library. Safe to run twice at once.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
dest=${1:-$root/.deps/duckdb}
version=${DUCKDB_LIB_VERSION:-1.5.6}
platform=$(uname -s)-$(uname -m)

# The C API of 1.4.4: every library since exports all that it declares.
header_package=duckdb@1.4.4
header_file=package/src/duckdb/src/include/duckdb.h
header_sum=cbe6a827284375c5a646b8f27dbd3a00808ce8738b5bbb49c190cb1e08540281

library=libduckdb.so
case $platform-$version in
  Linux-x86_64-1.5.6)
    library_package=@duckdb/node-bindings-linux-x64@1.5.6-r.1
    library_sum=3f4962cdd266eab2b479a5b5a4a6d063d279b2954ae814ed00385d553b747633 ;;
  Linux-x86_64-1.4.5)
    library_package=@duckdb/node-bindings-linux-x64@1.4.5-r.1
    library_sum=5062c3ba89fb37e818baf2bf8b0f914ec8f46d78584d8e412810b5d1bff3bfe8 ;;
  Linux-aarch64-1.5.6)
    library_package=@duckdb/node-bindings-linux-arm64@1.5.6-r.1
    library_sum=23686593dba4ec22c6e581bb1c843b3964e84c4bc4d0063d8b4daddd2e20e30a ;;
  Darwin-arm64-1.5.6 | Darwin-x86_64-1.5.6)
    library=libduckdb.dylib
    library_package=@duckdb/node-bindings-darwin-arm64@1.5.6-r.1
    library_sum=75a519cb914ae36ca22cff0995a8a2e8c9a46990b8c0a479514f741a0d93f344 ;;
  *)
    echo "get-duckdb: no pinned DuckDB $version for $platform" >&2
    echo "get-duckdb: point DUCKDB_ROOT at a folder with include/duckdb.h and lib/$library instead" >&2
    exit 1 ;;
esac

sum_of() {
  if command -v sha256sum > /dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d' ' -f1
}

# matches FILE SUM
matches() {
  [ -f "$1" ] && [ "$(sum_of "$1")" = "$2" ]
}

if matches "$dest/lib/$library" $library_sum && matches "$dest/include/duckdb.h" $header_sum; then
  echo "DuckDB $version is in $dest"
  exit 0
fi

command -v npm > /dev/null || { echo "get-duckdb: needs npm (apt-get install nodejs npm)" >&2; exit 1; }
mkdir -p "$dest"
work=$(mktemp -d "$dest/.get-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# fetch PACKAGE NAME FILE: unpacks that file and the licence of the package into $work/NAME.
fetch() {
  mkdir "$work/$2"
  archive=$(cd "$work" && npm pack --silent --prefer-offline --ignore-scripts "$1") || {
    echo "get-duckdb: cannot fetch $1 with npm pack" >&2
    exit 1
  }
  tar -xzf "$work/$archive" -C "$work/$2" "$3"
  # Not every package carries its licence.
  tar -xzf "$work/$archive" -C "$work/$2" package/LICENSE 2> /dev/null || true
  rm "$work/$archive"
}

# verify FILE SUM: leaves everything as it was unless the sum is the pinned one.
verify() {
  found=$(sum_of "$1")
  if [ "$found" != "$2" ]; then
    echo "get-duckdb: ${1#"$work"/} has the wrong SHA-256" >&2
    echo "  found    $found" >&2
    echo "  expected $2" >&2
    exit 1
  fi
}

fetch "$library_package" library "package/$library"
fetch "$header_package" header "$header_file"
verify "$work/library/package/$library" $library_sum
verify "$work/header/$header_file" $header_sum

mkdir -p "$dest/lib" "$dest/include"
chmod 755 "$work/library/package/$library"
for part in library header; do
  if [ -f "$work/$part/package/LICENSE" ]; then
    mv -f "$work/$part/package/LICENSE" "$dest/LICENSE.$part"
  fi
done
mv -f "$work/header/$header_file" "$dest/include/duckdb.h"
mv -f "$work/library/package/$library" "$dest/lib/$library"
echo "DuckDB $version is now in $dest"
