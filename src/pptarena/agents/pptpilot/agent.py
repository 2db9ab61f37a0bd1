"""`PPTPilot`: plan, route, edit, render, judge, reflect."""

import dataclasses
import json
from collections.abc import Generator, Iterable, Mapping
from itertools import groupby
from typing import Any

from pptarena.agents.model.settings import ModelSettings
from pptarena.agents.model.usage import RunBudget
from pptarena.agents.pptpilot.components import DualChecker, ModelEditor, ModelPlanner, NoPlanner
from pptarena.agents.pptpilot.role_agent import RoleAgent, SpentError
from pptarena.agents.pptpilot.routers import make_router
from pptarena.agents.pptpilot.settings import PilotSettings
from pptarena.agents.pptpilot.work import (
    Calls,
    Checker,
    Edit,
    Editor,
    Planner,
    Response,
    Router,
    Steps,
    Work,
)
from pptarena.envs.document import ToolCall
from pptarena.models import Service

__all__ = ["PPTPilot"]


class PPTPilot(RoleAgent):
    """Edits a deck in rounds: plan, route each edit, edit, render, judge, fix.

    A plan is a list of typed edits. A router sends each edit to a program or to XML. The problems
    that the judges find in the current deck are the plan of the next round. The design follows
    PPTPilot in section 4 of the paper on PPTArena's editing benchmark; prompts and code are our
    own. The turns of a task are processed one by one.

    Every component can be replaced. Costs, retries and the record are those of
    `DocumentModelAgent`. An invalid answer of planner, router or judge is returned to the model
    with the error and requested again; it takes no step.

    Args:
        settings: The model and the settings of its requests.
        pilot: Settings of the agent, including ablations.
        budget: The budget of the run, shared with other agents; by default a separate one.
        service: The service that answers; by default the one of the settings.
        key: The API key; by default it is read from the environment.
        planner: Plans the edits; by default, like the other components, the one that `pilot`
            selects.
        router: Chooses the route of each edit.
        editor: Executes edits.
        checker: Judges the current deck.

    Raises:
        ConfigError: As `DocumentModelAgent` does.
    """

    def __init__(
        self,
        settings: ModelSettings,
        pilot: PilotSettings | None = None,
        budget: RunBudget | None = None,
        service: Service | None = None,
        key: str | None = None,
        *,
        planner: Planner | None = None,
        router: Router | None = None,
        editor: Editor | None = None,
        checker: Checker | None = None,
    ) -> None:
        self._pilot = pilot or PilotSettings()
        self._planner = planner or (ModelPlanner() if self._pilot.plan == "yes" else NoPlanner())
        self._router = router or make_router(self._pilot.router)
        self._editor = editor or ModelEditor(self._pilot.questions)
        self._checker = checker or DualChecker()
        super().__init__(settings, budget, service, key)

    def _start_episode(self, task: str, instruction: str) -> None:
        super()._start_episode(task, instruction)
        self._log: list[dict[str, Any]] = []
        self._steps: Generator[Calls, Response, None] | None = None

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Any:
        """Return the next `ToolCall`, or the `ActionError` of a reply without a valid call.

        Raises:
            AgentError: If too many replies in a row were invalid.
            EndpointError: If the service does not answer.
        """
        response = Response(observation, info)
        if self._steps is None:
            self._steps = self._episode(response)
            call = next(self._steps)
        else:
            call = self._steps.send(response)
        self._step_count += 1
        return call

    def record(self) -> Mapping[str, bytes]:
        """Return the conversation, its cost, and the plans, routes and verdicts."""
        pilot_record = {
            "settings": dataclasses.asdict(self._pilot),
            "turns": self._log,
            "prompts": self._systems,
        }
        text = json.dumps(pilot_record, ensure_ascii=False, indent=1)
        return {**super().record(), "pilot.json": f"{text}\n".encode("utf-8", "replace")}

    def _episode(self, response: Response) -> Generator[Calls, Response, None]:
        while True:
            self._instruction = response.instruction
            turn_log: dict[str, Any] = {
                "instruction": response.instruction,
                "rounds": [],
                "ended": "",
            }
            self._log.append(turn_log)
            try:
                end = yield from self._turn(Work(response), turn_log)
            except SpentError as error:
                end, turn_log["ended"] = "done", str(error)
            response = yield ToolCall.of(end)

    def _turn(self, work: Work, turn_log: dict[str, Any]) -> Steps[str]:
        plan = self._planner.plan(self, work)
        if plan.impossible:
            turn_log["ended"] = f"impossible: {plan.impossible}"
            return "fail"
        edits = plan.edits
        for number in range(1, self._pilot.rounds + 1):
            round_log: dict[str, Any] = {"edits": [], "scores": {}}
            turn_log["rounds"].append(round_log)
            revision_before = work.now.revision
            if (yield from self._edit(work, edits, round_log)) == "fail":
                turn_log["ended"] = "the model gave up"
                return "fail"
            if number == self._pilot.rounds:
                break
            yield from self._read(work, (*_slides_of(edits), *work.touched))
            if self._pilot.reflection == "editor":
                if number > 1 and work.now.revision == revision_before:
                    turn_log["ended"] = "the editor changed nothing more"
                    return "done"
                edits = tuple(
                    dataclasses.replace(edit, what=_retry_description(edit)) for edit in plan.edits
                )
                continue
            verdict = self._checker.check(self, work)
            round_log["scores"] = dict(verdict.scores)
            if not verdict.problems:
                turn_log["ended"] = "approved"
                return "done"
            edits = verdict.problems
        turn_log["ended"] = "all rounds are used"
        return "done"

    def _edit(self, work: Work, edits: Iterable[Edit], round_log: dict[str, Any]) -> Steps[str]:
        routed = [(self._router.route(self, work, edit), edit) for edit in edits]
        round_log["edits"] = [
            {"route": route, **dataclasses.asdict(edit)} for route, edit in routed
        ]
        for route, routed_group in groupby(routed, lambda pair: pair[0]):
            group = [edit for _, edit in routed_group]
            yield from self._read(work, _slides_of(group))
            end = yield from self._editor.edit(self, work, group, route)
            if end == "fail":
                return end
        return ""

    def _read(self, work: Work, slides: Iterable[int]) -> Steps[None]:
        """Read the slides that were not read since the last change, up to the limit."""
        existing = [slide_id for slide_id in dict.fromkeys(slides) if slide_id in work.now.blocks]
        for slide in existing[: self._pilot.reads]:
            if slide in work.facts:
                continue
            response = yield ToolCall.of("read_slide", slide=slide)
            work.see(response)
            if response.problem:
                continue
            work.facts[slide] = response.result
            if response.revision == work.begun.revision:
                work.facts_before.setdefault(slide, response.result)


def _retry_description(edit: Edit) -> str:
    return f"Look at the result of this, and fix what is not right yet, or call done: {edit.what}"


def _slides_of(edits: Iterable[Edit]) -> tuple[int, ...]:
    return tuple(slide for edit in edits for slide in edit.slides)
