"""Style targets: descriptions of a correct result, written by a model."""

from pptarena.decks import read_deck
from pptarena.decks.diff.compare import diff_decks
from pptarena.decks.outline import change_list, slide_list
from pptarena.rewards.judges.client import JudgeClient
from pptarena.rewards.judges.prompts import DATA_RULE, trusted
from pptarena.rewards.judges.protocol import Prompt, fence
from pptarena.rewards.judges.replies import text_parser

__all__ = ["style_target"]

_TASK = """\
You write down what a correct result of an edit of a slide deck must look like, for judges who rate
edits later. You get the instruction and the slides before the edit, as facts (lengths in
centimeters). State each requirement of structure and looks that the instruction implies for this
deck: slides, positions, texts, labels, colors, fonts, and what must stay as it is. Where the
instruction leaves a choice, say so. Do not invent requirements. Write at most eight sentences."""

_REFERENCE = """\
You also get what a correct edit changed, as one example: it shows what is meant, and is not the
only right result."""

_FORM = """\
Answer with one JSON object and nothing else:
{"target": "<the description>"}"""


def style_target(
    client: JudgeClient, instruction: str, original: bytes, reference: bytes | None = None
) -> str:
    """Return a description of a correct result, as in section 3.3 of the PPTArena paper.

    The paper's descriptions were also verified by people.

    Args:
        client: Client of the model.
        instruction: The instruction.
        original: The .pptx file before the edit.
        reference: A .pptx file that is one correct result.

    Raises:
        DeckError: If a deck cannot be read.
        JudgeError: If there is no valid reply.
    """
    before = read_deck(original)
    rules = _TASK if reference is None else f"{_TASK}\n{_REFERENCE}"
    parts = [trusted("Instruction", instruction), fence("BEFORE", slide_list(before.slides))]
    if reference is not None:
        changes = change_list(diff_decks(before, read_deck(reference)))
        parts.append(fence("REFERENCE_CHANGES", changes))
    prompt = Prompt(f"{rules}\n\n{DATA_RULE}\n\n{_FORM}", tuple(parts))
    return client.ask(prompt, text_parser("target"))
