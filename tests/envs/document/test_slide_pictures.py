"""Slides as pictures: which, when they are drawn, and what happens where nothing can be drawn."""

import io
import json
from collections.abc import Callable
from typing import Any

import gymnasium as gym
import pytest
from gymnasium.utils.env_checker import check_env
from PIL import Image, ImageDraw
from pptx import Presentation

from pptarena.envs.document import PPTArenaDocEnv, ToolCall, slide_pictures
from pptarena.errors import ConfigError, DeckError, ImageError, MachineError
from pptarena.rewards import read_deck
from pptarena.tasks.task import Task

HIDDEN = "meridian-hide-backup"


class Painter:
    """Draws the words of slides; `fails` says for which words it cannot."""

    def __init__(self, size: tuple[int, int] = (640, 360)) -> None:
        self.drawn: list[str] = []
        self.fails: Callable[[str], Exception | None] = lambda words: None
        self._size = size

    def render(self, deck: bytes) -> tuple[bytes, ...]:
        return tuple(self._picture(slide.text) for slide in read_deck(deck).slides)

    def _picture(self, words: str) -> bytes:
        if (error := self.fails(words)) is not None:
            raise error
        self.drawn.append(words.partition("\n")[0])
        image = Image.new("RGB", self._size, "white")
        ImageDraw.Draw(image).multiline_text((4, 4), words[:200], fill="black")
        out = io.BytesIO()
        image.save(out, "png")
        return out.getvalue()


@pytest.fixture
def painter(monkeypatch: pytest.MonkeyPatch) -> Painter:
    made = Painter()
    monkeypatch.setattr(slide_pictures, "shared_office", lambda: made)
    monkeypatch.setattr(slide_pictures, "require_image", lambda: None)
    return made


@pytest.fixture
def ids(deck: bytes) -> list[int]:
    slides: Any = Presentation(io.BytesIO(deck)).slides
    return [each.slide_id for each in slides]


def begun(task: Task, **settings: Any) -> tuple[PPTArenaDocEnv, dict[str, Any]]:
    env = PPTArenaDocEnv(task=task, judge=None, **settings)
    return env, env.reset(seed=0)[0]


def set_title(slide: int, text: str) -> ToolCall:
    return ToolCall.of("set_text", slide=slide, shape=2, text=text)


@pytest.mark.slow
def test_the_environment_is_one_of_gymnasium(task: Task, painter: Painter) -> None:
    env = gym.make("PPTArenaDoc-v0", task=task, slides=3, judge=None)
    check_env(env.unwrapped, skip_render_check=True)
    env.close()


def test_only_slides_that_changed_are_drawn(task: Task, painter: Painter, ids: list[int]) -> None:
    env, seen = begun(task, slides=3)
    assert seen["slide_ids"].tolist() == [*ids, 0]
    assert seen["slides"][1].any()
    assert not seen["slides"][2].any()
    painter.drawn.clear()
    seen, *_, info = env.step(set_title(ids[0], "Boats"))
    assert painter.drawn == ["Boats"]
    assert info["slides"] == {"shown": ids, "changed": ids[:1], "problem": ""}
    assert info["timing"]["draw"] > 0
    seen, *_, info = env.step(set_title(ids[0], "Tents"))
    assert painter.drawn == ["Boats"], "as it was before"
    seen, *_, info = env.step({"tool": "list_layouts"})
    assert info["slides"]["changed"] == []
    env.close()


def test_what_was_named_or_changed_comes_first(
    task: Task, painter: Painter, ids: list[int]
) -> None:
    env, seen = begun(task, slides=1)
    assert seen["slide_ids"].tolist() == ids[:1]
    seen, *_ = env.step(ToolCall.of("read_slide", slide=ids[1]))
    assert seen["slide_ids"].tolist() == ids[1:]
    seen, *_ = env.step(ToolCall.of("replace_text", old="Tents", new="Boats"))
    assert seen["slide_ids"].tolist() == ids[:1]
    env.close()


def test_no_observation_shares_memory(task: Task, painter: Painter, ids: list[int]) -> None:
    env, first = begun(task, slides=2)
    before = first["slides"].copy()
    second, *_ = env.step({"tool": "list_layouts"})
    second["slides"][:] = 7
    assert (first["slides"] == before).all()
    assert (env.last()[0]["slides"] == before).all()
    env.close()


def test_forks_show_the_same(task: Task, painter: Painter, ids: list[int]) -> None:
    env, _ = begun(task, slides=2)
    seen, *_, info = env.step(set_title(ids[0], "Boats"))
    (fork,) = env.fork(1)
    other, known = fork.last()
    assert (other["slides"] == seen["slides"]).all()
    assert known["slides"] == info["slides"]
    plain = PPTArenaDocEnv(task=task, judge=None, slides=1)
    shown, _ = plain.restore(env.checkpoint())
    assert (shown["slides"][0] == seen["slides"][0]).all()
    for each in (env, fork, plain):
        each.close()


def test_slides_of_another_shape_are_fitted(task: Task, painter: Painter, ids: list[int]) -> None:
    painter._size = (640, 480)
    env, seen = begun(task, slides=1)
    (picture,) = seen["slides"]
    assert picture.shape == (360, 640, 3)
    assert (picture[180, 10] == 128).all()
    assert (picture[180, 320] == 255).all()
    env.close()


@pytest.mark.parametrize("error", [DeckError("refused"), MachineError("too slow")])
def test_a_deck_that_cannot_be_drawn_is_told(
    task: Task, painter: Painter, ids: list[int], error: Exception
) -> None:
    env, _ = begun(task, slides=2)
    painter.fails = lambda words: error if "Bomb" in words else None
    seen, _, _, truncated, info = env.step(set_title(ids[0], "Bomb"))
    assert not truncated
    assert info["infra_error"] is None
    assert "cannot be drawn" in info["slides"]["problem"]
    assert not seen["slides"].any()
    seen, *_, info = env.step(set_title(ids[0], "Boats"))
    assert (info["slides"]["problem"], info["slides"]["shown"]) == ("", ids)
    env.close()


def test_a_renderer_that_fails_is_infrastructure(
    task: Task, painter: Painter, ids: list[int]
) -> None:
    env, _ = begun(task, slides=2)
    painter.fails = lambda words: MachineError("the application is gone")
    _, reward, _, truncated, info = env.step(set_title(ids[0], "Ships"))
    assert (truncated, reward) == (True, 0.0)
    assert "the application is gone" in info["infra_error"]
    env.close()


@pytest.mark.parametrize("slides", [-1, 65, 1.5, True])
def test_a_number_that_cannot_be_is_refused(task: Task, painter: Painter, slides: Any) -> None:
    with pytest.raises(ConfigError, match="slides: expected"):
        PPTArenaDocEnv(task=task, slides=slides)


def test_pictures_need_an_image(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise ImageError("there is no machine image")

    monkeypatch.setattr(slide_pictures, "require_image", missing)
    with pytest.raises(ImageError):
        PPTArenaDocEnv(task=task, slides=1)
    PPTArenaDocEnv(task=task).close()


@pytest.mark.image
@pytest.mark.parametrize("mode", ["sync", "async"])
def test_the_application_draws_for_several(mode: str) -> None:
    envs = gym.make_vec(
        "PPTArenaDoc-v0",
        2,
        vectorization_mode=mode,
        task=HIDDEN,
        slides=2,
        judge=None,
    )
    first, _ = envs.reset(seed=0)
    assert first["slides"].shape == (2, 2, 360, 640, 3)
    assert (first["slides"][0] == first["slides"][1]).all()
    before = first["slides"].copy()
    slide = int(first["slide_ids"][0, 0])
    edit = ToolCall.of("replace_text", slide=slide, old="Meridian", new="Zenith")
    calls = tuple(json.dumps(each) for each in (edit.to_json(), {"tool": "list_layouts"}))
    second, *_ = envs.step(calls)
    differs = (second["slides"] != before).any(axis=(2, 3, 4))
    assert differs.tolist() == [[True, False], [False, False]]
    assert (first["slides"] == before).all()
    envs.close()
