"""A stored episode becomes frames: one per action, more while the pointer moves."""

from pathlib import Path
from typing import Any

import pptarena
from pptarena import actions
from tools.film import film


class Clicks:
    def reset(self, info: Any, seed: int) -> None:
        self.left = [actions.done(), actions.key("ctrl+a"), actions.click(element=1)]

    def act(self, observation: Any, info: Any) -> Any:
        return self.left.pop()


def test_an_episode_becomes_frames(tmp_path: Path) -> None:
    with pptarena.make("meridian-hide-backup", machine="fake") as env:
        pptarena.run_episode(env, Clicks(), out=tmp_path)
    frames = film(next(tmp_path.rglob("meta.json")).parent)
    sizes = {picture.size for picture, _ in frames}
    times = [time for _, time in frames]
    assert len(frames) == 4 + 3 + 1  # the way to the click, an action each, the end
    assert len(sizes) == 1
    assert times[-1] == max(times)
