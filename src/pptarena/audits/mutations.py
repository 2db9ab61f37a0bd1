"""Run randomly damaged decks (2,000 by default) through the entire scorer.

The scorer must raise `DeckError` or return a score. Failures are any other exception, a score
outside 0 to 1, more than 5 s of CPU for reading, comparing or one score, more than 1 GiB of memory,
and a crashed process.
"""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator

from pptarena.audits.mutation_worker import MAX_MB, MAX_SEC, Found
from pptarena.audits.report import Row
from pptarena.audits.settings import AuditSettings

__all__ = ["figures", "row_of", "rows"]

_COUNT = 2_000
_EXPECTED = "refused, or a score"


def rows(settings: AuditSettings) -> Iterator[Row]:
    """Yield one row per deck."""
    count = settings.count or _COUNT
    command = [sys.executable, "-m", "pptarena.audits.mutation_worker"]
    command += [str(settings.seed * 1_000_000), str(count)]
    command += [] if settings.decks is None else [str(settings.decks)]
    done = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as worker:
        for line in worker.stdout or ():
            done += 1
            yield row_of(Found(**json.loads(line)))
    if done < count:
        yield Row("the worker", f"{count} decks", f"{done} decks, then it ended", False)


def row_of(found: Found) -> Row:
    """Return the report row of one deck."""
    bounded = found.seconds <= MAX_SEC and found.peak_mb <= MAX_MB
    held = found.outcome in ("score", "refused") and bounded
    said = f"{found.outcome}, {found.seconds:.2f} s, {found.peak_mb} MB"
    return Row(f"{found.seed}: {found.kind}", _EXPECTED, said, held)


def figures(tried: tuple[Row, ...]) -> dict[str, float | int | str]:
    """Return the number of decks by outcome, the longest CPU time and the highest memory use."""
    outcomes = Counter(row.found.split(",")[0] for row in tried if row.held)
    measured = [row.found.rsplit(", ", 2)[1:] for row in tried if row.found.endswith(" MB")]
    return {
        "scored": outcomes["score"],
        "refused": outcomes["refused"],
        "failed": sum(not row.held for row in tried),
        "longest_sec": max((float(sec.split()[0]) for sec, _ in measured), default=0.0),
        "most_memory_mb": max((int(mb.split()[0]) for _, mb in measured), default=0),
        **{f"failed: {what}": number for what, number in _failures(tried).most_common(12)},
    }


def _failures(tried: tuple[Row, ...]) -> Counter[str]:
    return Counter(row.found.rsplit(", ", 2)[0] for row in tried if not row.held)
