"""Episodes of the document environment in every format."""

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
from pptarena.rollouts.exporters import EXPORTERS, SourceEpisode, episodes_of
from pptarena.rollouts.run import plan_jobs
from pptarena.rollouts.store import read_steps
from pptarena.tasks import get_task

TASK = "meridian-hide-backup"
HIDE = ToolCall.of("hide_slide", slide=272)


class Caller:
    """Makes the same calls in each episode."""

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
    """A function that plays answers on a document and returns the stored episodes."""
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))

    def play_answers(*answers: Any) -> list[SourceEpisode]:
        make_env, root = (
            partial(make_document_env, max_steps=len(answers)),
            tmp_path / "run",
        )
        jobs = plan_jobs(["me"], [get_task(TASK)])
        for _ in collect(jobs, make_env, lambda name: Caller(*answers), root):
            pass
        return list(episodes_of(root))

    return play_answers


def _lines(episode: SourceEpisode) -> list[str]:
    # `splitlines` would also split at U+2028.
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
def test_record_has_no_screenshot_and_no_screen_action(
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
def test_chat_has_calls_and_results(play: Play, answers: tuple[Any, ...], tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    episodes = play(*answers)
    (row,) = parquet.read_table(EXPORTERS["chat"].export(episodes, tmp_path / "out")).to_pylist()
    system, *turns = row["messages"]
    assert system["role"] == "system"
    assert row["images"] == []
    prompts, replies = turns[::2], turns[1::2]
    assert len(replies) == len(prompts) == len(answers)
    first = prompts[0]["content"][0]["text"]
    assert episodes[0].meta.instruction in first
    assert episodes[0].outline in first
    for index, (answer, message) in enumerate(zip(answers, replies, strict=True)):
        assert message["role"] == "assistant"
        step = episodes[0].steps[index]
        if message["tool_calls"]:
            (call,) = message["tool_calls"]
            assert call["function"]["name"] == answer.tool
            assert json.loads(call["function"]["arguments"]) == dict(answer.arguments)
        else:
            assert step.action_error
            assert message["content"][0]["text"]
        if index + 1 < len(answers):
            prompt = prompts[index + 1]
            assert prompt["role"] == ("tool" if message["tool_calls"] else "user")
            assert prompt["content"][0]["text"] == episodes[0].result(index) != ""


@pytest.mark.parametrize("answers", ANSWERS.values(), ids=ANSWERS)
def test_atif_has_calls_and_results(play: Play, answers: tuple[Any, ...], tmp_path: Path) -> None:
    (episode,) = play(*answers)
    folder = EXPORTERS["atif"].export([episode], tmp_path / "out")
    trajectory = json.loads((folder / f"{episode.id}.json").read_text("utf-8"))
    first, *steps = trajectory["steps"]
    assert [part["type"] for part in first["message"]] == ["text", "text"]
    assert len(steps) == len(answers)
    for step, stored in zip(steps, episode.steps, strict=True):
        (result,) = step["observation"]["results"]
        assert result["content"][0]["text"] == episode.result(stored.step)
        assert ("tool_calls" in step) == ("source_call_id" in result)
        if "tool_calls" in step:
            assert step["tool_calls"][0]["function_name"] == (stored.call or {})["tool"]
    assert not (folder / "images").exists()
    assert "screen" not in trajectory["extra"]


@pytest.mark.parametrize("format", ["minari", "agentnet", "sharegpt"])
def test_screenshot_formats_refuse_documents_and_leave_no_files(
    play: Play, format: str, tmp_path: Path
) -> None:
    if format == "minari":
        pytest.importorskip("minari")
    out = tmp_path / "out"
    with pytest.raises(StoreError, match=r"document environment.*export it as chat or atif"):
        EXPORTERS[format].export(play(*ANSWERS["solved"]), out)
    assert not out.exists()
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".")]


def test_older_document_records_are_read(play: Play, tmp_path: Path) -> None:
    (episode,) = play(*ANSWERS["solved"])
    (episode.folder / "outline.txt").unlink()
    lines = [json.loads(line) for line in _lines(episode)]
    for line in lines:
        line |= {"screenshot_file": "step_000.png", "a11y_file": "step_000.json"}
        line["action"] = line["action"] or {"kind": "wait"}
        del line["call"]["result"]
    (episode.folder / "traj.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    (reread,) = episodes_of(tmp_path / "run")
    assert [step.action for step in reread.steps] == [step.action for step in episode.steps]
    assert (reread.outline, reread.result(0)) == ("", "")
    EXPORTERS["atif"].export([reread], tmp_path / "out")


def test_step_needs_an_action_or_a_call(play: Play) -> None:
    (episode,) = play(*ANSWERS["solved"])
    lines = [json.loads(line) for line in _lines(episode)]
    del lines[0]["call"]
    (episode.folder / "traj.jsonl").write_text(json.dumps(lines[0]))
    with pytest.raises(StoreError, match="expected an action or a call, got neither"):
        read_steps(episode.folder)


def fail_after_one(episodes: list[SourceEpisode]) -> Any:
    yield from episodes
    raise StoreError("the next one is broken")


@pytest.mark.slow
@pytest.mark.parametrize("format", ["chat", "atif"])
@pytest.mark.parametrize("folder_exists", [False, True])
def test_failed_export_leaves_no_files(
    play: Play, format: str, folder_exists: bool, tmp_path: Path
) -> None:
    if format == "chat":
        pytest.importorskip("pyarrow")
    out = tmp_path / "out"
    if folder_exists:
        out.mkdir()
        (out / "README.md").write_text("mine")
    with pytest.raises(StoreError, match="broken"):
        EXPORTERS[format].export(fail_after_one(play(*ANSWERS["solved"])), out)
    assert sorted(os.listdir(out)) == ["README.md"] if folder_exists else not out.exists()
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".")]
