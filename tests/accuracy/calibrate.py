#!/usr/bin/env python3
"""Fits the constants of parameters.py to the measured step times and memory, and says how well they
predict sources that were left out.

    calibrate.py            fit, write core/catalog/calibration.json and results/loso.json
    calibrate.py --quick    fit only, print errors, write nothing
    calibrate.py --memory   fit the stacks' memory habits too and print them

Needs numpy and scipy, and the program built from residuals.cpp.
"""
import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

import numpy
from scipy.optimize import least_squares

import cases
import harness
import parameters
import stats

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
GIB = 2**30
KIND_COLUMN = {"time": 0, "allocated": 1, "reserved": 2, "device": 3}
# A residual of this size (in log) counts as an outlier and is pulled less.
OUTLIER = 0.15
# A prior on every constant: how far, in log, it may lie from its start at the price of one row.
PRIOR = 1.5
# An override's prior is its own level above, held more tightly.
OVERRIDE = 0.5


class Model:
    """The native program with the scenarios loaded: constants in, predictions out."""

    def __init__(self, program, catalog, scenarios):
        self.process = subprocess.Popen(
            [program, catalog, scenarios], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.refused, self.count = 0, None
        while self.count is None:
            line = self.process.stderr.readline().decode()
            if not line:
                raise SystemExit("the residuals program died")
            if line.startswith("ready "):
                self.count = int(line.split()[1])
            elif line.startswith("refused"):
                self.refused += 1

    def predict(self, commands):
        text = "clear\n" + "".join(f"{c}\n" for c in commands) + "run\n"
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()
        size = self.count * 4 * 8
        data = self.process.stdout.read(size)
        if len(data) != size:
            raise SystemExit("the residuals program stopped: " + self.process.stderr.read().decode())
        return numpy.frombuffer(data).reshape(self.count, 4)


def build_program():
    """Configures and builds the core's library, and the program beside it."""
    build = ROOT / "build/accuracy"
    subprocess.run(
        ["cmake", "-G", "Ninja", "-S", ROOT, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O2"],
        check=True, stdout=subprocess.DEVNULL,
    )
    subprocess.run(["nice", "ninja", "-j2", "-C", build, "traintally", "catalog.json"], check=True, stdout=subprocess.DEVNULL)
    program, source = build / "residuals", HERE / "residuals.cpp"
    library = build / "libtraintally.a"
    if not program.exists() or program.stat().st_mtime < max(source.stat().st_mtime, library.stat().st_mtime):
        subprocess.run(
            ["g++", "-std=c++20", "-O2", "-fno-exceptions", "-fno-rtti", "-DJSON_NOEXCEPTION", "-I", ROOT / "core/include",
             "-I", ROOT / "core/src", source, library, "-o", program],
            check=True,
        )
    return program, build / "catalog.json"


class Data:
    """Rows to fit: index of the scenario, measured value, kind, source, and who they belong to."""

    def __init__(self, entries, scenarios, catalog):
        with open(catalog, encoding="utf-8") as handle:
            document = json.load(handle)
        architectures = {g["id"]: g.get("architecture", g["id"]) for g in document["gpus"]}
        families = {s["id"]: s["family"] for s in document["stacks"]}
        self.rows = []
        for index, (entry, scenario) in enumerate(zip(entries, scenarios)):
            gpu = scenario["cluster"]["gpu"]
            gpu = gpu["base"] if isinstance(gpu, dict) else gpu
            stack = scenario["training"]["stack"]
            owner = {
                "defaults": "-", "architectures": architectures[gpu], "gpus": gpu,
                "families": families[stack], "stacks": stack,
            }
            figures = []
            step = cases.measured_step(entry)
            if step and harness.usable(entry, "time"):
                figures.append(("time", step))
            for kind, gib in entry.case.measured.get("memory", {}).items():
                if harness.usable(entry, kind):
                    figures.append((kind, gib * GIB))
            for kind, value in figures:
                self.rows.append((index, kind, value, entry, owner))

    def of(self, kinds, without=None):
        return [r for r in self.rows if r[1] in kinds and r[3].source != without]


class Fit:
    """One choice of constants to fit on some rows."""

    def __init__(self, rows):
        self.rows = rows
        self.slots = []  # (constant, level, id)
        counts = {}
        for row in rows:
            for level, name in row[4].items():
                counts[level, name] = counts.get((level, name), 0) + 1
        for constant in parameters.TABLE:
            for position, level in enumerate(constant.levels):
                for (at, name), count in sorted(counts.items()):
                    if at == level and count >= parameters.ENOUGH.get(level, 1):
                        self.slots.append((constant, level, name, position))
        self.sources = {}
        for row in rows:
            self.sources[row[3].source] = self.sources.get(row[3].source, 0) + 1

    def start(self):
        return numpy.log([s[0].start for s in self.slots])

    def bounds(self):
        return numpy.log([s[0].low for s in self.slots]), numpy.log([s[0].high for s in self.slots])

    def parents(self):
        """For each override, the slot of the level before it that covers most of its rows, or None."""
        at = {(s[0].name, s[1], s[2]): i for i, s in enumerate(self.slots)}
        out = []
        for constant, level, name, position in self.slots:
            parent = None
            if position > 0:
                above = constant.levels[position - 1]
                votes = {}
                for row in self.rows:
                    if row[4][level] == name:
                        votes[row[4][above]] = votes.get(row[4][above], 0) + 1
                best = max(votes, key=votes.get)
                parent = at.get((constant.name, above, best))
            out.append(parent)
        return out

    def commands(self, x):
        return [f"set\t{level}\t{name}\t{constant.name}\t{value:.10g}" for (constant, level, name, _), value in zip(self.slots, numpy.exp(x))]

    def weights(self):
        """A source of n rows counts as about the square root of n rows."""
        return numpy.array([self.sources[r[3].source] ** -0.25 for r in self.rows])

    def solve(self, model, first=None, evaluations=40):
        index = numpy.array([r[0] for r in self.rows])
        column = numpy.array([KIND_COLUMN[r[1]] for r in self.rows])
        measured = numpy.array([r[2] for r in self.rows])
        weights = self.weights()
        start, parents = self.start(), self.parents()
        low, high = self.bounds()

        def residuals(x):
            predicted = model.predict(self.commands(x))[index, column]
            error = numpy.log(predicted / measured)
            error = numpy.where(numpy.isfinite(error), error, 0)
            # Robust in the errors, quadratic in the prior.
            robust = numpy.sign(error) * OUTLIER * numpy.sqrt(2 * (numpy.sqrt(1 + (error / OUTLIER) ** 2) - 1))
            prior = numpy.empty(len(x))
            for i, parent in enumerate(parents):
                prior[i] = (x[i] - (start[i] if parent is None else x[parent])) * (OUTLIER / (PRIOR if parent is None else OVERRIDE))
            return numpy.concatenate([robust * weights, prior])

        guess = start if first is None else numpy.array([first.get((s[0].name, s[1], s[2]), v) for s, v in zip(self.slots, start)])
        guess = numpy.clip(guess, low + 1e-6, high - 1e-6)
        result = least_squares(residuals, guess, bounds=(low, high), max_nfev=evaluations, diff_step=1e-3, x_scale="jac")
        self.x = result.x
        return result

    def values(self):
        return {(s[0].name, s[1], s[2]): v for s, v in zip(self.slots, self.x)}


def errors(model, fit, rows):
    """predicted over measured of rows."""
    predicted = model.predict(fit.commands(fit.x))
    return [predicted[r[0], KIND_COLUMN[r[1]]] / r[2] for r in rows]


def by_source(rows, ratios):
    table = {}
    for row, ratio in zip(rows, ratios):
        if numpy.isfinite(ratio):
            table.setdefault((row[3].source, row[1], row[3].complete), []).append(ratio)
    return table


def show(table, title):
    print(title)
    for (source, kind, complete), ratios in table.items():
        s = stats.summary(ratios)
        print(
            f"  {source:28s} {kind:9s} {'complete' if complete else 'assumed ':8s} n={s['rows']:5d} mean {s['mean']:6.1%}"
            f" median {s['median']:6.1%} bias {s['bias']:+6.1%} p90 {s['p90']:6.1%}"
        )


def calibration_document(fit, left_out):
    """The form that the catalogue loads."""
    out = {"defaults": {}, "architectures": {}, "gpus": {}, "families": {}, "stacks": {}}
    for (constant, level, name, _), value in zip(fit.slots, numpy.exp(fit.x)):
        place = out["defaults"] if level == "defaults" else out[level].setdefault(name, {})
        place[constant.name] = float(f"{value:.5g}")
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--evaluations", type=int, default=30)
    parser.add_argument("--dump", type=Path, help="write the fitted constants there")
    args = parser.parse_args()

    program, catalog = build_program()
    sources = cases.load()
    entries = [e for s in sources for e in s.entries]
    scenarios, _ = harness.prepare(entries)
    path = ROOT / "build/accuracy/scenarios.jsonl"
    with open(path, "w", encoding="utf-8") as handle:
        for entry, scenario in zip(entries, scenarios):
            handle.write(json.dumps({"scenario": scenario, "measured": {k: True for k in entry.case.measured if k == "last_stage"}}) + "\n")
    model = Model(program, catalog, path)
    data = Data(entries, scenarios, catalog)

    started = time.monotonic()
    rows = data.of(("time",))
    fit = Fit(rows)
    fit.solve(model, evaluations=args.evaluations)
    show(by_source(rows, errors(model, fit, rows)), f"fitted ({len(fit.slots)} constants, {time.monotonic() - started:.0f} s)")
    if args.dump:
        args.dump.write_text(json.dumps(calibration_document(fit, None), indent=1), encoding="utf-8")
        with open(args.dump.with_suffix(".commands"), "w", encoding="utf-8") as handle:
            handle.write("\n".join(fit.commands(fit.x)) + "\nrun\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
