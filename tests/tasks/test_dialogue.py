"""Earlier dialogue of a task."""

from collections.abc import Mapping
from typing import Any

import pytest

from pptarena.errors import TaskError
from pptarena.tasks import Exchange
from pptarena.tasks.dialogue import load_dialogue


def test_exchanges_are_parsed_and_serialized() -> None:
    value = [{"user": " Name it. ", "assistant": "done();"}, {"user": "Go on.", "assistant": ""}]
    exchanges = load_dialogue(value)
    assert exchanges == (Exchange("Name it.", "done();"), Exchange("Go on.", ""))
    assert exchanges[0].to_json() == {"user": "Name it.", "assistant": "done();"}
    assert load_dialogue([]) == ()


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"user": "x"}, "assistant"),
        ({"user": " ", "assistant": "y"}, "expected a text in 'user'"),
        ({"user": "x", "assistant": "y", "z": 1}, "z"),
    ],
)
def test_malformed_exchanges_are_reported(value: Mapping[str, Any], message: str) -> None:
    with pytest.raises(TaskError, match=rf"dialogue/0.*{message}"):
        load_dialogue([value])
