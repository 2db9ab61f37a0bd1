"""The kept state of a fake machine: copies of its document and of its hands."""

from pptarena.envs.machines.checkpoint import MachineCheckpoint
from pptarena.envs.machines.fake.document import FakeDocument
from pptarena.envs.machines.fake.input import FakeInput
from pptarena.errors import ConfigError

__all__ = ["FakeCheckpoint"]

State = tuple[FakeDocument, FakeInput, str]


class FakeCheckpoint(MachineCheckpoint):
    """Document, hands and window title of a fake machine at one moment.

    Args:
        document: The document; a copy is kept.
        hands: Mouse, keyboard and clipboard; a copy is kept.
        title: Title of the window.
    """

    def __init__(self, document: FakeDocument, hands: FakeInput, title: str) -> None:
        self._kept = [_copy(document, hands, title)]
        super().__init__("fake", self._kept.clear)

    def state(self) -> State:
        """Return copies of what is kept.

        Raises:
            ConfigError: If the checkpoint was closed meanwhile.
        """
        kept = self._kept.copy()
        if not kept:
            raise ConfigError("the checkpoint was closed while a machine took it on")
        return _copy(*kept[0])


def _copy(document: FakeDocument, hands: FakeInput, title: str) -> State:
    twin = document.copy()
    return twin, hands.copy(twin), title
