"""The tool that runs a program on the deck."""

from pptarena.envs.document.document import Document
from pptarena.envs.document.tool import Code
from pptarena.errors import ActionError, LeafError, MachineError

__all__ = ["run_program"]


def run_program(document: Document, code: Code) -> str:
    """Run a Python program on the deck: `presentation` is it, as python-pptx has it.

    `files` has what lies beside the deck, if anything does: bytes by name. It may use python-pptx,
    lxml, Pillow and numpy, has no network and no files else, and some seconds of time. What it
    prints is the answer. If it fails, nothing is changed.

    Args:
        code: The program.
    """
    try:
        result = document.jail.run(document.to_bytes(), code, document.files)
    except LeafError as error:
        raise MachineError(f"no program can be run: {error}") from error
    if result.deck is None:
        raise ActionError(f"the program failed: {result.output or 'it left no deck'}")
    document.replace(result.deck)
    return result.output or "done, nothing was printed"
