import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from pptarena.cli.tasks import _print_table, app
from pptarena.errors import UnknownTaskError
from pptarena.tasks import list_tasks


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [("list",), ("list", "--suite", "bench")])
def test_list_shows_every_task(arguments: tuple[str, ...]) -> None:
    shown = run(*arguments)
    assert all(task.id in shown for task in list_tasks("bench"))


@pytest.mark.parametrize("length", [60, 130])
def test_list_cuts_no_id_in_a_pipe(capsys: pytest.CaptureFixture[str], length: int) -> None:
    long = replace(list_tasks("starter")[0], id="x" * length, suite="a-suite-with-a-long-name")
    _print_table([long])
    shown = capsys.readouterr().out
    assert long.id in shown
    assert long.suite in shown


def test_list_as_json_has_the_documented_fields() -> None:
    listed = json.loads(run("list", "--suite", "starter", "--json"))
    assert [item["id"] for item in listed] == [task.id for task in list_tasks("starter")]
    for item in listed:
        assert list(item) == [
            *("id", "suite", "difficulty", "level", "edit_types", "deck", "instruction"),
        ]


def test_show_tells_what_is_asked_and_scored() -> None:
    task = list_tasks("starter")[0]
    shown = run("show", task.id)
    assert task.instruction.split()[0] in shown
    assert task.rubric.root.children[0].name in shown
    assert "nothing else changed" in shown


def test_show_tells_of_every_turn() -> None:
    shown = run("show", "meridian-second-thoughts")
    assert [f"turn {number}: " in shown for number in (1, 2, 3, 4)] == [False, True, True, False]
    assert "the title is the short one" in shown


def test_show_has_the_wordings_and_the_answers() -> None:
    shown = " ".join(run("show", "negev-ask-price").split())
    assert "or: Valves have a new price since Monday." in shown
    assert "about price: A valve costs 90 shekels now." in shown
    turns = " ".join(run("show", "meridian-second-thoughts").split())
    assert "turn 3: On second thought" in turns
    assert "or: Hm, that title on slide 7" in turns


def test_show_as_json() -> None:
    task = list_tasks("starter")[0]
    shown = json.loads(run("show", task.id, "--json"))
    assert shown["id"] == task.id
    assert shown["max_steps"] == task.max_steps
    assert shown["demonstration_steps"] == len(task.demonstration)


@pytest.mark.parametrize("arguments", [("show", "none"), ("list", "--suite", "none")])
def test_an_unknown_name_is_the_error_of_the_registry(arguments: tuple[str, ...]) -> None:
    with pytest.raises(UnknownTaskError, match="none"):
        run(*arguments)


@pytest.mark.parametrize("arguments", [("--help",), ("list", "--help"), ("show", "--help")])
def test_help_has_an_example(arguments: tuple[str, ...]) -> None:
    assert " pptarena tasks " in run(*arguments).partition("Example")[2]


def test_counts_stand_beside_those_of_others_and_add_up() -> None:
    shown = run("list", "--suite", "bench", "--counts").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in shown if "|" in line]
    assert rows[0] == ["edit type", "first", "any", "UIUC PPTArena"]
    end = next(place for place, row in enumerate(rows) if row[0] == "all")
    assert sum(int(row[1]) for row in rows[2:end]) == int(rows[end][1]) == len(list_tasks("bench"))
    assert rows[end + 1] == ["", "these", "UIUC PPTArena", "PPT-Eval"]
    assert ["hard", "30", "-", "30"] in rows
    assert ["slides", "313", "2125", "404"] in rows
    counted = json.loads(run("list", "--suite", "bench", "--counts", "--json"))
    assert counted["total"] == len(list_tasks("bench")) == 120
    assert counted["uiuc_pptarena"]["text"] == 29
    assert counted["published"]["PPT-Eval"]["tasks"] == 120


def test_a_task_of_two_suites_is_listed_once() -> None:
    listed = [item["id"] for item in json.loads(run("list", "--json"))]
    assert len(set(listed)) == len(listed)
