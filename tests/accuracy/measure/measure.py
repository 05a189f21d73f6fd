#!/usr/bin/env python3
"""Measures memory and step time of small fine-tuning runs on this machine's first GPU.

    measure.py rows.csv              measure for half an hour, continue where the file ends
    measure.py rows.csv --minutes 10
    measure.py --plan                list the grid, no GPU needed
    measure.py rows.csv --check      check a file, no GPU needed
"""
import argparse
import datetime
import json
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import grid
import rows

POINT_TIMEOUT_S = 600


def run_worker(point):
    """The worker's facts; outcome error if it died or hung."""
    worker = Path(__file__).resolve().parent / "worker.py"
    try:
        run = subprocess.run(
            [sys.executable, str(worker), json.dumps(point)], capture_output=True, text=True, timeout=POINT_TIMEOUT_S
        )
    except subprocess.TimeoutExpired:
        return {"outcome": "error", "reason": f"no answer in {POINT_TIMEOUT_S} s"}
    if run.returncode:
        lines = run.stderr.strip().splitlines()
        return {"outcome": "error", "reason": lines[-1] if lines else f"exit {run.returncode}"}
    return json.loads(run.stdout.strip().splitlines()[-1])


def measure(path, minutes, worker=run_worker, clock=time.monotonic, say=print):
    """Runs the points that the file lacks, in the grid's order, until the time is up.
    Returns how many were added."""
    done = {row["id"] for row in rows.read(path)}
    ends, added = clock() + minutes * 60, 0
    for point in grid.grid():
        if point["id"] in done:
            continue
        if clock() >= ends:
            say(f"time is up; run again with the same file to go on")
            break
        facts = worker(point)
        row = {**point, **facts, "trust": "H", "date": datetime.date.today().isoformat()}
        what = facts.get("reason") or f"{facts.get('allocated_gib', '')} GiB {facts.get('step_s', '')} s"
        say(f"{point['model']} {point['method']} s={point['seq']} b={point['micro_batch']} {facts['outcome']} {what}")
        if facts["outcome"] == "skipped":
            continue  # a library is missing: it may be there next time
        rows.append(path, row)
        added += 1
    return added


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", help="CSV to write or to check")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--plan", action="store_true")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    if args.plan:
        for p in grid.grid():
            print(f"{p['id']} {p['model']} {p['method']} s={p['seq']} b={p['micro_batch']} recompute={p['recompute']}"
                  f" {p['optimizer']} {p['attention']} loss={p['loss']} {p['precision']} {grid.parameters(p) / 1e9:.2f}B")
        return 0
    if not args.file:
        parser.error("name a CSV file, or --plan")
    if args.check:
        found = rows.problems(rows.read(args.file))
        for name, text in found:
            print(f"{name}: {text}")
        print(f"{len(rows.read(args.file))} rows, {len(found)} problems")
        return 1 if found else 0
    measure(args.file, args.minutes)
    return 0


if __name__ == "__main__":
    sys.exit(main())
