"""Fixtures shared with the tests of rubric judges."""

from tests.rewards.judges.conftest import home, make_client, painter, tools

__all__ = ["home", "make_client", "painter", "tools"]
