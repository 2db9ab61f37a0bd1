"""The tool that runs a program on the deck."""

from pptarena.envs.document.document import Document
from pptarena.envs.document.tool import Code
from pptarena.errors import ActionError, LeafError, MachineError

__all__ = ["run_program"]


def run_program(document: Document, code: Code) -> str:
    """Run a Python program on the deck, which is the python-pptx object `presentation`.

    `files` maps the names of the task's attachments to their bytes. The program may use
    python-pptx, lxml, Pillow and numpy. It has no network, no other files and a few seconds of
    time. The result is its printed output. If it fails, the deck does not change.

    Args:
        code: The program.
    """
    try:
        result = document.programs.run(document.to_bytes(), code, document.files)
    except LeafError as error:
        raise MachineError(f"no program can be run: {error}") from error
    if result.deck is None:
        raise ActionError(f"the program failed: {result.output or 'it returned no deck'}")
    document.replace(result.deck)
    return result.output or "done, nothing was printed"
