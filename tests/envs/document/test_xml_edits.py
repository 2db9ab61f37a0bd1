"""XML edits that PowerPoint rejects or accepts.

Each edit in ``xml_edits.json`` has a passage that occurs once in a part of the deck, its
replacement and, if the edit is rejected, a piece of the reason.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from tests.envs.document.everything import everything
from tests.envs.document.plain_task import plain_task

from pptarena.decks.validity import validate_deck
from pptarena.envs.baseline import BaselineStore
from pptarena.envs.document import PPTArenaDocEnv, ToolCall, doc_env
from pptarena.envs.document.doc_checkpoint import DocCheckpoint

EDITS = json.loads(Path(__file__).with_name("xml_edits.json").read_text("utf-8"))


def _edits(kind: str) -> list[Any]:
    return [
        pytest.param(each, id=f"{each['part'].rpartition('/')[2]} {number}")
        for number, each in enumerate(EDITS[kind])
    ]


@pytest.fixture(scope="module")
def deck() -> bytes:
    return everything()


@pytest.fixture(scope="module")
def env(deck: bytes) -> Iterator[PPTArenaDocEnv]:
    env = PPTArenaDocEnv(
        task=plain_task("everything", deck), judge=None, score_when="end", max_steps=1000
    )
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as folder:
        patch.setattr(doc_env, "_BASELINES", BaselineStore(Path(folder)))
        env.reset(seed=0)
    yield env
    env.close()


@pytest.fixture(scope="module")
def start(env: PPTArenaDocEnv) -> DocCheckpoint:
    return env.checkpoint()


@pytest.mark.slow
def test_deck_is_valid(deck: bytes) -> None:
    assert validate_deck(deck) == ()


@pytest.mark.parametrize("kind", ["refused", "accepted"])
def test_there_are_enough_edits(kind: str) -> None:
    assert len({(each["part"], each["old"], each["new"]) for each in EDITS[kind]}) >= 60


@pytest.mark.slow
@pytest.mark.parametrize("edit", _edits("refused"))
def test_edits_that_powerpoint_rejects_are_rejected(
    env: PPTArenaDocEnv, start: DocCheckpoint, edit: dict[str, str]
) -> None:
    env.restore(start)
    before = env.deck_bytes()
    observation, _, _, _, info = env.step(_call(edit))
    assert info["action_error"] is not None
    assert edit["reason"] in info["action_error"]
    assert observation["result"].startswith("refused: the XML is refused")
    assert env.deck_bytes() == before


@pytest.mark.parametrize("edit", _edits("accepted"))
def test_edits_that_powerpoint_accepts_are_applied(
    env: PPTArenaDocEnv, start: DocCheckpoint, edit: dict[str, str]
) -> None:
    env.restore(start)
    info = env.step(_call(edit))[4]
    assert info["action_error"] is None
    assert validate_deck(env.deck_bytes()) == ()


def _call(edit: dict[str, str]) -> ToolCall:
    return ToolCall.of("replace_in_part", name=edit["part"], old=edit["old"], new=edit["new"])
