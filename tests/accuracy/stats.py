"""Small statistics on ratios of predicted to measured."""
import math


def quantile(values, q):
    """Linear interpolation between order statistics; values need not be sorted."""
    ordered = sorted(values)
    if not ordered:
        return None
    at = q * (len(ordered) - 1)
    low = math.floor(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)


UNDER = 0.95  # predicted over measured below which a row counts as told too little


def summary(ratios):
    """Errors of predicted/measured ratios, as fractions."""
    errors = [r - 1 for r in ratios]
    absolute = [abs(e) for e in errors]
    return {
        "rows": len(ratios),
        "mean": sum(absolute) / len(absolute),
        "median": quantile(absolute, 0.5),
        "bias": sum(errors) / len(errors),
        "p90": quantile(absolute, 0.9),
        "under": sum(r < UNDER for r in ratios) / len(ratios),
    }
