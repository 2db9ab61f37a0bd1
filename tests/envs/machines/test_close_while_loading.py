"""A machine that another thread closes while it starts leaves nothing behind."""

import threading

import pytest

from pptarena.envs.machines.base import Files, MachineObservation
from pptarena.envs.machines.fake import FakeMachine
from pptarena.errors import MachineLostError
from pptarena.tasks import list_tasks


class LateMachine(FakeMachine):
    """Opens the deck once `may_open` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.load_started, self.may_open = threading.Event(), threading.Event()

    @property
    def has_document(self) -> bool:
        return self._document is not None

    def _load_impl(self, deck: bytes, name: str, files: Files) -> MachineObservation:
        self.load_started.set()
        self.may_open.wait(10)
        return super()._load_impl(deck, name, files)


def test_close_while_a_deck_is_loading() -> None:
    machine, raised = LateMachine(), []
    task = list_tasks("starter")[0]

    def load() -> None:
        with pytest.raises(MachineLostError, match="closed") as caught:
            machine.load(task.deck_bytes(), "deck.pptx")
        raised.append(caught.value)

    thread = threading.Thread(target=load)
    thread.start()
    assert machine.load_started.wait(10)
    machine.close()
    machine.may_open.set()
    thread.join(10)
    assert raised
    assert not machine.has_document
