"""The files that the examples in the docs use."""

import io
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from tests.docs.blocks import blocks

from pptarena.tasks import get_task

AGENT = """
class Mine:
    def reset(self, info, seed): ...

    def act(self, observation, info):
        return {"kind": "done"}


class Caller:
    def reset(self, info, seed): ...

    def act(self, observation, info):
        return {"tool": "done"}
"""


def _edited(deck: bytes) -> bytes:
    presentation: Any = Presentation(io.BytesIO(deck))
    presentation.slides[2].shapes.title.text_frame.text = "Harvest plan"
    presentation.slides[len(presentation.slides) - 1]._element.set("show", "0")
    file = io.BytesIO()
    presentation.save(file)
    return file.getvalue()


def _not_bold(deck: bytes) -> bytes:
    """Return a deck whose first title is not bold, as the task in the docs requires."""
    presentation: Any = Presentation(io.BytesIO(deck))
    for paragraph in presentation.slides[0].shapes.title.text_frame.paragraphs:
        for run in paragraph.runs:
            run.font.bold = False
    file = io.BytesIO()
    presentation.save(file)
    return file.getvalue()


def _own_task() -> str:
    """Return the task file that docs/reference/task_file.md shows."""
    return next(
        block.code
        for block in blocks("docs/reference/task_file.md", "json")
        if "bold-title" in block.code
    )


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the decks and agents that the docs name."""
    deck = get_task("meridian-hide-backup").deck_bytes()
    edited = _edited(deck)
    for name in ("a", "deck", "my", "original", "plan"):
        (tmp_path / f"{name}.pptx").write_bytes(deck)
    for name in ("b", "done", "edited", "gold", "now"):
        (tmp_path / f"{name}.pptx").write_bytes(edited)
    (tmp_path / "my-decks").mkdir()
    (tmp_path / "my-decks" / "sales.pptx").write_bytes(deck)
    own_task = tmp_path / "my_suite" / "bold-title"
    own_task.mkdir(parents=True)
    (own_task / "plan.pptx").write_bytes(_not_bold(deck))
    (own_task / "task.json").write_text(_own_task())
    for name in ("mine", "my_agents"):
        (tmp_path / f"{name}.py").write_text(AGENT)
    monkeypatch.chdir(tmp_path)
    return tmp_path
