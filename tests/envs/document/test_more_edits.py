"""Typed tools of arrangement, content and design: what they do, and that PowerPoint opens it."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from io import BytesIO
from typing import Any

import pytest
from pptx import Presentation
from tests.envs.document.more_cases import CASES, REFUSED, deck_with_media

from pptarena.decks.validity import new_problems
from pptarena.envs.document import PPTArenaDocEnv, ToolCall
from pptarena.tasks.task import Task


@pytest.fixture(scope="module")
def deck() -> bytes:
    return deck_with_media()


@pytest.fixture
def env(task: Task) -> Iterator[PPTArenaDocEnv]:
    made = PPTArenaDocEnv(task=task, judge=None, score_when="end")
    made.reset(seed=0)
    yield made
    made.close()


@pytest.mark.parametrize(
    ("tool", "arguments", "seen", "expected"), CASES, ids=lambda v: str(v)[:20]
)
def test_a_tool_edits(
    env: PPTArenaDocEnv,
    tool: str,
    arguments: dict[str, Any],
    seen: Callable[[Any], object],
    expected: object,
) -> None:
    before = env.deck_bytes()
    with suppress(AttributeError, TypeError):  # what it looks for may not be there yet
        assert seen(Presentation(BytesIO(before))) != expected
    observation, _, _, _, info = env.step(ToolCall(tool, arguments))
    assert info["action_error"] is None
    after = env.deck_bytes()
    assert seen(Presentation(BytesIO(after))) == expected
    assert new_problems(before, after) == ()
    if "the id " in observation["result"]:
        number = observation["result"].rpartition(" ")[2]
        assert f"[{number}]" in observation["outline"]


@pytest.mark.parametrize(("tool", "arguments", "reason"), REFUSED, ids=lambda v: str(v)[:20])
def test_what_does_not_fit_is_refused(
    env: PPTArenaDocEnv, tool: str, arguments: dict[str, Any], reason: str
) -> None:
    before = env.deck_bytes()
    info = env.step(ToolCall(tool, arguments))[4]
    assert reason in info["action_error"]
    assert env.deck_bytes() == before


def test_what_was_called_stands_in_a_fork(env: PPTArenaDocEnv) -> None:
    for tool, arguments, _, _ in CASES:
        env.step(ToolCall(tool, arguments))
    (fork,) = env.fork(1)
    assert fork.deck_bytes() == env.deck_bytes()
    fork.close()
