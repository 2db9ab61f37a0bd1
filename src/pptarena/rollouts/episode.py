"""The record of an episode: one `EpisodeMeta`, and one `StepRecord` per action."""

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from pptarena.envs.actions import Action
from pptarena.errors import ActionError, StoreError
from pptarena.rollouts.aim import Aim
from pptarena.rollouts.record_checks import (
    Check,
    boolean,
    check_fields,
    each,
    fields,
    file_name,
    integer,
    number,
    optional,
    single_line,
    text,
)

__all__ = [
    "AGENT",
    "DOCUMENT",
    "FORMAT_VERSION",
    "IMPORTED",
    "MAX_RESULT",
    "NO_SCREEN",
    "PERSON",
    "EpisodeMeta",
    "StepRecord",
    "StoredEpisode",
    "application_name",
]

FORMAT_VERSION = 1
"""Version of the folder layout; increased when older readers would misread it."""

AGENT, PERSON = "agent", "person"
"""Values of `StepRecord.by`."""

DOCUMENT = "document"
"""The machine in the record of an episode without a screen."""
IMPORTED = "imported"
"""The machine in the record of an imported result, which has neither screen nor actions."""
NO_SCREEN = (1, 1)
"""The screen size in the record of an episode without a screen."""
MAX_RESULT = 20_000
"""Maximum number of characters of a call's result in the record."""

_DEBIAN_VERSION = re.compile(r"(?:\d+:)?(?P<version>\d\S*) image (?P<image>.+)", re.DOTALL)

_MAX_STEPS = 1_000_000
_MAX_PX = 16_384
_MAX_SEC = 1e9
_MAX_PATH = 4096
_NAME, _COUNT, _SEC = single_line(), integer(0, _MAX_STEPS), number(0, _MAX_SEC)
_PIXEL = optional(each(integer(-_MAX_PX, _MAX_PX), 2))
_HELP: dict[str, Check] = {
    **dict.fromkeys(("interventions", "human_steps", "hints", "answers"), _COUNT),
    **dict.fromkeys(("confirmations", "refusals"), _COUNT),
    "human_sec": _SEC,
}
_META: dict[str, Check] = {
    **dict.fromkeys(("agent", "task", "suite", "difficulty", "level", "end"), _NAME),
    **dict.fromkeys(("started_at", "machine", "application", "reward"), _NAME),
    **dict.fromkeys(("infra_error", "agent_error", "overload"), optional(text())),
    **dict.fromkeys(("attempt", "steps", "max_steps", "refused", "questions"), _COUNT),
    **dict.fromkeys(("reset_sec", "run_sec", "agent_sec"), _SEC),
    "instruction": text(),
    "task_place": text(_MAX_PATH),
    "task_digest": single_line(64),
    "edit_types": each(_NAME),
    "feasible": boolean,
    "seed": integer(0, 2**64),
    "score": optional(number(0, 1)),
    "total_reward": number(-_MAX_STEPS, _MAX_STEPS),
    "wording": integer(1, 1000),
    "screen": each(integer(1, _MAX_PX), 2),
    "versions": each(_NAME),
    "env_options": lambda value: "" if isinstance(value, dict) else "an object",
    "help": lambda value: fields(_HELP, allow_missing=True)(value) if value else fields({})(value),
}
_ACTION: dict[str, Check] = {
    **dict.fromkeys(("element", "amount", "observation_id"), integer(-(2**63), 2**63 - 1)),
    **dict.fromkeys(("keys", "text"), text()),
}
_TARGET: dict[str, Check] = {
    "role": _NAME,
    "name": text(),
    "box": each(integer(-(2**31), 2**31), 4),
}
_COORDINATE = integer(-(2**31), 2**31)
_COMMAND: dict[str, Check] = {
    **dict.fromkeys(("x_px", "y_px", "end_x_px", "end_y_px"), _COORDINATE),
    **dict.fromkeys(("text", "answer"), text()),
    "kind": _NAME,
    "box_px": each(_COORDINATE, 4),
    "keys": each(_NAME),
    "amount": integer(-(2**63), 2**63 - 1),
    "target": fields(_TARGET),
}
_CONFIRMATION: dict[str, Check] = {
    **dict.fromkeys(("risk", "by"), _NAME),
    "allowed": boolean,
    "reason": text(),
    "seconds": _SEC,
}
_NEWER_FIELDS = ("slide_count", "clipboard", "command")
_STEP: dict[str, Check] = {
    "step": _COUNT,
    "action": optional(fields(_ACTION, allow_missing=True)),
    "point_px": _PIXEL,
    "end_px": _PIXEL,
    "target": optional(fields(_TARGET)),
    "action_timestamp": _NAME,
    "reward": number(-_MAX_STEPS, _MAX_STEPS),
    "score": optional(number(0, 1)),
    **dict.fromkeys(("terminated", "truncated"), boolean),
    "action_error": optional(text()),
    "observation_id": integer(0, 2**63),
    "screenshot_file": optional(file_name(".png")),
    "a11y_file": optional(file_name(".json")),
    **dict.fromkeys(("slide", "slide_count"), optional(_COUNT)),
    "clipboard": optional(text()),
    "command": optional(fields(_COMMAND, allow_missing=True)),
    "by": _NAME,
    "confirmation": optional(fields(_CONFIRMATION)),
    "call": lambda value: "" if value is None or isinstance(value, dict) else "an object",
    "timing": each(lambda value: _NAME(value) if isinstance(value, str) else optional(_SEC)(value)),
}


@dataclass(frozen=True, kw_only=True)
class EpisodeMeta:
    """The metadata of one episode, stored in ``meta.json``.

    Attributes:
        agent: Name of the agent.
        task: Task id.
        suite, difficulty, level, edit_types, feasible: The fields of the task.
        instruction: The first instruction, as the agent received it.
        seed: Seed of the environment's reset and of the agent.
        attempt: Number of the attempt, from 1; above 1 after infrastructure failures.
        score: Final score in [0, 1]; None if the machine failed or the episode is unscored.
        total_reward: Sum of the rewards.
        steps: Number of actions.
        end: Why the episode ended: ``"done"``, ``"fail"``, ``"budget"``, ``"agent_error"``,
            ``"overload"``, ``"infra"``; ``"missing"`` for an imported task without a result.
        infra_error: The infrastructure failure; None if there was none.
        agent_error: Why the agent gave up; None if it did not.
        overload: How the agent's actions broke the application, or why an imported deck cannot be
            opened; None if neither. The score is that of the last document.
        started_at: ISO 8601 time in UTC.
        reset_sec, run_sec: Seconds for the reset and for all steps, including the agent's time.
        agent_sec: Seconds that the agent took to choose its actions.
        machine: Type of machine.
        application: Image and application of the machine; ``""`` if it did not start.
        screen: Width and height of the screen in pixels.
        reward: ``"dense"`` or ``"sparse"``.
        max_steps: Step budget.
        versions: Versions of pptarena, Python, gymnasium and numpy.
        task_place: File or folder that the task was read from; ``""`` if its id is sufficient.
        task_digest: `pptarena.rollouts.task_digest` of the task; ``""`` in older records.
        refused: Number of refused actions (`StepRecord.action_error`); 0 in older records.
        wording: Number of the task's wording that the agent received; 1 in older records.
        questions: Number of questions that the agent asked (action ``ask``); 0 in older records.
        env_options: Options of the environment and settings of its machine that differ from the
            defaults, as JSON, without the step budget and the judge.
        help: Help of a person, a script or another model: ``interventions``, ``human_steps``,
            ``human_sec``, ``hints``, ``answers``, ``confirmations`` and ``refusals``; empty if the
            agent worked alone.
    """

    agent: str
    task: str
    suite: str
    difficulty: str
    level: str
    edit_types: tuple[str, ...]
    feasible: bool
    instruction: str
    seed: int
    attempt: int
    score: float | None
    total_reward: float
    steps: int
    end: str
    infra_error: str | None
    agent_error: str | None
    started_at: str
    reset_sec: float
    run_sec: float
    agent_sec: float
    machine: str
    application: str
    screen: tuple[int, int]
    reward: str
    max_steps: int
    versions: dict[str, str]
    overload: str | None = None
    task_place: str = ""
    task_digest: str = ""
    refused: int = 0
    wording: int = 1
    questions: int = 0
    env_options: dict[str, Any] = field(default_factory=dict)
    help: dict[str, Any] = field(default_factory=dict)

    @property
    def contender(self) -> str:
        """The name of the agent in tables; episodes with help are a contender of their own."""
        return f"{self.agent} (helped)" if self.help else self.agent

    def to_json(self) -> dict[str, Any]:
        """Return the object of ``meta.json``."""
        return {"format": FORMAT_VERSION, **dataclasses.asdict(self)}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Read the result of `to_json`; unknown keys are ignored.

        Raises:
            StoreError: If the format differs, or a value is missing or invalid.
        """
        if not isinstance(value, Mapping) or value.get("format") != FORMAT_VERSION:
            version = value.get("format") if isinstance(value, Mapping) else value
            raise StoreError(f"expected format {FORMAT_VERSION}, got {repr(version)[:60]}")
        defaults: dict[str, Any] = {
            "overload": None,
            "task_place": "",
            "task_digest": "",
            "refused": 0,
            "wording": 1,
            "questions": 0,
        }
        defaults["env_options"] = defaults["help"] = {}
        value = {**defaults, **value}
        data = check_fields(value, _META, "the metadata of an episode")
        return cls(
            **{
                **data,
                "edit_types": tuple(data["edit_types"]),
                "screen": tuple(data["screen"]),
            }
        )


@dataclass(frozen=True)
class StoredEpisode:
    """An episode in the store: its folder and its metadata."""

    folder: Path
    meta: EpisodeMeta


@dataclass(frozen=True, kw_only=True)
class StepRecord:
    """One action and its outcome: a line of ``traj.jsonl``.

    Attributes:
        step: Number of the action, from 0.
        action: The action.
        aim: Its target on the screen.
        action_timestamp: ISO 8601 time in UTC when the action was sent.
        reward: Reward of the step.
        score: Score after the step.
        terminated, truncated: The values that the environment returned.
        action_error: Why the action was refused; None if it was executed.
        observation_id: Id of the observation that the action was chosen on.
        screenshot_file: Picture of the screen BEFORE the action; ``""`` on a document.
        a11y_file: Accessibility tree BEFORE the action; ``""`` on a document.
        slide: Current slide before the action, from 1; None if unknown.
        slide_count: Number of slides before the action; None on a document and in older records.
        clipboard: Text on the clipboard before the action; None like `slide_count`.
        command: The executed command, as in ``info["command"]``; empty for a refused action; None
            like `slide_count`.
        timing: Seconds by part, as in ``info["timing"]``, plus ``agent``.
        call: The tool call of the document environment: ``tool``, ``arguments`` and ``result``, or
            ``refused`` for a reply that was refused, with ``asked`` if it was a call (its ``tool``,
            and its ``arguments`` as JSON text); None on a screen. `action` is then ``done``,
            ``fail`` or, for all other tools, a placeholder wait.
        by: Who chose the action: `AGENT` or `PERSON`.
        confirmation: The answer to a question about a risky action, see
            `pptarena.wrappers.ConfirmRisky`; None if there was no question.
    """

    step: int
    action: Action
    aim: Aim
    action_timestamp: str
    reward: float
    score: float | None
    terminated: bool
    truncated: bool
    action_error: str | None
    observation_id: int
    screenshot_file: str
    a11y_file: str
    slide: int | None
    slide_count: int | None = None
    clipboard: str | None = None
    command: dict[str, Any] | None = None
    timing: dict[str, Any] = field(default_factory=dict)
    call: dict[str, Any] | None = None
    by: str = AGENT
    confirmation: dict[str, Any] | None = None

    @property
    def is_refused_by_helper(self) -> bool:
        """Whether a helper refused to confirm the action."""
        return self.confirmation is not None and not self.confirmation["allowed"]

    def to_json(self) -> dict[str, Any]:
        """Return the object of one line of ``traj.jsonl``."""
        return {
            "step": self.step,
            "action": None if self._is_placeholder else self.action.to_json(),
            "point_px": self.aim.point,
            "end_px": self.aim.end,
            "target": self.aim.target,
            "action_timestamp": self.action_timestamp,
            "reward": self.reward,
            "score": self.score,
            "done": self.terminated or self.truncated,
            "terminated": self.terminated,
            "truncated": self.truncated,
            "action_error": self.action_error,
            "observation_id": self.observation_id,
            "screenshot_file": self.screenshot_file or None,
            "a11y_file": self.a11y_file or None,
            "slide": self.slide,
            **{name: value for name in _NEWER_FIELDS if (value := getattr(self, name)) is not None},
            "timing": self.timing,
            **({} if self.call is None else {"call": self.call}),
            **({} if self.by == AGENT else {"by": self.by}),
            **({} if self.confirmation is None else {"confirmation": self.confirmation}),
        }

    @property
    def _is_placeholder(self) -> bool:
        """Whether the action is only a placeholder for a tool call."""
        return self.call is not None and self.action.kind == "wait"

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Read the result of `to_json`.

        Raises:
            StoreError: If a value is missing or invalid.
        """
        if isinstance(value, Mapping):
            # Missing in older records.
            defaults = dict.fromkeys(("call", "confirmation", *_NEWER_FIELDS))
            value = {"by": AGENT, **defaults, **value}
        data = check_fields(value, _STEP, "a step")
        point, end = (
            tuple(pixel) if (pixel := data.pop(name)) is not None else None
            for name in ("point_px", "end_px")
        )
        for name in ("screenshot_file", "a11y_file"):  # set in older records of documents
            data[name] = "" if data["call"] is not None else data[name] or ""
        stored = data.pop("action")
        if stored is None and data["call"] is None:
            raise StoreError("not a step: expected an action or a call, got neither")
        try:
            action = Action("wait") if stored is None else Action.from_json(stored)
        except (TypeError, ActionError) as error:
            raise StoreError(f"not a step: {str(error)[:300]}") from error
        return cls(action=action, aim=Aim(point, end, data.pop("target")), **data)


def application_name(application: str) -> str:
    """Return `EpisodeMeta.application` for display.

    Machines that run the image report the version of its Debian package and the image, such as
    ``"4:25.2.3-2+deb13u12 image 62daabab921b"``; reports of other machines are unchanged.

    Example:
        >>> application_name("4:25.2.3-2+deb13u12 image 62daabab921b")
        'LibreOffice 25.2.3-2+deb13u12, image 62daabab921b'
    """
    match = _DEBIAN_VERSION.match(application)
    return f"LibreOffice {match['version']}, image {match['image']}" if match else application
