"""`PPTPilot`: plan, route, edit, render, judge, reflect."""

import dataclasses
import json
from collections.abc import Generator, Iterable, Mapping
from itertools import groupby
from typing import Any

from pptarena.agents.model.settings import ModelSettings
from pptarena.agents.model.usage import RunBudget
from pptarena.agents.pptpilot.asking import AskingAgent, SpentError
from pptarena.agents.pptpilot.parts import DualChecker, ModelEditor, ModelPlanner, NoPlanner
from pptarena.agents.pptpilot.routes import router_of
from pptarena.agents.pptpilot.settings import PilotSettings
from pptarena.agents.pptpilot.work import (
    Calls,
    Checker,
    Edit,
    Editor,
    Planner,
    Playing,
    Router,
    Seen,
    Work,
)
from pptarena.envs.document import ToolCall
from pptarena.models import Service

__all__ = ["PPTPilot"]


class PPTPilot(AskingAgent):
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
        self._router = router or router_of(self._pilot.router)
        self._editor = editor or ModelEditor(self._pilot.questions)
        self._checker = checker or DualChecker()
        super().__init__(settings, budget, service, key)

    def _begin(self, task: str, instruction: str) -> None:
        super()._begin(task, instruction)
        self._log: list[dict[str, Any]] = []
        self._play: Generator[Calls, Seen, None] | None = None

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Any:
        """Return the next `ToolCall`, or the `ActionError` of a reply without a valid call.

        Raises:
            AgentError: If too many replies in a row were invalid.
            EndpointError: If the service does not answer.
        """
        seen = Seen(observation, info)
        if self._play is None:
            self._play = self._episode(seen)
            call = next(self._play)
        else:
            call = self._play.send(seen)
        self._steps += 1
        return call

    def record(self) -> Mapping[str, bytes]:
        """Return the conversation, its cost, and the plans, routes and verdicts."""
        facts = {
            "settings": dataclasses.asdict(self._pilot),
            "turns": self._log,
            "prompts": self._systems,
        }
        text = json.dumps(facts, ensure_ascii=False, indent=1)
        return {**super().record(), "pilot.json": f"{text}\n".encode("utf-8", "replace")}

    def _episode(self, seen: Seen) -> Generator[Calls, Seen, None]:
        while True:
            self._instruction = seen.instruction
            note: dict[str, Any] = {"instruction": seen.instruction, "rounds": [], "ended": ""}
            self._log.append(note)
            try:
                end = yield from self._turn(Work(seen), note)
            except SpentError as error:
                end, note["ended"] = "done", str(error)
            seen = yield ToolCall.of(end)

    def _turn(self, work: Work, note: dict[str, Any]) -> Playing[str]:
        plan = self._planner.plan(self, work)
        if plan.impossible:
            note["ended"] = f"impossible: {plan.impossible}"
            return "fail"
        edits = plan.edits
        for number in range(1, self._pilot.rounds + 1):
            done: dict[str, Any] = {"edits": [], "scores": {}}
            note["rounds"].append(done)
            begun = work.now.revision
            if (yield from self._edit(work, edits, done)) == "fail":
                note["ended"] = "the model gave up"
                return "fail"
            if number == self._pilot.rounds:
                break
            yield from self._read(work, (*_slides_of(edits), *work.touched))
            if self._pilot.reflection == "editor":
                if number > 1 and work.now.revision == begun:
                    note["ended"] = "the editor changed nothing more"
                    return "done"
                edits = tuple(dataclasses.replace(each, what=_again(each)) for each in plan.edits)
                continue
            verdict = self._checker.check(self, work)
            done["scores"] = dict(verdict.scores)
            if not verdict.problems:
                note["ended"] = "approved"
                return "done"
            edits = verdict.problems
        note["ended"] = "all rounds are used"
        return "done"

    def _edit(self, work: Work, edits: Iterable[Edit], done: dict[str, Any]) -> Playing[str]:
        ways = [(self._router.route(self, work, edit), edit) for edit in edits]
        done["edits"] = [{"route": way, **dataclasses.asdict(edit)} for way, edit in ways]
        for route, several in groupby(ways, lambda each: each[0]):
            group = [edit for _, edit in several]
            yield from self._read(work, _slides_of(group))
            end = yield from self._editor.edit(self, work, group, route)
            if end == "fail":
                return end
        return ""

    def _read(self, work: Work, slides: Iterable[int]) -> Playing[None]:
        """Read the slides that were not read since the last change."""
        there = [each for each in dict.fromkeys(slides) if each in work.now.blocks]
        for slide in there[: self._pilot.reads]:
            if slide in work.facts:
                continue
            seen = yield ToolCall.of("read_slide", slide=slide)
            work.see(seen)
            if seen.problem:
                continue
            work.facts[slide] = seen.result
            if seen.revision == work.begun.revision:
                work.facts_before.setdefault(slide, seen.result)


def _again(edit: Edit) -> str:
    return f"Look at the result of this, and fix what is not right yet, or call done: {edit.what}"


def _slides_of(edits: Iterable[Edit]) -> tuple[int, ...]:
    return tuple(slide for edit in edits for slide in edit.slides)
