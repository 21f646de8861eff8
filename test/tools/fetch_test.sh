#!/bin/sh
# fetch_test.sh: get-duckdb.sh and get-flights.sh refuse what is not pinned, leave their folder as it
# was, and use no network once they are done. `npm` is a stub here.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/dest"

# npm pack of any package: an archive whose files are all wrong.
cat > "$work/bin/npm" << 'STUB'
#!/bin/sh
echo called >> "$STUB_LOG"
mkdir -p package/src/duckdb/src/include package/data
for file in libduckdb.so libduckdb.dylib LICENSE package.json src/duckdb/src/include/duckdb.h data/flights-3m.parquet; do
  echo changed > "package/$file"
done
tar -czf stub.tgz package
echo stub.tgz
STUB
chmod +x "$work/bin/npm"
export STUB_LOG="$work/calls"
PATH="$work/bin:$PATH"

fail() {
  echo "FAILED: $1" >&2
  cat "$work/out" >&2
  exit 1
}

# refuses NAME TEXT COMMAND...: exit 1, says TEXT, changes nothing in dest.
refuses() {
  name=$1 text=$2
  shift 2
  before=$(find "$work/dest" | sort)
  if "$@" > "$work/out" 2>&1; then fail "$name: exit 0"; fi
  grep -q "$text" "$work/out" || fail "$name: does not say '$text'"
  [ "$before" = "$(find "$work/dest" | sort)" ] || fail "$name: left something behind"
  echo "ok: $name"
}

refuses "changed library" "libduckdb.* has the wrong SHA-256" "$root/tools/get-duckdb.sh" "$work/dest"
refuses "changed flights" "has the wrong SHA-256" "$root/tools/get-flights.sh" "$work/dest"
rm -f "$STUB_LOG"
refuses "unpinned version" "no pinned DuckDB 1.0.0" env DUCKDB_LIB_VERSION=1.0.0 "$root/tools/get-duckdb.sh" "$work/dest"
printf '#!/bin/sh\necho Plan9\n' > "$work/bin/uname"
chmod +x "$work/bin/uname"
refuses "unknown platform" "for Plan9-Plan9" "$root/tools/get-duckdb.sh" "$work/dest"
rm "$work/bin/uname"

"$root/tools/get-duckdb.sh" > "$work/out" 2>&1 || fail "DuckDB that is there"
"$root/tools/get-flights.sh" > "$work/out" 2>&1 || fail "flights that are there"
[ ! -e "$STUB_LOG" ] || fail "something was fetched"
echo "ok: nothing is fetched twice"
