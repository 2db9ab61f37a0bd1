"""``pptarena dev bench --scoring``: measure reading, comparing and scoring of decks."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

from pptarena.cli.output import new_progress, print_json, print_line, stdout

if TYPE_CHECKING:
    from pptarena.rewards import Deck, Rubric, Scope

__all__ = ["ScoringTimes", "bench_scoring", "measure_scoring"]

TARGET_SEC = 0.150
"""Target for the median of reading, comparing and scoring."""

_PARTS = {
    "read_sec": "read the edited deck",
    "diff_sec": "match and diff",
    "score_sec": "match and score, 10 checks",
    "total_sec": "all three",
    "read_again_sec": "read the same deck again",
    "read_alone_sec": "read it with empty caches",
}
_CHECKS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("title_is", {"slide": 6, "text": "Edited title 0"}),
    ("run_format", {"slide": 6, "shape": "@body", "bold": True}),
    ("slide_text_contains", {"slide": 5, "texts": ["plan", "review"]}),
    ("text_replaced_everywhere", {"old": "plan", "new": "design"}),
    ("shape_position", {"slide": 6, "shape": "@picture", "left_emu": 1_080_000}),
    ("picture_unchanged", {"slide": 6, "shape": "@picture:2"}),
    ("notes_contain", {"slide": 6, "texts": ["New notes"]}),
    ("slide_count", {"count": 41}),
    ("animation_exists", {"slide": 5, "effect": "fade"}),
)
_SCOPE = {"slides": [6], "new_slides": 1}

_COLD_READS = 5

_T = TypeVar("_T")


@dataclass(slots=True)
class ScoringTimes:
    """Seconds that each part took, one per edited deck.

    Attributes:
        slides: Slides of the deck.
        file_bytes: Size of its file.
        first_read_sec: Reading the original with empty caches.
        read: Reading an edited deck for the first time.
        diff: Matching the edited deck with the original and listing the changes.
        score: Matching the edited deck with the original and scoring a rubric of ten checks, one
            of them that nothing else changed.
        total: The sum of the three.
        read_again: Reading the same bytes again.
        read_alone: Reading the last edited deck with empty caches, as a new process does.
    """

    slides: int
    file_bytes: int
    first_read_sec: float
    read: list[float] = field(default_factory=list)
    diff: list[float] = field(default_factory=list)
    score: list[float] = field(default_factory=list)
    total: list[float] = field(default_factory=list)
    read_again: list[float] = field(default_factory=list)
    read_alone: list[float] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Return median and 95th percentile of every part, and whether the target is met."""
        import numpy as np

        figures: dict[str, Any] = {
            "slides": self.slides,
            "file_mb": round(self.file_bytes / 1e6, 2),
            "samples": len(self.total),
            "first_read_sec": round(self.first_read_sec, 4),
        }
        for key in _PARTS:
            p50, p95 = np.percentile(getattr(self, key.removesuffix("_sec")), (50, 95))
            figures[key] = {"p50": round(float(p50), 4), "p95": round(float(p95), 4)}
        is_met = figures["total_sec"]["p50"] <= TARGET_SEC
        return {**figures, "target_sec": TARGET_SEC, "target_met": is_met}


def bench_scoring(samples: int, seed: int, as_json: bool) -> None:
    """Measure reading, comparing and scoring of a deck of 40 slides and 10 MB.

    Args:
        samples: Number of edited decks.
        seed: Number of the first edit.
        as_json: Whether to print one JSON object instead of a table.
    """
    with new_progress() as progress:
        bar = progress.add_task("decks", total=samples, note="")
        times = measure_scoring(samples, seed, lambda: progress.advance(bar))
    figures = times.to_json()
    if as_json:
        print_json(figures)
    else:
        _print(figures)


def measure_scoring(samples: int, seed: int, on_sample: Callable[[], object]) -> ScoringTimes:
    """Return the times of each part after the original was read once.

    Args:
        samples: Number of edited decks, each with a different edit.
        seed: Number of the first edit.
        on_sample: Called after every deck.
    """
    from pptarena.cli.speed_deck import edit_deck, speed_deck
    from pptarena.decks.read.reader import clear_cache
    from pptarena.rewards import load_scope, read_deck

    rubric, scope = _rubric(), load_scope(_SCOPE)
    data = speed_deck()
    original, first_read_sec = _timed(lambda: read_deck(data))
    times = ScoringTimes(len(original.slides), len(data), first_read_sec)
    # As in an episode, all samples share one target deck, from the first edit.
    target = read_deck(edit_deck(data, seed))
    for number in range(seed, seed + samples):
        edited = edit_deck(data, number)
        _add_sample(times, original, edited, target, rubric, scope)
        on_sample()
    for _ in range(min(samples, _COLD_READS)):
        # Last, because it clears the caches.
        clear_cache()
        times.read_alone.append(_timed(partial(read_deck, edited))[1])
    return times


def _add_sample(
    times: ScoringTimes,
    original: "Deck",
    edited: bytes,
    target: "Deck",
    rubric: "Rubric",
    scope: "Scope",
) -> None:
    from pptarena.rewards import diff_decks, read_deck, score

    current, read_sec = _timed(lambda: read_deck(edited))
    changes, diff_sec = _timed(lambda: diff_decks(original, current))
    node, score_sec = _timed(lambda: score(rubric, original, current, scope, targets=(target,)))
    _, again_sec = _timed(lambda: read_deck(edited))
    if not changes or node.score is None:
        raise AssertionError("expected an edited deck to have changes and a score")
    times.read.append(read_sec)
    times.diff.append(diff_sec)
    times.score.append(score_sec)
    times.total.append(read_sec + diff_sec + score_sec)
    times.read_again.append(again_sec)


def _rubric() -> "Rubric":
    from pptarena.rewards import load_rubric

    leaves: list[dict[str, Any]] = [
        {"name": name, "check": name, "args": args} for name, args in _CHECKS
    ]
    unchanged = {"name": "rest", "critical": False, "check": "nothing_else_changed"}
    return load_rubric({"version": 1, "root": {"name": "edit", "children": [*leaves, unchanged]}})


def _timed(call: Callable[[], _T]) -> tuple[_T, float]:
    start = perf_counter()
    result = call()
    return result, perf_counter() - start


def _print(figures: dict[str, Any]) -> None:
    from rich.table import Table

    title = f"{figures['slides']} slides, {figures['file_mb']} MB, {figures['samples']} edits"
    table = Table(title=title, title_justify="left")
    table.add_column("part")
    for name in ("median", "95 %"):
        table.add_column(name, justify="right")
    for key, label in _PARTS.items():
        table.add_row(label, *(f"{1000 * figures[key][name]:.1f} ms" for name in ("p50", "p95")))
    stdout().print(table)
    verdict = "met" if figures["target_met"] else "missed"
    print_line(
        f"first read of the original {1000 * figures['first_read_sec']:.1f} ms; "
        f"target {1000 * figures['target_sec']:.0f} ms: {verdict}"
    )
