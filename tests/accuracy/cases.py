"""All cases of all sources, as one list, with what each row says about itself."""
from dataclasses import dataclass, field

from mapping import base, is_fitted, modules


@dataclass
class Entry:
    """One mapped row and, once answered, what the core predicts for it."""

    id: str
    source: str
    cite: str
    trust: str
    flagged: bool
    case: base.Case
    prediction: dict = field(default_factory=dict)

    @property
    def complete(self):
        return not self.case.assumed

    def assumed(self, kind):
        """What is assumed that a figure of this kind depends on."""
        return self.case.assumed + (self.case.assumed_for_time if kind == "time" else [])

    @property
    def tags(self):
        """What a reader needs to see why this row may be off."""
        s = self.case.scenario
        t, lay, cluster = s["training"], s["layout"], s["cluster"]
        gpu = cluster["gpu"]
        tags = [
            f"{cluster['count']}x{gpu['base'] if isinstance(gpu, dict) else gpu}",
            t["stack"],
            t["kind"],
            t["precision"],
            f"recompute={t['recompute']}",
            f"s={t['sequence_length']}",
            f"b={t['micro_batch']}",
            f"B={t['global_batch']}",
        ]
        model = s["model"]
        tags.insert(0, model if isinstance(model, str) else f"L{model.get('layers')}h{model.get('hidden')}")
        tags += [f"{k}={lay[k]}" for k in ("tp", "pp", "cp", "ep", "virtual_stages") if lay.get(k, 1) > 1]
        tags.append(f"zero={lay['zero']}")
        if lay.get("offload", "none") != "none":
            tags.append(f"offload={lay['offload']}")
        return tags


@dataclass
class Source:
    name: str
    rows: int
    entries: list
    skipped: dict  # reason -> row ids
    fitted: bool  # whether the fit and the intervals rest on it


def load(only=None):
    """Every source's rows: mapped, or skipped with the reason."""
    sources = []
    for module in modules():
        if only and only not in module.SOURCE:
            continue
        rows, entries, skipped = base.read(module.SOURCE), [], {}
        for row in rows:
            outcome = module.map_row(row)
            if isinstance(outcome, base.Skip):
                skipped.setdefault(outcome.reason, []).append(row["id"])
                continue
            entries.append(
                Entry(row["id"], module.SOURCE, row["cite"], row["trust"], bool(row.get("flag")), outcome)
            )
        sources.append(Source(module.SOURCE, len(rows), entries, skipped, is_fitted(module)))
    return sources


def to_fit():
    """The rows that the constants and the intervals may rest on."""
    return [entry for source in load() if source.fitted for entry in source.entries]


def measured_step(entry):
    """Seconds of an optimizer step as measured, or as the measured tokens/s/GPU imply."""
    m = entry.case.measured
    if "step_s" in m:
        return m["step_s"]
    if "tokens_s_gpu" in m:
        s = entry.case.scenario
        tokens = s["training"]["global_batch"] * s["training"]["sequence_length"]
        return tokens / (m["tokens_s_gpu"] * s["cluster"]["count"])
    return None
