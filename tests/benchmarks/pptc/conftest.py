"""Run calls on a new deck and read the result."""

from collections.abc import Callable

import pytest

from pptarena.benchmarks.pptc import Executor, parse_calls
from pptarena.rewards import Deck, read_deck

RunCalls = Callable[[str], Deck]


@pytest.fixture
def run_calls() -> RunCalls:
    def run(text: str) -> Deck:
        executor = Executor()
        executor.run(parse_calls(text))
        return read_deck(executor.to_bytes())

    return run
