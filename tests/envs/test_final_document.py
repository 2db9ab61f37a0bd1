"""The score is that of the document a user finds after a reload, a close or a crash."""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from pptarena.envs import PPTArenaEnv
from pptarena.envs.actions import Action, click, done, key, open_program, type_text, wait
from pptarena.envs.machines.process_tree import process_tree

pytestmark = [pytest.mark.image, pytest.mark.slow]
MAX_WAITS = 40


class User:
    """Plays one episode and sums up its rewards."""

    def __init__(self, env: PPTArenaEnv) -> None:
        self.env = env
        _, self.info = env.reset(seed=0, options={"task": "meridian-hide-backup"})
        self.total_reward = 0.0
        self.is_over = False

    def do(self, action: Action) -> None:
        _, reward, terminated, truncated, self.info = self.env.step(action)
        self.total_reward += float(reward)
        self.is_over = terminated or truncated
        assert self.info["infra_error"] is None

    def keys(self, *names: str) -> None:
        for name in names:
            self.do(key(name))

    def press(self, role: str, *names: str) -> None:
        """Click a control as soon as it appears."""
        self.do(click(element=self.until(lambda info: _element(info, role, names))))

    def until(self, find: Callable[[Any], int]) -> int:
        for _ in range(MAX_WAITS):
            if element := find(self.info):
                return element
            assert not self.is_over, self.info["overload"]
            self.do(wait(5))
        raise AssertionError(f"not on the screen in time; windows: {self.info['window_titles']}")

    def hide_the_backup_slide(self) -> None:
        self.press("panel", "Agenda")
        self.keys("End")
        self.press("menu", "Slide")
        self.press("menu item", "Hide Slide")
        self.until(lambda info: info["score"] == 1.0)

    def finish(self) -> float:
        if not self.is_over:
            self.do(done())
        assert self.total_reward == pytest.approx(self.info["score"])
        return float(self.info["score"])


def _element(info: Any, role: str, names: Sequence[str]) -> int:
    nodes = info["a11y"]["nodes"]
    elements = (n["element"] for n in nodes if n["role"] == role and n["name"] in names)
    return next((element for element in elements if element), 0)


@pytest.fixture(scope="module")
def env() -> Iterator[PPTArenaEnv]:
    env = PPTArenaEnv(machine="sandbox", max_steps=500, tree_time_sec=30.0)
    yield env
    env.close()


def test_reloaded_document_is_scored(env: PPTArenaEnv) -> None:
    user = User(env)
    user.press("panel", "Agenda")
    user.keys("Delete")
    user.press("menu", "File")
    user.press("check menu item", "Reload")
    user.press("button", "Yes")
    user.until(lambda info: info["document"]["open"] and info["document"]["slide_count"] == 17)
    user.hide_the_backup_slide()
    assert user.finish() == 1.0


def test_discarded_changes_lose_their_reward(env: PPTArenaEnv) -> None:
    user = User(env)
    user.hide_the_backup_slide()
    user.keys("ctrl+w")
    user.press("button", "Don\u2019t Save")
    user.until(lambda info: not info["document"]["open"])
    assert user.info["score"] == 0.0
    assert user.finish() == 0.0


def test_saved_changes_survive_quitting_and_reopening(env: PPTArenaEnv) -> None:
    user = User(env)
    user.hide_the_backup_slide()
    user.keys("ctrl+s", "ctrl+q")
    user.until(lambda info: not info["document"]["open"])
    assert user.info["score"] == 1.0
    user.do(open_program("impress"))
    user.until(lambda info: info["document"]["open"])
    assert user.info["document"]["slide_count"] == 17
    assert user.finish() == 1.0


def test_document_saved_under_another_name_is_scored(env: PPTArenaEnv) -> None:
    user = User(env)
    user.keys("ctrl+shift+s")
    user.until(lambda info: any("Save" in title for title in info["window_titles"]))
    user.keys("ctrl+a")
    user.do(type_text("other.pptx\n"))
    user.until(lambda info: any("other.pptx" in title for title in info["window_titles"]))
    user.hide_the_backup_slide()
    user.keys("ctrl+s", "ctrl+w")
    user.until(lambda info: not info["document"]["open"])
    assert user.finish() == 1.0


@pytest.mark.parametrize(("saved", "score"), [(True, 1.0), (False, 0.0)])
def test_saved_file_is_scored_after_a_crash(env: PPTArenaEnv, saved: bool, score: float) -> None:
    user = User(env)
    user.hide_the_backup_slide()
    if saved:
        user.keys("ctrl+s")
    os.kill(_office_pid(env), signal.SIGKILL)
    user.do(wait(1))
    assert user.is_over
    assert "application" in user.info["overload"]
    assert user.finish() == score


def _office_pid(env: PPTArenaEnv) -> int:
    pid = env.machine.pid  # type: ignore[attr-defined]
    names = {pid: Path(f"/proc/{pid}/comm").read_text().strip() for pid in process_tree(pid)}
    return next(pid for pid, name in names.items() if name == "soffice.bin")
