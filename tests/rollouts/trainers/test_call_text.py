import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pptarena.agents.model.document_calls import calls_in, system_prompt
from pptarena.envs.document import ToolCall
from pptarena.errors import DialectError
from pptarena.rollouts.trainers.call_text import carry_out
from pptarena.rollouts.trainers.doc_session import DocSession

HIDE = '<tool_call>{"name": "hide_slide", "arguments": {"slide": 272}}</tool_call>'
DONE = '{"tool": "done"}'
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner),
    max_leaves=4,
)


def test_both_ways_to_write_a_call() -> None:
    found = calls_in(f"First I hide it. {HIDE}\nThen: {DONE}")
    assert found == [ToolCall.of("hide_slide", slide=272), ToolCall.of("done")]


@pytest.mark.slow
@given(st.text(min_size=1), st.dictionaries(st.text(), VALUES))
def test_what_is_written_is_read(name: str, arguments: dict[str, object]) -> None:
    text = json.dumps({"name": name, "arguments": arguments})
    assert calls_in(f"so: <tool_call>{text}</tool_call>") == [ToolCall(name, arguments)]


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found = calls_in(text)
    except DialectError:
        return  # which is not any other error
    assert found


def test_thoughts_are_not_carried_out() -> None:
    with pytest.raises(DialectError, match="expected a JSON object"):
        calls_in(f"<think>{HIDE}</think> I cannot.")


def test_too_many_calls_are_refused() -> None:
    with pytest.raises(DialectError, match="at most 20 calls in one answer, got 21"):
        calls_in(DONE * 21)


def test_an_answer_is_carried_out_up_to_what_is_refused() -> None:
    session = DocSession(judge=None)
    session.begin("meridian-hide-backup")
    assert carry_out(session, "hm") == (
        "refused: expected a JSON object, got 'hm'",
        0.0,
    )
    bad = '{"name": "hide_slide", "arguments": {"slide": 1}}'
    words, reward = carry_out(session, HIDE + bad + DONE)
    assert words.startswith("hidden\nrefused: ")
    assert reward == 1.0
    assert not session.over  # `done` came after the refused one
    assert carry_out(session, DONE + bad) == ("done", 0.0)
    assert session.score == 1.0
    assert [step.tool for step in session.steps] == ["", "hide_slide", "", "done"]
    session.close()


def test_the_prompt_has_every_tool() -> None:
    session = DocSession(judge=None)
    prompt = system_prompt(session.env.tools())
    assert calls_in(prompt.splitlines()[2])[0].tool == "set_text"
    assert all(f'"name": "{tool["name"]}"' in prompt for tool in session.env.tools())
    session.close()
