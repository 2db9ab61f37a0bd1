import ast
import dataclasses
import json
from pathlib import Path

import pytest

from pptarena.benchmarks.pptc.importing import import_sessions
from pptarena.errors import TaskError
from pptarena.rollouts.application_oracle import (
    NO_EDIT,
    NOTHING,
    application_edits,
    gold_edits,
    prove_in_application,
)
from pptarena.tasks import MacroCall, get_task, list_tasks
from pptarena.tasks.macro_words import MACROS
from pptarena.tasks.macros import load_macros
from pptarena.tasks.solution_macros import macros_of
from pptarena.vm_images.office import Office

TASK = get_task("resistance-cell-picture")


def test_a_shape_is_told_by_its_name_and_place() -> None:
    assert application_edits(TASK) == [
        {
            "edit": "resize",
            "arguments": {
                **{"slide": 5, "shape": {"name": "Cell", "place": 3}},
                **{"width_cm": 10.5, "height_cm": 7.113},
            },
        }
    ]


def test_what_only_shows_is_no_edit() -> None:
    macros = load_macros([{"macro": "show_slide", "slide": 2}])
    assert application_edits(dataclasses.replace(TASK, macros=macros)) == []


def test_a_shape_is_told_by_the_slide_that_stands_there_by_then() -> None:
    macros = load_macros(
        [
            {"macro": "delete_slide", "slide": 1},
            {"macro": "delete_shape", "slide": 4, "shape": "Cell"},
        ]
    )
    _, edit = application_edits(dataclasses.replace(TASK, macros=macros))
    assert edit["arguments"] == {"slide": 4, "shape": {"name": "Cell", "place": 3}}


def test_a_shape_that_is_not_there_is_refused() -> None:
    macros = (MacroCall("delete_shape", {"slide": 1, "shape": "Cell"}),)
    with pytest.raises(TaskError, match="expected a shape 'Cell' on slide 1"):
        application_edits(dataclasses.replace(TASK, macros=macros))


def test_a_task_without_macros_is_no_proof() -> None:
    (proof,) = prove_in_application(Office(), [dataclasses.replace(TASK, macros=())])
    assert (proof.ok, proof.has_macros, proof.score) == (False, False, None)


def test_a_macro_without_an_edit_is_refused_by_name() -> None:
    macros = (MacroCall("menu", {"path": ["View", "Notes"]}),)
    with pytest.raises(TaskError, match=r"macro 1 \(menu\) has no edit inside the application yet"):
        application_edits(dataclasses.replace(TASK, macros=macros))


def test_every_other_macro_has_an_edit_of_the_same_arguments() -> None:
    # The module itself needs the application's library, which is in the image alone.
    source = (Path(__file__).parents[2] / "vm_images/guest/deck_edits.py").read_text("utf-8")
    edits = {
        each.name: [argument.arg for argument in each.args.args[1:]]
        for each in ast.parse(source).body
        if isinstance(each, ast.FunctionDef) and not each.name.startswith("_")
    }
    assert set(edits) == set(MACROS) - NOTHING - NO_EDIT
    looks = ["bold", "italic", "underline", "size_pt", "color"]  # taken as they come
    for name, takes in edits.items():
        assert takes + (looks if name == "format_text" else []) == list(MACROS[name].arguments)


def test_a_gold_deck_is_needed_to_become_like_it() -> None:
    with pytest.raises(TaskError, match="the task has no gold deck"):
        gold_edits(TASK)
    several = dataclasses.replace(TASK, turns=get_task("meridian-second-thoughts").turns)
    with pytest.raises(TaskError, match="expected a task of one turn, got one of 3"):
        gold_edits(several)
    (proof,) = prove_in_application(Office(), [TASK], by_gold=True)
    assert (proof.ok, proof.score, proof.reason) == (False, None, "the task has no gold deck")


@pytest.mark.image
def test_what_a_label_of_pptc_does_is_done_inside_the_application(tmp_path: Path) -> None:
    session = tmp_path / "own/session_1.json"
    session.parent.mkdir()
    calls = (
        "choose_title();insert_text('Tents')",
        "insert_star();set_fill_color('red')",
        "create_slide();insert_table(2,2);insert_table_row(['a','b'])",
        "choose_table();choose_table_cell(0,0);set_font_color('red');set_font_style('Futura')",
        "insert_textbox();insert_text('Short words in a wide box')",
        f"create_slide();insert_textbox();insert_text('{'Words as wide as a street. ' * 12}')",
        "insert_bar_chart([3,5,4],['Oct','Nov','Dec'])",
        "set_chart_title('Guests')",
        "create_slide();insert_line_chart([3,5,4],['Oct','Nov','Dec'])",
        "create_slide();insert_pie_chart([40,30,30],['US','Oman','France'])",
    )
    lines = [
        json.dumps(
            {
                "Turn": number,
                "User instruction": "Do it.",
                "Feasible API sequence": each,
                **dict.fromkeys(("Base File", "Label File"), ""),
                **dict.fromkeys(("API Lack Base File", "API Lack Label File"), ""),
            }
        )
        for number, each in enumerate(calls)
    ]
    session.write_text("\n".join(lines), "utf-8")
    assert not [e for e in import_sessions(session.parent, tmp_path / "out", "turn") if e.problem]
    tasks = list_tasks(tmp_path / "out")
    proofs = list(prove_in_application(Office(), tasks, by_gold=True))
    assert [proof.score for proof in proofs] == [1.0] * 10, proofs


@pytest.mark.image
def test_the_goals_of_the_bench_are_reached_inside_the_application() -> None:
    proofs = list(prove_in_application(Office(), list_tasks("starter")))
    assert [proof.score for proof in proofs] == [1.0] * 8, proofs


@pytest.mark.image
def test_half_a_goal_and_a_wrong_one_are_not_the_goal() -> None:
    half = dataclasses.replace(
        get_task("resistance-fix-classes-table"),
        macros=macros_of(get_task("resistance-fix-classes-table"))[:1],
    )
    wrong = dataclasses.replace(
        TASK, macros=(MacroCall("delete_shape", {"slide": 5, "shape": "Cell"}),)
    )
    broken = dataclasses.replace(TASK, macros=(MacroCall("hide_slide", {"slide": 99}),))
    proofs = list(prove_in_application(Office(), [half, wrong, broken]))
    assert [proof.score for proof in proofs] == [0.5, 0.0, None]
    assert "expected a slide from 1 to 20, got 99" in proofs[2].reason
