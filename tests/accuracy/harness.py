#!/usr/bin/env python3
"""Predicted against measured, for every source; see README.md.

Compares with results/accuracy.json (the last committed figures) and with targets.json. A check is
one source's time or memory: it fails when the median error is worse than the committed one by more
than the tolerance, or when a target that was reached is lost.
"""
import argparse
import json
import sys
import time
import unittest
from pathlib import Path

import cases
import core
import stats
import user_reports
from mapping import stacks

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# How far a source's median absolute error may move before it counts as worse: a hundredth of the
# measured value, and 5% of itself.
TOLERANCE = 0.01
TOLERANCE_SHARE = 0.05
KINDS = ("time", "allocated", "reserved", "device")
COVERED = (0.75, 0.85)  # of central 80% intervals
GIB = 2**30


def known_stacks():
    with open(ROOT / "core/catalog/stacks.json", encoding="utf-8") as handle:
        return {s["id"] for s in json.load(handle)["stacks"]}


def prepare(entries):
    """Scenarios as the core can answer them; stacks that its catalogue lacks, by their stand-ins."""
    known, stand_ins, scenarios = known_stacks(), {}, []
    for entry in entries:
        scenario = entry.case.scenario
        name = scenario["training"]["stack"]
        if name not in known:
            near = stacks.NEAREST[name]
            stand_ins[name] = near
            scenario = {**scenario, "training": {**scenario["training"], "stack": near}}
        scenarios.append(scenario)
    return scenarios, stand_ins


def predicted_memory(report, kind, last_stage):
    """Bytes predicted for a kind of peak, with its interval."""
    memory = report["memory"]
    peak = memory[f"{kind}_peak"]
    if last_stage and memory.get("stages"):
        value = memory["stages"][-1][kind]
        scale = value / peak["value"]
        return {"value": value, "low": peak["low"] * scale, "high": peak["high"] * scale}
    return peak


def read_answer(entry, report):
    """Fills entry.prediction, or returns the refusal."""
    if report.get("problems"):
        return ", ".join(f"{p['at']} {p['code']}" for p in report["problems"][:3])
    p = entry.prediction
    m = entry.case.measured
    if "time" in report and "step" in report["time"]:
        p["time"] = report["time"]["step"]
        p["parts"] = report["time"].get("parts", [])
        p["floor_bound"] = report["time"].get("floor_bound", False)
    p["fits"] = report["memory"]["fits"]
    for kind in m.get("memory", {}):
        p[kind] = predicted_memory(report, kind, m.get("last_stage"))
    return None


def points(entry):
    """(kind, measured, predicted) of an answered entry: seconds for time, bytes for memory."""
    out = []
    measured_step = cases.measured_step(entry)
    if measured_step and "time" in entry.prediction:
        out.append(("time", measured_step, entry.prediction["time"]))
    for kind, gib in entry.case.measured.get("memory", {}).items():
        if kind in entry.prediction:
            out.append((kind, gib * GIB, entry.prediction[kind]))
    return out


def group_of(kind):
    return "time" if kind == "time" else "memory"


def usable(entry, kind):
    return not entry.flagged and group_of(kind) not in entry.case.incomparable


def why(entry, kind):
    """Tags of a row, with the parts that make up most of its predicted time."""
    tags = list(entry.tags)
    if kind == "time":
        parts = sorted(entry.prediction.get("parts", []), key=lambda x: -x["seconds"])[:3]
        total = entry.prediction["time"]["value"]
        tags += [f"{x['code']} {x['seconds'] / total:.0%}" for x in parts if total > 0]
        if entry.prediction.get("floor_bound"):
            tags.append("host-bound")
    return tags


def tabulate(sources):
    """Per source, kind and completeness: errors, coverage, worst rows."""
    table = []
    for source in sources:
        for kind in KINDS:
            for complete in (True, False):
                chosen = []
                for entry in source.entries:
                    if (not entry.assumed(kind)) != complete:
                        continue
                    for k, measured, predicted in points(entry):
                        if k == kind and usable(entry, kind):
                            chosen.append((predicted["value"] / measured, entry, measured, predicted))
                if not chosen:
                    continue
                row = {"source": source.name, "kind": kind, "complete": complete, "fitted": source.fitted}
                row.update(stats.summary([c[0] for c in chosen]))
                inside = [p["low"] <= m <= p["high"] for _, _, m, p in chosen]
                row["coverage"] = sum(inside) / len(inside)
                if not complete:
                    row["assumed"] = sorted({a for _, e, _, _ in chosen for a in e.assumed(kind)})
                worst = sorted(chosen, key=lambda c: -abs(c[0] - 1))[:5]
                row["worst"] = [
                    {
                        "id": e.id,
                        "ratio": ratio,
                        "measured": m,
                        "predicted": p["value"],
                        "why": why(e, kind),
                    }
                    for ratio, e, m, p in worst
                ]
                table.append(row)
    return table


def overall(table):
    """Medians over sources, so that a source of many rows doesn't outweigh the rest; of what was never
    fitted on its own."""
    out = {}
    for group, kinds in (("time", ("time",)), ("memory", KINDS[1:])):
        for name, belongs in (
            ("complete", lambda r: r["fitted"] and r["complete"]),
            ("incomplete", lambda r: r["fitted"] and not r["complete"]),
            ("never_fitted", lambda r: not r["fitted"]),
        ):
            rows = [r for r in table if r["kind"] in kinds and belongs(r)]
            if rows:
                out[f"{group}_{name}"] = {
                    "sources": len(rows),
                    "rows": sum(r["rows"] for r in rows),
                    "under": sum(r["under"] * r["rows"] for r in rows) / sum(r["rows"] for r in rows),
                    "median_of_medians": stats.quantile([r["median"] for r in rows], 0.5),
                    "worst_median": max(r["median"] for r in rows),
                }
    return out


def verdicts(sources):
    """Rows whose outcome alone is known: fits or out of memory."""
    agree, disagree = [], []
    for source in sources:
        for entry in source.entries:
            expected = entry.case.measured.get("verdict")
            if expected is None or "fits" not in entry.prediction or not usable(entry, "allocated"):
                continue
            says = "fits" if entry.prediction["fits"] else "oom"
            (agree if says == expected else disagree).append((entry, expected, says))
    return agree, disagree


def key(row):
    return f"{row['source']}/{row['kind']}/{'complete' if row['complete'] else 'incomplete'}"


def load_json(path):
    if not path.exists():
        return None
    with open(path, encoding="utf-8") as handle:
        return json.load(handle)


def check(table, committed, targets):
    """(name, passed, what) for each source, kind and completeness. What is reported only may be missed by
    any error: a check would be a way to fit to it."""
    results = []
    before = {r["key"]: r for r in (committed or {}).get("sources", [])}
    seen = set()
    for row in table:
        name = key(row)
        seen.add(name)
        old = before.get(name)
        goal = targets["medians"].get(name, targets["default"][group_of(row["kind"])])
        row["target"] = goal
        row["reached"] = row["median"] <= goal
        if old is None:
            results.append((name, committed is None, f"median {row['median']:.1%}, not in the committed results"))
            continue
        if not row["fitted"]:
            kept = row["rows"] >= old["rows"]
            results.append((name, kept, f"median {row['median']:.1%}, never fitted; {row['rows']} rows, were {old['rows']}"))
            continue
        limit = old["median"] + max(TOLERANCE, TOLERANCE_SHARE * old["median"])
        if row["median"] > limit:
            results.append((name, False, f"median {row['median']:.1%}, was {old['median']:.1%}"))
        elif old["reached"] and not row["reached"]:
            results.append((name, False, f"target {goal:.1%} lost: median {row['median']:.1%}"))
        elif row["rows"] < old["rows"]:
            results.append((name, False, f"{row['rows']} rows, were {old['rows']}"))
        else:
            results.append((name, True, f"median {row['median']:.1%}"))
    for name in before:
        if name not in seen:
            results.append((name, False, "no longer measured"))
    return results


def check_shares(shares, committed, targets):
    """(name, passed, what) for the shares of known outcomes that agree: none may fall below the
    committed one, nor a reached target be lost."""
    before = (committed or {}).get("verdicts", {})
    results = []
    for name, share in shares.items():
        target = targets["verdicts"][name]
        floor = min(before.get(name, target), target)
        what = f"{share:.1%} agree, {floor:.1%} before; the target is {target:.0%}"
        if share < target:
            print(f"target not reached: verdicts/{name}: {what}")
        results.append((f"verdicts/{name}", share >= floor - 5e-5, what))
    return results


def check_coverage(loso):
    """(name, passed, what): of the rows left out of the fit and of the intervals, about the share that
    the intervals promise must lie inside."""
    low, high = COVERED
    return [
        (f"coverage/{name}", low <= v["inside"] <= high, f"{v['inside']:.1%} of {v['rows']} left-out rows inside, {low:.0%} to {high:.0%} wanted")
        for name, v in (loso or {}).get("coverage", {"none": {"inside": 0, "rows": 0}}).items()
    ]


def own_tests():
    """(name, passed, what) for the tests of these tools and of the measuring kit."""
    suite = unittest.defaultTestLoader.loadTestsFromName("test_accuracy")
    result = unittest.TestResult()
    suite.run(result)
    bad = {str(test): text.strip().splitlines()[-1] for test, text in result.failures + result.errors}
    good = result.testsRun - len(bad)
    return [("tools/tests", True, "")] * good + [(name, False, text) for name, text in bad.items()]


def percent(value):
    return "" if value is None else f"{100 * value:.1f}%"


def markdown(sources, table, totals, loso, agree, disagree, reports, stand_ins, seconds):
    fitted = {r["key"]: r for r in (loso or {}).get("sources", [])}
    out = ["# Accuracy: predicted against measured", ""]
    out.append(
        "Errors are of predicted over measured. Flagged rows, and figures that the source itself makes"
        " incomparable (mixed sample lengths, CI settings), are mapped and left out here. The fit, the"
        " intervals and the targets know nothing of the sources marked as never fitted. Under: rows whose"
        " estimate is more than 5% below what was measured."
    )
    if stand_ins:
        out.append("")
        out.append("Stacks that the catalogue lacks, and what stood in: " + ", ".join(f"{a} → {b}" for a, b in sorted(stand_ins.items())) + ".")
    for group, kinds in (("Time", ("time",)), ("Memory", KINDS[1:])):
        for complete in (True, False):
            rows = [r for r in table if r["kind"] in kinds and r["complete"] == complete]
            rows.sort(key=lambda r: not r["fitted"])
            if not rows:
                continue
            title = "sources that state the whole configuration" if complete else "with something assumed"
            out += ["", f"## {group}: {title}", ""]
            out.append("| Source | Kind | Rows | Mean | Median | Bias | 90th | Under | In interval | Left out: mean | Left out: median | Left out: under | Left out: in interval | Target |")
            out.append("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|")
            for r in rows:
                left_out = (fitted.get(key(r)) or {}).get("left_out") or {}
                covered = (fitted.get(key(r)) or {}).get("covered")
                out.append(
                    f"| {r['source']}{'' if r['fitted'] else ' (never fitted)'} | {r['kind']} | {r['rows']} | {percent(r['mean'])} | {percent(r['median'])}"
                    f" | {100 * r['bias']:+.1f}% | {percent(r['p90'])} | {percent(r['under'])} | {percent(r['coverage'])}"
                    f" | {percent(left_out.get('mean'))} | {percent(left_out.get('median'))} | {percent(left_out.get('under'))} | {percent(covered)}"
                    f" | {percent(r['target'])}{' ✓' if r['reached'] else ''} |"
                )
            if not complete:
                out += [""] + [f"- {r['source']} ({r['kind']}) assumes: {'; '.join(r['assumed'])}" for r in rows]
    out += ["", "## Overall", ""]
    out += [f"- {name}: {v['rows']} rows of {v['sources']} groups, median of medians {percent(v['median_of_medians'])}, worst {percent(v['worst_median'])}; {percent(v['under'])} more than 5% under" for name, v in totals.items()]
    coverage = (loso or {}).get("coverage", {})
    out += [f"- {name}: {percent(v['inside'])} of {v['rows']} left-out rows inside intervals taken without their source" for name, v in coverage.items()]
    out += ["", "## Fits or not", ""]
    out.append(f"{len(agree)} of {len(agree) + len(disagree)} rows with a known outcome agree.")
    out += [f"- {e.id}: measured {expected}, predicted {says} ({', '.join(e.tags)})" for e, expected, says in disagree]
    out += ["", "## User reports", "", reports["line"], ""]
    out += [f"- {r['id']} {r['source']} ({r['trust']}): {r['what']}" for r in reports["disagree"]]
    out += ["", "## Rows", "", "| Source | Rows | Mapped | Skipped |", "|---|---|---|---|"]
    for s in sources:
        reasons = "; ".join(f"{len(ids)} {reason}" for reason, ids in sorted(s.skipped.items(), key=lambda x: -len(x[1])))
        out.append(f"| {s.name} | {s.rows} | {len(s.entries)} | {reasons} |")
    out += ["", "## Worst rows", ""]
    for r in table:
        out.append(f"### {key(r)}")
        out += [f"- {w['id']}: {w['ratio']:.2f}x ({', '.join(w['why'])})" for w in r["worst"]]
        out.append("")
    out.append(f"{seconds:.1f} s.")
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cli", type=Path, default=ROOT / "build/native/traintally")
    parser.add_argument("--source", help="only sources whose name contains this")
    parser.add_argument("--scenarios", type=Path, help="write the scenarios there, one a line, and stop")
    parser.add_argument("--update", action="store_true", help="commit the figures to results/accuracy.json")
    parser.add_argument("--reason", help="with --update: why figures that got worse may stand")
    parser.add_argument("--worst", action="store_true", help="print the worst rows too")
    args = parser.parse_args()

    started = time.monotonic()
    sources = cases.load(args.source)
    entries = [e for s in sources for e in s.entries]
    scenarios, stand_ins = prepare(entries)
    if args.scenarios:
        with open(args.scenarios, "w", encoding="utf-8") as handle:
            for entry, scenario in zip(entries, scenarios):
                m = {"id": entry.id, "source": entry.source, "flagged": entry.flagged, "complete": entry.complete,
                     "incomparable": entry.case.incomparable, "measured": entry.case.measured,
                     "step_s": cases.measured_step(entry), "scenario": scenario}
                handle.write(json.dumps(m, separators=(",", ":")) + "\n")
        return 0
    if not args.cli.exists():
        print(f"no command at {args.cli}: build it first (cmake --preset native && cmake --build --preset native)")
        return 2

    refused = {}
    for entry, report in zip(entries, core.evaluate(args.cli, scenarios)):
        reason = read_answer(entry, report)
        if reason:
            refused.setdefault(reason, []).append(entry.id)
    table = tabulate(sources)
    totals = overall(table)
    agree, disagree = verdicts(sources)
    reports = user_reports.run(args.cli)
    committed = load_json(HERE / "results/accuracy.json")
    targets = load_json(HERE / "targets.json")
    loso = load_json(HERE / "results/loso.json")
    results = [] if args.source else check(table, committed, targets)
    for source in sources:
        counted = len(source.entries) + sum(len(ids) for ids in source.skipped.values())
        results.append((f"{source.name}/rows", counted == source.rows, f"{counted} of {source.rows} rows accounted for"))
    results += own_tests()
    results.append(("scenarios/answered", not refused, f"{sum(map(len, refused.values()))} refused"))
    share = len(agree) / max(1, len(agree) + len(disagree))
    shares = {"rows": share, "reports": reports["share"]}
    if not args.source:
        results += check_shares(shares, committed, targets)
        results += check_coverage(loso)
    seconds = time.monotonic() - started

    out = ROOT / "dist/reports"
    out.mkdir(parents=True, exist_ok=True)
    text = markdown(sources, table, totals, loso, agree, disagree, reports, stand_ins, seconds)
    (out / "accuracy.md").write_text(text, encoding="utf-8")
    document = {
        "version": 1,
        "sources": [
            {
                "source": s.name,
                "rows": s.rows,
                "fitted": s.fitted,
                "mapped": len(s.entries),
                "skipped": [{"reason": reason, "rows": len(ids)} for reason, ids in s.skipped.items()],
            }
            for s in sources
        ],
        "errors": [{**r, "key": key(r)} for r in table],
        "overall": totals,
        "left_out": (loso or {}).get("sources", []),
        "verdicts": {"agree": len(agree), "disagree": [{"id": e.id, "measured": a, "predicted": b} for e, a, b in disagree]},
        "reports": reports,
        "points": [
            {
                "id": e.id,
                "source": e.source,
                "kind": kind,
                "measured": measured,
                "predicted": p["value"],
                "low": p["low"],
                "high": p["high"],
                "complete": not e.assumed(kind),
                "tags": e.tags,
            }
            for e in entries
            for kind, measured, p in points(e)
            if usable(e, kind)
        ],
    }
    (out / "accuracy.json").write_text(json.dumps(document, separators=(",", ":"), ensure_ascii=False) + "\n", encoding="utf-8")

    print(text.split("\n## Worst rows")[0] if not args.worst else text)
    for reason, ids in refused.items():
        print(f"refused: {reason}: {len(ids)} rows, {', '.join(ids[:4])}")
    if args.update:
        (HERE / "results").mkdir(exist_ok=True)
        kept = {
            "sources": [
                {"key": key(r), **{k: round(r[k], 5) for k in ("rows", "mean", "median", "bias", "p90", "under", "coverage")}, "reached": r["reached"]}
                for r in table
            ],
            "overall": totals,
            "verdicts": {name: round(share, 4) for name, share in shares.items()},
            **({"reason": args.reason} if args.reason else {}),
        }
        (HERE / "results/accuracy.json").write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    for name, passed, what in results:
        if not passed:
            print(f"FAILED {name}: {what}")
    failed = sum(not passed for _, passed, _ in results)
    print(f"accuracy: {len(results) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
