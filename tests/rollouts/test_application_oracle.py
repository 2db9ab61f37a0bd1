import dataclasses
import json
from pathlib import Path

import pytest

from pptarena.benchmarks.pptc.importing import import_sessions
from pptarena.rollouts.application_oracle import prove_in_application
from pptarena.tasks import get_task, list_tasks
from pptarena.vm_images.office import Office


def test_task_without_a_solution_is_not_proven() -> None:
    task = dataclasses.replace(get_task("resistance-cell-picture"), id="other", solution=())
    (proof,) = prove_in_application(Office(), [task])
    assert (proof.ok, proof.score) == (False, None)
    assert proof.reason == "the task has no solution and no gold deck"


@pytest.mark.image
def test_labels_of_pptc_work_inside_the_application(tmp_path: Path) -> None:
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
    proofs = list(prove_in_application(Office(), tasks))
    assert [proof.score for proof in proofs] == [1.0] * 10, proofs


@pytest.mark.image
def test_solutions_of_the_bench_work_inside_the_application() -> None:
    proofs = list(prove_in_application(Office(), list_tasks("starter")))
    assert [proof.score for proof in proofs] == [1.0] * 8, proofs


@pytest.mark.image
def test_slide_is_added_after_a_slide_with_a_chart() -> None:
    (proof,) = prove_in_application(Office(), [get_task("field-handout")])
    assert proof.score == 1.0, proof


@pytest.mark.image
def test_partial_solution_is_not_proven() -> None:
    task = get_task("resistance-fix-classes-table")
    half = dataclasses.replace(task, id="half", solution=task.solution[:1])
    (proof,) = prove_in_application(Office(), [half])
    assert (proof.ok, proof.score) == (False, 0.5)
