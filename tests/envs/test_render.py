import numpy as np
import pytest

from pptarena.envs import PPTArenaEnv, window
from pptarena.envs.actions import click
from pptarena.errors import ConfigError
from pptarena.tasks import Task


def test_rgb_array_returns_a_copy_of_the_last_screenshot(bold_task: Task) -> None:
    env = PPTArenaEnv(task=bold_task, machine="fake", render_mode="rgb_array")
    obs, _ = env.reset(seed=0)
    frame = env.render()
    assert isinstance(frame, np.ndarray)
    assert np.array_equal(frame, obs["screenshot"])
    frame[:] = 0
    again = env.render()
    assert isinstance(again, np.ndarray)
    assert np.array_equal(again, obs["screenshot"])


def test_ansi_shows_instruction_progress_and_elements(bold_task: Task) -> None:
    env = PPTArenaEnv(task=bold_task, machine="fake", render_mode="ansi")
    obs, _ = env.reset(seed=0)
    env.step(click(3))
    text = env.render()
    assert isinstance(text, str)
    lines = text.splitlines()
    assert lines[0] == f"Task {bold_task.id}: {bold_task.instruction}"
    assert lines[1] == f"Step 1 of {bold_task.max_steps}, score 0.00"
    assert lines[2].startswith("window: ")
    assert "[3] toggle button 'Bold'" in lines
    assert "[11] panel 'Harvest' (selected)" in lines
    assert len(lines) == 3 + obs["element_count"]


def test_render_without_a_mode_returns_none(bold_task: Task) -> None:
    env = PPTArenaEnv(task=bold_task, machine="fake")
    env.reset(seed=0)
    assert env.render() is None


def test_human_mode_without_a_display_suggests_a_fix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    with pytest.raises(ConfigError, match=r"DISPLAY is not set.*xvfb-run.*rgb_array"):
        PPTArenaEnv(machine="fake", render_mode="human")
    env = PPTArenaEnv(machine="fake")
    assert env.metadata["render_modes"] == ["rgb_array", "ansi"]
    assert PPTArenaEnv.metadata["render_modes"] == ["human", "rgb_array", "ansi"]


def test_human_mode_without_tkinter_suggests_a_fix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"tkinter.*python3-tk.*rgb_array"):
        PPTArenaEnv(machine="fake", render_mode="human")


def test_human_mode_shows_every_observation(
    bold_task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    frames: list[str] = []
    closed: list[bool] = []

    class Screen:
        def show(self, screenshot: np.ndarray, title: str) -> None:
            frames.append(f"{screenshot.shape} {title}")

        def close(self) -> None:
            closed.append(True)

    monkeypatch.setattr("pptarena.envs.window.window_problem", lambda: None)
    monkeypatch.setattr("pptarena.envs.ppt_arena.Window", Screen)
    env = PPTArenaEnv(task=bold_task, machine="fake", render_mode="human")
    env.reset(seed=0)
    env.step(click(1))
    assert frames == [f"(720, 1280, 3) pptarena: {bold_task.id}"] * 2
    env.close()
    assert closed == [True]


def test_unreachable_display_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("tkinter")
    monkeypatch.setenv("DISPLAY", ":no-such-display")
    with pytest.raises(ConfigError, match="cannot draw its window"):
        window.Window().show(np.zeros((2, 3, 3), np.uint8), "title")
    window.Window().close()
