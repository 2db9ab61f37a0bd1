"""Plot a comparison: scores with intervals, and differences from the first."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pptarena.errors import ConfigError, StoreError, missing_package
from pptarena.files import atomic_write
from pptarena.rollouts.compare.comparison import Comparison
from pptarena.rollouts.report.intervals import Estimate

__all__ = ["FORMATS", "plot_comparison"]

FORMATS = (".png", ".svg", ".pdf")
"""Suffixes of the supported files."""

_Row = tuple[str, Estimate]


def plot_comparison(comparison: Comparison, picture: Path) -> None:
    """Plot a comparison.

    Args:
        comparison: The comparison.
        picture: Path of the file; its suffix is one of `FORMATS`.

    Raises:
        ConfigError: If matplotlib is missing, or the suffix is not supported.
        StoreError: If the file cannot be written.
    """
    if picture.suffix.lower() not in FORMATS:
        raise ConfigError(f"expected a file ending in {', '.join(FORMATS)}, got {picture.name!r}")
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise missing_package("a plot", "matplotlib", "plots") from error
    scores = [(each.name, each.total.score) for each in comparison.standings]
    gaps = [
        (f"{row.name}, {row.kind} {row.value}".rstrip(), row.score)
        for row in comparison.differences
    ]
    panels = [rows for rows in (scores, gaps) if rows]
    sizes = [1 + len(rows) for rows in panels]
    figure = Figure(figsize=(8, 0.6 + 0.42 * sum(sizes)), layout="constrained")
    axes = figure.subplots(len(panels), 1, squeeze=False, height_ratios=sizes)[:, 0]
    _draw(axes[0], scores, f"mean score on {len(comparison.tasks)} tasks", (0, 1))
    if gaps:
        title = f"difference from {_label_text(comparison.differences[0].baseline)}, paired by task"
        _draw(axes[1], gaps, title, None)
        axes[1].axvline(0, color="grey", linewidth=1)
    try:
        with atomic_write(picture) as file:
            figure.savefig(file, format=picture.suffix[1:].lower(), dpi=120)
    except OSError as error:
        raise StoreError(f"{picture} cannot be written: {error}") from error


def _draw(axes: Any, rows: Sequence[_Row], label: str, limits: tuple[float, float] | None) -> None:
    positions = range(len(rows))
    for position, (_, estimate) in zip(positions, rows, strict=True):
        if estimate.mean is None:
            continue
        axes.plot([estimate.mean], [position], "o", color="#1f5fa8")
        if estimate.low is not None:
            axes.plot(
                [estimate.low, estimate.high], [position, position], color="#1f5fa8", linewidth=2
            )
    axes.set_yticks(list(positions), [_label_text(name) for name, _ in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlabel(label)
    axes.grid(axis="x", alpha=0.3)
    if limits is not None:
        axes.set_xlim(limits[0] - 0.02, limits[1] + 0.02)


def _label_text(name: str) -> str:
    """Return a printable label of at most 60 characters, with ``$`` escaped for matplotlib."""
    text = "".join(each if each.isprintable() else "?" for each in name)
    return (text if len(text) <= 60 else f"{text[:59]}…").replace("$", r"\$")
