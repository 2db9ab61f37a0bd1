"""``pptarena dev bench --elements``: measure elements from pixels on stored screens."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pptarena.cli.output import new_progress, print_json, print_line, stdout

if TYPE_CHECKING:
    from pptarena.rollouts.measure_elements import ElementFigures

__all__ = ["bench_elements"]

_SHARES = {
    "precision_click": "precision, click",
    "precision_box": "precision, box",
    "recall_click": "recall, click",
    "recall_box": "recall, box",
    "names_read": "names read",
}


def bench_elements(folder: Path, detectors: str, screens: int, seed: int, json: bool) -> None:
    """Compare detections with the accessibility trees of stored screens, and print the figures.

    Args:
        folder: A run with elements of the tree.
        detectors: Names of detectors, separated by commas.
        screens: Maximum number of screens to measure.
        seed: Seed of the sample.
        json: Whether to print JSON.

    Raises:
        ConfigError: If a detector is unknown, or its package or file is missing.
        StoreError: If the folder has no screens, or one cannot be read.
    """
    from pptarena.rollouts.measure_elements import measure_elements, stored_screens

    sampled = stored_screens(folder, screens, seed)
    names = [name.strip() for name in detectors.split(",") if name.strip()]
    with new_progress() as progress:
        bar = progress.add_task("screens", total=len(sampled), note="")
        figures = measure_elements(sampled, names, lambda: progress.advance(bar))
    if json:
        figures_json = {name: each.to_json() for name, each in figures.items()}
        print_json({"screens": len(sampled), "detectors": figures_json})
    else:
        _print(figures, len(sampled))


def _print(figures: "dict[str, ElementFigures]", screens: int) -> None:
    from rich.table import Table

    figures_json = {name: each.to_json() for name, each in figures.items()}
    table = Table(title=f"Elements from pixels, {screens} screens", title_justify="left")
    table.add_column("")
    for name in figures_json:
        table.add_column(name, justify="right")
    table.add_row(
        "detections per screen",
        *(f"{d['detections'] / screens:.0f}" for d in figures_json.values()),
    )
    for key, label in _SHARES.items():
        table.add_row(label, *(_percent(each[key]) for each in figures_json.values()))
    table.add_row(
        "targets detected", *(_percent(each["aims_reached"]) for each in figures_json.values())
    )
    table.add_row(
        "CPU time, median", *(f"{each['cpu_sec_median']:.2f} s" for each in figures_json.values())
    )
    stdout().print(table)
    roles = Table(title="All detectors, by role of the tree", title_justify="left")
    for name in ("role", "elements", "recall, click", "recall, box", "names read"):
        roles.add_column(name, justify="left" if name == "role" else "right")
    for role, each in figures_json["all"]["roles"].items():
        shares = (each[key] for key in ("recall_click", "recall_box", "names_read"))
        roles.add_row(role, str(each["elements"]), *map(_percent, shares))
    stdout().print(roles)
    print_line(
        "click: the center of a detection lies in the element; box: their IoU is at least 0.5"
    )


def _percent(share: Any) -> str:
    return "-" if share is None else f"{100 * share:.0f} %"
