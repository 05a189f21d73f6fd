#!/usr/bin/env python3
"""Fits the constants of parameters.py to the measured rows, and says how well they predict sources
that were left out.

    calibrate.py          fit, leave each source out, write core/catalog/calibration.json and
                          results/loso.json
    calibrate.py --quick  fit only, print errors, write nothing

Needs numpy, and builds the program of residuals.cpp beside the core's library.
"""
import argparse
import collections
import json
import math
import subprocess
import sys
import time
from pathlib import Path

import numpy

import cases
import harness
import parameters
import spreads
import stats

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
GIB = 2**30
COLUMN = {"time": 0, "allocated": 1, "reserved": 2, "device": 3}
LEVELS = ("defaults", "architectures", "gpus", "families", "stacks")  # later ones win
OUTLIER = {"time": 0.04, "memory": 0.06}  # a residual of this size, in log, is pulled less than in proportion
STEP = 1e-4  # of a finite difference, in log
CONVERGED = 1e-4  # share of the cost that a step may still save


def build_program():
    """Configures and builds the core's library, and the program beside it."""
    build = ROOT / "build/accuracy"
    subprocess.run(
        ["cmake", "-G", "Ninja", "-S", ROOT, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O2"],
        check=True, stdout=subprocess.DEVNULL,
    )
    subprocess.run(["ninja", "-j2", "-C", build, "traintally", "catalog.json"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(
        ["g++", "-std=c++20", "-O2", "-DJSON_NOEXCEPTION", "-I", ROOT / "core/include", "-I", ROOT / "core/src",
         HERE / "residuals.cpp", build / "libtraintally.a", "-o", build / "residuals"],
        check=True,
    )
    return build / "residuals", build / "catalog.json"


class Predictor:
    """The native program with the scenarios loaded: rows and constants in, predictions out."""

    def __init__(self, program, catalog, scenarios, names):
        self.process = subprocess.Popen([program, catalog, scenarios, *names], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        head = json.loads(self.process.stdout.readline())
        self.refused = head["refused"]
        self.kinds = head["kinds"]  # of configuration, for time and for memory

    def __call__(self, rows, constants):
        records = numpy.concatenate([rows[:, None].astype(float), constants], axis=1)
        out = numpy.empty((len(rows), 4))
        for begin in range(0, len(rows), 4096):
            part = numpy.ascontiguousarray(records[begin : begin + 4096])
            self.process.stdin.write(numpy.array([float(len(part))]).tobytes() + part.tobytes())
            self.process.stdin.flush()
            out[begin : begin + len(part)] = numpy.frombuffer(self.process.stdout.read(len(part) * 32)).reshape(-1, 4)
        return out


class Figure:
    """One measured figure of one row."""

    def __init__(self, index, kind, value, entry, owner):
        self.index, self.kind, self.value, self.entry, self.owner = index, kind, value, entry, owner
        self.complete = not entry.assumed(kind)


def lineages(catalog):
    """For each level, every id of it with its ids at the levels above."""
    document = json.loads(Path(catalog).read_text(encoding="utf-8"))
    out = {level: {} for level in LEVELS}
    out["defaults"]["-"] = {}
    for gpu in document["gpus"]:
        architecture = gpu.get("architecture", gpu["id"])
        out["architectures"][architecture] = {"defaults": "-"}
        out["gpus"][gpu["id"]] = {"defaults": "-", "architectures": architecture}
    for stack in document["stacks"]:
        out["families"][stack["family"]] = {"defaults": "-"}
        out["stacks"][stack["id"]] = {"defaults": "-", "families": stack["family"]}
    return out


def figures(entries, scenarios, lineage, refused):
    """Every comparable figure, and who its row belongs to at each level."""
    out = []
    for index, (entry, scenario) in enumerate(zip(entries, scenarios)):
        if refused[index]:
            continue
        gpu = scenario["cluster"]["gpu"]
        gpu = gpu["base"] if isinstance(gpu, dict) else gpu
        stack = scenario["training"]["stack"]
        owner = {**lineage["gpus"][gpu], **lineage["stacks"][stack], "gpus": gpu, "stacks": stack}
        step = cases.measured_step(entry)
        if step and harness.usable(entry, "time"):
            out.append(Figure(index, "time", step, entry, owner))
        for kind, gib in entry.case.measured.get("memory", {}).items():
            if harness.usable(entry, kind):
                out.append(Figure(index, kind, gib * GIB, entry, owner))
    return out


class Slots:
    """The values to fit: one for each constant, level and id with enough rows or with an expectation of its own,
    each with its parent and with what is expected of it: its parent's value times the ratio of their starts."""

    def __init__(self, table, chosen, lineage):
        self.keys, self.constants, self.parents, self.expected = [], [], [], []
        counts = collections.Counter((level, f.owner[level]) for f in chosen for level in LEVELS)
        for constant in table:
            above = {}
            for level in constant.levels:
                for name, owner in sorted(lineage[level].items()):
                    if counts[level, name] < parameters.ENOUGH[level] and name not in constant.starts:
                        continue
                    parent = next(
                        (above[l, owner[l]] for l in reversed(LEVELS[: LEVELS.index(level)]) if (l, owner.get(l)) in above), None
                    )
                    above[level, name] = len(self.keys)
                    self.keys.append((constant.name, level, name))
                    self.constants.append(constant)
                    self.parents.append(parent)
                    inherited = math.log(constant.start) if parent is None else self.expected[parent]
                    own = constant.starts.get(name)
                    self.expected.append(inherited if own is None else math.log(own))
        self.at = {key: i for i, key in enumerate(self.keys)}
        self.start = numpy.array(self.expected)
        self.low = numpy.log([c.low for c in self.constants])
        self.high = numpy.log([c.high for c in self.constants])

    def of(self, table, figure):
        """For each constant, the slot that decides it for a figure; -1: none, its start counts."""
        out = []
        for constant in table:
            slot = -1
            for level in LEVELS:
                slot = self.at.get((constant.name, level, figure.owner[level]), slot)
            out.append(slot)
        return out


def minimum(residuals, jacobian, x, low, high, outlier, evaluations):
    """Where the sum of 2 (sqrt(1 + r²/s²) - 1), s = outlier, is least within bounds: steps of Gauss and Newton on
    reweighted residuals, damped where one doesn't help (Levenberg and Marquardt)."""
    def cost(r):
        return numpy.sum(numpy.sqrt(1 + (r / outlier) ** 2) - 1)

    x = numpy.clip(x, low, high)
    r = residuals(x)
    best, damping = cost(r), 1e-3
    for _ in range(evaluations):
        slope = jacobian(x)
        weights = 1 / numpy.sqrt(1 + (r / outlier) ** 2)
        gradient = slope.T @ (weights * r)
        # What lies at a bound and would leave it stays.
        free = ~(((x <= low) & (gradient > 0)) | ((x >= high) & (gradient < 0)))
        normal = (slope[:, free] * weights[:, None]).T @ slope[:, free]
        before = best
        while damping < 1e4:
            moved = x.copy()
            system = normal + damping * numpy.diag(numpy.diag(normal))
            moved[free] -= numpy.linalg.solve(system, gradient[free])
            moved = numpy.clip(moved, low, high)
            r_moved = residuals(moved)
            if (found := cost(r_moved)) < best:
                x, r, best, damping = moved, r_moved, found, damping / 5
                break
            damping *= 5
        if before - best < CONVERGED * best:
            break
    return x


class Fit:
    """The constants of a subject, time or memory, fitted to figures."""

    def __init__(self, predictor, subject, chosen, names, lineage):
        self.predict_batch, self.table, self.names = predictor, parameters.TABLES[subject], names
        self.outlier = OUTLIER[subject]
        self.chosen = chosen
        self.slots = Slots(self.table, chosen, lineage)
        self.columns = [names.index(c.name) for c in self.table]
        sources = collections.Counter(f.entry.source for f in chosen)
        # A source of n rows counts as n^0.3, so that a large one doesn't decide alone; one of a hundred
        # as ten. What is assumed counts half.
        self.weights = numpy.array(
            [100**0.1 * (sources[f.entry.source] ** -0.35) * (1 if f.complete else 0.7) for f in chosen]
        )

    def slots_of(self, chosen):
        return numpy.array([self.slots.of(self.table, f) for f in chosen])

    def values(self, x, slots):
        """Constants of each figure: the fitted ones from their slots, the rest from their starts."""
        base = numpy.array([c.start for t in parameters.TABLES.values() for c in t])
        out = numpy.tile(base, (len(slots), 1))
        fitted = numpy.exp(numpy.append(x, 0))
        for k, column in enumerate(self.columns):
            known = slots[:, k] >= 0
            out[known, column] = fitted[slots[known, k]]
        return out

    def predict(self, x, chosen):
        values = self.values(x, self.slots_of(chosen))
        rows = numpy.array([f.index for f in chosen])
        kinds = numpy.array([COLUMN[f.kind] for f in chosen])
        return self.predict_batch(rows, values)[numpy.arange(len(chosen)), kinds]

    def solve(self, first=None, evaluations=25):
        rows = numpy.array([f.index for f in self.chosen])
        kinds = numpy.array([COLUMN[f.kind] for f in self.chosen])
        measured = numpy.array([f.value for f in self.chosen])
        n, size = len(self.chosen), len(self.slots.keys)
        slots = self.slots_of(self.chosen)
        # Which figures feel which slot: the Jacobian needs only those.
        felt_row, felt_constant = numpy.nonzero(slots >= 0)
        felt_slot = slots[felt_row, felt_constant]
        felt_column = numpy.array(self.columns)[felt_constant]
        parents = self.slots.parents
        has_parent = numpy.array([p is not None for p in parents])
        parent_of = numpy.array([0 if p is None else p for p in parents])
        pull = numpy.array(
            [
                self.outlier / (c.prior * (1 if level == c.levels[0] else c.inherits))
                for (_, level, _), c in zip(self.slots.keys, self.slots.constants)
            ]
        )

        def errors(x):
            values = self.values(x, slots)
            return numpy.log(self.predict_batch(rows, values)[numpy.arange(n), kinds] / measured)

        def residuals(x):
            expected = self.slots.start + numpy.where(has_parent, x[parent_of] - self.slots.start[parent_of], 0)
            prior = (x - expected) * pull
            return numpy.concatenate([errors(x) * self.weights, prior])

        def jacobian(x):
            base = errors(x)
            values = self.values(x, slots)
            moved = values[felt_row]
            moved[numpy.arange(len(felt_row)), felt_column] *= numpy.exp(STEP)
            out = self.predict_batch(rows[felt_row], moved)[numpy.arange(len(felt_row)), kinds[felt_row]]
            slope = (numpy.log(out / measured[felt_row]) - base[felt_row]) / STEP * self.weights[felt_row]
            full = numpy.zeros((n + size, size))
            numpy.add.at(full, (felt_row, felt_slot), slope)
            for i, parent in enumerate(parents):
                full[n + i, i] += pull[i]
                if parent is not None:
                    full[n + i, parent] -= pull[i]
            return full

        guess = self.slots.start.copy()
        if first is not None:
            guess = numpy.array([first.get(k, v) for k, v in zip(self.slots.keys, guess)])
        self.x = minimum(residuals, jacobian, guess, self.slots.low, self.slots.high, self.outlier, evaluations)
        return self

    def found(self):
        return dict(zip(self.slots.keys, self.x))

    def ratios(self, chosen):
        return self.predict(self.x, chosen) / numpy.array([f.value for f in chosen])


def by_source(chosen, ratios):
    table = collections.defaultdict(list)
    for figure, ratio in zip(chosen, ratios):
        table[figure.entry.source, figure.kind, figure.complete].append(float(ratio))
    return table


def show(fitted, left_out):
    for key in sorted(fitted, key=str):
        source, kind, complete = key
        line = f"  {source:28s} {kind:9s} {'complete' if complete else 'assumed ':8s}"
        for ratios in (fitted[key], left_out.get(key)):
            if ratios:
                s = stats.summary(ratios)
                line += f" | n={s['rows']:4d} mean {s['mean']:6.1%} median {s['median']:6.1%} bias {s['bias']:+6.1%} p90 {s['p90']:6.1%}"
        print(line)


FIGURES = {"time": ("time",), "memory": ("allocated", "reserved", "device")}


def residuals_of(left_out, everything, kinds):
    """The left-out figures as residuals, by subject: each with its kind, and with whether the other
    sources measured its GPU and its stack."""
    others, out = {}, {subject: [] for subject in FIGURES}
    for figure, ratio in left_out:
        subject = "time" if figure.kind == "time" else "memory"
        key = figure.entry.source, subject
        if key not in others:
            rest = [f for f in everything if f.entry.source != key[0] and (f.kind == "time") == (subject == "time")]
            others[key] = {f.owner["gpus"] for f in rest}, {f.owner["stacks"] for f in rest}
        gpus, stacks = others[key]
        # A card's memory holds what the stack puts there.
        gpu, stack = subject == "memory" or figure.owner["gpus"] in gpus, figure.owner["stacks"] in stacks
        status = spreads.STATUSES[(0 if stack else 1) + (0 if gpu else 2)]
        kind = kinds[figure.index][FIGURES[subject] != ("time",)]
        out[subject].append(spreads.Residual(figure.entry.source, figure.kind, kind, status, figure.complete, ratio))
    return out


def ranges(everything):
    """What the measured runs span."""
    scenarios = [f.entry.case.scenario for f in everything if f.kind == "time"]
    spans = {
        "sequence_length": [s["training"]["sequence_length"] for s in scenarios],
        "gpus": [s["cluster"]["count"] for s in scenarios],
    }
    return {name: {"low": min(values), "high": max(values)} for name, values in spans.items()}


def document(fits, tables, measured, everything):
    """The form that the catalogue loads."""
    out = {"defaults": {}, "architectures": {}, "gpus": {}, "families": {}, "stacks": {}}
    for fit in fits:
        for (name, level, owner), value in zip(fit.slots.keys, numpy.exp(fit.x)):
            place = out["defaults"] if level == "defaults" else out[level].setdefault(owner, {})
            place[name] = float(f"{value:.4g}")
    for level in ("gpus", "stacks"):
        for name in measured[level]:
            out[level].setdefault(name, {})
    return {
        "about": "Constants fitted to published measurements by tests/accuracy/calibrate.py; see there what each means.",
        "calibration": {
            **out,
            "spreads": tables,
            "ranges": ranges(everything),
            # Constants of their own that no row had a say in: expected of the id, or of what it is like.
            "unmeasured": sorted(name for level in ("gpus", "stacks") for name in out[level] if name not in measured[level]),
            "measured_methods": sorted({f.entry.case.scenario["training"]["kind"] for f in everything}),
        },
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--program", nargs=2, help="a built residuals program and a merged catalogue")
    parser.add_argument("--evaluations", type=int, default=25)
    args = parser.parse_args()

    program, catalog = args.program or build_program()
    entries = cases.to_fit()
    scenarios, _ = harness.prepare(entries)
    path = ROOT / "build/accuracy/scenarios.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", encoding="utf-8") as handle:
        for entry, scenario in zip(entries, scenarios):
            handle.write(json.dumps({"scenario": scenario, "last_stage": bool(entry.case.measured.get("last_stage"))}) + "\n")
    names = [c.name for t in parameters.TABLES.values() for c in t]
    predictor = Predictor(program, catalog, path, names)
    lineage = lineages(catalog)
    everything = figures(entries, scenarios, lineage, predictor.refused)
    refused = [r for r in predictor.refused if r]
    if refused:
        print(f"{len(refused)} scenarios refused, as {refused[0]}")

    fits, fitted_table, left_table, all_left = [], {}, {}, []
    for subject in parameters.TABLES:
        chosen = [f for f in everything if (f.kind == "time") == (subject == "time")]
        began = time.monotonic()
        fit = Fit(predictor, subject, chosen, names, lineage).solve(evaluations=args.evaluations)
        fits.append(fit)
        fitted_table |= by_source(chosen, fit.ratios(chosen))
        print(f"{subject}: {len(fit.slots.keys)} constants, {len(chosen)} figures, {time.monotonic() - began:.0f} s", flush=True)
        if args.quick:
            continue
        for source in sorted({f.entry.source for f in chosen}):
            rest = [f for f in chosen if f.entry.source != source]
            out = [f for f in chosen if f.entry.source == source]
            partial = Fit(predictor, subject, rest, names, lineage).solve(evaluations=12)  # knows nothing of the fit above
            ratios = partial.ratios(out)
            left_table |= by_source(out, ratios)
            all_left += list(zip(out, ratios))
    show(fitted_table, left_table)
    for name, low, high, value in (
        (key, c.low, c.high, v) for fit in fits for key, c, v in zip(fit.slots.keys, fit.slots.constants, numpy.exp(fit.x))
    ):
        if value < low * 1.01 or value > high * 0.99:
            print(f"  at its bound: {name} {value:.4g}")
    if args.quick:
        return 0

    tables, covered, totals = {}, {}, {}
    by_subject = residuals_of(all_left, everything, predictor.kinds)
    for subject, residuals in by_subject.items():
        tables |= spreads.table(residuals, FIGURES[subject])
        shares, totals[subject] = spreads.coverage(residuals)
        covered |= shares
    rows_of = sum(t["rows"] for t in totals.values())
    totals["all"] = {
        "rows": rows_of,
        "inside": sum(t["inside"] * t["rows"] for t in totals.values()) / rows_of,
    }
    measured = {
        "gpus": sorted({f.owner["gpus"] for f in everything}),
        "stacks": sorted({f.owner["stacks"] for f in everything}),
    }
    text = json.dumps(document(fits, tables, measured, everything), indent=1)
    (ROOT / "core/catalog/calibration.json").write_text(text + "\n", encoding="utf-8")
    rows = []
    for key in sorted(fitted_table, key=str):
        source, kind, complete = key
        rows.append({
            "key": f"{source}/{kind}/{'complete' if complete else 'incomplete'}", "source": source, "kind": kind, "complete": complete,
            "fitted": stats.summary(fitted_table[key]), "left_out": stats.summary(left_table[key]) if key in left_table else None,
            "covered": covered.get(key),
        })
    (HERE / "results/loso.json").write_text(json.dumps({"sources": rows, "coverage": totals}, indent=1) + "\n", encoding="utf-8")
    for figure, entry in tables.items():
        print(f"{figure}: " + ", ".join(f"{status} x{entry[status]}" for status in spreads.STATUSES))
        for kind, s in entry["kinds"].items():
            print(f"  {kind:18s} {s['low']:.3f} to {s['high']:.3f}, {s['rows']} rows of {s['sources']} sources")
    for (source, figure, complete), share in covered.items():
        print(f"  {source:28s} {figure:9s} {'complete' if complete else 'assumed ':8s} {share:6.1%} inside spreads taken without it")
    for subject, total in totals.items():
        print(f"{subject}: {total['inside']:.1%} of {total['rows']} rows inside, " + (f"{total['inside_by_source']:.1%} by source" if "inside_by_source" in total else ""))
    return 0


if __name__ == "__main__":
    sys.exit(main())
