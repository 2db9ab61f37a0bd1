"""After any calls, the facts equal those of the saved file read from scratch."""

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from tests.envs.document.everything import everything
from tests.envs.document.plain_task import plain_task

from pptarena.decks import Deck, read_deck
from pptarena.decks.outline import slide_list
from pptarena.decks.read import reader
from pptarena.envs.document import PPTArenaDocEnv, ToolCall
from pptarena.envs.document.random_call import random_call
from pptarena.tasks.deck_files import deck_names, read_deck_file

pytestmark = pytest.mark.slow

# Calls on each deck; set more for a thorough run.
CALLS = int(os.environ.get("PPTARENA_FACTS_CALLS", "20"))
DGM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
PROGRAMS = (
    "presentation.slide_layouts[0].placeholders[0].left = 360000",
    "slide = presentation.slides[0]\nslide.shapes.add_textbox(9, 9, 99999, 99999).text = 'Added'",
)


def deck_of(name: str) -> bytes:
    return everything() if name == "everything" else read_deck_file(name)


def read_from_scratch(file: bytes) -> Deck:
    reader.clear_cache()  # forget everything read before
    try:
        return read_deck(file)
    finally:
        reader.clear_cache()


def require_equal(env: PPTArenaDocEnv, info: dict[str, Any]) -> Deck:
    fresh = read_from_scratch(env.deck_bytes())
    assert info["facts"] == slide_list(fresh.slides, 4_000_000)
    episode = env._require_episode()
    cached = read_deck(episode._document.parts())
    for field in fields(Deck):
        assert getattr(cached, field.name) == getattr(fresh, field.name), field.name
    return fresh


def rare_calls(env: PPTArenaDocEnv) -> Iterator[ToolCall]:
    """Yield calls on objects that outlines omit: diagrams and media."""
    episode = env._require_episode()
    for slide in episode._document.presentation.slides:
        for shape in slide.shapes:
            at = {"slide": slide.slide_id, "shape": shape.shape_id}
            frame = next(shape._element.iter(f"{DGM}relIds"), None)
            if frame is not None:
                relation = next(value for name, value in frame.items() if name.endswith("}dm"))
                xml = slide.part.related_part(relation).blob.decode()
                entry = xml.partition("<a:t>")[2].partition("</a:t>")[0]
                yield ToolCall.of("set_diagram_text", **at, old=entry, new="Another entry")
            if shape.shape_type is not None and shape.shape_type.name == "MEDIA":
                yield ToolCall.of("set_media", **at, volume_pct=30)


QUICK = ("everything", "aurora", "ledger", "onboard", "field")
DECKS = [
    pytest.param(name, marks=() if name in QUICK else pytest.mark.nightly)
    for name in ("everything", *deck_names())
]


@pytest.fixture(params=DECKS)
def env(request: pytest.FixtureRequest) -> Iterator[PPTArenaDocEnv]:
    task = plain_task("facts", deck_of(request.param))
    env = PPTArenaDocEnv(task=task, judge=None, facts=True, max_steps=10**6, score_when="end")
    yield env
    env.close()


def test_facts_equal_those_of_the_file(env: PPTArenaDocEnv) -> None:
    rng = np.random.default_rng(CALLS)
    observation, info = env.reset(seed=0)
    require_equal(env, info)
    for call in rare_calls(env):
        info = env.step(call)[4]
        assert info["action_error"] is None
        require_equal(env, info)
    successes: Counter[str] = Counter()
    checkpoint = env.checkpoint()
    for number in range(CALLS):
        call = random_call(observation, rng)
        while call.tool in ("done", "fail"):
            call = random_call(observation, rng)
        observation, _, _, _, info = env.step(call)
        successes[call.tool] += info["action_error"] is None
        fresh = require_equal(env, info)
        match number % 20:
            case 4:
                observation, info = env.restore(env.checkpoint())
            case 8:
                (fork,) = env.fork(1)
                fork_info = fork.step(random_call(observation, rng))[4]
                require_equal(fork, fork_info)
                fork.close()
            case 12:
                program = PROGRAMS[number // 20 % 2 if fresh.slides else 0]
                observation, _, _, _, info = env.step(ToolCall.of("run_program", code=program))
                assert info["action_error"] is None
            case 15 if fresh.slides:
                observation, _, _, _, info = env.step(_xml_edit(env, fresh))
                assert info["action_error"] is None
            case 18 if number % 60 == 18:
                observation, info = env.restore(checkpoint)
            case 19 if number % 60 == 39 or not fresh.slides:
                observation, info = env.reset(seed=0)
            case _:
                continue
        require_equal(env, info)
    assert successes.total() > 0.7 * CALLS, successes


def _xml_edit(env: PPTArenaDocEnv, fresh: Deck) -> ToolCall:
    """Return an edit that hides the first slide, or shows it."""
    episode = env._require_episode()
    part = episode._document.presentation.slides[0].part
    name, xml = part.partname.membername, part.blob.decode()
    mark = ' show="0"'
    start = xml.index("<p:sld ")
    head = xml[start : xml.index(">", start)]
    new = head.replace(mark, "") if fresh.slides[0].hidden else head.replace(' show="1"', "") + mark
    return ToolCall.of("replace_in_part", name=name, old=head + ">", new=new + ">")


def test_links_follow_moved_slides() -> None:
    task = plain_task("links", everything())
    env = PPTArenaDocEnv(task=task, judge=None, facts=True, score_when="end")
    env.reset(seed=0)
    first, second = env._require_episode()._document.slide_ids()
    links = []
    for call in (
        ToolCall.of("set_link", slide=first, shape=3, to_slide=second),
        ToolCall.of("duplicate_slide", slide=first),
        ToolCall.of("move_slide", slide=second, position=1),
        ToolCall.of("delete_slide", slide=second),
    ):
        info = env.step(call)[4]
        assert info["action_error"] is None
        require_equal(env, info)
        shapes = (shape for slide in info["facts"] for shape in slide["shapes"])
        links.append([shape["link"] for shape in shapes if "slide" in shape.get("link", "")])
    env.close()
    assert links[:3] == [["slide:2"], ["slide:3"] * 2, ["slide:1"] * 2]
