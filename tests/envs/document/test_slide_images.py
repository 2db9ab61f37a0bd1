"""Images of slides: which are shown, when they are rendered, and failures of rendering."""

import io
import json
from collections.abc import Callable
from typing import Any

import gymnasium as gym
import pytest
from gymnasium.utils.env_checker import check_env
from PIL import Image, ImageDraw
from pptx import Presentation

from pptarena.envs.document import PPTArenaDocEnv, ToolCall, slide_images
from pptarena.errors import ConfigError, DeckError, ImageError, MachineError
from pptarena.rewards import read_deck
from pptarena.tasks.task import Task

TASK = "meridian-hide-backup"


class FakeRenderer:
    """Renders the text of slides; `failure_for` returns the error to raise for a text."""

    def __init__(self) -> None:
        self.rendered: list[str] = []
        self.failure_for: Callable[[str], Exception | None] = lambda text: None
        self.size = (640, 360)

    def render(self, deck: bytes) -> tuple[bytes, ...]:
        return tuple(self._picture(slide.text) for slide in read_deck(deck).slides)

    def _picture(self, text: str) -> bytes:
        if (error := self.failure_for(text)) is not None:
            raise error
        self.rendered.append(text.partition("\n")[0])
        image = Image.new("RGB", self.size, "white")
        ImageDraw.Draw(image).multiline_text((4, 4), text[:200], fill="black")
        out = io.BytesIO()
        image.save(out, "png")
        return out.getvalue()


@pytest.fixture
def renderer(monkeypatch: pytest.MonkeyPatch) -> FakeRenderer:
    renderer = FakeRenderer()
    monkeypatch.setattr(slide_images, "shared_office", lambda: renderer)
    monkeypatch.setattr(slide_images, "require_image", lambda: None)
    return renderer


@pytest.fixture
def ids(deck: bytes) -> list[int]:
    slides: Any = Presentation(io.BytesIO(deck)).slides
    return [each.slide_id for each in slides]


def start_episode(task: Task, **settings: Any) -> tuple[PPTArenaDocEnv, dict[str, Any]]:
    env = PPTArenaDocEnv(task=task, judge=None, **settings)
    return env, env.reset(seed=0)[0]


def set_title(slide: int, text: str) -> ToolCall:
    return ToolCall.of("set_text", slide=slide, shape=2, text=text)


@pytest.mark.slow
def test_gymnasium_checker_finds_no_fault(task: Task, renderer: FakeRenderer) -> None:
    env = gym.make("PPTArenaDoc-v0", task=task, slides=3, judge=None)
    check_env(env.unwrapped, skip_render_check=True)
    env.close()


def test_only_changed_slides_are_rendered(
    task: Task, renderer: FakeRenderer, ids: list[int]
) -> None:
    env, observation = start_episode(task, slides=3)
    assert observation["slide_ids"].tolist() == [*ids, 0]
    assert observation["slides"][1].any()
    assert not observation["slides"][2].any()
    renderer.rendered.clear()
    observation, *_, info = env.step(set_title(ids[0], "Boats"))
    assert renderer.rendered == ["Boats"]
    assert info["slides"] == {"shown": ids, "changed": ids[:1], "problem": ""}
    assert info["timing"]["draw"] > 0
    observation, *_, info = env.step(set_title(ids[0], "Tents"))
    assert renderer.rendered == ["Boats"], "the slide is rendered again"
    observation, *_, info = env.step({"tool": "list_layouts"})
    assert info["slides"]["changed"] == []
    env.close()


def test_named_or_changed_slides_come_first(
    task: Task, renderer: FakeRenderer, ids: list[int]
) -> None:
    env, observation = start_episode(task, slides=1)
    assert observation["slide_ids"].tolist() == ids[:1]
    observation, *_ = env.step(ToolCall.of("read_slide", slide=ids[1]))
    assert observation["slide_ids"].tolist() == ids[1:]
    observation, *_ = env.step(ToolCall.of("replace_text", old="Tents", new="Boats"))
    assert observation["slide_ids"].tolist() == ids[:1]
    env.close()


def test_observations_share_no_memory(task: Task, renderer: FakeRenderer, ids: list[int]) -> None:
    env, first = start_episode(task, slides=2)
    before = first["slides"].copy()
    second, *_ = env.step({"tool": "list_layouts"})
    second["slides"][:] = 7
    assert (first["slides"] == before).all()
    assert (env.last()[0]["slides"] == before).all()
    env.close()


def test_forks_show_the_same_images(task: Task, renderer: FakeRenderer, ids: list[int]) -> None:
    env, _ = start_episode(task, slides=2)
    observation, *_, info = env.step(set_title(ids[0], "Boats"))
    (fork,) = env.fork(1)
    other, fork_info = fork.last()
    assert (other["slides"] == observation["slides"]).all()
    assert fork_info["slides"] == info["slides"]
    plain = PPTArenaDocEnv(task=task, judge=None, slides=1)
    restored, _ = plain.restore(env.checkpoint())
    assert (restored["slides"][0] == observation["slides"][0]).all()
    for each in (env, fork, plain):
        each.close()


def test_slides_of_another_aspect_ratio_are_letterboxed(
    task: Task, renderer: FakeRenderer, ids: list[int]
) -> None:
    renderer.size = (640, 480)
    env, observation = start_episode(task, slides=1)
    (picture,) = observation["slides"]
    assert picture.shape == (360, 640, 3)
    assert (picture[180, 10] == 128).all()
    assert (picture[180, 320] == 255).all()
    env.close()


@pytest.mark.parametrize("error", [DeckError("refused"), MachineError("too slow")])
def test_rendering_error_of_a_deck_is_reported(
    task: Task, renderer: FakeRenderer, ids: list[int], error: Exception
) -> None:
    env, _ = start_episode(task, slides=2)
    renderer.failure_for = lambda text: error if "Bomb" in text else None
    observation, _, _, truncated, info = env.step(set_title(ids[0], "Bomb"))
    assert not truncated
    assert info["infra_error"] is None
    assert "cannot be rendered" in info["slides"]["problem"]
    assert not observation["slides"].any()
    observation, *_, info = env.step(set_title(ids[0], "Boats"))
    assert (info["slides"]["problem"], info["slides"]["shown"]) == ("", ids)
    env.close()


def test_renderer_failure_is_an_infrastructure_error(
    task: Task, renderer: FakeRenderer, ids: list[int]
) -> None:
    env, _ = start_episode(task, slides=2)
    renderer.failure_for = lambda text: MachineError("the application is gone")
    _, reward, _, truncated, info = env.step(set_title(ids[0], "Ships"))
    assert (truncated, reward) == (True, 0.0)
    assert "the application is gone" in info["infra_error"]
    env.close()


@pytest.mark.parametrize("slides", [-1, 65, 1.5, True])
def test_invalid_number_of_slides_is_rejected(
    task: Task, renderer: FakeRenderer, slides: Any
) -> None:
    with pytest.raises(ConfigError, match="slides: expected"):
        PPTArenaDocEnv(task=task, slides=slides)


def test_slide_images_require_the_machine_image(
    task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> None:
        raise ImageError("there is no machine image")

    monkeypatch.setattr(slide_images, "require_image", missing)
    with pytest.raises(ImageError):
        PPTArenaDocEnv(task=task, slides=1)
    PPTArenaDocEnv(task=task).close()


@pytest.mark.image
@pytest.mark.parametrize("mode", ["sync", "async"])
def test_application_renders_for_vector_environments(mode: str) -> None:
    envs = gym.make_vec(
        "PPTArenaDoc-v0", 2, vectorization_mode=mode, task=TASK, slides=2, judge=None
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
