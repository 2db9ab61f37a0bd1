"""PPTPilot end to end: real HTTP, real programs in their sandbox, a scripted model."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pptarena.agents.model import ModelSettings
from pptarena.agents.pptpilot import Edit, PilotSettings, Plan, PPTPilot, Verdict
from pptarena.errors import ConfigError, EndpointClosedError
from pptarena.rollouts.messages import read_messages, read_model
from pptarena.rollouts.store import find_episodes, read_steps
from pptarena.tasks import get_task

pytestmark = pytest.mark.slow

HIDE = """
for slide in presentation.slides:
    if slide.slide_id == {}:
        slide._element.set("show", "{}")
        print("hidden", slide.slide_id)
"""
CORRECTIONS = (
    """
table = next(s for s in presentation.slides[9].shapes if s.name == "Branches").table
for row, value in ((5, "135.3"), (7, "762.6")):
    table.cell(row, 1).text_frame.paragraphs[0].runs[0].text = value
""",
    """
tile = next(s for s in presentation.slides[3].shapes if s.name == "Tile 3")
tile.text_frame.paragraphs[0].runs[0].text = "762.6"
""",
    """
notes = presentation.slides[9].notes_slide.notes_text_frame
notes.text = "Erlen was corrected on 20 October."
""",
)
RIGHT, WRONG = 272, 271
GOOD = {"score": 5, "problems": []}


def hide(slide: int) -> dict[str, Any]:
    return {"name": "run_program", "arguments": {"code": HIDE.format(slide, 0)}}


def read_pilot(folder: Path) -> dict[str, Any]:
    record: dict[str, Any] = json.loads((folder / "pilot.json").read_text("utf-8"))
    return record


@pytest.mark.parametrize("dialect", ["json", "tools"])
def test_wrong_edit_is_fixed_after_the_verdict(
    model: Any, play: Any, say: Any, dialect: str
) -> None:
    def reject(request: dict[str, Any]) -> Any:
        prompt = request["messages"][-1]["content"]
        assert f'"slide": {WRONG}' in prompt
        assert ", hidden" in prompt
        show_edit = say.edit(f"show slide {WRONG} again", slides=(WRONG,))
        return {"score": 1, "problems": [show_edit, say.edit(f"hide slide {RIGHT}")]}

    def fix(request: dict[str, Any]) -> Any:
        prompt = request["messages"][-1]["content"]
        (slide_to_show,) = re.findall(r"show slide (\d+) again", prompt)
        (slide_to_hide,) = re.findall(r"- hide slide (\d+)", prompt)
        return say.program(HIDE.format(slide_to_show, 1) + HIDE.format(slide_to_hide, 0))

    model.replies = {
        "plan": [{"edits": [say.edit("hide the backup slide", slides=(WRONG,))]}],
        "program": [hide(WRONG), fix],
        "judge": [reject, GOOD],
    }
    meta, folder = play(dialect=dialect)
    assert (meta.score, meta.end) == (1.0, "done")
    assert model.roles == ["plan", "program", "judge", "program", "judge"]
    assert "with notes" in model.prompt("program")
    assert f"Read now, slide id {WRONG}" in model.prompt("program")
    assert f"Before, slide id {WRONG}" in model.prompt("judge")
    pilot = read_pilot(folder)
    (turn,) = pilot["turns"]
    assert turn["ended"] == "approved"
    assert [each["scores"] for each in turn["rounds"]] == [{"following": 1}, {"following": 5}]
    assert [each["route"] for each in turn["rounds"][1]["edits"]] == ["program", "program"]
    assert set(pilot["prompts"]) == {"plan", "edit", "judge"}


def test_record_maps_steps_to_answers(model: Any, play: Any, say: Any) -> None:
    model.replies = {
        "plan": ["hm", {"edits": [say.edit("hide it", slides=(RIGHT,))]}],
        "program": ["no call", hide(RIGHT)],
        "judge": [GOOD],
    }
    _, folder = play(input_price_usd=1.0)
    steps = read_steps(folder)
    assert [step.call["tool"] if step.call and "tool" in step.call else "-" for step in steps] == [
        *("read_slide", "-", "run_program", "read_slide", "done")
    ]
    messages = read_messages(folder, steps)
    assert [
        (message.role, message.first, message.steps, bool(message.error)) for message in messages
    ] == [
        ("plan", 0, 0, True),
        ("plan", 0, 0, False),
        ("edit", 1, 1, True),
        ("edit", 2, 1, False),
        ("judge", 4, 0, False),
    ]
    record = read_model(folder)
    assert record is not None
    assert (record.usage.requests, record.usage.malformed) == (5, 2)
    assert record.usage.input_tokens == 450
    assert record.cost_usd == pytest.approx(450e-6)
    assert "That answer cannot be used: expected a JSON object" in model.prompt("plan", 1)
    assert "refused: " in model.prompt("program", 1)


def test_xml_is_read_and_replaced(model: Any, play: Any, say: Any) -> None:
    part_name = "ppt/slides/slide17.xml"

    def change(request: dict[str, Any]) -> Any:
        prompt = request["messages"][-1]["content"]
        head = re.search(r"<p:sld [^>]*>", prompt)
        assert head is not None, prompt[:300]
        new = head[0][:-1] + ' show="0">'
        arguments = {"name": part_name, "old": head[0], "new": new}
        return (
            f'{json.dumps({"name": "replace_in_part", "arguments": arguments})} {{"name":"done"}}'
        )

    model.replies = {
        "plan": [{"edits": [say.edit("hide it", "transitions")]}],
        "xml": [{"name": "read_part", "arguments": {"name": part_name}}, change],
        "judge": [GOOD],
    }
    meta, folder = play()
    assert meta.score == 1.0
    tools = model.requests[1][1]["messages"][0]["content"]
    assert "replace_in_part" in tools
    assert "run_program" not in tools
    assert read_pilot(folder)["turns"][0]["rounds"][0]["edits"][0]["route"] == "xml"


def test_edits_with_the_same_route_run_together(model: Any, play: Any, say: Any) -> None:
    edits = [say.edit("a", "text"), say.edit("b", "charts"), say.edit("c", "themes")]
    model.replies = {
        "plan": [{"edits": edits}],
        "program": [hide(RIGHT)],
        "xml": [{"name": "done"}],
    }
    meta, _ = play(rounds=1)
    assert meta.score == 1.0
    assert model.roles == ["plan", "program", "xml"]
    assert "- a (text)\n- b (charts)\n\n" in model.prompt("program")


def test_every_turn_is_planned_and_judged(model: Any, play: Any, say: Any) -> None:
    task = get_task("ledger-corrections")
    turns = 1 + len(task.turns)
    programs = [say.program(code) for code in CORRECTIONS]
    model.replies = {
        "plan": [{"edits": [say.edit(f"turn {turn}", "text")]} for turn in range(turns)],
        "program": programs,
        "judge": [GOOD] * turns,
    }
    meta, folder = play(task.id)
    assert (meta.score, meta.end) == (1.0, "done")
    instructions = [turn["instruction"] for turn in read_pilot(folder)["turns"]]
    assert instructions == [task.instruction, *(turn.instruction for turn in task.turns)]
    assert [instructions[index] in model.prompt("judge", index) for index in range(turns)] == [
        True
    ] * turns


def test_editor_reviews_its_result_until_nothing_changes(model: Any, play: Any, say: Any) -> None:
    model.replies = {
        "plan": [{"edits": [say.edit("hide it", "text")]}],
        "program": [hide(WRONG), hide(RIGHT), {"name": "done"}],
    }
    _, folder = play(reflection="editor", rounds=4)
    assert model.roles == ["plan", "program", "program", "program"]
    assert "- hide it (text)" in model.prompt("program", 0)
    for number in (1, 2):
        retry = "fix what is not right yet, or call done: hide it (text)"
        assert retry in model.prompt("program", number)
    (turn,) = read_pilot(folder)["turns"]
    assert (len(turn["rounds"]), turn["ended"]) == (3, "the editor changed nothing more")


def test_infeasible_task_is_refused(model: Any, play: Any) -> None:
    model.replies = {"plan": [{"edits": [], "impossible": "there is no such slice"}]}
    meta, folder = play("ledger-retail-slice")
    assert (meta.score, meta.end, meta.steps) == (1.0, "fail", 1)
    assert read_pilot(folder)["turns"][0]["ended"] == "impossible: there is no such slice"
    model.replies = {"plan": [{"edits": [{"what": "x"}]}], "program": [{"name": "fail"}]}
    assert play("ledger-retail-slice")[0].score == 1.0


@pytest.mark.parametrize(
    ("settings", "roles"),
    [
        ({"plan": "no"}, ["program", "judge"]),
        ({"rounds": 1}, ["plan", "program"]),
        ({"plan": "no", "rounds": 1}, ["program"]),
        ({"router": "program"}, ["plan", "program", "judge"]),
        ({"router": "xml"}, ["plan", "xml", "judge"]),
        ({"router": "model"}, ["plan", "route", "program", "judge"]),
    ],
)
def test_ablations(model: Any, play: Any, say: Any, settings: Any, roles: list[str]) -> None:
    model.replies = {
        "plan": [{"edits": [say.edit("hide it", "text")]}],
        "route": [{"route": "program"}],
        "program": [hide(RIGHT)],
        "xml": [{"name": "done"}],
        "judge": [GOOD],
    }
    expected = 0.0 if "xml" in roles else 1.0
    if "xml" in roles:  # nothing was changed, so the judge is not used
        roles, settings = ["plan", "xml", "xml"], {**settings, "rounds": 2}
        model.replies["xml"] *= 2
    meta, _ = play(**settings)
    assert (meta.score, model.roles) == (expected, roles)


def test_rounds_and_questions_are_limited(model: Any, play: Any, say: Any) -> None:
    wrong = {"score": 2, "problems": [say.edit("not yet")]}
    model.replies = {
        "plan": [{"edits": [say.edit("hide it")]}],
        "program": [hide(slide) for slide in (270, 271, 272)],
        "judge": [wrong] * 2,
    }
    meta, folder = play(rounds=3)
    assert meta.end == "done"
    assert model.roles == ["plan", *("program", "judge") * 2, "program"]
    assert read_pilot(folder)["turns"][0]["ended"] == "all rounds are used"
    list_layouts = {"name": "list_layouts", "arguments": {}}
    model.requests.clear()
    model.replies = {"plan": [{"edits": [say.edit("x")]}], "program": [list_layouts] * 9}
    play(rounds=1, questions=4)
    assert model.roles == ["plan", *["program"] * 4]


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"pilot_tokens": 150}, "200 of 150 tokens are used"),
        ({"pilot_cost_usd": 0.0001, "input_price_usd": 1.0}, "of 0.0001 USD are used"),
        ({"pilot_sec": 1e-6}, "seconds are used"),
    ],
)
def test_episode_limits_are_enforced(
    model: Any, play: Any, say: Any, settings: Any, reason: str
) -> None:
    model.replies = {"plan": [{"edits": [say.edit("hide it")]}], "program": [hide(RIGHT)]}
    meta, folder = play(**settings)
    assert meta.end == "done"
    assert meta.score == (0.0 if "pilot_sec" in settings else 1.0)
    assert reason in read_pilot(folder)["turns"][0]["ended"]


def test_run_budget_is_enforced(model: Any, play: Any, say: Any, tmp_path: Path) -> None:
    model.replies = {"plan": [{"edits": [say.edit("hide it")]}]}
    with pytest.raises(EndpointClosedError, match="the run has used 100 tokens of 50"):
        play(max_tokens=50)


@pytest.mark.parametrize("role", ["plan", "program", "judge"])
def test_invalid_replies_are_limited(model: Any, play: Any, say: Any, role: str) -> None:
    model.replies = {
        "plan": [{"edits": [say.edit("hide it")]}],
        "program": [hide(RIGHT)],
        "judge": [GOOD],
        role: ['{"score": 9, "edits": 1}'] * 3,
    }
    meta, folder = play(bad_answers=3)
    assert meta.end == "agent_error"
    assert "3 answers in a row had no valid action" in str(meta.agent_error)
    record = read_model(folder)
    assert record is not None
    assert record.usage.malformed == 3


def test_failing_service_leaves_the_episode_unscored(
    model: Any, play: Any, say: Any, tmp_path: Path
) -> None:
    plan = {"edits": [say.edit("hide it")]}
    model.replies = {
        "plan": [plan],
        "program": [hide(RIGHT)],
        "judge": [{"status": 500, "body": ""}],
    }
    meta, _ = play()
    assert (meta.score, meta.end) == (None, "infra")
    assert str(meta.infra_error).startswith("EndpointError")
    model.replies = {"plan": [{"status": 401, "body": "{}"}]}
    with pytest.raises(EndpointClosedError):
        play()
    assert len(list(find_episodes(tmp_path))) == 1


def test_components_can_be_replaced(model: Any, play: Any) -> None:
    class Planner:
        def plan(self, ask: Any, work: Any) -> Plan:
            return Plan((Edit("my own"),))

    class Router:
        def route(self, ask: Any, work: Any, edit: Edit) -> Any:
            return "xml" if edit.what == "fixed" else "program"

    class Editor:
        routes: list[str] = []  # noqa: RUF012

        def edit(self, ask: Any, work: Any, edits: Any, route: str) -> Any:
            self.routes.append(route)
            work.see((yield {"tool": "hide_slide", "arguments": {"slide": RIGHT}}))
            return ""

    class Checker:
        rejections_left = 1

        def check(self, ask: Any, work: Any) -> Verdict:
            assert work.touched == (RIGHT,)
            self.rejections_left -= 1
            return Verdict(() if self.rejections_left < 0 else (Edit("fixed"),), {"mine": 3})

    editor = Editor()
    meta, folder = play(planner=Planner(), router=Router(), editor=editor, checker=Checker())
    assert (meta.score, editor.routes, model.requests) == (1.0, ["program", "xml"], [])
    assert read_pilot(folder)["turns"][0]["rounds"][1]["scores"] == {"mine": 3}


@pytest.mark.parametrize(
    "settings",
    [
        {"plan": "maybe"},
        {"router": "best"},
        {"reflection": "yes"},
        {"rounds": 0},
        {"reads": -1},
        {"pilot_sec": 0},
    ],
)
def test_invalid_settings_are_refused(settings: Any) -> None:
    with pytest.raises(ConfigError, match=f"{next(iter(settings))}: expected"):
        PilotSettings(**settings)
    with pytest.raises(ConfigError, match="expected a dialect of tools, json"):
        PPTPilot(ModelSettings(model="m", base_url="http://localhost/v1", dialect="qwen3-vl"))
