"""Outcomes that users reported (reports.json), checked against what the core says."""
import json
from pathlib import Path

import core

HERE = Path(__file__).resolve().parent
GIB = 2**30


def outside(expected, estimate):
    """Whether an estimate's value lies outside an expected range (low, high)."""
    return not expected[0] <= estimate <= expected[1]


def judge(expect, report):
    """Differences between what was reported and what the core says; empty when they agree."""
    if report.get("problems"):
        return ["refused: " + ", ".join(f"{p['at']} {p['code']}" for p in report["problems"][:3])]
    differs = []
    memory, time = report["memory"], report.get("time", {})
    device = memory["device_peak"]["value"] / GIB
    usable = memory["usable"] / GIB
    if "verdict" in expect:
        says = "fits" if memory["fits"] else "oom"
        if says != expect["verdict"]:
            differs.append(f"reported {expect['verdict']}, tool says {says}: {device:.1f} of {usable:.1f} GiB")
    if "memory_gib" in expect:
        value = memory[f"{expect['memory_kind']}_peak"]["value"] / GIB
        if outside(expect["memory_gib"], value):
            low, high = expect["memory_gib"]
            differs.append(f"reported {low} to {high} GiB {expect['memory_kind']}, tool says {value:.1f}")
    if "step_s" in expect:
        value = time["step"]["value"]
        if outside(expect["step_s"], value):
            differs.append(f"reported {expect['step_s']} s a step, tool says {value:.2f}")
    if "tokens_s_gpu" in expect:
        value = time["tokens_per_second_per_gpu"]["value"]
        if outside(expect["tokens_s_gpu"], value):
            differs.append(f"reported {expect['tokens_s_gpu']} tokens/s/GPU, tool says {value:.0f}")
    return differs


def run(cli):
    """Counts agreement among unambiguous reports of trust H or M, and lists every disagreement."""
    with open(HERE / "reports.json", encoding="utf-8") as handle:
        reports = json.load(handle)["reports"]
    answers = core.evaluate(cli, [r["scenario"] for r in reports])
    counted, agreed, disagree = 0, 0, []
    for report, answer in zip(reports, answers):
        differs = judge(report["expect"], answer)
        counts = report["trust"] in ("H", "M") and not report.get("ambiguous")
        counted += counts
        agreed += counts and not differs
        if differs:
            what = "; ".join(differs)
            if report.get("ambiguous"):
                what += f" (not counted: {report['ambiguous']})"
            disagree.append({"id": report["id"], "source": report["source"], "trust": report["trust"], "counted": counts, "what": what})
    return {
        "counted": counted,
        "agreed": agreed,
        "share": agreed / counted,
        "line": f"{agreed} of {counted} unambiguous reports agree",
        "disagree": disagree,
    }
