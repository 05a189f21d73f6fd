"""Runs scenarios through the command, one process, one document a line."""
import json
import subprocess
import tempfile


class CoreError(Exception):
    pass


def evaluate(cli, scenarios):
    """Reports for scenarios, in order. Raises CoreError if the command breaks its contract."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as source:
        for document in scenarios:
            source.write(json.dumps(document, separators=(",", ":")))
            source.write("\n")
        source.seek(0)
        run = subprocess.run(
            [str(cli), "estimate", "--jsonl"], stdin=source, capture_output=True, text=True, timeout=300
        )
    if run.returncode:
        raise CoreError(f"exit {run.returncode}: {run.stderr.strip()[:400]}")
    lines = run.stdout.splitlines()
    if len(lines) != len(scenarios):
        raise CoreError(f"{len(scenarios)} documents in, {len(lines)} out: {run.stderr.strip()[:400]}")
    return [json.loads(line) for line in lines]
