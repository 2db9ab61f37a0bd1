"""Evaluation of a scripted model by Inspect; run by ``make test-inspect``."""

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="needs inspect-ai: make test-inspect")

# Other packages give warnings.
pytestmark = pytest.mark.filterwarnings("default")

TASK = "meridian-hide-backup"


@pytest.fixture(autouse=True)
def _no_download(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the tokenizer, which Inspect would download."""

    class WordTokenizer:
        def encode(self, text: str, **_: Any) -> list[int]:
            return [0] * len(text.split())

    monkeypatch.setattr("tiktoken.get_encoding", lambda name: WordTokenizer())


def evaluate_answers(answers: list[Any], logs: Path, **limits: Any) -> Any:
    from inspect_ai import eval as evaluate
    from inspect_ai.model import ModelOutput, get_model

    from pptarena.rollouts.trainers.inspect_task import pptarena

    outputs = [
        ModelOutput.from_content("mockllm/model", answer)
        if isinstance(answer, str)
        else ModelOutput.for_tool_call("mockllm/model", answer[0], answer[1])
        for answer in answers
    ]
    (log,) = evaluate(
        pptarena(tasks=TASK),
        model=get_model("mockllm/model", custom_outputs=outputs),
        log_dir=str(logs),
        display="none",
        **limits,
    )
    assert log.status == "success", log.error
    (sample,) = log.samples
    return log, sample


def test_solved_task_scores_1(tmp_path: Path) -> None:
    log, sample = evaluate_answers([("hide_slide", {"slide": 272}), ("done", {})], tmp_path)
    score = sample.scores["rubric_score"]
    assert score.value == 1.0
    assert score.metadata["steps"] == [
        {"tool": "hide_slide", "reward": 1.0}, {"tool": "done", "reward": 0.0}
    ]  # fmt: skip
    assert log.results.scores[0].metrics["mean"].value == 1.0
    assert "slide 17, id 272" in sample.messages[0].text
    assert [message.text for message in sample.messages if message.role == "tool"] == [
        "hidden", "done"
    ]  # fmt: skip


def test_refused_call_is_explained_and_text_ends_the_episode(tmp_path: Path) -> None:
    _, sample = evaluate_answers([("hide_slide", {"slide": 1}), "I give up."], tmp_path)
    (refused,) = [message for message in sample.messages if message.role == "tool"]
    assert "slide" in refused.error.message
    assert sample.scores["rubric_score"].value == 0.0


def test_limit_ends_the_episode_with_its_score(tmp_path: Path) -> None:
    answers = [("hide_slide", {"slide": 272}), *[("read_slide", {"slide": 272})] * 10]
    _, sample = evaluate_answers(answers, tmp_path, message_limit=6)
    assert sample.limit.type == "message"
    assert sample.scores["rubric_score"].value == 1.0


def test_model_receives_every_tool_description(tmp_path: Path) -> None:
    from pptarena.envs.document.toolbox import toolbox

    _, sample = evaluate_answers(["done"], tmp_path)
    (event,) = [event for event in sample.events if event.event == "model"]
    described = {tool.name: tool for tool in event.tools}
    assert set(described) == set(toolbox(("edit",)))
    for name, tool in toolbox(("edit",)).items():
        expected = tool.to_json()["parameters"]
        assert set(described[name].parameters.properties) == set(expected.get("properties", {}))
        assert set(described[name].parameters.required) == set(expected.get("required", ()))


def test_machine_error_gives_no_score(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from inspect_ai import eval as evaluate

    from pptarena.errors import MachineError
    from pptarena.rollouts.trainers.inspect_task import pptarena

    def fail(*_: Any, **__: Any) -> None:
        raise MachineError("the disk failed")

    monkeypatch.setattr("pptarena.envs.document.doc_episode.DocEpisode.grade_final", fail)
    (log,) = evaluate(
        pptarena(tasks=TASK), model="mockllm/model", log_dir=str(tmp_path), display="none"
    )
    assert log.status == "error"
    assert "the disk failed" in log.error.message
