import io
import json
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from pptx import Presentation

from pptarena.tasks.quality.attacks import ALLOWED_GAIN, ATTACKS, KINDS, VARIANTS

pytestmark = pytest.mark.slow

Cli = Callable[..., "subprocess.CompletedProcess[str]"]
CHECK = ("tasks", "check", "--attacks")
TASK = "meridian-hide-backup"
TRANSITIONAL = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def test_table_of_attacks_and_variants(cli: Cli) -> None:
    done = cli(*CHECK, TASK, "--sample", "0")
    assert f"1  {TASK}" in done.stdout
    assert all(one.name in done.stdout for one in (*ATTACKS, *VARIANTS))
    assert "No attack gains more than 0.1" in done.stdout
    assert "✗" not in done.stdout


def test_attacks_as_json_skip_and_name_infeasible_tasks(cli: Cli) -> None:
    value = json.loads(cli(*CHECK, TASK, "onboard-morph", "--sample", "0", "--json").stdout)
    assert (value["ok"], value["allowed_gain"]) == (True, ALLOWED_GAIN)
    assert value["left_out"] == ["onboard-morph"]
    assert {one["task"] for one in value["attacks"]} == {TASK}
    assert {one["task"] for one in value["variants"]} == {TASK}
    assert all(one["score"] == 1 for one in value["variants"])
    first = value["attacks"][0]
    assert first["gain"] == first["score"] - first["deserved"]


def test_only_infeasible_tasks_are_an_error(cli: Cli) -> None:
    done = cli(*CHECK, "onboard-morph", code=2)
    assert "--attacks needs feasible tasks; infeasible: onboard-morph" in " ".join(
        done.stderr.split()
    )


def test_derived_attacks_can_be_sampled(cli: Cli) -> None:
    value = json.loads(cli(*CHECK, TASK, "--derived", "--sample", "3", "--json").stdout)
    assert len(value["attacks"]) == 3
    assert len(value["variants"]) == 1
    assert sum(one["tried"] for one in value["kinds"]) == 4
    assert {one["kind"] for one in value["kinds"]} <= {*KINDS, "variant"}


def test_resistance_is_printed_as_a_table(cli: Cli) -> None:
    done = cli(*CHECK, TASK, "--derived", "--sample", "3")
    assert done.stdout.split()[:5] == ["kind", "tried", "held", "share", "worst"]
    assert "same slide" in done.stdout
    assert f"1  {TASK}" not in done.stdout


def test_derived_requires_attacks(cli: Cli) -> None:
    done = cli("tasks", "check", "--derived", "--machine", "fake", code=2)
    assert "--derived needs --attacks" in " ".join(done.stderr.split())


def test_render_check_requires_attacks(cli: Cli) -> None:
    done = cli("tasks", "check", "--look", "--machine", "fake", code=2)
    assert "--look needs --attacks" in " ".join(done.stderr.split())


def test_task_without_a_target_is_an_error(cli: Cli, write_task: Callable[..., Path]) -> None:
    write_task("mine/bold-title")
    done = cli(*CHECK, "--suite", "mine", code=1)
    assert "the task has no gold deck and no solution" in done.stderr


def test_uneditable_deck_does_not_stop_the_others(cli: Cli, tmp_path: Path) -> None:
    iso = (TRANSITIONAL, b"http://purl.oclc.org/ooxml/officeDocument/relationships")
    for name, swap in (("orphan-deck", (b"", b"")), ("strict-deck", iso)):
        folder = tmp_path / "own" / name
        folder.mkdir(parents=True)
        (folder / "deck.pptx").write_bytes(rewritten(orphan_deck("slide 1"), *swap))
        (folder / "gold.pptx").write_bytes(orphan_deck("Rye"))
        task = {"version": 2, "id": name, "deck": "deck.pptx", "gold": "gold.pptx"}
        (folder / "task.json").write_text(json.dumps(task | {"instruction": "Call it Rye."}))
    done = cli(*CHECK, "--suite", str(tmp_path / "own"), "--json", code=1)
    value = json.loads(done.stdout)
    assert list(value["failed"]) == ["strict-deck"]
    assert "Strict Open XML" in value["failed"]["strict-deck"]
    assert {one["task"] for one in value["attacks"]} == {"orphan-deck"}


def orphan_deck(title: str) -> bytes:
    """Four slides, and one that was only taken off the list."""
    presentation = Presentation()
    for number in range(1, 6):
        slide = presentation.slides.add_slide(presentation.slide_layouts[5])
        slide.shapes.title.text = f"slide {number}" if number > 1 else title
    entries = presentation.slides._sldIdLst
    entries.remove(entries[1])
    stream = io.BytesIO()
    presentation.save(stream)
    return stream.getvalue()


def rewritten(file: bytes, old: bytes, new: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(file)) as before, zipfile.ZipFile(stream, "w") as after:
        for name in before.namelist():
            data = before.read(name)
            after.writestr(name, data.replace(old, new) if old else data)
    return stream.getvalue()
