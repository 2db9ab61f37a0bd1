"""Judging one row of a table of cases."""

from typing import Any

import pytest


class Judge:
    """Scores a case ``(check, args, edit, low, high)`` and holds it to its range.

    An edit takes the lab and the deck; None leaves the deck as it is.
    """

    def __init__(self, lab: Any) -> None:
        self._lab = lab

    def __call__(self, case: tuple[Any, ...]) -> None:
        name, args, edit, low, high = case
        bound = None if edit is None else lambda deck: edit(self._lab, deck)
        node = self._lab.check(name, args, bound)
        assert node.score is not None, node.reason
        assert low <= node.score <= high, f"{node.score}: {node.reason}"
        assert node.reason
        assert self._lab.check(name, args, bound) == node, "the same twice"

    def untouched(self, case: tuple[Any, ...]) -> None:
        """Hold a case to scoring nothing on the deck as it was."""
        node = self._lab.check(case[0], case[1])
        assert node.score == 0, f"{node.score}: {node.reason}"


@pytest.fixture(scope="session")
def judge(lab: Any) -> Judge:
    return Judge(lab)
