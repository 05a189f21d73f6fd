"""Reading, checking and appending the kit's CSV files."""
import csv
import os

import grid

OUTCOMES = ("ok", "oom", "error", "skipped")
KINDS = ("allocated_gib", "reserved_gib", "device_gib")


def read(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(line for line in handle if not line.startswith("#")))


def append(path, row):
    """Adds one row and flushes it to disk: a run may be cut at any point."""
    new = not os.path.exists(path) or os.path.getsize(path) == 0
    with open(path, "a", encoding="utf-8", newline="") as handle:
        if new:
            handle.write("# source: contributed\n")
        writer = csv.DictWriter(handle, grid.COLUMNS, lineterminator="\n")
        if new:
            writer.writeheader()
        writer.writerow({c: row.get(c, "") for c in grid.COLUMNS})
        handle.flush()
        os.fsync(handle.fileno())


def number(row, name):
    try:
        return float(row.get(name) or "nan")
    except ValueError:
        return float("nan")


def problems(rows):
    """What is wrong with rows, each as (id, sentence). Empty when they can be used."""
    out, seen = [], set()
    for row in rows:
        name = row.get("id") or "?"

        def wrong(text):
            out.append((name, text))

        if name in seen:
            wrong("appears twice")
        seen.add(name)
        missing = [c for c in grid.COLUMNS if c not in row]
        if missing:
            wrong(f"lacks the columns {', '.join(missing)}")
            continue
        settings = {c: row[c] for c in grid.point("160m", "full") if c != "id"}
        for column in ("layers", "hidden", "heads", "kv_heads", "ffn", "vocab", "seq", "micro_batch"):
            if not row[column].isdigit() or int(row[column]) < 1:
                wrong(f"{column} is not a positive integer")
                break
            settings[column] = int(row[column])
        else:
            if row["rank"]:
                settings["rank"] = int(row["rank"])
            if grid.identity(settings) != name:
                wrong("id does not belong to its settings: a column was edited")
        if row["outcome"] not in OUTCOMES:
            wrong(f"outcome is not one of {', '.join(OUTCOMES)}")
        if row["method"] not in grid.METHODS:
            wrong(f"method is not one of {', '.join(grid.METHODS)}")
        if row["outcome"] != "ok":
            continue
        allocated, reserved, device = (number(row, k) for k in KINDS)
        if not 0 < allocated <= reserved:
            wrong("allocated is not between 0 and reserved")
        if not reserved <= device:
            wrong("device memory is below what torch reserved")
        if not device <= number(row, "gpu_memory_gib"):
            wrong("device memory is above the GPU's")
        if not number(row, "step_s") > 0:
            wrong("step time is not positive")
        elif row["method"] == "full":
            settings["hidden"] = int(row["hidden"])
            flops = 6 * grid.parameters({**settings, "heads": int(row["heads"])}) * int(row["seq"]) * int(row["micro_batch"])
            if flops / number(row, "step_s") > 5e15:
                wrong("step is faster than any GPU computes")
        if not row["gpu"] or not row["torch"]:
            wrong("gpu or torch version is empty")
    return out
