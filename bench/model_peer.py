#!/usr/bin/env python3
"""model_peer.py: the measures of model_bench, read from standard input, beside plain Python: zoneinfo, lists and sets.

Both have to count the same. Ends with 1 if they do not, or if a limit is missed."""
import sys
import time
from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

ROUNDS = 3
UTC = timezone.utc
NEW_YORK = ZoneInfo("America/New_York")
HOUR = timedelta(hours=1)
FIRST = datetime(1970, 1, 1, tzinfo=NEW_YORK).astimezone(UTC)
END = datetime(2070, 1, 1, tzinfo=NEW_YORK).astimezone(UTC)


def count():  # New York moves its clocks by whole hours: hours of the day are hours of UTC
    slots, at = 0, FIRST
    while at < END:
        slots, at = slots + 1, at + HOUR
    return slots


def texts():
    size, at = 0, FIRST
    for _ in range(1_000_000):
        size += len(f"{at:%Y%m%dT%H%M%SZ}..{at + HOUR:%Y%m%dT%H%M%SZ}")
        at += HOUR
    return size


A, B = set(range(0, 1_000_000, 2)), set(range(0, 1_000_002, 3))


def window():
    days = set()
    for i in range(10_000):
        start = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(hours=i * 37)
        first = start.astimezone(NEW_YORK).date()
        # Days that begin up to 28 days later read the hour.
        for n in range(29):
            day = first + timedelta(days=n)
            midnight = datetime(day.year, day.month, day.day, tzinfo=NEW_YORK)
            back = day - timedelta(days=28)
            reads_from = datetime(back.year, back.month, back.day, tzinfo=NEW_YORK)
            if reads_from.astimezone(UTC) < start + HOUR:
                days.add(midnight.date())
    return len(days)


PEERS = {  # name: (work, how often the bench does it)
    "count 100 years of hours, 100 000 times": (count, 100_000),
    "1 000 000 hours with identity texts": (texts, 1),
    "union of 500 000 and 333 334 runs": (lambda: len(A | B), 1),
    "difference of the same": (lambda: len(A - B), 1),
    "intersection of the same": (lambda: len(A & B), 1),
    "missing among 20 000 slots, 10 000 recorded": (lambda: len(set(range(20_000)) - set(range(0, 20_000, 2))), 1),
    "10 000 runs through a window of 28 days": (window, 1),
}

bad = 0
print(f"{'measure':48} {'seconds':>10} {'limit':>10} {'python':>10} {'times':>8}")
for line in sys.stdin:
    name, seconds, limit, found = line.rstrip("\n").split("\t")
    seconds, limit = float(seconds), float(limit)
    peer, times = "", ""
    if name in PEERS:
        work, repeats = PEERS[name]
        best, result = 1e9, 0
        for _ in range(ROUNDS):
            start = time.process_time()
            result = work()
            best = min(best, time.process_time() - start)
        if result != int(found):
            print(f"{name}: python counts {result}, the model {found}")
            bad = 1
        peer, times = f"{best * repeats:.6f}", f"{best * repeats / max(seconds, 1e-9):.1f}"
    if seconds > limit:
        bad = 1
    print(f"{name:48} {seconds:10.6f} {limit:10.6f} {peer:>10} {times:>8}{'  MISSED' if seconds > limit else ''}")
sys.exit(bad)
