"""Episodes of the document environment in every format: calls and results, or left out entirely."""

import json
import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pptarena.envs.document import ToolCall
from pptarena.errors import StoreError
from pptarena.rollouts.collect import collect
from pptarena.rollouts.env import make_document_env
from pptarena.rollouts.exporters import EXPORTERS, SCREENS_ONLY, SourceEpisode, episodes_of
from pptarena.rollouts.run import plan_jobs
from pptarena.rollouts.store import read_steps
from pptarena.tasks import get_task

TASK = "meridian-hide-backup"
HIDE = ToolCall.of("hide_slide", slide=272)


class Caller:
    """Makes the same calls in every episode."""

    def __init__(self, *answers: Any) -> None:
        self.answers = answers

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        self._next = 0

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Any:
        self._next += 1
        return self.answers[self._next - 1]


Play = Callable[..., list[SourceEpisode]]


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Play:
    """Return a function that plays answers on a document and returns the stored episode."""
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))

    def run(*answers: Any) -> list[SourceEpisode]:
        make_env, root = partial(make_document_env, max_steps=len(answers)), tmp_path / "run"
        jobs = plan_jobs(["me"], [get_task(TASK)])
        for _ in collect(jobs, make_env, lambda name: Caller(*answers), root):
            pass
        return list(episodes_of(root))

    return run


def _lines(episode: SourceEpisode) -> list[str]:
    # Not `splitlines`, which also breaks texts at U+2028.
    return (episode.folder / "traj.jsonl").read_text("utf-8").strip().split("\n")


ANSWERS: dict[str, tuple[Any, ...]] = {
    "solved": (HIDE, ToolCall.of("done")),
    "given up": (ToolCall.of("fail"),),
    "done immediately": (ToolCall.of("done"),),
    "out of steps": (HIDE, HIDE),
    "reading": (ToolCall.of("read_slide", slide=272), ToolCall.of("done")),
    "unknown tool": (ToolCall.of("fly"), ToolCall.of("done")),
    "wrong argument": (ToolCall.of("hide_slide", slide="x"), ToolCall.of("done")),
    "no call": ("I cannot do this \U00020bb7", ToolCall.of("done")),
    "no JSON": ("{", ToolCall.of("done")),
    "nothing": (None, ToolCall.of("done")),
    "unicode": (
        ToolCall.of("set_text", slide=272, shape=2, text="ပျား \U00020bb7\u2028"),
        ToolCall.of("done"),
    ),
}


@pytest.mark.parametrize("answers", ANSWERS.values(), ids=ANSWERS)
def test_a_record_names_no_picture_and_no_action_of_a_screen(
    play: Play, answers: tuple[Any, ...]
) -> None:
    (episode,) = play(*answers)
    lines = [json.loads(line) for line in _lines(episode)]
    assert len(lines) == len(answers)
    for line in lines:
        assert line["screenshot_file"] is line["a11y_file"] is None
        name = line["call"].get("tool")
        assert line["action"] == ({"kind": name} if name in ("done", "fail") else None)
    assert read_steps(episode.folder) == episode.steps
    assert episode.outline.startswith("slide ") or "272" in episode.outline


@pytest.mark.slow
@pytest.mark.parametrize("answers", ANSWERS.values(), ids=ANSWERS)
def test_a_chat_has_calls_and_results(play: Play, answers: tuple[Any, ...], tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    episodes = play(*answers)
    (row,) = parquet.read_table(EXPORTERS["chat"](episodes, tmp_path / "out")).to_pylist()
    system, *turns = row["messages"]
    assert system["role"] == "system"
    assert row["images"] == []
    asked, said = turns[::2], turns[1::2]
    assert len(said) == len(asked) == len(answers)
    first = asked[0]["content"][0]["text"]
    assert episodes[0].meta.instruction in first
    assert episodes[0].outline in first
    for at, (answer, message) in enumerate(zip(answers, said, strict=True)):
        assert message["role"] == "assistant"
        step = episodes[0].steps[at]
        if message["tool_calls"]:
            (call,) = message["tool_calls"]
            assert call["function"]["name"] == answer.tool
            assert json.loads(call["function"]["arguments"]) == dict(answer.arguments)
        else:
            assert step.action_error
            assert message["content"][0]["text"]
        if at + 1 < len(answers):
            shown = asked[at + 1]
            assert shown["role"] == ("tool" if message["tool_calls"] else "user")
            assert shown["content"][0]["text"] == episodes[0].result(at) != ""


@pytest.mark.parametrize("answers", ANSWERS.values(), ids=ANSWERS)
def test_atif_has_calls_and_results(play: Play, answers: tuple[Any, ...], tmp_path: Path) -> None:
    (episode,) = play(*answers)
    folder = EXPORTERS["atif"]([episode], tmp_path / "out")
    found = json.loads((folder / f"{episode.id}.json").read_text("utf-8"))
    first, *steps = found["steps"]
    assert [part["type"] for part in first["message"]] == ["text", "text"]
    assert len(steps) == len(answers)
    for step, stored in zip(steps, episode.steps, strict=True):
        (result,) = step["observation"]["results"]
        assert result["content"][0]["text"] == episode.result(stored.step)
        assert ("tool_calls" in step) == ("source_call_id" in result)
        if "tool_calls" in step:
            assert step["tool_calls"][0]["function_name"] == (stored.call or {})["tool"]
    assert not (folder / "images").exists()
    assert "screen" not in found["extra"]


@pytest.mark.parametrize("format", sorted(SCREENS_ONLY))
def test_formats_of_screenshots_refuse_it_and_leave_nothing(
    play: Play, format: str, tmp_path: Path
) -> None:
    if format == "minari":
        pytest.importorskip("minari")
    out = tmp_path / "out"
    with pytest.raises(StoreError, match=r"document environment.*export it as chat or atif"):
        EXPORTERS[format](play(*ANSWERS["solved"]), out)
    assert not out.exists()
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".")]


def test_older_records_of_documents_are_read(play: Play, tmp_path: Path) -> None:
    (episode,) = play(*ANSWERS["solved"])
    (episode.folder / "outline.txt").unlink()
    lines = [json.loads(line) for line in _lines(episode)]
    for line in lines:
        line |= {"screenshot_file": "step_000.png", "a11y_file": "step_000.json"}
        line["action"] = line["action"] or {"kind": "wait"}
        del line["call"]["result"]
    (episode.folder / "traj.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    (again,) = episodes_of(tmp_path / "run")
    assert [step.action for step in again.steps] == [step.action for step in episode.steps]
    assert (again.outline, again.result(0)) == ("", "")
    EXPORTERS["atif"]([again], tmp_path / "out")


def test_a_step_needs_an_action_or_a_call(play: Play) -> None:
    (episode,) = play(*ANSWERS["solved"])
    lines = [json.loads(line) for line in _lines(episode)]
    del lines[0]["call"]
    (episode.folder / "traj.jsonl").write_text(json.dumps(lines[0]))
    with pytest.raises(StoreError, match="expected an action or a call, got neither"):
        read_steps(episode.folder)


def broken_after_one(episodes: list[SourceEpisode]) -> Any:
    yield from episodes
    raise StoreError("the next one is broken")


@pytest.mark.slow
@pytest.mark.parametrize("format", ["chat", "atif"])
@pytest.mark.parametrize("before", [False, True])
def test_an_export_that_fails_writes_nothing(
    play: Play, format: str, before: bool, tmp_path: Path
) -> None:
    if format == "chat":
        pytest.importorskip("pyarrow")
    out = tmp_path / "out"
    if before:
        out.mkdir()
        (out / "README.md").write_text("mine")
    with pytest.raises(StoreError, match="broken"):
        EXPORTERS[format](broken_after_one(play(*ANSWERS["solved"])), out)
    assert sorted(os.listdir(out)) == ["README.md"] if before else not out.exists()
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".")]
