"""The card of an exported data set: a README.md for the Hugging Face Hub."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pptarena
from pptarena.errors import StoreError
from pptarena.files import Folder
from pptarena.rollouts.episode import DOCUMENT, EpisodeMeta
from pptarena.rollouts.exporters.export_format import ExportFormat
from pptarena.rollouts.exporters.out_folder import OutFolder

__all__ = ["CARD", "DatasetCard"]

CARD = "README.md"
_MARK = "<!-- Written by pptarena export"
_FIRST_LINE = f"{_MARK}; the next export overwrites it. -->"
_MAX_BYTES = 2**20
_MAX_LISTED = 500
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (10**6, "100K<n<1M"))


class DatasetCard:
    """The card of a data set, from counts of its episodes.

    Args:
        format: The format of the data set.
    """

    def __init__(self, format: ExportFormat) -> None:
        self._format = format
        self._episodes = self._steps = self._solved = 0
        self._score = 0.0
        self._counts: dict[str, Counter[str]] = {
            name: Counter()
            for name in ("task", "agent", "suite", "difficulty", "machine", "application")
        }
        self._versions: dict[str, Counter[str]] = {}
        self._all_packaged = True

    def add(self, meta: EpisodeMeta) -> None:
        """Count an episode."""
        self._episodes += 1
        self._steps += meta.steps
        self._score += meta.score or 0.0
        self._solved += (meta.score or 0.0) >= 1.0
        for name, counter in self._counts.items():
            counter[getattr(meta, name)] += 1
        for name, version in meta.versions.items():
            self._versions.setdefault(name, Counter())[version] += 1
        self._all_packaged = self._all_packaged and not meta.task_place

    def write(self, out: Path, selection: str, loading: str) -> bool:
        """Write the card and return True; return False if the folder has another README.md.

        Args:
            out: Folder of the export.
            selection: Description of the exported episodes.
            loading: Python code that loads the data.

        Raises:
            StoreError: If it cannot be written.
        """
        if (out / CARD).exists() and _MARK not in _read(out):
            return False
        with OutFolder(out) as folder, folder.file(CARD) as file:
            file.write(self.text(selection, loading).encode("utf-8", "replace"))
        return True

    def text(self, selection: str, loading: str) -> str:
        """Return the card; see `write` for the arguments."""
        parts = [
            f"---\n{self._front()}---",
            _FIRST_LINE,
            "# Episodes of editing slide decks",
            f"Agents edited slide decks {self._how()}; a rubric scored the decks. Exported by "
            f"pptarena {pptarena.__version__} as `{self._format.name}`.",
            f"## Contents\n\n{self._table(selection)}",
            f"## How to load\n\n```python\n{loading}\n```",
            f"## Licence\n\n{self._licence()}",
            *(f"## {title}\n\n{self._list(name)}" for title, name in _LISTS),
        ]
        return "\n\n".join(parts) + "\n"

    def _front(self) -> str:
        size = next((name for most, name in _SIZES if self._episodes < most), "n>1M")
        lines: list[tuple[str, Any]] = [
            ("license", "mit" if self._all_packaged else "other"),
            ("pretty_name", "pptarena episodes"),
            ("tags", ["computer-use", "gui-agents", "office", "pptarena"]),
            ("size_categories", [size]),
            ("configs", [{"config_name": "default", "data_files": self._format.data_files}]),
        ]
        # JSON is valid YAML.
        return "".join(f"{name}: {json.dumps(value)}\n" for name, value in lines)

    def _how(self) -> str:
        calls = "as files, by calls of tools"
        screens = "in an office application, by mouse and keyboard"
        machines = set(self._counts["machine"])
        if machines == {DOCUMENT}:
            return calls
        return f"{screens}, or {calls}" if DOCUMENT in machines else screens

    def _table(self, selection: str) -> str:
        mean = self._score / max(self._episodes, 1)
        rows = [
            ("episodes", str(self._episodes)),
            ("steps", str(self._steps)),
            ("tasks", str(len(self._counts["task"]))),
            ("mean score", f"{mean:.3f}"),
            ("full score", str(self._solved)),
            ("selection", selection or "all scored episodes"),
            *(
                (f"version of {name}", ", ".join(sorted(counter)))
                for name, counter in self._versions.items()
            ),
            ("application", ", ".join(sorted(self._counts["application"]))),
            ("machine", ", ".join(sorted(self._counts["machine"]))),
        ]
        lines = [f"| {name} | {_cell(value)} |" for name, value in rows]
        return "\n".join(["| | |", "|---|---|", *lines])

    def _licence(self) -> str:
        packaged = (
            "The decks and tasks of pptarena are under the MIT licence; two templates that its "
            "decks are made from are CC0 1.0 (`tasks/decks/LICENSES.md`)."
        )
        if self._all_packaged:
            return f"{packaged} The output of models is subject to the terms of their services."
        return (
            "Some tasks are not from pptarena. The screenshots show their decks, so state the "
            f"licence of the decks here before you publish this data set. {packaged}"
        )

    def _list(self, name: str) -> str:
        counter = self._counts[name]
        lines = [
            f"| {_cell(value)} | {count} |" for value, count in counter.most_common(_MAX_LISTED)
        ]
        more = len(counter) - len(lines)
        rest = [f"\n{more} more are omitted."] if more > 0 else []
        return "\n".join([f"| {name} | episodes |", "|---|---|", *lines, *rest])


_LISTS = (
    ("Agents", "agent"),
    ("Suites", "suite"),
    ("Difficulties", "difficulty"),
    ("Tasks", "task"),
)


def _read(out: Path) -> str:
    try:
        with Folder(out) as folder:
            return folder.read(CARD, _MAX_BYTES).decode("utf-8", "replace")
    except (OSError, ValueError) as error:
        raise StoreError(f"{out / CARD} cannot be read: {error}") from error


def _cell(text: str) -> str:
    """Return a text that stays in its table cell and contains no markup."""
    plain = "".join(each if each.isprintable() else " " for each in text)
    for mark in "\\`|<>[]*_&":
        plain = plain.replace(mark, f"\\{mark}")
    return plain
