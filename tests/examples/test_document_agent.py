import pytest
from examples.document_agent import play

pytestmark = pytest.mark.slow


def test_document_agent_solves_its_task() -> None:
    assert play() == 1.0
