"""Recorded plans, played by a scripted Navi on pixel elements."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pptarena.agents.demonstration import DemonstrationAgent
from pptarena.envs.pixels import Detection, pixel_tree
from pptarena.errors import AgentError
from pptarena.models import Request, Turn
from pptarena.rollouts.env import make_env
from pptarena.rollouts.play import play
from pptarena.tasks import get_task
from tools import scripted_navi as tool

TASK = get_task("meridian-hide-backup")


class Columns:
    """Finds icons in columns at the slide list and below the menu, or at the slide list alone."""

    def __init__(self, *, blind: bool) -> None:
        self._lefts = (40,) if blind else (40, 1120, 1160, 1200, 1230)

    def detect(self, screenshot: Any) -> list[Detection]:
        return [Detection((x, y, 24, 24), "icon") for y in range(0, 720, 24) for x in self._lefts]


@pytest.mark.slow
def test_a_plan_is_solved_if_every_target_has_a_detection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    env = make_env("fake")
    agent = DemonstrationAgent()
    run, out = tmp_path / "run", tmp_path / "out"
    places: dict[str, Any] = {"place": run / "seed-0", "failed_place": tmp_path / "failed"}
    play(env, agent, agent_name="demonstration", task=TASK, seed=0, **places)
    env.close()

    def table(*more: str, blind: bool) -> str:
        monkeypatch.setattr(pixel_tree, "_opened", lambda name: Columns(blind=blind))
        command = ["scripted_navi.py", str(run), "--out", str(out), "--machine", "fake", *more]
        monkeypatch.setattr("sys.argv", command)
        tool.main()
        return capsys.readouterr().out

    blind = table(blind=True)
    assert "no pixel element in" in blind
    assert blind.endswith("0 of 1 tasks solved\n")
    assert table(blind=False) == blind, "a stored episode is not played again"
    again = table("--again", blind=False)
    assert f"| {TASK.id} | 1.00 |" in again
    assert again.endswith("1 of 1 tasks solved\n")


def test_the_element_nearest_to_the_recorded_point_is_clicked() -> None:
    action = SimpleNamespace(
        kind="click", element=7, xy=None, end_xy=None, keys="", text="", amount=0
    )
    aim = SimpleNamespace(target={"role": "button", "name": "B", "box": [100, 100, 80, 20]})
    aim.point = (140, 110)
    step: Any = SimpleNamespace(step=0, action=action, aim=aim, a11y_file="")
    boxes = [(90, 100, 20, 20), (120, 100, 20, 20), (134, 104, 12, 12), (300, 100, 20, 20)]
    lines = [
        f"[{at}] icon 'x at y' at ({x / 1000:.3f}, {y / 1000:.3f}, {(x + w) / 1000:.3f}, "
        f"{(y + h) / 1000:.3f})"
        for at, (x, y, w, h) in enumerate(boxes, start=1)
    ]

    def reply(text: str) -> str:
        script = tool.Script()
        script._steps, script._size = [step], (1000, 1000)
        return script.ask(Request("", [Turn((text,))])).reply.text

    assert "move_id(id=3)" in reply("\n".join(lines))
    with pytest.raises(AgentError, match="no pixel element in button 'B'"):
        reply(lines[3])


@pytest.mark.parametrize(
    ("role", "states", "escape"),
    [("label", "focused selected", True), ("icon", "focused selected", False),
     ("label", "selected", False)],
)  # fmt: skip
def test_escape_leaves_the_text_of_a_shape_that_was_to_be_selected(
    role: str, states: str, escape: bool, tmp_path: Path
) -> None:
    plain: dict[str, Any] = {"keys": "", "text": "", "amount": 0, "xy": None, "end_xy": None}
    click = SimpleNamespace(kind="click", element=1, **plain)
    target = {"role": "panel", "name": "Title", "box": [0, 0, 900, 900]}
    aim = SimpleNamespace(target=target, point=(500, 500))
    first: Any = SimpleNamespace(step=0, action=click, aim=aim, a11y_file="")
    second: Any = SimpleNamespace(step=1, a11y_file="step_001.json")
    node = {"role": "panel", "states": states.split()}
    (tmp_path / "step_001.json").write_text(json.dumps({"nodes": [node]}))
    script = tool.Script()
    script._folder, script._steps, script._size = tmp_path, [first, second], (1000, 1000)
    line = f"[1] {role} 'Title' at (0.100, 0.100, 0.200, 0.200)"
    reply = script.ask(Request("", [Turn((line,))])).reply.text
    assert ('press("escape")' in reply) is escape
    assert reply.endswith("```")


def test_the_text_of_the_target_is_found_close_to_a_shifted_box(tmp_path: Path) -> None:
    plain: dict[str, Any] = {"keys": "", "text": "", "amount": 0, "xy": None, "end_xy": None}
    box = [100, 100, 40, 20]
    aim = SimpleNamespace(target={"role": "paragraph", "name": "", "box": box}, point=(120, 110))
    click = SimpleNamespace(kind="click", element=1, **plain)
    step: Any = SimpleNamespace(step=0, action=click, aim=aim, a11y_file="step_000.json")
    node = {"role": "paragraph", "box": box, "text": "2024"}
    (tmp_path / "step_000.json").write_text(json.dumps({"nodes": [node]}))
    script = tool.Script()
    script._folder, script._steps, script._size = tmp_path, [step], (1000, 1000)
    lines = [
        "[1] label '2025' at (0.100, 0.120, 0.140, 0.140)",
        "[2] label '2024' at (0.100, 0.120, 0.140, 0.140)",
        "[3] label '2024' at (0.500, 0.120, 0.540, 0.140)",
    ]
    reply = script.ask(Request("", [Turn(("\n".join(lines),))])).reply.text
    assert "move_id(id=2)" in reply
