"""Scores of a document read part by part equal those of its file read from scratch."""

import random
from collections.abc import Iterator

import pytest
from tests.envs.document.everything import everything

from pptarena.decks import read_deck
from pptarena.decks.diff import diff_decks
from pptarena.decks.outline import slide_list
from pptarena.decks.package.archive import Archive
from pptarena.decks.package.files import Part, Parts
from pptarena.decks.read import reader
from pptarena.envs.document import PPTArenaDocEnv, ToolCall
from pptarena.envs.document.doc_episode import DocEpisode
from pptarena.errors import DeckError
from pptarena.rewards import score
from pptarena.tasks.task import Task


@pytest.fixture(scope="module")
def deck() -> bytes:
    return everything()


def random_edits(generator: random.Random, slides: list[int]) -> Iterator[ToolCall]:
    """Yield random edits, some of which are rejected."""
    while True:
        slide, shape = generator.choice(slides), generator.randint(2, 11)
        at = {"slide": slide, "shape": shape}
        yield generator.choice(
            (
                ToolCall.of("set_text", **at, text=f"Words {generator.random()}"),
                ToolCall.of("move_shape", **at, left_cm=generator.randint(0, 20)),
                ToolCall.of("set_fill", **at, color="#00FF00"),
                ToolCall.of("delete_shape", **at),
                ToolCall.of("set_notes", slide=slide, text=f"Notes {generator.random()}"),
                ToolCall.of("hide_slide", slide=slide, hidden=generator.random() < 0.5),
                ToolCall.of("duplicate_slide", slide=slide),
                ToolCall.of("move_slide", slide=slide, position=1),
                ToolCall.of("set_transition", slide=slide, kind="push"),
                ToolCall.of("set_chart_title", **at, text="Chart"),
                ToolCall.of("set_cell", **at, row=1, column=2, text="Cell"),
            )
        )


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_scores_and_facts_equal_those_of_the_file(task: Task, seed: int) -> None:
    env = PPTArenaDocEnv(task=task, judge=None, facts=True)
    env.reset(seed=0)
    original_file = env.deck_bytes()
    episode = env._episode
    assert isinstance(episode, DocEpisode)
    edits = random_edits(random.Random(seed), episode._document.slide_ids())
    for _ in range(15):
        info = env.step(next(edits))[4]
        file = env.deck_bytes()
        reader.clear_cache()  # forget both decks
        original, current = read_deck(original_file), read_deck(file)
        scored = score(task.rubric, original, current, task.scope)
        assert info["rubric"] == scored.to_json()
        assert info["score"] == scored.score
        assert info["facts"] == slide_list(current.slides, 4_000_000)
        assert diff_decks(original, current) == diff_decks(
            original, episode._grader._grader.current
        )
    env.close()


def test_parts_are_written_as_a_readable_archive(deck: bytes) -> None:
    parts = Parts([Part.of("a.xml", b"<a/>"), Part.of("\u00e9.bin", b"")])
    file = parts.to_bytes()
    assert parts == Parts([Part.of("a.xml", b"<a/>"), Part.of("\u00e9.bin", b"")])
    assert parts != Parts([Part.of("a.xml", b"<b/>"), Part.of("\u00e9.bin", b"")])
    assert parts != file

    archive = Archive(file)
    assert list(archive.entries) == ["a.xml", "\u00e9.bin"]
    for name, entry in archive.entries.items():
        assert archive.read(entry) == parts.read(parts.entries[name])
        assert archive.token(entry) == parts.token(parts.entries[name])


def test_too_many_parts_are_rejected() -> None:
    with pytest.raises(DeckError, match="at most"):
        Parts(Part.of(f"{number}", b"") for number in range(10_001))
