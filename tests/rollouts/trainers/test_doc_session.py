from collections.abc import Iterator

import pytest

from pptarena.envs.document import ToolCall
from pptarena.errors import ActionError, ConfigError, UnknownTaskError
from pptarena.rollouts.trainers.doc_session import CreditedStep, DocSession

TASK = "meridian-hide-backup"


@pytest.fixture
def session() -> Iterator[DocSession]:
    session = DocSession(judge=None)
    yield session
    session.close()


def test_every_call_is_credited(session: DocSession) -> None:
    first = session.begin(TASK)
    assert first.startswith("The last slide, with")
    assert "\n\nslide 1, id 256" in first
    assert session.act(ToolCall.of("read_slide", slide=272)) != ""
    assert session.act(ToolCall.of("hide_slide", slide=272)) == "hidden"
    assert session.score is None  # the episode is not over
    session.act(ToolCall.of("done"))
    assert session.steps == [
        CreditedStep("read_slide", 0.0), CreditedStep("hide_slide", 1.0), CreditedStep("done", 0.0)
    ]  # fmt: skip
    assert session.over
    assert [session.total(), session.total(discount=0.5)] == [1.0, 0.5]


def test_refused_call_is_a_step_without_reward(session: DocSession) -> None:
    session.begin(TASK)
    with pytest.raises(ActionError, match="hide_slide"):
        session.act(ToolCall.of("hide_slide", slide="backup"))
    with pytest.raises(ActionError, match="no call"):
        session.act(ActionError("that is no call"))
    assert session.steps == [CreditedStep("", 0.0)] * 2


def test_stopped_session_is_scored(session: DocSession) -> None:
    session.begin(TASK)
    session.act(ToolCall.of("hide_slide", slide=272))
    session.finish()
    session.finish()
    assert (session.score, len(session.steps)) == (1.0, 2)
    with pytest.raises(ActionError, match="is over"):
        session.act(ToolCall.of("hide_slide", slide=256))
    assert len(session.steps) == 2


def test_result_contains_the_next_turn() -> None:
    session = DocSession(suite="all#turns", judge=None)
    session.begin(session.env.tasks[0])
    result = session.act(ToolCall.of("done"))
    assert result.startswith("done\nNext task, on the same deck: ")
    assert not session.over
    session.finish()  # all remaining turns
    assert session.score is not None
    session.close()


def test_outline_is_truncated_at_a_line() -> None:
    session = DocSession(outline_chars=100, judge=None)
    instruction, _, outline = session.begin(TASK).partition("\n\n")
    assert outline.splitlines() == [
        "slide 1, id 256, layout 'Title Slide', with notes",
        "  [2] title 'Q3 2026 Business Review'",
    ]
    session.close()
    bare = DocSession(outline_chars=0, judge=None)
    assert bare.begin(TASK) == instruction
    bare.close()


def test_invalid_use_is_rejected(session: DocSession) -> None:
    with pytest.raises(ConfigError, match="no episode"):
        assert session.info
    with pytest.raises(ConfigError, match="always uses dense rewards"):
        DocSession(reward="sparse")
    with pytest.raises(ConfigError, match="outline_chars: expected 0 or more, got -1"):
        DocSession(outline_chars=-1)
    with pytest.raises(UnknownTaskError):
        session.begin("no-such-task")
    assert session.over
