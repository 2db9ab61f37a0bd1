"""Find out what LibreOffice never writes to a .pptx file; write ``tasks/never_saved.json``.

    python -m tools.never_saved [--all]

The tables of cases in ``tests/rewards/checks`` edit a deck for every check so that it scores 1. The
image's application saves each deck; a lower score then means a loss. Known losses are listed here
with their reasons, and the file is written if the cases confirm them. ``--all`` also saves the
cases of the other checks, which takes some minutes; they must not show other losses.
"""

import importlib.util
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from pptarena.rewards import Deck, check_names, load_rubric, read_deck, score
from pptarena.rewards.checks import ALIASES
from pptarena.tasks.never_saved import NeverSaved
from pptarena.vm_images.office import Office

__all__ = [
    "EXCUSED", "KNOWN", "Case", "Verdict", "cases", "judged", "main", "text_of", "unexplained",
    "verdicts",
]  # fmt: skip

ROOT = Path(__file__).parents[1]
FILE = ROOT / "tasks" / "never_saved.json"

_DIAGRAM = "what is edited in a SmartArt is lost: LibreOffice writes the imported one back"

KNOWN = (
    NeverSaved(
        "animation_timing",
        "LibreOffice writes an effect per paragraph, but no build: count them by animation_count",
        "build",
        "paragraph",
    ),
    NeverSaved("diagram_contains", _DIAGRAM),
    NeverSaved(
        "picture_embedded", "LibreOffice writes linked pictures into the deck", "embedded", False
    ),
)
"""Known losses and their reasons, sorted by check and argument."""

EXCUSED = (
    # Lost because of the way the test's deck is made, not because of the edit.
    ("animation_timing", "delay_sec"),  # the effect lacks the parent nodes with the delay
    ("hyperlink_is", "to_slide"),  # the test's link has no relationship of its own
    ("picture_adjusted", "recolor"),  # LibreOffice reads no `a:hsl`, one of five ways to gray
    ("run_format", "font"),  # a font whose metric twin is written: Carlito is Calibri in the file
)
"""Check and argument of cases that are lost for another reason."""
_BATCH = 25


@dataclass(frozen=True)
class Case:
    """A check's case that scores 1 before the application saves it.

    Attributes:
        check: Name of the check.
        args: Its arguments.
        original: The .pptx file before the edit.
        edited: The .pptx file after the edit.
    """

    check: str
    args: Mapping[str, Any]
    original: bytes
    edited: bytes


@dataclass(frozen=True)
class Verdict:
    """The result of a case.

    Attributes:
        case: The case.
        lost: Whether it scores less than 1 after both decks were saved.
        reason: The check's explanation.
    """

    case: Case
    lost: bool
    reason: str


def cases(checks: frozenset[str] | None = None) -> list[Case]:
    """Return the cases of the given checks, or of all."""
    names = frozenset((*check_names(), *ALIASES)) if checks is None else checks
    shared = _module(ROOT / "tests" / "conftest.py")
    folder = ROOT / "tests" / "rewards" / "checks"
    rich = _module(folder / "conftest.py")
    plain_lab = shared.Lab(shared.build_base())
    rich_lab = shared.Lab(rich.build_rich(plain_lab))
    rich_lab.more = rich.Rich
    found = []
    for file in sorted(folder.glob("test_*.py")):
        for name, args, edit, low, high in _rows(file, names):
            if callable(edit) and low == high == 1:
                made = (_case(lab, name, args, edit) for lab in (plain_lab, rich_lab))
                found += [case for case in made if case is not None][:1]
    return found


def verdicts(some: list[Case]) -> list[Verdict]:
    """Return the result of each case in the application."""
    originals = list(dict.fromkeys(case.original for case in some))
    decks = [*originals, *(case.edited for case in some)]
    saver = Office()
    saved: dict[bytes, Deck] = {}
    for start in range(0, len(decks), _BATCH):
        batch = decks[start : start + _BATCH]
        for deck, answer in zip(batch, saver.save_all(batch), strict=True):
            if isinstance(answer, Exception):
                raise answer
            saved[deck] = read_deck(answer)
    found = []
    for case in some:
        value, reason = judged(case.check, case.args, saved[case.original], saved[case.edited])
        found.append(Verdict(case, value is None or value < 1, reason))
    return found


def unexplained(found: list[Verdict]) -> list[str]:
    """Return the contradictions to `KNOWN`: unlisted losses, and listed ones that are not lost."""
    said = []
    for one in found:
        known = any(row.asks(one.case.check, one.case.args) for row in KNOWN)
        excused = any(
            one.case.check == check and argument in one.case.args for check, argument in EXCUSED
        )
        if one.lost is not known and not excused:
            word = "is lost" if one.lost else "is kept"
            said.append(f"{one.case.check} {dict(one.case.args)} {word}: {one.reason}")
    asked = {row for row in KNOWN for one in found if row.asks(one.case.check, one.case.args)}
    return said + [f"{row.check} {row.argument} has no case" for row in KNOWN if row not in asked]


def text_of(rows: tuple[NeverSaved, ...]) -> str:
    """Return the contents of the file."""
    shown = [{name: value for name, value in asdict(row).items() if value != ""} for row in rows]
    return json.dumps(shown, indent=2) + "\n"


def main() -> int:
    """Save the cases, write the file or report contradictions; return the exit code."""
    only = None if "--all" in sys.argv[1:] else frozenset(row.check for row in KNOWN)
    wrong = unexplained(verdicts(cases(only)))
    if not wrong:
        FILE.write_text(text_of(KNOWN), "utf-8")
    sys.stdout.write("\n".join(wrong or [f"wrote {FILE}"]) + "\n")
    return 1 if wrong else 0


def _module(file: Path) -> ModuleType:
    name = f"cases_{file.parent.name}_{file.stem}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ImportError(f"expected a module, got {file}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _rows(file: Path, names: frozenset[str]) -> Iterator[tuple[Any, ...]]:
    """Yield the cases ``(check, args, edit, low, high)`` of a file's tables."""
    for table in vars(_module(file)).values():
        for row in table if isinstance(table, list) else ():
            if isinstance(row, tuple) and len(row) == 5 and row[0] in names:
                yield row


def _case(lab: Any, name: str, args: Mapping[str, Any], edit: Any) -> Case | None:
    """Return a case made from a lab's deck; None if it is meant for another deck."""
    try:
        edited = lab.edited_bytes(lambda deck: edit(lab, deck))
    except (AssertionError, AttributeError, IndexError, KeyError, StopIteration, ValueError):
        return None
    before, _ = judged(name, args, lab.original, lab.original)
    after, _ = judged(name, args, lab.original, read_deck(edited))
    return Case(name, args, lab.base, edited) if after == 1 and before != 1 else None


def judged(
    name: str, args: Mapping[str, Any], original: Deck, now: Deck
) -> tuple[float | None, str]:
    """Return a check's score of two decks, and its explanation."""
    leaf = {"name": "leaf", "check": name, "args": dict(args)}
    rubric = load_rubric({"version": 1, "root": {"name": "root", "children": [leaf]}})
    node = score(rubric, original, now).children[0]
    return node.score, node.reason


if __name__ == "__main__":
    sys.exit(main())
