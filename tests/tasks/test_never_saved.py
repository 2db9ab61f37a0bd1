"""What LibreOffice never writes: the table, who asks for it, and the proof by the application."""

from io import BytesIO
from typing import Any

import pytest
from lxml import etree
from pptx import Presentation

from pptarena.decks.package.names import MC, A, M, P
from pptarena.decks.read.run_elements import A14_MATH
from pptarena.rewards import Rubric, check_names, load_rubric, read_deck
from pptarena.rewards.checks import ALIASES
from pptarena.tasks import list_tasks
from pptarena.tasks.never_saved import never_saved, never_saved_table
from pptarena.vm_images.office import Office
from tools import kept_by_application
from tools import never_saved as tool


def rubric(check: str, **args: Any) -> Rubric:
    leaf = {"name": "asked", "check": check, "args": args}
    return load_rubric({"version": 1, "root": {"name": "root", "children": [leaf]}})


def test_the_file_is_what_the_tool_knows() -> None:
    assert tool.FILE.read_text("utf-8") == tool.text_of(tool.KNOWN)
    assert never_saved_table() == tool.KNOWN
    assert {row.check for row in never_saved_table()} <= set(check_names())
    assert all(row.why for row in never_saved_table())


@pytest.mark.parametrize(
    ("check", "args"),
    [
        ("diagram_contains", {"slide": 1, "texts": ["Home"]}),
        ("animation_timing", {"slide": 1, "effect": "fly_in", "build": "paragraph"}),
        ("picture_embedded", {"slide": 1, "shape": "@picture", "embedded": False}),
    ],
)
def test_a_leaf_that_asks_for_it_is_named(check: str, args: dict[str, Any]) -> None:
    found = never_saved(rubric(check, **args))
    assert list(found) == ["asked"]
    assert "LibreOffice" in found["asked"]


@pytest.mark.parametrize(
    ("check", "args"),
    [
        ("master_shape", {"text": "Confidential"}),
        ("animation_timing", {"slide": 1, "effect": "fly_in", "duration_sec": 2}),
        ("picture_embedded", {"slide": 1, "shape": "@picture"}),
        ("title_is", {"slide": 1, "text": "Table style"}),
    ],
)
def test_other_leaves_are_not(check: str, args: dict[str, Any]) -> None:
    assert never_saved(rubric(check, **args)) == {}


@pytest.mark.parametrize("suite", ["all"])
def test_no_task_of_the_package_asks_for_it(suite: str) -> None:
    assert [task.id for task in list_tasks(suite) if never_saved(task.rubric)] == []


def test_the_page_is_what_was_found() -> None:
    found = kept_by_application.found_before()
    assert kept_by_application.PAGE.read_text("utf-8") == kept_by_application.page(found)
    assert kept_by_application.unexplained(found) == []
    assert {one.check for one in found} <= {*check_names(), *ALIASES}


def test_what_the_table_names_was_tried_in_both_ways() -> None:
    found = kept_by_application.found_before()
    for row in never_saved_table():
        tried = [one for one in found if row.asks(one.check, one.args)]
        assert tried, row
        assert not any(one.inside or one.in_file for one in tried), row


def test_a_loss_that_nobody_knows_is_said() -> None:
    lost = kept_by_application.Kept("title_is", {"slide": 1, "text": "A"}, False, False, "gone")
    kept = kept_by_application.Kept("diagram_contains", {"slide": 1}, True, False)
    assert kept_by_application.unexplained([lost, kept]) == [
        "title_is {'slide': 1, 'text': 'A'} is lost: gone",
        "diagram_contains {'slide': 1} is kept: ",
    ]


@pytest.mark.image
def test_an_edit_is_made_inside_the_application() -> None:
    some = tool.cases(frozenset(("slide_hidden", "table_cell_is")))[:2]
    assert all(one.inside and one.in_file for one in kept_by_application.find(some))


@pytest.mark.image
def test_the_application_writes_the_fallback_of_an_equation() -> None:
    def shape(inside: str) -> str:
        return (
            '<p:sp><p:nvSpPr><p:cNvPr id="20" name="Rate"/><p:cNvSpPr txBox="1"/><p:nvPr/>'
            '</p:nvSpPr><p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="3000000" cy="500000"/>'
            '</a:xfrm><a:prstGeom prst="rect"/></p:spPr><p:txBody><a:bodyPr/><a:p>'
            f"{inside}</a:p></p:txBody></p:sp>"
        )

    equation = "<a14:m><m:oMath><m:r><m:t>x+1</m:t></m:r></m:oMath></a14:m>"
    words = "<a:r><a:t>The rate is </a:t></a:r>"
    presentation: Any = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    names = " ".join(
        f'xmlns:{prefix}="{name[1:-1]}"'
        for prefix, name in {"a": A, "p": P, "m": M, "mc": MC}.items()
    )
    slide.shapes._spTree.append(
        etree.fromstring(
            f'<mc:AlternateContent {names} xmlns:a14="{A14_MATH[1:].partition("}")[0]}">'
            f'<mc:Choice Requires="a14">{shape(words + equation)}</mc:Choice>'
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
def test_the_application_bears_the_table_out() -> None:
    checks = frozenset(row.check for row in tool.KNOWN)
    assert tool.unexplained(tool.verdicts(tool.cases(checks))) == []
