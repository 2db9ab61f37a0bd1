"""The replay of recorded plans on pixel elements."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pptarena.agents.demonstration import DemonstrationAgent
from pptarena.envs.pixels import Detection, pixel_tree
from pptarena.rollouts.env import make_env
from pptarena.rollouts.play import play
from pptarena.tasks import get_task
from tools import pixel_replay as tool

TASK = get_task("meridian-hide-backup")


class Columns:
    """Finds icons in columns at the slide list and below the menu, or at the slide list alone."""

    def __init__(self, *, blind: bool) -> None:
        self._lefts = (40,) if blind else (40, 1120, 1160, 1200, 1230)

    def detect(self, screenshot: Any) -> list[Detection]:
        return [Detection((x, y, 24, 24), "icon") for y in range(0, 720, 24) for x in self._lefts]


@pytest.mark.parametrize("blind", [False, True])
def test_a_plan_is_solved_if_every_target_has_a_detection(
    blind: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    env = make_env("fake")
    agent = DemonstrationAgent()
    places: dict[str, Any] = {"place": tmp_path / "seed-0", "failed_place": tmp_path / "failed"}
    play(env, agent, agent_name="demonstration", task=TASK, seed=0, **places)
    env.close()
    monkeypatch.setattr(pixel_tree, "_opened", lambda name: Columns(blind=blind))
    monkeypatch.setattr("sys.argv", ["pixel_replay.py", str(tmp_path), "--machine", "fake"])
    tool.main()
    result, total = map(json.loads, capsys.readouterr().out.splitlines())
    assert result["task"] == TASK.id
    assert (result["score"] == 1.0) is not blind
    assert ("no pixel element in" in result["reason"]) is blind
    assert total == {"tasks": 1, "solved": int(not blind)}


def test_the_detection_nearest_to_the_recorded_point_is_taken() -> None:
    action = SimpleNamespace(
        kind="click", element=7, xy=None, end_xy=None, keys="", text="", amount=0
    )
    aim = SimpleNamespace(target={"box": [100, 100, 80, 20]}, point=(140, 110))
    boxes = [(90, 100, 20, 20), (120, 100, 20, 20), (134, 104, 12, 12), (300, 100, 20, 20)]
    nodes = [{"box": box, "element": at} for at, box in enumerate(boxes, start=1)]
    counts = {"aimed": 0, "bare": 0}
    step: Any = SimpleNamespace(action=action, aim=aim)
    found = tool._aimed(step, {"a11y": {"nodes": nodes}}, counts)
    assert found is not None
    assert (found.element, counts) == (3, {"aimed": 1, "bare": 0})
    assert tool._aimed(step, {"a11y": {"nodes": nodes[3:]}}, counts) is None
