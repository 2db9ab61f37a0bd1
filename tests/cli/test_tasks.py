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
    output = run(*arguments)
    assert all(task.id in output for task in list_tasks("bench"))


@pytest.mark.parametrize("length", [60, 130])
def test_list_does_not_truncate_ids_in_a_pipe(
    capsys: pytest.CaptureFixture[str], length: int
) -> None:
    long = replace(list_tasks("starter")[0], id="x" * length, suite="a-suite-with-a-long-name")
    _print_table([long])
    output = capsys.readouterr().out
    assert long.id in output
    assert long.suite in output


def test_list_as_json_has_the_documented_fields() -> None:
    tasks = json.loads(run("list", "--suite", "starter", "--json"))
    assert [item["id"] for item in tasks] == [task.id for task in list_tasks("starter")]
    for item in tasks:
        assert list(item) == [
            *("id", "suite", "difficulty", "level", "edit_types", "deck", "instruction"),
        ]


def test_show_prints_the_instruction_and_the_rubric() -> None:
    task = list_tasks("starter")[0]
    output = run("show", task.id)
    assert task.instruction.split()[0] in output
    assert task.rubric.root.children[0].name in output
    assert "nothing else changed" in output


def test_show_prints_every_turn() -> None:
    output = run("show", "meridian-second-thoughts")
    assert [f"turn {number}: " in output for number in (1, 2, 3, 4)] == [False, True, True, False]
    assert "the title is the short one" in output


def test_show_prints_paraphrases_and_answers() -> None:
    output = " ".join(run("show", "negev-ask-price").split())
    assert "or: Valves have a new price since Monday." in output
    assert "about price: A valve costs 90 shekels now." in output
    turns = " ".join(run("show", "meridian-second-thoughts").split())
    assert "turn 3: On second thought" in turns
    assert "or: Hm, that title on slide 7" in turns


def test_show_as_json() -> None:
    task = list_tasks("starter")[0]
    output = json.loads(run("show", task.id, "--json"))
    assert output["id"] == task.id
    assert output["max_steps"] == task.max_steps
    assert output["demonstration_steps"] == len(task.demonstration)


@pytest.mark.parametrize("arguments", [("show", "none"), ("list", "--suite", "none")])
def test_unknown_name_is_reported_by_the_registry(arguments: tuple[str, ...]) -> None:
    with pytest.raises(UnknownTaskError, match="none"):
        run(*arguments)


@pytest.mark.parametrize("arguments", [("--help",), ("list", "--help"), ("show", "--help")])
def test_help_has_an_example(arguments: tuple[str, ...]) -> None:
    assert " pptarena tasks " in run(*arguments).partition("Example")[2]


def test_counts_are_compared_with_other_benchmarks_and_add_up() -> None:
    output = run("list", "--suite", "bench", "--counts").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in output if "|" in line]
    assert rows[0] == ["edit type", "first", "any", "UIUC PPTArena"]
    end = next(location for location, row in enumerate(rows) if row[0] == "all")
    assert sum(int(row[1]) for row in rows[2:end]) == int(rows[end][1]) == len(list_tasks("bench"))
    assert rows[end + 1] == ["", "these", "UIUC PPTArena", "PPT-Eval"]
    assert ["hard", "30", "-", "30"] in rows
    assert ["slides", "313", "2125", "404"] in rows
    counted = json.loads(run("list", "--suite", "bench", "--counts", "--json"))
    assert counted["total"] == len(list_tasks("bench")) == 120
    assert counted["uiuc_pptarena"]["text"] == 29
    assert counted["published"]["PPT-Eval"]["tasks"] == 120


def test_task_in_two_suites_is_listed_once() -> None:
    tasks = [item["id"] for item in json.loads(run("list", "--json"))]
    assert len(set(tasks)) == len(tasks)
