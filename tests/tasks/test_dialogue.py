"""What was said before a task is read from its file and told to agents."""

from collections.abc import Mapping
from typing import Any

import pytest

from pptarena.errors import TaskError
from pptarena.tasks import Exchange
from pptarena.tasks.dialogue import load_dialogue


def test_exchanges_are_read_and_written() -> None:
    value = [{"user": " Name it. ", "assistant": "done();"}, {"user": "Go on.", "assistant": ""}]
    found = load_dialogue(value)
    assert found == (Exchange("Name it.", "done();"), Exchange("Go on.", ""))
    assert found[0].to_json() == {"user": "Name it.", "assistant": "done();"}
    assert load_dialogue([]) == ()


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"user": "x"}, "assistant"),
        ({"user": " ", "assistant": "y"}, "expected a text in 'user'"),
        ({"user": "x", "assistant": "y", "z": 1}, "z"),
    ],
)
def test_what_is_malformed_is_named(value: Mapping[str, Any], words: str) -> None:
    with pytest.raises(TaskError, match=rf"dialogue/0.*{words}"):
        load_dialogue([value])
