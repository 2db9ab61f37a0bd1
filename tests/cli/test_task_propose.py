"""``pptarena tasks propose`` and ``tasks review`` as users run them."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pptarena.decks.saving.libreoffice import is_saved_by_libreoffice
from pptarena.tasks import list_tasks

pytestmark = pytest.mark.slow

Cli = Callable[..., "subprocess.CompletedProcess[str]"]

PROPOSE = ("tasks", "propose", "meridian", "--out", "out", "--prove", "file", "--json")
RETITLE = """
for slide in presentation.slides:
    if slide.shapes.title is not None and slide.shapes.title.text.startswith("The quarter"):
        slide.shapes.title.text_frame.paragraphs[0].runs[0].text = "Our quarter"
"""


def call(tool: str, **arguments: Any) -> str:
    return json.dumps({"name": tool, "arguments": arguments})


def add(*tasks: str) -> str:
    return call("add_tasks_to_dataset", tasks=tasks)


def test_operators_propose_without_a_model(cli: Cli, tmp_path: Path) -> None:
    results = json.loads(cli(*PROPOSE, "--count", "3").stdout)
    assert results["kept"] == 3
    tasks = {task.id: task for task in list_tasks(str(tmp_path / "out"))}
    for each in results["proposals"]:
        assert (each["by"], each["problem"], each["reviews"]) == ("operators", "", [])
        assert tasks[each["id"]].instruction == each["instruction"]
        assert tasks[each["id"]].solution
    more = json.loads(cli(*PROPOSE, "--count", "1").stdout)
    assert more["proposals"][0]["id"] == "meridian-proposal-4"


def test_model_proposes_tasks(cli: Cli, server: Any, tmp_path: Path) -> None:
    explore = [
        add("Make a title."),
        call("add_tasks_to_dataset", tasks=["[easy] [SLIDE:99] Nothing."]),
        add("[easy] [SLIDE:3] Call it 'Our quarter'.", "[Hard] [SLIDE:2] Do nothing."),
        add("[medium] [SLIDE:1] Draw a cat."),
        call("done"),
    ]
    edits = {
        "Call it 'Our quarter'.": [call("run_program", code=RETITLE), call("done")],
        "Do nothing.": [call("done")],
        "Draw a cat.": [call("fail")],
    }

    def reply(request: dict[str, Any]) -> str:
        system = request["messages"][0]["content"]
        script = next((edits[task] for task in edits if f"Task: {task}" in system), explore)
        return script.pop(0)

    server.default = reply
    model = ("--model", "m", "--base-url", server.url, "--dialect", "json")
    results = json.loads(cli(*PROPOSE, *model).stdout)
    metadata, idle, cat = results["proposals"]
    assert (metadata["difficulty"], metadata["slide"], metadata["by"]) == ("easy", 3, "m")
    assert "differs from the deck" in idle["problem"]
    assert "cannot be done" in cat["problem"]
    (task,) = list_tasks(str(tmp_path / "out"))
    assert (task.instruction, task.difficulty) == ("Call it 'Our quarter'.", "easy")
    assert "Our quarter" in json.dumps(json.loads(Path(task.place).read_text())["rubric"])
    refused = [each["messages"][-1]["content"] for each in server.requests[1:3]]
    assert "expected [DIFFICULTY] [SLIDE:N] <task>" in refused[0]
    assert "the deck has 17 slides" in refused[1]
    counts = json.loads(cli("tasks", "review", "out", "--json").stdout)
    assert (counts["proposed"], counts["proven"]) == (3, 1)


def test_reviews_refine_proposals_and_are_counted(cli: Cli, tmp_path: Path) -> None:
    cli(*PROPOSE, "--count", "2")
    one, two = ("out/meridian-proposal-1", "out/meridian-proposal-2")
    refine = ("tasks", "review", one, "--decision", "refine", "--by", "Ada", "--reason", "unclear")
    cli(*refine, "--instruction", "Animate the title of slide 3.")
    task = json.loads((tmp_path / one / "task.json").read_text())
    assert task["instruction"] == "Animate the title of slide 3."
    record = json.loads((tmp_path / one / "proposal.json").read_text())
    (review,) = record["reviews"]
    assert (review["before"], review["after"]) == (record["instruction"], task["instruction"])

    rubric = tmp_path / "rubric.json"
    rubric.write_text(json.dumps({**task["rubric"], "strategy": "weighted"}))
    cli(*refine[:-1], "too strict", "--rubric", "rubric.json")
    leaf = {"name": "other", "check": "title_is", "args": {"slide": 1, "text": "Other"}}
    rubric.write_text(json.dumps({"version": 1, "root": {"name": "r", "children": [leaf]}}))
    refused = cli(*refine, "--rubric", "rubric.json", code=1)
    assert "nothing was changed" in refused.stderr
    cli("tasks", "review", two, "--decision", "reject", "--by", "Ada")

    results = json.loads(cli("tasks", "review", "out", "--json").stdout)
    assert results["last_decision"] == {"refine": 1, "reject": 1}
    assert results["refined"] == {"instruction": 1, "rubric": 1}
    assert results["reasons"] == {"instruction": {"unclear": 1}, "rubric": {"too strict": 1}}
    assert "too strict" in cli("tasks", "review", "out").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("review", "out", "--by", "Ada"), "add --decision"),
        (("review", "out"), "found no proposed tasks"),
        (("review", "out", "--decision", "kept"), "'kept' not found"),
        (("review", "out", "--decision", "keep"), "--by is empty"),
        (("review", "out", "--decision", "refine", "--by", "A"), "--instruction or --rubric"),
        (("propose", "meridian", "--out", "out", "--base-url", "http://h/v1"), "add --model"),
        (("propose", "meridian", "--out", "out", "--prove", "all"), "proof 'all' not found"),
    ],
)
def test_usage_errors_are_refused(cli: Cli, arguments: tuple[str, ...], message: str) -> None:
    done = cli("tasks", *arguments, code=2)
    assert message in " ".join(done.stderr.split())


@pytest.mark.image
def test_decks_are_saved_by_the_application(
    here: Callable[..., tuple[object, str, str]], tmp_path: Path
) -> None:
    arguments = ("tasks", "propose", "meridian", "--out", str(tmp_path / "out"), "--count", "2")
    code, out, errors = here(*arguments, "--json")
    assert code == 0, errors
    results = json.loads(out)
    assert results["kept"] >= 1
    for each in results["proposals"]:
        if each["folder"] is not None:
            for name in ("deck.pptx", "gold.pptx"):
                assert is_saved_by_libreoffice((Path(each["folder"]) / name).read_bytes())
