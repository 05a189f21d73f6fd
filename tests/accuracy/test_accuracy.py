"""Tests of the accuracy tools themselves: mapping, statistics, checks, the measuring kit. No GPU, no
built core."""
import csv
import os
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "measure"))

import cases
import grid
import harness
import measure
import rows
import stats
import user_reports
from mapping import REPORTED_ONLY, base, stacks

SOURCES = cases.load()
ENTRIES = [e for s in SOURCES for e in s.entries]


class Mapping(unittest.TestCase):
    def test_every_row_is_mapped_or_named(self):
        for source in SOURCES:
            skipped = sum(len(ids) for ids in source.skipped.values())
            self.assertEqual(len(source.entries) + skipped, source.rows, source.name)

    def test_all_sources_are_mapped(self):
        files = {p.stem for p in (HERE / "sources").glob("*.csv")} | {"contributed"}
        self.assertEqual(files, {s.name for s in SOURCES})

    def test_layout_fills_the_cluster(self):
        for entry in ENTRIES:
            lay = entry.case.scenario["layout"]
            product = lay["tp"] * lay["pp"] * lay["cp"] * lay["dp"]
            self.assertEqual(product, entry.case.scenario["cluster"]["count"], entry.id)

    def test_batch_is_whole_micro_batches(self):
        for entry in ENTRIES:
            t, lay = entry.case.scenario["training"], entry.case.scenario["layout"]
            self.assertEqual(t["global_batch"] % (t["micro_batch"] * lay["dp"]), 0, entry.id)

    def test_every_stack_is_known(self):
        for entry in ENTRIES:
            self.assertIn(entry.case.scenario["training"]["stack"], stacks.STACKS, entry.id)

    def test_every_entry_measures_something(self):
        for entry in ENTRIES:
            m = entry.case.measured
            self.assertTrue("step_s" in m or "tokens_s_gpu" in m or "memory" in m or "verdict" in m, entry.id)

    def test_step_time_and_rate_agree_where_both_are_printed(self):
        for entry in ENTRIES:
            m = entry.case.measured
            if "step_s" in m and "tokens_s_gpu" in m and not entry.case.incomparable:
                s = entry.case.scenario
                tokens = s["training"]["global_batch"] * s["training"]["sequence_length"]
                implied = tokens / (m["tokens_s_gpu"] * s["cluster"]["count"])
                self.assertAlmostEqual(implied / m["step_s"], 1, delta=0.06, msg=entry.id)

    def test_parameter_counts_of_explicit_shapes(self):
        """vTrain and llm-foundry print their models' sizes: the shapes must have them."""
        for row in base.read("mosaicml_llm_foundry")[:40]:
            depth, h, v, s = (row.int(k) for k in ("layers", "hidden", "vocab", "seq"))
            ours = depth * (12 * h * h + 13 * h) + v * h + s * h + 2 * h
            self.assertAlmostEqual(ours / row.int("params"), 1, delta=0.0005, msg=row["id"])

    def test_bloom_depths_follow_from_printed_work(self):
        from mapping import bloom

        row = next(r for r in base.read(bloom.SOURCE) if r["id"] == "bloom-092")
        hidden = base.Row(row)
        hidden["layers"] = ""
        self.assertEqual(bloom.layers(hidden), (72, True))


class ReportedOnly(unittest.TestCase):
    def test_never_enters_the_fit(self):
        only = {s.name for s in SOURCES if not s.fitted}
        self.assertEqual(len(only), len(REPORTED_ONLY))
        fitted = {e.source for e in cases.to_fit()}
        self.assertFalse(only & fitted)
        self.assertEqual(fitted, {s.name for s in SOURCES if s.fitted and s.entries})

    def test_the_calibration_takes_nothing_else(self):
        text = (HERE / "calibrate.py").read_text(encoding="utf-8")
        self.assertIn("entries = cases.to_fit()", text)
        self.assertNotIn("cases.load(", text)
        self.assertNotIn("base.read(", text)

    def test_no_calibration_came_from_it(self):
        loso = harness.load_json(HERE / "results/loso.json")
        only = {s.name for s in SOURCES if not s.fitted}
        self.assertFalse(only & {r["source"] for r in loso["sources"]})

    def test_a_worse_median_is_no_failure(self):
        row = {**row_of(0.5), "fitted": False}
        before = {"sources": [{"key": "x/time/complete", "median": 0.1, "reached": False, "rows": 10}]}
        self.assertTrue(harness.check([row], before, Checks.targets)[0][1])
        before["sources"][0]["rows"] = 11
        self.assertFalse(harness.check([row], before, Checks.targets)[0][1])


class Statistics(unittest.TestCase):
    def test_quantile_interpolates(self):
        self.assertEqual(stats.quantile([3, 1, 2], 0.5), 2)
        self.assertAlmostEqual(stats.quantile([0, 10], 0.9), 9)
        self.assertIsNone(stats.quantile([], 0.5))

    def test_summary(self):
        s = stats.summary([1.1, 0.9, 1.3])
        self.assertAlmostEqual(s["mean"], 0.5 / 3)
        self.assertAlmostEqual(s["median"], 0.1)
        self.assertAlmostEqual(s["bias"], 0.1)
        self.assertAlmostEqual(s["under"], 1 / 3)
        self.assertEqual(stats.summary([0.951, 1.2])["under"], 0)


def row_of(median, rows_=10):
    return {"source": "x", "kind": "time", "complete": True, "fitted": True, "median": median, "rows": rows_}


class Coverage(unittest.TestCase):
    def test_outside_the_promised_share_fails(self):
        for inside, passes in ((0.74, False), (0.8, True), (0.86, False)):
            result = harness.check_coverage({"coverage": {"time": {"inside": inside, "rows": 100}}})
            self.assertEqual([r[1] for r in result], [passes])
        self.assertFalse(harness.check_coverage(None)[0][1])


class Checks(unittest.TestCase):
    targets = {"medians": {}, "default": {"time": 0.05, "memory": 0.05}}

    def committed(self, median, reached, rows_=10):
        return {"sources": [{"key": "x/time/complete", "median": median, "reached": reached, "rows": rows_}]}

    def verdict(self, now, before):
        return harness.check([now], before, self.targets)[0][1]

    def test_within_tolerance_passes(self):
        self.assertTrue(self.verdict(row_of(0.105), self.committed(0.10, False)))

    def test_worse_fails(self):
        self.assertFalse(self.verdict(row_of(0.12), self.committed(0.10, False)))

    def test_lost_target_fails(self):
        self.assertFalse(self.verdict(row_of(0.053), self.committed(0.049, True)))

    def test_fewer_rows_fail(self):
        self.assertFalse(self.verdict(row_of(0.02, 5), self.committed(0.02, True, 10)))

    def test_vanished_source_fails(self):
        results = harness.check([], self.committed(0.02, True), self.targets)
        self.assertEqual([r[1] for r in results], [False])

    def test_user_report_judgement(self):
        report = {
            "memory": {"fits": True, "usable": 24 * 2**30, "device_peak": {"value": 20 * 2**30}},
            "time": {"step": {"value": 2.0}, "tokens_per_second_per_gpu": {"value": 1000}},
        }
        self.assertEqual(user_reports.judge({"verdict": "fits", "step_s": [1, 3]}, report), [])
        self.assertEqual(len(user_reports.judge({"verdict": "oom"}, report)), 1)
        self.assertEqual(len(user_reports.judge({"memory_gib": [21, 23], "memory_kind": "device"}, report)), 1)
        self.assertEqual(len(user_reports.judge({}, {"problems": [{"at": "/model", "code": "unknown_model"}]})), 1)


def fake_worker(point):
    if point["model"] == "7b" and point["method"] == "full":
        return {"outcome": "oom", "gpu": "NVIDIA GeForce RTX 4090", "torch": "2.5"}
    if point["attention"] == "flash":
        return {"outcome": "skipped", "reason": "flash_attn is not installed"}
    return {
        "outcome": "ok", "gpu": "NVIDIA GeForce RTX 4090", "gpu_memory_gib": 23.6, "torch": "2.5",
        "allocated_gib": 10.0, "reserved_gib": 11.0, "device_gib": 11.6, "context_gib": 0.6, "step_s": 0.5,
    }


class MeasuringKit(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "rows.csv")

    def tearDown(self):
        self.folder.cleanup()

    def measure(self, minutes, now):
        return measure.measure(self.path, minutes, fake_worker, now, say=lambda text: None)

    def clock(self, step):
        state = [0.0]

        def now():
            state[0] += step
            return state[0]

        return now

    def test_grid_has_no_point_twice_and_all_methods_early(self):
        points = grid.grid()
        self.assertEqual(len({p["id"] for p in points}), len(points))
        self.assertEqual({p["method"] for p in points[:6]}, set(grid.METHODS))
        self.assertGreater(len(points), 100)

    def test_grid_counts_parameters(self):
        self.assertEqual(grid.parameters(grid.point("1.1b", "full")), 1100048384)
        self.assertEqual(grid.parameters(grid.point("8b", "full")), 8030261248)

    def test_a_run_that_is_cut_goes_on(self):
        first = self.measure(1, self.clock(10))
        self.assertGreater(first, 0)
        self.measure(1000, self.clock(0.001))
        ids = [r["id"] for r in rows.read(self.path)]
        self.assertEqual(len(set(ids)), len(ids))
        skipped = sum(p["attention"] == "flash" for p in grid.grid())
        self.assertEqual(len(ids), len(grid.grid()) - skipped)

    def test_out_of_memory_is_a_row(self):
        self.measure(1000, self.clock(0.001))
        self.assertTrue(any(r["outcome"] == "oom" for r in rows.read(self.path)))

    def test_sound_rows_pass_and_edited_rows_do_not(self):
        self.measure(2, self.clock(1))
        good = rows.read(self.path)
        self.assertEqual(rows.problems(good), [])
        for column, value in (("seq", "4096"), ("allocated_gib", "12"), ("device_gib", "30"), ("outcome", "fine"), ("step_s", "0"), ("micro_batch", "-1")):
            bad = [dict(good[0], **{column: value})]
            self.assertNotEqual(rows.problems(bad), [], column)
        self.assertNotEqual(rows.problems([good[0], good[0]]), [])

    def test_rows_become_cases(self):
        from mapping import contributed

        self.measure(1000, self.clock(0.001))
        with open(self.path, encoding="utf-8") as handle:
            read = list(csv.DictReader(line for line in handle if not line.startswith("#")))
        mapped = [contributed.map_row(base.Row(r)) for r in read]
        self.assertFalse([m for m in mapped if isinstance(m, base.Skip)])
        ok = next(m for m in mapped if "memory" in m.measured)
        self.assertEqual(set(ok.measured["memory"]), {"allocated", "reserved", "device"})
        self.assertEqual(sum(m.measured.get("verdict") == "oom" for m in mapped), sum(r["outcome"] == "oom" for r in read))


if __name__ == "__main__":
    unittest.main()
