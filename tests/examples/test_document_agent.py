from examples.document_agent import play


def test_it_solves_its_task() -> None:
    assert play() == 1.0
