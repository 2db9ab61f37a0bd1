"""``pptarena tasks import uiuc``, ``ppteval`` and ``osworld``, and ``pptarena runs rescore``."""

import io
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation

pytestmark = pytest.mark.slow

Cli = Callable[..., "subprocess.CompletedProcess[str]"]

URL = "https://files.example/libreoffice_impress/aa"
PATH = "/home/user/Desktop/farm.pptx"


def deck(title: str = "Harvest") -> bytes:
    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[1])
    slide.shapes.title.text = title
    file = io.BytesIO()
    presentation.save(file)
    return file.getvalue()


def write(place: Path, value: Any) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(value if isinstance(value, bytes) else json.dumps(value).encode())


def case(number: int, **more: Any) -> dict[str, Any]:
    defaults = {
        "name": f"Case {number}: Rename",
        "prompt": "Call the slide 'Yield'.",
        "style_target": "",
        "original": "Original/1.pptx",
        "ground_truth": "GroundTruth/1.pptx",
        "edit_type": "Text & Typography",
    }
    return {**defaults, **more}


def osworld_task(id: str, func: str = "compare_pptx_files") -> dict[str, Any]:
    return {
        "id": id,
        "instruction": "Call the slide 'Yield'.",
        "config": [
            {
                "type": "download",
                "parameters": {"files": [{"url": f"{URL}/f.pptx", "path": PATH}]},
            },
            {"type": "open", "parameters": {"path": PATH}},
        ],
        "evaluator": {
            "func": func,
            "result": {"type": "vm_file", "path": PATH, "dest": "farm.pptx"},
            "expected": {"type": "cloud_file", "path": f"{URL}/gold.pptx", "dest": "gold.pptx"},
        },
    }


def test_cases_of_uiuc_are_imported_and_checked(cli: Cli, tmp_path: Path) -> None:
    copy = tmp_path / "PPTArena"
    write(copy / "Original/1.pptx", deck())
    write(copy / "GroundTruth/1.pptx", deck("Yield"))
    write(copy / "src/evaluation_pairs_refined.json", [case(1), case(2, original="../up.pptx")])
    done = cli("tasks", "import", "uiuc", "PPTArena", "--out", "uiuc", code=1)
    assert "1 of 2 cases imported" in done.stdout
    assert "1 skipped: a path leads out of the copy" in done.stdout
    assert "Case 2: Rename: a path leads out of the copy: original:" in done.stderr
    assert "Next: pptarena tasks check --suite uiuc" in done.stdout
    checked = cli("tasks", "check", "--suite", "uiuc", "--machine", "fake")
    assert "1 of 1 tasks passed." in checked.stdout
    second = cli("tasks", "import", "uiuc", "PPTArena", "--out", "uiuc", code=2)
    assert "exists and is not an empty folder" in second.stderr


def test_empty_import_fails_without_output(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path / "PPTArena/src/evaluation_pairs_refined.json", [{}])
    value = json.loads(
        cli("tasks", "import", "uiuc", "PPTArena", "--out", "out", "--json", code=1).stdout
    )
    assert (value["imported"], value["refused"]) == (0, {"malformed": 1})
    assert not list((tmp_path / "out").glob("*.json"))
    done = cli("tasks", "import", "uiuc", "nowhere", "--out", "out2", code=1)
    assert "expected the folder of your copy, found none" in " ".join(done.stderr.split())


def test_tasks_of_ppteval_are_imported(cli: Cli, tmp_path: Path) -> None:
    copy = tmp_path / "ppteval"
    code = "def compute_score():\n    return 'nothing', 0.0\n"
    leaf = {"name": "leaf", "scorer": {"type": "function", "function_code": code}}
    entry = {"goal": "Do it.", "rubric_path": "r.json", "file_path": "d/1.pptx"}
    write(copy / "task_registry/tasks.json", {"1-001": entry})
    write(copy / "r.json", {"root": {"name": "root", "children": [leaf]}})
    write(copy / "d/1.pptx", deck())
    assert (
        "1 of 1 tasks imported"
        in cli("tasks", "import", "ppteval", "ppteval", "--out", "out").stdout
    )
    tasks = json.loads(cli("tasks", "list", "--suite", "out", "--json").stdout)
    assert [each["id"] for each in tasks] == ["ppteval-1-001"]


def test_tasks_of_osworld_are_imported_played_and_judged(
    cli: Cli, server: Any, tmp_path: Path
) -> None:
    home = tmp_path / "OSWorld/evaluation_examples/examples/libreoffice_impress"
    write(home / "aa.json", osworld_task("aa"))
    write(home / "bb.json", osworld_task("bb", "compare_images"))
    write(home / "cc.json", {**osworld_task("cc"), "evaluator": {"func": "infeasible"}})
    for id in ("aa", "cc"):
        write(tmp_path / f"files/{id}/f.pptx", deck())
    write(tmp_path / "files/aa/gold.pptx", deck("Yield"))
    done = cli("tasks", "import", "osworld", "OSWorld", "--files", "files", "--out", "tasks")
    assert "2 of 3 tasks imported" in done.stdout
    assert "1 skipped: judges an exported picture, not the deck" in done.stdout
    server.script = [
        '{"name": "set_text", "arguments": {"slide": 256, "shape": 2, "text": "Yield"}}',
        '{"name": "done"}',
        '{"name": "done"}',
    ]
    model = ("--model", "m", "--base-url", server.url, "--dialect", "json")
    run = ("run", "--env", "doc", "--suite", "tasks", "--agent", "model", *model, "--out", "runs")
    episodes = json.loads(cli(*run, "--json").stdout)["episodes"]
    assert {each["task"]: each["score"] for each in episodes} == {
        "osworld-aa": 1.0,
        "osworld-cc": 0.0,
    }
    (row,) = json.loads(cli("runs", "rescore", "runs", "--as", "osworld", "--json").stdout)["rows"]
    assert (row["tasks"], row["mean_score"]) == (2, 0.5)
    published = {"judged": 2, "passed": 1, "mean": 0.5, "unjudged": 0}
    assert (row["published"], row["apart"]) == (published, [])
    assert row["reasons"] == {"osworld-cc": "end: done"}
    assert (
        "osworld-cc, published: end: done"
        in cli("runs", "rescore", "runs", "--as", "osworld").stdout
    )
    assert "found no episodes" in cli("runs", "rescore", "tasks", "--as", "osworld", code=2).stderr
