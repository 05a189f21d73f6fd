"""How far measured lies from predicted where the fit never saw the source: the intervals.

Each left-out residual belongs to a figure (time, or one count of memory), to a kind of configuration
(as the core names it) and to a status: whether the other sources measured its GPU and its stack. A
kind's spread is the central 80% of measured over predicted; what a few sources decide is drawn to what
all of the figure's do, and to an even one, since the next source may err to the other side. Then every
source in turn is tried on spreads taken without it: how far they must be widened to hold 80% of it, by
status, is the widening. Coverage is checked the same way once more, with the source left out of both.
"""
import collections

import numpy

CENTRAL = (0.1, 0.9)  # the shares of residuals below the interval's ends
HELD = 0.8
NARROWEST = 0.03  # an interval is never narrower: what rows leave open
STATUSES = ("measured", "borrowed_stack", "borrowed_gpu", "borrowed_both")
# Sources' worth of belief in the wider group (the figure, all figures of memory, all statuses).
SHARED = 2
# Sources' worth of belief in an even interval.
EVEN = 3
BORROWING = 1.05  # a relative's constants are never surer than one's own


class Residual:
    """Measured over predicted of one figure, less 1, where its source was left out of the fit."""

    def __init__(self, source, figure, kind, status, complete, ratio):
        self.source, self.figure, self.kind, self.status, self.complete = source, figure, kind, status, complete
        self.error = 1 / ratio - 1


def weights(group):
    """A source of n rows counts as the square root of n; what a source left out counts half."""
    rows = collections.Counter(r.source for r in group)
    return numpy.array([rows[r.source] ** -0.5 * (1 if r.complete else 0.5) for r in group])


def sources_in(group, weight):
    """How many sources of equal weight would decide as much."""
    totals = collections.Counter()
    for residual, w in zip(group, weight):
        totals[residual.source] += w
    return sum(totals.values()) ** 2 / sum(t * t for t in totals.values())


def quantile(values, weight, share):
    order = numpy.argsort(values)
    cumulated = numpy.cumsum(weight[order])
    at = numpy.searchsorted(cumulated, share * cumulated[-1])
    return float(values[order][min(at, len(values) - 1)])


def own_ends(group):
    """(low, high, sources) of one group, of measured over predicted less 1."""
    errors, weight = numpy.array([r.error for r in group]), weights(group)
    sources = sources_in(group, weight)
    even = quantile(numpy.where(errors > 0, errors, 1 / (1 + errors) - 1), weight, HELD)
    belief = sources / (sources + EVEN)
    low = belief * quantile(errors, weight, CENTRAL[0]) + (1 - belief) * (1 / (1 + even) - 1)
    high = belief * quantile(errors, weight, CENTRAL[1]) + (1 - belief) * even
    return min(low, -NARROWEST), max(high, NARROWEST), sources


def drawn(group, wider):
    """The ends of a group, drawn to those of the wider group."""
    low, high, sources = own_ends(group)
    belief = sources / (sources + SHARED)
    return belief * low + (1 - belief) * wider[0], belief * high + (1 - belief) * wider[1]


def grouped(residuals, name):
    out = collections.defaultdict(list)
    for residual in residuals:
        out[getattr(residual, name)].append(residual)
    return out


def ends_of(residuals):
    """(low, high) of each (figure, kind), and of each (figure, "all")."""
    every = own_ends(residuals)[:2]
    ends = {("all", "all"): every}
    for figure, of_figure in grouped(residuals, "figure").items():
        ends[figure, "all"] = drawn(of_figure, every)
        for kind, group in grouped(of_figure, "kind").items():
            ends[figure, kind] = drawn(group, ends[figure, "all"])
    return ends


def reach(residual, ends):
    """Which multiple of its spread a residual reaches."""
    keys = ((residual.figure, residual.kind), (residual.figure, "all"), ("all", "all"))
    low, high = next(ends[key] for key in keys if key in ends)
    return residual.error / (high if residual.error > 0 else low)


def widening_of(residuals):
    """For each status, the multiple of spreads taken without a source that holds 80% of it."""
    tried, reached = [], []
    for source, group in grouped(residuals, "source").items():
        rest = [r for r in residuals if r.source != source]
        if rest:
            ends = ends_of(rest)
            tried += group
            reached += [reach(r, ends) for r in group]
    if not tried:
        return dict.fromkeys(STATUSES, 1.0)
    reached, weight = numpy.array(reached), weights(tried)
    every = quantile(reached, weight, HELD)

    def of(status):
        chosen = [i for i, r in enumerate(tried) if r.status == status]
        if not chosen:
            return every
        group = [tried[i] for i in chosen]
        weight = weights(group)
        belief = sources_in(group, weight)
        belief /= belief + SHARED
        return belief * quantile(reached[chosen], weight, HELD) + (1 - belief) * every

    out = {"measured": min(of("measured"), every)}
    for status in ("borrowed_stack", "borrowed_gpu"):
        out[status] = max(of(status), out["measured"] * BORROWING)
    out["borrowed_both"] = max(of("borrowed_both"), out["borrowed_stack"], out["borrowed_gpu"])
    return out


def describe(group):
    weight = weights(group)
    predicted_over_measured = numpy.array([abs(1 / (1 + r.error) - 1) for r in group])
    return {
        "rows": len(group), "sources": len({r.source for r in group}),
        "median_error": round(quantile(predicted_over_measured, weight, 0.5), 4),
    }


def table(residuals, figures):
    """What the catalogue carries, of one group of figures."""
    ends, widening = ends_of(residuals), widening_of(residuals)
    by_figure = grouped(residuals, "figure")
    out = {}
    for figure in figures:
        of_figure = by_figure[figure]
        kinds = {"all": of_figure, **dict(sorted(grouped(of_figure, "kind").items()))}
        out[figure] = {
            **{status: round(value, 3) for status, value in widening.items()},
            "kinds": {
                kind: {"low": round(1 + ends[figure, kind][0], 3), "high": round(1 + ends[figure, kind][1], 3), **describe(group)}
                for kind, group in kinds.items()
            },
        }
    return out


def coverage(residuals):
    """Share of each source inside spreads and widening that never saw it, and of all rows."""
    held, by_source = {}, {}
    for source, group in sorted(grouped(residuals, "source").items()):
        rest = [r for r in residuals if r.source != source]
        if not rest:
            continue
        ends, widening = ends_of(rest), widening_of(rest)
        for residual in group:
            held[residual] = reach(residual, ends) <= widening[residual.status]
        for figure, of_figure in grouped(group, "figure").items():
            for complete in (True, False):
                inside = [held[r] for r in of_figure if r.complete == complete]
                if inside:
                    by_source[source, figure, complete] = sum(inside) / len(inside)
    weight = weights(list(held))
    inside = numpy.array(list(held.values()))
    return by_source, {"rows": len(held), "inside": float(inside.mean()), "inside_by_source": float((weight * inside).sum() / weight.sum())}
