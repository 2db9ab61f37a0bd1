"""The fixtures of the judges of rubrics serve here too."""

from tests.rewards.judges.conftest import home, make_client, painter, tools

__all__ = ["home", "make_client", "painter", "tools"]
