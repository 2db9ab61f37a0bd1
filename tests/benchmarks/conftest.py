"""Score imported tasks in the document environment."""

import io
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from pptx import Presentation

from pptarena.envs.baseline import BaselineStore
from pptarena.envs.document import PPTArenaDocEnv, doc_env
from pptarena.tasks import Task

ScoreDeck = Callable[[Task, bytes], "float | None"]


@pytest.fixture
def score_deck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ScoreDeck:
    """Return a function that scores a task after its slides were replaced by those of a deck."""
    monkeypatch.setattr(doc_env, "_BASELINES", BaselineStore(tmp_path / "baselines"))

    def play(task: Task, deck: bytes) -> float | None:
        with closing(PPTArenaDocEnv(task=task, judge=None, score_when="end")) as env:
            env.reset(seed=0)
            slides = Presentation(io.BytesIO(task.deck_bytes())).slides
            expected_slides = Presentation(io.BytesIO(deck)).slides
            for old, new in zip(slides, expected_slides, strict=True):
                if old.part.blob != new.part.blob:
                    arguments = {"name": str(old.part.partname)[1:], "xml": new.part.blob.decode()}
                    info = env.step({"tool": "replace_part", "arguments": arguments})[4]
                    assert info["action_error"] is None
            score: float | None = env.step({"tool": "done"})[4]["score"]
            return score

    return play
