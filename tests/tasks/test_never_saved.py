"""Facts that LibreOffice never saves: the table, affected leaves, and proof by the application."""

import importlib
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from lxml import etree
from pptx import Presentation
from tests.conftest import Lab, build_base
from tests.rewards.checks.conftest import Rich, build_rich

from pptarena.decks.package.names import MC, A, M, P
from pptarena.decks.read.run_elements import A14_MATH
from pptarena.rewards import Deck, Rubric, check_names, load_rubric, read_deck, score
from pptarena.rewards.checks import ALIASES
from pptarena.tasks import list_tasks
from pptarena.tasks.never_saved import NEVER_SAVED, never_saved, never_saved_reason
from pptarena.vm_images.office import Office

CHECKS = Path(__file__).parents[1] / "rewards" / "checks"
EXCUSED = {
    ("animation_timing", "delay_sec"): "the effect lacks the parent nodes with the delay",
    ("hyperlink_is", "to_slide"): "the link has no relationship of its own",
    ("picture_adjusted", "recolor"): "LibreOffice reads no `a:hsl`, one of five ways to gray",
    ("run_format", "font"): "Carlito, whose metric twin is written, is Calibri in the file",
}
"""Check and argument of cases that are lost because of how their deck is made."""


class Case(NamedTuple):
    """An edit of a check's tests that scores 1 before the application saves it."""

    check: str
    args: Mapping[str, Any]
    original: bytes
    edited: bytes


def rubric(check: str, **args: Any) -> Rubric:
    leaf = {"name": "leaf", "check": check, "args": args}
    return load_rubric({"version": 1, "root": {"name": "root", "children": [leaf]}})


def test_table_lists_existing_checks_and_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs/reference/never_saved.md").read_text("utf-8")
    assert {row.check for row in NEVER_SAVED} <= set(check_names())
    assert all(row.reason and f"| {row.reason} |" in page for row in NEVER_SAVED)


@pytest.mark.parametrize(
    ("check", "args"),
    [
        ("diagram_contains", {"slide": 1, "texts": ["Home"]}),
        ("animation_timing", {"slide": 1, "effect": "fly_in", "build": "paragraph"}),
        ("picture_embedded", {"slide": 1, "shape": "@picture", "embedded": False}),
    ],
)
def test_leaf_that_saving_loses_is_reported(check: str, args: dict[str, Any]) -> None:
    reasons = never_saved(rubric(check, **args))
    assert list(reasons) == ["leaf"]
    assert "LibreOffice" in reasons["leaf"]


@pytest.mark.parametrize(
    ("check", "args"),
    [
        ("master_shape", {"text": "Confidential"}),
        ("animation_timing", {"slide": 1, "effect": "fly_in", "duration_sec": 2}),
        ("picture_embedded", {"slide": 1, "shape": "@picture"}),
        ("title_is", {"slide": 1, "text": "Table style"}),
    ],
)
def test_leaves_that_saving_keeps_are_not_reported(check: str, args: dict[str, Any]) -> None:
    assert never_saved(rubric(check, **args)) == {}


def test_no_packaged_task_requires_unsaved_facts() -> None:
    assert [task.id for task in list_tasks("all") if never_saved(task.rubric)] == []


@pytest.mark.image
def test_application_saves_the_fallback_of_an_equation() -> None:
    def shape(inside: str) -> str:
        return (
            '<p:sp><p:nvSpPr><p:cNvPr id="20" name="Rate"/><p:cNvSpPr txBox="1"/><p:nvPr/>'
            '</p:nvSpPr><p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="3000000" cy="500000"/>'
            '</a:xfrm><a:prstGeom prst="rect"/></p:spPr><p:txBody><a:bodyPr/><a:p>'
            f"{inside}</a:p></p:txBody></p:sp>"
        )

    equation = "<a14:m><m:oMath><m:r><m:t>x+1</m:t></m:r></m:oMath></a14:m>"
    text = "<a:r><a:t>The rate is </a:t></a:r>"
    presentation: Any = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    names = " ".join(
        f'xmlns:{prefix}="{name[1:-1]}"'
        for prefix, name in {"a": A, "p": P, "m": M, "mc": MC}.items()
    )
    slide.shapes._spTree.append(
        etree.fromstring(
            f'<mc:AlternateContent {names} xmlns:a14="{A14_MATH[1:].partition("}")[0]}">'
            f'<mc:Choice Requires="a14">{shape(text + equation)}</mc:Choice>'
            f"<mc:Fallback>{shape('<a:r><a:t>fallback</a:t></a:r>')}</mc:Fallback>"
            "</mc:AlternateContent>"
        )
    )
    stream = BytesIO()
    presentation.save(stream)
    (before,) = read_deck(stream.getvalue()).slides[0].shapes
    (after,) = read_deck(Office().save(stream.getvalue())).slides[0].shapes
    assert (before.text, after.text) == ("The rate is x+1", "fallback")


@pytest.mark.image
def test_application_loses_what_the_table_lists() -> None:
    cases = list(_cases({row.check for row in NEVER_SAVED}))
    assert all(any(row.matches(each.check, each.args) for each in cases) for row in NEVER_SAVED)
    assert _contradictions(cases) == []


@pytest.mark.image
@pytest.mark.nightly
def test_application_saves_everything_else() -> None:
    assert _contradictions(list(_cases({*check_names(), *ALIASES}))) == []


def _cases(checks: set[str]) -> Iterator[Case]:
    """Yield the cases of checks that score 1, from the tables in the tests of the checks."""
    plain = Lab(build_base())
    rich = Lab(build_rich(plain))
    rich.more = Rich  # type: ignore[attr-defined]
    for file in sorted(CHECKS.glob("test_*.py")):
        module = importlib.import_module(f"tests.rewards.checks.{file.stem}")
        tables = [table for table in vars(module).values() if isinstance(table, list)]
        for row in (row for table in tables for row in table):
            if isinstance(row, tuple) and len(row) == 5 and row[0] in checks and row[3:] == (1, 1):
                candidates = (_case(lab, *row[:3]) for lab in (plain, rich) if callable(row[2]))
                yield from [case for case in candidates if case is not None][:1]


def _case(lab: Any, check: str, args: Mapping[str, Any], edit: Any) -> Case | None:
    """Return a case for the deck of a lab, or None if the edit needs another deck."""
    try:
        edited = lab.edited_bytes(lambda deck: edit(lab, deck))
    except (AssertionError, AttributeError, IndexError, KeyError, StopIteration, ValueError):
        return None
    before, _ = _scored(check, args, lab.original, lab.original)
    after, _ = _scored(check, args, lab.original, read_deck(edited))
    return Case(check, args, lab.base, edited) if after == 1 and before != 1 else None


def _scored(check: str, args: Mapping[str, Any], original: Deck, current: Deck) -> tuple[Any, str]:
    node = score(rubric(check, **args), original, current).children[0]
    return node.score, node.reason


def _contradictions(cases: list[Case]) -> list[str]:
    """Return losses missing in the table, and losses in the table that do not occur."""
    with Office() as office:
        decks = list({deck: None for each in cases for deck in (each.original, each.edited)})
        saved = {}
        for deck, answer in zip(decks, office.save_all(decks), strict=True):
            assert isinstance(answer, bytes), answer
            saved[deck] = read_deck(answer)
    contradictions = []
    for each in cases:
        value, reason = _scored(each.check, each.args, saved[each.original], saved[each.edited])
        is_excused = any(each.check == check and name in each.args for check, name in EXCUSED)
        if (value != 1) is not bool(never_saved_reason(each.check, each.args)) and not is_excused:
            contradictions.append(f"{each.check} {dict(each.args)}: {value}, {reason}")
    return contradictions
