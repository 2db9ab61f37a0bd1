"""`Station`: one environment as the live page shows it, and the controls of its episode."""

import itertools
import json
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pptarena.envs.actions import Action, as_action
from pptarena.envs.document import ToolCall
from pptarena.envs.document.call import as_call
from pptarena.envs.document.toolbox import ENDS
from pptarena.errors import ActionError, AgentError
from pptarena.rollouts.aim import aim_of, planned_aim
from pptarena.rollouts.live.events import action_of_event
from pptarena.tasks import Task
from pptarena.tasks.answers import NO_ANSWER

__all__ = ["MAX_DELAY_SEC", "Help", "Snapshot", "Station"]

MAX_DELAY_SEC = 10.0
"""The longest pause before every action of the agent that a viewer can set."""

_MAX_EVENTS = 100  # of a person, waiting to be executed
_MAX_ACTIONS = 60  # shown in the page
_MAX_SCORES = 2_000
_MAX_TEXT = 2_000
_NO_VIEWER_SEC = 10.0  # a page may be reloaded
_POLL_SEC = 0.2
_numbers = itertools.count(1)


@dataclass
class Help:
    """The help that an agent received from a person in one episode.

    Attributes:
        interventions: How often a person took control or stopped the episode.
        human_steps: Number of actions of the person.
        human_sec: Seconds in which the person had control, hints and answers not included.
        hints: Number of hints.
        answers: Number of answers to the agent's questions.
        confirmations: Number of decisions on risky actions, and on those that the agent chose
            while a person had control.
        refusals: Number of actions refused by them.
    """

    interventions: int = 0
    human_steps: int = 0
    human_sec: float = 0.0
    hints: int = 0
    answers: int = 0
    confirmations: int = 0
    refusals: int = 0

    def count_confirmation(self, confirmation: Mapping[str, Any] | None) -> None:
        """Count the answer to a question about a risky action, if there was one."""
        if confirmation is not None:
            self.confirmations += 1
            self.refusals += not confirmation["allowed"]

    def to_json(self) -> dict[str, Any]:
        """Return the numbers as a JSON object; empty if there was no help."""
        has_help = self.interventions or self.hints or self.answers or self.confirmations
        return asdict(self) | {"human_sec": round(self.human_sec, 3)} if has_help else {}


@dataclass(frozen=True)
class Snapshot:
    """The state of an episode after a step.

    Attributes:
        observation, info: The last ones.
        step: Number of steps.
        scores: Score after the reset and after every step; None while it is unknown.
        actions: The last actions: ``step``, ``by``, ``action``, ``target``, ``point_px``,
            ``end_px``, ``reward``, ``score`` and ``error``.
        over: Whether the episode ended.
    """

    observation: Mapping[str, Any]
    info: Mapping[str, Any]
    step: int
    scores: tuple[float | None, ...]
    actions: tuple[dict[str, Any], ...]
    over: bool


class Station:
    """One environment: the state that viewers see, and their commands for its episode.

    The thread of the episode calls `show`, `next_action` and `answer`. Threads of viewers call
    `control` and read `snapshot` and `status`. `show` only stores references, so episodes without
    viewers are not slowed down.

    Args:
        is_watched: Returns whether a page is open.
        on_change: Called after every change, in any thread.

    Attributes:
        id: Unique name on this computer.
        version: Increases with every change of the snapshot or the status.
        snapshot: The last state; None before the first reset.
        agent_name: Name of the agent, if known.
        help: Help in the current episode.
        actor: Who chose the last action: ``"agent"`` or ``"person"``.
        rating: A person's rating at the end of the episode: ``difficulty`` and ``note``.
        conversation: Returns the last replies of a model and their cost as JSON.
        tools: Returns name, description and schema of every tool of a document.
    """

    def __init__(
        self,
        is_watched: Callable[[], bool] = lambda: False,
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        self.id = f"{os.getpid()}-{next(_numbers)}"
        self.version = 0
        self.snapshot: Snapshot | None = None
        self.agent_name = ""
        self.help = Help()
        self.actor = "agent"
        self.rating: dict[str, Any] = {}
        self.conversation: Callable[[], dict[str, Any]] = dict
        self.tools: Callable[[], Sequence[Mapping[str, Any]]] = tuple
        self._is_watched, self._on_change = is_watched, on_change
        self._changed = threading.Condition()
        self._events: deque[Mapping[str, Any]] = deque()
        self._paused = self._person_has_control = self._stopped = self._released = False
        self._controlled = False  # an agent calls next_action before every action
        self._owned = False  # a person plays the episode alone
        self._steps_allowed = 0
        self._delay_sec = 0.0
        self._hint = ""
        self._question: str | None = None
        self._answer: str | None = None
        self._risk: str | None = None  # of an action that waits for a confirmation
        self._proposal: dict[str, Any] | None = None  # of the agent, while a person has control
        self._proposal_requested = False
        self._decision: bool | str | None = None
        self._control_since, self._person_acted = 0.0, False
        self._unwatched_since: float | None = None

    def begin(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> None:
        """Show the first observation of an episode and reset the controls."""
        with self._changed:
            self.help, self.actor, self.rating = Help(), "agent", {}
            self._events.clear()
            self._person_has_control = self._stopped = self._proposal_requested = False
            self._hint, self._question, self._answer = "", None, None
            self._risk = self._proposal = self._decision = None
        self._show(Snapshot(observation, info, 0, (_score(info),), (), False))

    def show(
        self,
        action: object,
        observation: Mapping[str, Any],
        reward: float,
        over: bool,
        info: Mapping[str, Any],
    ) -> None:
        """Show the result of a step."""
        previous = self.snapshot
        if previous is None:
            return
        row = {
            "step": previous.step,
            "by": self.actor,
            **(
                {"action": _action_json(action)}
                if self.on_screen
                else {"call": _executed_call_json(action, info)}
            ),
            **self._aim(action, info["command"]),
            "reward": float(reward),
            "score": _score(info),
            "error": info["action_error"] or info["infra_error"] or info["overload"],
        }
        scores = (*previous.scores, _score(info))[-_MAX_SCORES:]
        rows = (*previous.actions, row)[-_MAX_ACTIONS:]
        self._show(Snapshot(observation, info, previous.step + 1, scores, rows, over))

    @property
    def on_screen(self) -> bool:
        """Whether the environment has a screen; others edit the document by tool calls."""
        return self.snapshot is None or "screenshot" in self.snapshot.observation

    def attach(self, agent_name: str, *, owned: bool = False) -> None:
        """Enable the controls: the agent calls `next_action` before every action.

        Args:
            agent_name: Name of the agent.
            owned: Whether a person plays alone, without an agent.
        """
        with self._changed:
            self.agent_name, self._controlled, self._owned = agent_name, True, owned
        self._touch()

    def next_action(self) -> Action | ToolCall | None:
        """Wait until the episode may continue; return a person's action, or None for the agent.

        The wait ends when no page has been open for 10 s, unless a person plays alone. Control then
        returns to the agent.

        Raises:
            AgentError: If a viewer stopped the episode.
        """
        started_sec, self._unwatched_since = time.monotonic(), None
        with self._changed:
            while True:
                if self._stopped:
                    self.actor = "agent"  # as for every end by an error
                    raise AgentError("a person stopped the episode in the live page")
                if self._released or not (self._owned or self._person_has_control or self._paused):
                    break
                if self._is_deserted():
                    self._hand_back()
                    self._paused = False
                    break
                if self._person_has_control and self._proposal_requested and not self._events:
                    self._proposal_requested = False
                    self._add_hint_about_actions()
                    self.actor = "agent"
                    return None  # `overrule` shows the agent's choice
                if (self._person_has_control or self._owned) and self._events:
                    action = self._decode_event(self._events.popleft())
                    if action is not None:
                        self.actor = "person"
                        self._person_acted = True
                        self.help.human_steps += not self._owned
                        return action
                    continue
                if self._paused and not self._person_has_control and self._steps_allowed:
                    self._steps_allowed -= 1
                    break
                self._changed.wait(_POLL_SEC)
            remaining_sec = self._delay_sec - (time.monotonic() - started_sec)
            if remaining_sec > 0 and not self._released:
                self._changed.wait_for(
                    lambda: self._person_has_control or self._stopped or self._released,
                    remaining_sec,
                )
            self.actor = "agent"
        if self._released and self._owned:
            raise AgentError("the run was stopped")
        return self.next_action() if self._person_has_control or self._stopped else None

    def overrule(self, action: object) -> dict[str, Any] | None:
        """Show an action that the agent chose to a person who has control, and wait for a decision.

        The action is refused if the person refuses it or acts instead, or if the episode is stopped
        first. It is allowed if the person hands back.

        Returns:
            The decision, in the form of the ``confirmation`` of `pptarena.wrappers.ConfirmRisky`;
            None if no person has control, the person chose the action, or the environment cannot
            execute it.
        """
        started_sec, self._unwatched_since = time.monotonic(), None
        with self._changed:
            if not self._person_has_control or self._stopped or self.actor == "person":
                return None
            if (proposal := self._proposal_json(action)) is None:
                return None
            self._proposal, self._decision = proposal, None
        self._touch()
        with self._changed:
            while (
                self._person_has_control
                and self._decision is None
                and not (self._events or self._stopped)
            ):
                if self._released or self._is_deserted():
                    self._hand_back()
                else:
                    self._changed.wait(_POLL_SEC)
            decision, self._proposal, self._decision = self._decision, None, None
            acted_instead = decision is None and bool(self._events)
            is_allowed = decision is True or not (
                decision is not None or acted_instead or self._stopped
            )
            if acted_instead:
                self._add_hint("A person acted instead: your last action was not executed.")
        self._touch()
        return {
            "risk": "a person has control",
            "by": "person",
            "allowed": is_allowed,
            "reason": decision if isinstance(decision, str) else "",
            "seconds": round(time.monotonic() - started_sec, 3),
        }

    def take_hint(self) -> str:
        """Return the hint that a person sent, once; empty without one."""
        with self._changed:
            hint, self._hint = self._hint, ""
        return hint

    def answer(self, task: Task, question: str) -> str:
        """Show a question of the agent and wait for the answer of a person.

        Returns:
            The answer; if the episode is stopped first, the sentence for questions without one.
        """
        with self._changed:
            self._question, self._answer = question, None
        self._touch()
        with self._changed:
            self._changed.wait_for(
                lambda: self._answer is not None or self._stopped or self._released
            )
            answer, self._question, self._answer = self._answer or "", None, None
            self.help.answers += bool(answer)
        self._touch()
        return answer or NO_ANSWER

    def confirm(self, task: Task, question: str) -> bool | str:
        """Show a risky action and wait for the decision of a person.

        Returns:
            True if it is allowed, False if it is refused or the episode is stopped first, or the
            reason of the refusal.
        """
        with self._changed:
            self._risk, self._decision = question, None
        self._touch()
        with self._changed:
            self._changed.wait_for(
                lambda: self._decision is not None or self._stopped or self._released
            )
            decision, self._risk, self._decision = self._decision or False, None, None
        self._touch()
        return decision

    def release(self) -> None:
        """End all waits and ignore further controls, because the run ends."""
        with self._changed:
            self._released = True
            self._changed.notify_all()

    def control(self, request: Mapping[str, Any]) -> None:
        """Execute a request of a viewer; malformed requests are ignored.

        Args:
            request: ``what`` is ``"pause"``, ``"resume"``, ``"step"``, ``"speed"`` (``delay_sec``),
                ``"stop"``, ``"take"``, ``"hand_back"``, ``"propose"``, ``"hint"`` (``text``),
                ``"answer"`` (``text``), ``"allow"``, ``"refuse"`` (``text``) or ``"input"``
                (``event``). An event is one of `pptarena.rollouts.live.events`; on a document, a
                call: ``tool`` and ``arguments``, or ``kind`` ``"done"`` or ``"fail"``.
        """
        if not self._controlled:
            return
        with self._changed:
            command, text = request.get("what"), request.get("text")
            if command in ("pause", "resume"):
                self._paused, self._steps_allowed = command == "pause", 0
            elif command == "step":
                self._paused, self._steps_allowed = True, min(self._steps_allowed + 1, 10)
            elif command == "speed" and isinstance(delay := request.get("delay_sec"), int | float):
                self._delay_sec = float(min(max(0.0, delay), MAX_DELAY_SEC))
            elif command == "stop" and not self._stopped and self._is_running():
                self._stopped = True
                self.help.interventions += 1
            elif (
                command == "take"
                and not self._person_has_control
                and not self._owned
                and self._is_running()
            ):
                self._person_has_control, self._person_acted, self._control_since = (
                    True,
                    False,
                    time.monotonic(),
                )
                self.help.interventions += 1
            elif command == "hand_back":
                self._hand_back()
            elif command == "propose" and self._person_has_control and self._proposal is None:
                self._proposal_requested = True
            elif isinstance(text, str) and command in ("hint", "answer", "refuse"):
                self._deliver_text(command, text.strip()[:_MAX_TEXT])
            elif command == "allow" and self._is_decision_pending():
                self._decision = True
            elif command == "input" and isinstance(event := request.get("event"), Mapping):
                accepts_input = self._person_has_control or self._owned
                self._events.extend(
                    [event] if accepts_input and len(self._events) < _MAX_EVENTS else []
                )
        self._touch()

    def _deliver_text(self, command: str, text: str) -> None:
        """Pass a viewer's text to the agent."""
        if command == "hint" and text:
            self._add_hint(text)
            self.help.hints += 1
        elif command == "answer" and self._question is not None:
            self._answer = text
        elif command == "refuse" and self._is_decision_pending():
            self._decision = text or False

    def _is_decision_pending(self) -> bool:
        return self._risk is not None or self._proposal is not None

    def status(self) -> dict[str, Any]:
        """Return the state of the controls as JSON."""
        with self._changed:
            return {
                "controlled": self._controlled,
                "owned": self._owned,
                "paused": self._paused,
                "held": self._person_has_control,
                "stopped": self._stopped,
                "delay_sec": self._delay_sec,
                "question": self._question,
                "risk": self._risk,
                "proposal": self._proposal,
                "proposal_wanted": self._proposal_requested,
                "pending": len(self._events),
                "help": self.help.to_json(),
            }

    def _decode_event(self, event: Mapping[str, Any]) -> Action | ToolCall | None:
        assert self.snapshot is not None, "events are accepted after the reset"
        if not self.on_screen:
            if event.get("kind") in ENDS:
                self.rating = _rating(event)
                return ToolCall.of(str(event["kind"]))
            tool, arguments = event.get("tool"), event.get("arguments")
            is_valid = isinstance(tool, str) and isinstance(arguments, Mapping)
            return ToolCall(str(tool), dict(arguments or {})) if is_valid else None
        height, width = self.snapshot.observation["screenshot"].shape[:2]
        try:
            action = action_of_event(event, self.snapshot.info["a11y"]["nodes"], (width, height))
        except ActionError:
            return None
        if action.kind in ("done", "fail"):
            self.rating = _rating(event)
        return action

    def _proposal_json(self, action: object) -> dict[str, Any] | None:
        """Return a proposed action or call as JSON, with its target; None if it is invalid."""
        if self.on_screen:
            valid = isinstance(action, Action)
            return {"action": _action_json(action), **self._aim(action, {})} if valid else None
        call = _call_json(action)
        return {"call": call} if "tool" in call else None

    def _aim(self, action: object, command: Mapping[str, Any]) -> dict[str, Any]:
        """Return the target of an action as JSON, whether or not it was executed."""
        aim = aim_of(command)
        if not command and self.on_screen and self.snapshot is not None:
            height, width = self.snapshot.observation["screenshot"].shape[:2]
            aim = planned_aim(action, self.snapshot.info["a11y"]["nodes"], (width, height))
        return {"target": aim.target, "point_px": aim.point, "end_px": aim.end}

    def _hand_back(self) -> None:
        if self._person_has_control:
            self._person_has_control = self._proposal_requested = False
            self._events.clear()
            self.help.human_sec += time.monotonic() - self._control_since
            self._add_hint_about_actions()

    def _add_hint_about_actions(self) -> None:
        """Add a hint if a person has acted since the agent's last action."""
        if self._person_acted:
            self._person_acted = False
            self._add_hint("A person has acted in the meantime; look at the current state.")

    def _is_deserted(self) -> bool:
        """Return whether an episode has waited for a while without an open page."""
        if self._owned or self._is_watched():
            self._unwatched_since = None
            return False
        self._unwatched_since = self._unwatched_since or time.monotonic()
        return time.monotonic() - self._unwatched_since > _NO_VIEWER_SEC

    def _add_hint(self, text: str) -> None:
        self._hint = f"{self._hint}\n{text}".strip()

    def _is_running(self) -> bool:
        return self.snapshot is not None and not self.snapshot.over

    def _show(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        if snapshot.over and self._person_has_control:
            with self._changed:
                self._hand_back()
        self._touch()

    def _touch(self) -> None:
        with self._changed:
            self.version += 1
            self._changed.notify_all()
        self._on_change()


def _score(info: Mapping[str, Any]) -> float | None:
    # The environment keeps the last known score if the rubric is unscored.
    return float(info["score"]) if info["rubric"].get("score") is not None else None


def _action_json(action: object) -> dict[str, Any]:
    try:
        return as_action(action).to_json()
    except ActionError:
        return {"kind": "refused", "text": repr(action)[:200]}


def _call_json(call: object) -> dict[str, Any]:
    """Return a call before its execution as JSON; ``refused`` if it is malformed."""
    try:
        tool, arguments = as_call(call)
    except ActionError:
        return {"refused": repr(call)[:_MAX_TEXT]}
    if len(arguments) > _MAX_TEXT:
        return {"tool": tool, "arguments": {"": f"{arguments[:_MAX_TEXT]}\u2026"}}
    return {"tool": tool, "arguments": json.loads(arguments)}


def _executed_call_json(call: object, info: Mapping[str, Any]) -> dict[str, Any]:
    call_json = info["command"] or _call_json(call)
    return {**call_json, "result": str(info["result"])[:_MAX_TEXT]}


def _rating(event: Mapping[str, Any]) -> dict[str, Any]:
    difficulty, note = event.get("difficulty"), event.get("note")
    is_number = isinstance(difficulty, int) and not isinstance(difficulty, bool)
    return {
        "difficulty": difficulty if is_number and 1 <= (difficulty or 0) <= 5 else None,
        "note": note[:_MAX_TEXT] if isinstance(note, str) else "",
    }
