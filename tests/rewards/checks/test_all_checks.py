"""Requirements of every check: tables of cases, a row in the reference, no failure on any deck."""

import importlib.util
import re
import runpy
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pptarena.decks.match.decks import match_decks
from pptarena.docstrings import describe
from pptarena.errors import DeckError, UnscoredError
from pptarena.rewards import read_deck
from pptarena.rewards.checking.view import View
from pptarena.rewards.checks import ALIASES, check_names, get_check

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[2]
DECKS = sorted((ROOT.parent / "shared" / "data" / "decks").rglob("*.pptx"))
REFERENCE = ROOT / "docs" / "reference" / "checks.md"
TASK_DECKS = sorted((ROOT / "tasks" / "decks").glob("*.pptx"))

# These checks need a judge, a gold deck or a scope; their tests have no tables of edits.
TESTED_WITHOUT_TABLES = frozenset(
    (
        "gold_match",
        "file_exists",
        "judge",
        "visual_judge",
        "edit_judge",
        "python",
        "nothing_else_changed",
        "picture_unchanged",
    )
)
# Each slide or shape scores 0 or 1.
BINARY = frozenset(
    (
        "chart_lacks_series",
        "chart_series_color",
        "chart_value_is",
        "media_starts",
        "picture_embedded",
        "picture_present",
        "shape_deleted",
        "show_setting_is",
        "slide_layout_is",
        "theme_changed",
        "theme_is",
        "transition_none",
    )
)
OWN = tuple(
    name
    for name in check_names()
    if get_check(name, "check").function.__module__.startswith("pptarena.rewards.checks.")
)


@cache
def tables() -> dict[str, list[tuple[Any, ...]]]:
    """Return the cases of all tables in this folder, by the current name of the check."""
    cases_by_check: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for path in sorted(FOLDER.glob("test_*.py")):
        if path == Path(__file__):
            continue
        spec = importlib.util.spec_from_file_location(f"tables_of_{path.stem}", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        # Dataclasses look their module up by name.
        sys.modules[module.__name__] = module
        spec.loader.exec_module(module)
        for value in vars(module).values():
            for case in value if isinstance(value, list) else ():
                if not (isinstance(case, tuple) and len(case) == 5):
                    continue
                if case[0] in ALIASES:
                    alias = ALIASES[case[0]]
                    case = (alias.check, alias.translate(case[1]), *case[2:])
                if case[0] in check_names():
                    cases_by_check[case[0]].append(case)
    return cases_by_check


def test_every_check_has_passing_partial_and_failing_cases() -> None:
    missing = []
    for name in (name for name in OWN if name not in TESTED_WITHOUT_TABLES):
        cases = tables()[name]
        if not any(low == high == 1 for *_, low, high in cases):
            missing.append(f"{name}: no case passes")
        if not any(high <= 0.02 for *_, high in cases):
            missing.append(f"{name}: no case fails")
        if name not in BINARY and not any(high < 1 and low > 0 for *_, low, high in cases):
            missing.append(f"{name}: no case earns a part")
    assert missing == []


def test_every_docstring_states_the_measure() -> None:
    for name in OWN:
        spec = get_check(name, "check")
        text, notes = describe(spec.function)
        assert text.startswith(("Measure", "Ask")), name
        assert notes.keys() <= {argument.name for argument in spec.arguments}, name


def _rows() -> Iterator[tuple[str, list[str]]]:
    for line in REFERENCE.read_text("utf-8").splitlines():
        match = re.match(r"\| `([a-z_]+)` \|", line)
        if match:
            yield match[1], [cell.strip() for cell in line.strip("|").split("|")]


def test_reference_is_up_to_date() -> None:
    tool = runpy.run_path(str(ROOT / "tools/checks_reference.py"))
    again = "python tools/checks_reference.py > docs/reference/checks.md"
    assert REFERENCE.read_text("utf-8") == tool["checks_reference"](), f"write it again: {again}"


def test_every_check_has_one_row_in_the_reference() -> None:
    rows: dict[str, list[list[str]]] = defaultdict(list)
    for name, cells in _rows():
        rows[name].append(cells)
    shared = {"slide", "slides", "slide_now", "slide_new", "shape", "shape_now", "visible"}
    for name in check_names():
        (cells,) = rows[name]
        assert len(cells) == 3, name
        spec = get_check(name, "check")
        own = {each.name for each in spec.arguments} - (set() if spec.scale == "deck" else shared)
        missing = {each for each in own if not re.search(rf"`{each}[`=?]", cells[1])}
        assert not missing, f"the row of {name} does not name {sorted(missing)}"


def _runs(deck: Any) -> Iterator[tuple[str, Any]]:
    """Yield every check with the arguments of its cases, on the slides that a deck has."""
    slides = len(deck.slides)
    for name, cases in sorted(tables().items()):
        variants = []
        for _, args, *_ in cases:
            for shape in ("@title", "@picture", "@table", "@chart", "@group", None):
                variant = dict(args)
                if "slide" in variant:
                    variant["slide"] = min(variant["slide"], max(slides, 1))
                if "shape" in variant and shape is not None:
                    variant["shape"] = shape
                elif "shape" in variant:
                    variant = {k: v for k, v in variant.items() if k not in ("slide", "slides")}
                    variant["slides"] = "all"
                if variant not in variants:
                    variants.append(variant)
        for variant in variants[:8]:
            yield name, get_check(name, "check").parse(variant, "args")


@pytest.mark.slow
@pytest.mark.parametrize("path", DECKS + TASK_DECKS, ids=lambda path: path.name)
def test_no_check_fails_on_any_deck(path: Path) -> None:
    try:
        deck = read_deck(path)
    except DeckError as error:
        pytest.skip(f"the deck cannot be read: {error}")
    again = read_deck(path)
    view = View(match_decks(deck, again))
    for name, args in _runs(deck):
        try:
            result = get_check(name, "check").run(view, args)
        except UnscoredError:
            continue
        assert 0.0 <= result.score <= 1.0, (name, args)
        assert result.reason, (name, args)
        assert "\n" not in result.reason, (name, args)
