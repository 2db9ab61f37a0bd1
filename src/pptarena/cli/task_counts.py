"""``pptarena tasks list --counts``: how many tasks there are of what sort."""

from typing import TYPE_CHECKING

from pptarena.cli.output import print_json, stdout

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pptarena.tasks import Task

__all__ = ["show_counts"]


def show_counts(tasks: "Sequence[Task]", as_json: bool) -> None:
    """Print how many tasks there are by edit type and difficulty, beside others.

    Args:
        tasks: What is counted.
        as_json: Whether to print one JSON object instead of Markdown.
    """
    from dataclasses import asdict

    from pptarena.tasks.counts import PUBLISHED, UIUC_EDIT_TYPES, count_tasks

    counts = count_tasks(tasks)
    if as_json:
        print_json(
            asdict(counts) | {"uiuc_pptarena": dict(UIUC_EDIT_TYPES), "published": PUBLISHED}
        )
        return
    own = {
        **{"tasks": counts.total, "decks": counts.decks, "slides": counts.slides},
        **counts.difficulties,
        **counts.flags,
    }
    lines = [
        "| edit type | first | any | UIUC PPTArena |",
        "|---|---|---|---|",
        *(
            f"| {kind} | {counts.first[kind]} | {counts.any[kind]} | {theirs} |"
            for kind, theirs in UIUC_EDIT_TYPES.items()
        ),
        f"| all | {counts.total} | | {sum(UIUC_EDIT_TYPES.values())} |",
        "",
        f"| | these | {' | '.join(PUBLISHED)} |",
        f"|---|---|{'---|' * len(PUBLISHED)}",
        *(
            f"| {name} | {number} | {' | '.join(_said(of, name) for of in PUBLISHED.values())} |"
            for name, number in own.items()
        ),
    ]
    for line in lines:
        stdout().print(line, markup=False, highlight=False, soft_wrap=True)


def _said(published: "Mapping[str, int]", name: str) -> str:
    return str(published[name]) if name in published else "-"
