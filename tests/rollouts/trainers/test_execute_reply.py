import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pptarena.agents.model.document_calls import parse_calls, system_prompt
from pptarena.envs.document import ToolCall
from pptarena.errors import DialectError
from pptarena.rollouts.trainers.doc_session import DocSession
from pptarena.rollouts.trainers.execute_reply import execute_reply

HIDE = '<tool_call>{"name": "hide_slide", "arguments": {"slide": 272}}</tool_call>'
DONE = '{"tool": "done"}'
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner),
    max_leaves=4,
)


def test_both_forms_of_a_call_are_parsed() -> None:
    calls = parse_calls(f"First I hide it. {HIDE}\nThen: {DONE}")
    assert calls == [ToolCall.of("hide_slide", slide=272), ToolCall.of("done")]


@pytest.mark.slow
@given(st.text(min_size=1), st.dictionaries(st.text(), VALUES))
def test_written_call_is_parsed(name: str, arguments: dict[str, object]) -> None:
    text = json.dumps({"name": name, "arguments": arguments})
    assert parse_calls(f"so: <tool_call>{text}</tool_call>") == [ToolCall(name, arguments)]


@given(st.text())
def test_any_text_is_parsed_or_rejected(text: str) -> None:
    try:
        calls = parse_calls(text)
    except DialectError:
        return  # the only error allowed
    assert calls


def test_thoughts_and_too_many_calls_are_rejected() -> None:
    with pytest.raises(DialectError, match="expected a JSON object"):
        parse_calls(f"<think>{HIDE}</think> I cannot.")
    with pytest.raises(DialectError, match="at most 20 calls in one answer, got 21"):
        parse_calls(DONE * 21)


def test_answer_is_executed_up_to_the_first_refused_call() -> None:
    session = DocSession(judge=None)
    session.begin("meridian-hide-backup")
    assert execute_reply(session, "hm") == ("refused: expected a JSON object, got 'hm'", 0.0)
    refused = '{"name": "hide_slide", "arguments": {"slide": 1}}'
    result, reward = execute_reply(session, HIDE + refused + DONE)
    assert result.startswith("hidden\nrefused: ")
    assert reward == 1.0
    assert not session.over  # `done` came after the refused one
    assert execute_reply(session, DONE + refused) == ("done", 0.0)
    assert session.score == 1.0
    assert [step.tool for step in session.steps] == ["", "hide_slide", "", "done"]
    session.close()


def test_prompt_has_every_tool() -> None:
    session = DocSession(judge=None)
    prompt = system_prompt(session.env.tools())
    assert parse_calls(prompt.splitlines()[2])[0].tool == "set_text"
    assert all(f'"name": "{tool["name"]}"' in prompt for tool in session.env.tools())
    session.close()
