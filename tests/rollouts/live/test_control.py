"""A person pauses, takes control, helps and stops, and the episode counts as helped."""

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.rollouts.live.conftest import WAIT_SEC, Viewer

from pptarena.envs import actions
from pptarena.envs.actions import Action
from pptarena.envs.document import ToolCall
from pptarena.errors import ActionError
from pptarena.rollouts.compare import read_contenders
from pptarena.rollouts.env import make_document_env, make_env
from pptarena.rollouts.live import LiveEnv
from pptarena.rollouts.live.env import PAGE, make_live_env
from pptarena.rollouts.replay import replay_episode
from pptarena.rollouts.store import read_meta, read_steps
from pptarena.rollouts.summary import summarise
from pptarena.tasks import Task, get_task

pytestmark = pytest.mark.slow


class WaitingAgent:
    """Waits, reports done and records the hints."""

    def __init__(self, *script: Action) -> None:
        self._script = script or (actions.wait(0), actions.wait(0), actions.done())
        self.hints: list[str] = []
        self._next = 0

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        self._next = 0

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Action:
        self.hints.append(info.get("hint", ""))
        self._next += 1
        return self._script[min(self._next, len(self._script)) - 1]


def center_of(state: Mapping[str, Any], name: str) -> list[float]:
    """Return the center of an element of the page in [0, 1]."""
    left, top, width, height = next(row[4] for row in state["nodes"] if row[2] == name)
    screen_width, screen_height = state["screen"]
    return [(left + width / 2) / screen_width, (top + height / 2) / screen_height]


def start_paused(
    live_env: LiveEnv, viewer: Viewer, start: Callable[..., Any], agent: Any, **options: Any
) -> tuple[str, Callable[[], Any], dict[str, Any]]:
    """Start an episode that is paused before its first action."""
    live_env.station.attach("tester")
    live_env.station.control({"what": "pause"})
    wait = start(live_env, agent, **options)
    station = viewer.tile()["station"]
    viewer.send(type="watch", station=station, tree=True)
    return station, wait, viewer.full()


def test_person_takes_control_and_hands_back(
    live_env: LiveEnv, viewer: Viewer, start: Callable[..., Any], task: Task
) -> None:
    agent = WaitingAgent()
    station, wait, state = start_paused(live_env, viewer, start, agent)
    viewer.control(station, "step")
    viewer.full(lambda state: state["step"] == 1)
    viewer.control(station, "take")
    title = center_of(state, "Title 1")
    for event in (
        {"kind": "click", "xy": [0.5, 7.0]},  # malformed
        {"kind": "click", "xy": title, "count": 1},
        {"kind": "key", "keys": "ctrl+b"},
    ):
        viewer.control(station, "input", event=event)
    solved = viewer.full(lambda state: state["step"] == 3)
    assert solved["score"] == 1.0
    assert solved["status"]["held"]
    assert [row["by"] for row in solved["actions"]] == ["agent", "person", "person"]
    viewer.control(station, "hand_back")
    viewer.control(station, "resume")
    episode = wait()
    meta = read_meta(episode.folder)
    assert (meta.score, meta.steps, meta.end) == (1.0, 5, "done")
    assert meta.help["interventions"] == 1
    assert meta.help["human_steps"] == 2
    assert meta.help["human_sec"] > 0
    steps = read_steps(episode.folder)
    assert [step.by for step in steps] == ["agent", "person", "person", "agent", "agent"]
    assert agent.hints[0] == ""
    assert "person has acted" in agent.hints[1]
    assert agent.hints[2] == ""
    replay = replay_episode(live_env, episode.folder, lambda _: task)
    assert replay.identical


class BlockingAgent(WaitingAgent):
    """Answers when the test allows it."""

    def __init__(self, *script: Action) -> None:
        super().__init__(*script)
        self.is_waiting, self.may_answer = threading.Event(), threading.Event()
        self.errors: list[str | None] = []

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Action:
        self.errors.append(info["action_error"])
        self.is_waiting.set()
        assert self.may_answer.wait(WAIT_SEC)
        return super().act(observation, info)


def read_proposal(viewer: Viewer) -> dict[str, Any]:
    """Return the next state with a proposal of the agent."""
    return viewer.full(lambda state: state["status"]["proposal"] is not None)


def start_overruled(
    live_env: LiveEnv, viewer: Viewer, start: Callable[..., Any], agent: BlockingAgent
) -> tuple[str, Callable[[], Any], dict[str, Any]]:
    """Take control while the agent chooses its first action."""
    live_env.station.attach("tester")
    wait = start(live_env, agent)
    station = viewer.tile()["station"]
    viewer.send(type="watch", station=station)
    assert agent.is_waiting.wait(WAIT_SEC)
    viewer.control(station, "take")
    viewer.full(lambda state: state["status"]["held"])
    agent.may_answer.set()
    return station, wait, read_proposal(viewer)


def test_person_acts_instead_of_the_proposed_action(
    live_env: LiveEnv, viewer: Viewer, start: Callable[..., Any], task: Task
) -> None:
    agent = BlockingAgent(actions.click(xy=(0.5, 0.5)), actions.done())
    station, wait, state = start_overruled(live_env, viewer, start, agent)
    proposal = state["status"]["proposal"]
    assert (proposal["action"]["kind"], proposal["point_px"]) == ("click", [320, 180])
    assert state["step"] == 0
    viewer.control(station, "input", event={"kind": "key", "keys": "Escape"})
    viewer.full(lambda state: state["step"] == 2)
    viewer.control(station, "hand_back")
    episode = wait()
    steps = read_steps(episode.folder)
    assert [step.by for step in steps] == ["agent", "person", "agent"]
    assert [step.is_refused_by_helper for step in steps] == [True, False, False]
    assert steps[0].confirmation is not None
    assert steps[0].confirmation["risk"] == "a person has control"
    assert agent.errors == [None, None]  # errors of the person's action
    assert "your last action was not executed" in agent.hints[1]
    assert (episode.meta.help["refusals"], episode.meta.help["human_steps"]) == (1, 1)
    assert replay_episode(live_env, episode.folder, lambda _: task).identical


@pytest.mark.parametrize("decision", ["allow", "hand_back"])
def test_allowed_proposal_is_executed(
    live_env: LiveEnv, viewer: Viewer, start: Callable[..., Any], decision: str
) -> None:
    agent = BlockingAgent(actions.key("Escape"), actions.done())
    station, wait, _ = start_overruled(live_env, viewer, start, agent)
    viewer.control(station, decision)
    viewer.full(lambda state: state["step"] >= 1)
    viewer.control(station, "hand_back")
    steps = read_steps(wait().folder)
    assert [(step.by, step.action_error) for step in steps] == [("agent", None)] * 2


def test_reason_of_a_refusal_reaches_the_agent(
    live_env: LiveEnv, viewer: Viewer, start: Callable[..., Any]
) -> None:
    agent = BlockingAgent(actions.key("Escape"), actions.done())
    station, wait, _ = start_overruled(live_env, viewer, start, agent)
    viewer.control(station, "refuse", text="click the title")
    viewer.full(lambda state: state["step"] == 1)
    viewer.control(station, "hand_back")
    wait()
    assert agent.errors == [None, "refused by person: click the title"]


def test_person_requests_proposals(
    live_env: LiveEnv, viewer: Viewer, start: Callable[..., Any]
) -> None:
    agent = WaitingAgent(actions.key("Escape"), actions.done())
    station, wait, _ = start_paused(live_env, viewer, start, agent)
    viewer.control(station, "propose")  # does nothing without control
    viewer.control(station, "take")
    viewer.control(station, "propose")
    assert read_proposal(viewer)["status"]["proposal"]["action"]["keys"] == "Escape"
    viewer.control(station, "allow")
    state = viewer.full(lambda state: state["step"] == 1)
    assert state["status"]["held"]
    viewer.control(station, "propose")
    read_proposal(viewer)
    viewer.control(station, "stop")
    meta = wait().meta
    assert (meta.end, meta.help["confirmations"], meta.help["refusals"]) == ("agent_error", 2, 1)


@pytest.mark.parametrize("on_document", [False, True])
def test_reply_without_an_action_needs_no_decision(live_env: LiveEnv, on_document: bool) -> None:
    """The environment refuses the reply."""
    env = make_live_env(make_document_env) if on_document else live_env
    with closing(env):
        env.reset(seed=0)
        env.station.attach("tester")
        env.station.control({"what": "take"})
        assert env.station.overrule(ActionError("no action in the reply")) is None
        assert env.station.overrule({"tool": 5} if on_document else "click") is None


def test_person_refuses_a_proposed_tool_call(viewer: Viewer, start: Callable[..., Any]) -> None:
    live_env = make_live_env(make_document_env)
    with closing(live_env):
        agent = Caller(ToolCall.of("hide_slide", slide=272), ToolCall.of("done"))
        task = get_task("meridian-hide-backup")
        station, wait, _ = start_paused(live_env, viewer, start, agent, task=task)
        viewer.control(station, "take")
        viewer.control(station, "propose")
        call = read_proposal(viewer)["status"]["proposal"]["call"]
        assert call == {"tool": "hide_slide", "arguments": {"slide": 272}}
        viewer.control(station, "refuse", text="another slide")
        viewer.full(lambda state: state["step"] == 1)
        viewer.control(station, "hand_back")
        viewer.control(station, "resume")
        episode = wait()
    first = read_steps(episode.folder)[0]
    assert first.is_refused_by_helper
    assert first.call is not None
    assert first.call["tool"] == "hide_slide"
    assert first.action_error == "refused by person: another slide"


def test_proposal_is_executed_if_no_page_is_open(
    live_env: LiveEnv, start: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pptarena.rollouts.live.station._NO_VIEWER_SEC", 0.1)
    live_env.station.attach("tester")
    agent = BlockingAgent(actions.key("Escape"), actions.done())
    wait = start(live_env, agent)
    assert agent.is_waiting.wait(WAIT_SEC)
    live_env.station.control({"what": "take"})
    agent.may_answer.set()
    assert [step.action_error for step in read_steps(wait().folder)] == [None, None]


def test_helped_episodes_are_a_separate_contender(
    live_env: LiveEnv, viewer: Viewer, start: Callable[..., Any], tmp_path: Path
) -> None:
    station, wait, _ = start_paused(live_env, viewer, start, WaitingAgent(actions.done()), seed=1)
    viewer.control(station, "hint", text="Click the title first.")
    viewer.control(station, "resume")
    wait()
    start(live_env, WaitingAgent(actions.done()))()
    metas = [read_meta(tmp_path / f"run/tester/seed-{seed}") for seed in (1, 0)]
    assert [meta.contender for meta in metas] == ["tester (helped)", "tester"]
    assert {row.agent for row in summarise(metas)} == {"tester (helped)", "tester"}
    contenders = read_contenders([tmp_path / "run"]).contenders
    assert sorted(each.agent for each in contenders) == ["tester", "tester (helped)"]


def test_hint_reaches_the_agent_once(
    live_env: LiveEnv, viewer: Viewer, start: Callable[..., Any]
) -> None:
    agent = WaitingAgent()
    station, wait, _ = start_paused(live_env, viewer, start, agent)
    viewer.control(station, "hint", text="  Click the title first.  ")
    viewer.control(station, "hint", text=" ")
    viewer.control(station, "resume")
    meta = wait().meta
    assert agent.hints == ["Click the title first.", "", ""]
    assert (meta.help["hints"], meta.help["interventions"]) == (1, 0)


def test_person_stops_an_episode(
    live_env: LiveEnv, viewer: Viewer, start: Callable[..., Any]
) -> None:
    station, wait, _ = start_paused(live_env, viewer, start, WaitingAgent())
    viewer.control(station, "stop")
    meta = wait().meta
    assert (meta.end, meta.score, meta.steps) == ("agent_error", 0.0, 1)
    assert "a person stopped" in meta.agent_error
    assert meta.help["interventions"] == 1


def test_person_answers_a_question_on_the_page(
    viewer: Viewer, start: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    live_env = make_live_env(answer=PAGE, machine="fake", width_px=640, height_px=360)
    try:
        wait = start(live_env, WaitingAgent(actions.ask("Which title?"), actions.done()))
        station = viewer.tile()["station"]
        viewer.send(type="watch", station=station)
        asking = viewer.full(lambda state: state["status"]["question"] is not None)
        assert asking["status"]["question"] == "Which title?"
        viewer.control(station, "answer", text="The first one.")
        meta = wait().meta
    finally:
        live_env.close()
    assert meta.help["answers"] == 1


def test_control_returns_to_the_agent_if_no_page_is_open(
    live_env: LiveEnv, start: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pptarena.rollouts.live.station._NO_VIEWER_SEC", 0.1)
    live_env.station.attach("tester")
    live_env.station.control({"what": "pause"})
    assert start(live_env, WaitingAgent())().meta.end == "done"


def test_release_resumes_paused_episodes(
    live_env: LiveEnv, viewer: Viewer, start: Callable[..., Any]
) -> None:
    _, wait, _ = start_paused(live_env, viewer, start, WaitingAgent())
    live_env.station.release()
    assert wait().meta.end == "done"


def test_speed_delays_the_actions_of_the_agent(
    live_env: LiveEnv, viewer: Viewer, start: Callable[..., Any]
) -> None:
    station, wait, _ = start_paused(live_env, viewer, start, WaitingAgent())
    viewer.control(station, "speed", delay_sec=0.05)
    viewer.control(station, "resume")
    assert wait().meta.agent_sec >= 0.1
    assert live_env.station.status()["delay_sec"] == 0.05


def test_input_without_control_is_ignored(
    live_env: LiveEnv, viewer: Viewer, start: Callable[..., Any]
) -> None:
    station, wait, _ = start_paused(live_env, viewer, start, WaitingAgent())
    viewer.control(station, "input", event={"kind": "type", "text": "x"})
    viewer.control(station, "resume")
    assert wait().meta.help == {}


def test_environment_without_an_agent_cannot_be_controlled(live_env: LiveEnv) -> None:
    live_env.reset(seed=0)
    live_env.station.control({"what": "pause"})
    assert not live_env.station.status()["paused"]
    live_env.step(actions.done())


def test_replies_of_a_model_are_shown(
    live_env: LiveEnv, viewer: Viewer, start: Callable[..., Any]
) -> None:
    class ModelLikeAgent(WaitingAgent):
        messages: Sequence[Any] = [{"text": "I wait.", "thought": "x" * 9000, "calls": []}]
        cost_usd = 0.25

    station, wait, state = start_paused(live_env, viewer, start, ModelLikeAgent())
    assert state["model"]["messages"][0]["text"] == "I wait."
    assert len(state["model"]["messages"][0]["thought"]) < 5000
    assert (state["model"]["count"], state["model"]["cost_usd"]) == (1, 0.25)
    viewer.control(station, "resume")
    wait()


def test_help_field_is_validated(live_env: LiveEnv, start: Callable[..., Any]) -> None:
    file = start(live_env, WaitingAgent(actions.done()))().folder / "meta.json"
    data = json.loads(file.read_text())
    file.write_text(json.dumps({**data, "help": {"interventions": "many"}}))
    with pytest.raises(Exception, match="help"):
        read_meta(file.parent)
    del data["help"]  # older records
    file.write_text(json.dumps(data))
    assert read_meta(file.parent).help == {}


def read_risk(viewer: Viewer, step: int = 0) -> dict[str, Any]:
    """Return the state that waits for the confirmation of an action."""
    return viewer.full(lambda state: state["step"] == step and state["status"]["risk"] is not None)


def test_person_confirms_risky_actions(
    viewer: Viewer, start: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Refused actions are errors for the agent, count as help and are refused in a replay."""
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    task = get_task("meridian-hide-backup")
    errors: list[str | None] = []

    class ClosingAgent(WaitingAgent):
        def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Action:
            errors.append(info["action_error"])
            return super().act(observation, info)

    close = actions.key("ctrl+w")
    live_env = make_live_env(confirm=PAGE, machine="fake", width_px=640, height_px=360)
    try:
        live_env.station.attach("tester")
        agent = ClosingAgent(close, close, actions.done())
        wait = start(live_env, agent, task=task)
        station = viewer.tile()["station"]
        viewer.send(type="watch", station=station)
        assert read_risk(viewer)["status"]["risk"] == "closes the deck: key ctrl+w"
        viewer.control(station, "refuse", text="the deck is needed")
        read_risk(viewer, step=1)
        viewer.control(station, "take")  # the person's own actions need no confirmation
        viewer.control(station, "refuse", text="")
        viewer.full(lambda state: state["step"] == 2)
        viewer.control(station, "input", event={"kind": "key", "keys": "ctrl+s"})
        viewer.full(lambda state: state["step"] == 3)
        viewer.control(station, "hand_back")
        episode = wait()
        help = read_meta(episode.folder).help
        assert (help["confirmations"], help["refusals"], help["human_steps"]) == (2, 2, 1)
        steps = read_steps(episode.folder)
        assert [step.is_refused_by_helper for step in steps] == [True, True, False, False]
        assert steps[0].confirmation is not None
        assert steps[0].confirmation["reason"] == "the deck is needed"
        assert errors[1] == "refused by person: the deck is needed"
        assert steps[1].action_error == "refused by person"
    finally:
        live_env.close()
    with closing(make_env("fake", width_px=640, height_px=360)) as env:
        assert replay_episode(env, episode.folder, lambda _: task).identical


def test_stop_refuses_the_pending_action(
    viewer: Viewer, start: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    live_env = make_live_env(confirm=PAGE, machine="fake", width_px=640, height_px=360)
    try:
        wait = start(
            live_env, WaitingAgent(actions.key("ctrl+w")), task=get_task("meridian-hide-backup")
        )
        station = viewer.tile()["station"]
        viewer.send(type="watch", station=station)
        read_risk(viewer)
        viewer.control(station, "stop")
        meta = wait().meta
    finally:
        live_env.close()
    assert (meta.end, meta.help["refusals"]) == ("agent_error", 1)


class Caller(WaitingAgent):
    """Makes scripted tool calls on a document and records their results."""

    def __init__(self, *script: Any) -> None:
        super().__init__(*script)
        self.results: list[str] = []

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Any:
        self.results.append(info["result"])
        return super().act(observation, info)


def test_person_helps_on_a_document(
    viewer: Viewer, start: Callable[..., Any], tmp_path: Path
) -> None:
    """The page shows outline, calls and results; the person answers a question and makes a call."""
    task = get_task("meridian-hide-backup")
    agent = Caller(ToolCall.of("ask", question="Which slide?"), ToolCall.of("done"))
    live_env = make_live_env(make_document_env, answer=PAGE)
    try:
        live_env.station.attach("tester")
        wait = start(live_env, agent, task=task)
        station = viewer.tile()["station"]
        viewer.send(type="watch", station=station)
        asking = viewer.full(lambda state: state["status"]["question"] is not None)
        assert "Agenda" in asking["outline"]
        assert "nodes" not in asking
        viewer.control(station, "take")
        viewer.control(station, "answer", text="The last one.")
        viewer.full(lambda state: state["step"] == 1)
        viewer.control(station, "input", event={"tool": "hide_slide", "arguments": "malformed"})
        call = {"tool": "hide_slide", "arguments": {"slide": 272}}
        viewer.control(station, "input", event=call)
        state = viewer.full(lambda state: state["step"] == 2)
        assert state["score"] == 1.0
        assert [row["call"]["tool"] for row in state["actions"]] == ["ask", "hide_slide"]
        assert [row["call"]["result"] for row in state["actions"]] == ["The last one.", "hidden"]
        assert [row["by"] for row in state["actions"]] == ["agent", "person"]
        viewer.control(station, "hand_back")
        episode = wait()
    finally:
        live_env.close()
    assert agent.results == ["", "hidden"]
    assert episode.meta.score == 1.0
    assert (episode.meta.questions, episode.meta.help["human_steps"]) == (1, 1)
    assert [step.by for step in read_steps(episode.folder)] == ["agent", "person", "agent"]
