"""Components of PPTPilot that use the model: planner, editor, judges."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from pptarena.agents.model.observer import Picture
from pptarena.agents.model.slide_sheet import Slide, slide_sheet
from pptarena.agents.pptpilot import prompts
from pptarena.agents.pptpilot.work import Asker, Edit, Plan, Response, Route, Steps, Verdict, Work
from pptarena.envs.document.toolbox import toolbox
from pptarena.errors import ActionError
from pptarena.models import Turn
from pptarena.suggestions import not_found
from pptarena.tasks.task import EDIT_TYPES

__all__ = ["DualChecker", "ModelEditor", "ModelPlanner", "NoPlanner"]

_MAX_EDITS = 20
_MAX_PAIRS = 4
_ROLES: Final = {"program": prompts.PROGRAM, "xml": prompts.XML}


def _valid_kind(kind: str) -> str:
    return kind if kind in EDIT_TYPES else ""


class _Edit(BaseModel):
    model_config = ConfigDict(extra="ignore")

    what: Annotated[str, Field(min_length=1, max_length=4000)]
    kind: Annotated[str, AfterValidator(_valid_kind)] = ""
    slides: Annotated[list[int], Field(max_length=500)] = []


class _Plan(BaseModel):
    model_config = ConfigDict(extra="ignore")

    edits: Annotated[list[_Edit], Field(max_length=_MAX_EDITS)]
    impossible: Annotated[str, Field(max_length=4000)] = ""


class _Judgment(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    score: Annotated[int, Field(ge=0, le=5)]
    problems: Annotated[list[_Edit], Field(max_length=_MAX_EDITS)]


class NoPlanner:
    """Uses the instruction as the plan."""

    def plan(self, ask: Asker, work: Work) -> Plan:
        """Return a plan with one edit."""
        return Plan((Edit(work.instruction),))


class ModelPlanner:
    """Asks the model for the edits that carry out the instruction."""

    def plan(self, ask: Asker, work: Work) -> Plan:
        """Return the model's plan; the instruction itself if the plan is empty."""
        text = f"Task: {work.instruction}\n\n{prompts.deck(ask.outline(work.now))}"
        sheet = slide_sheet(_labeled_slides(work.pictures, work.pictures))
        reply = ask.fill("plan", prompts.PLAN, text, _Plan, sheet)
        if reply.impossible.strip():
            return Plan((), reply.impossible.strip())
        return Plan(_edits(reply.edits)) if reply.edits else NoPlanner().plan(ask, work)


class ModelEditor:
    """Edits with the model and the tools of a route.

    A program ends the edit once it has run. XML takes several calls and ends with the model's call
    of done.

    Args:
        questions: Maximum number of requests per edit.
    """

    def __init__(self, questions: int = 6) -> None:
        self._questions = questions

    def edit(self, ask: Asker, work: Work, edits: Sequence[Edit], route: Route) -> Steps[str]:
        """Change the deck; see `Editor`."""
        tools = [tool.to_json() for tool in toolbox((route,)).values()]
        text = _first_prompt(ask, work, edits)
        picture = slide_sheet(_labeled_slides(work.pictures, _slides_of(edits)))
        earlier: list[Turn] = []
        work.results = []
        for _ in range(self._questions):
            reply = ask.call("edit", _ROLES[route], earlier, text, tools, picture)
            if isinstance(reply, ActionError):
                work.see((yield reply))
                text = f"refused: {reply}"
                continue
            earlier.append(reply.turn)
            revision_before = work.now.revision
            end = yield from self._execute(
                work, reply.calls, frozenset(tool["name"] for tool in tools)
            )
            if end or (
                route == "program" and work.now.revision != revision_before and not work.now.problem
            ):
                return end
            text, picture = "\n".join(work.results[-len(reply.calls) :]), None
        return ""

    def _execute(self, work: Work, calls: Sequence[Any], tool_names: frozenset[str]) -> Steps[str]:
        for number, call in enumerate(calls, start=1):
            if call.tool in ("done", "fail"):
                return str(call.tool)
            response: Response = (
                yield call
                if call.tool in tool_names
                else ActionError(not_found("tool", call.tool[:80], sorted(tool_names)))
            )
            work.see(response)
            if not response.problem:
                work.results.append(f"{call.tool}: {response.result}")
                continue
            remaining = len(calls) - number
            note = f"; nor were the {remaining} calls after it carried out" if remaining else ""
            work.results.append(f"{call.tool}: refused: {response.problem}{note}")
            break
        return ""


class DualChecker:
    """Two judges with separate evidence: one receives facts, the other pictures.

    The second judge is used only if pictures of changed slides are available.
    """

    def check(self, ask: Asker, work: Work) -> Verdict:
        """Return the problems that both judges report."""
        task = f"Task: {work.instruction}"
        if work.now.revision == work.begun.revision:
            reason = "nothing in the deck was changed"
            return Verdict((Edit(f"{work.instruction} ({reason})"),), {"following": 0})
        evidence = (
            task,
            prompts.changes(work),
            prompts.facts_of(work.facts_before, "Before"),
            prompts.facts_of(work.facts, "After"),
        )
        following = ask.fill("judge", prompts.CHECK, "\n\n".join(filter(None, evidence)), _Judgment)
        problems, scores = _edits(following.problems), {"following": following.score}
        if (sheet := _pairs(work)) is not None:
            visual = ask.fill("look", prompts.LOOK, task, _Judgment, sheet)
            problems, scores = (
                (*problems, *_edits(visual.problems)),
                scores | {"looks": visual.score},
            )
        return Verdict(problems, scores)


def _edits(edits: Iterable[_Edit]) -> tuple[Edit, ...]:
    return tuple(Edit(edit.what, edit.kind, tuple(edit.slides)) for edit in edits)


def _slides_of(edits: Iterable[Edit]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(slide for edit in edits for slide in edit.slides))


def _labeled_slides(pictures: dict[int, Any], slides: Iterable[int]) -> list[Slide]:
    return [(f"slide id {slide}", pictures[slide]) for slide in slides if slide in pictures]


def _pairs(work: Work) -> Picture | None:
    slides: list[Slide] = []
    for slide in [slide for slide in work.touched if slide in work.pictures][:_MAX_PAIRS]:
        before = work.pictures_before.get(slide)
        if before is not None:
            slides.append((f"slide id {slide}, before", before))
        slides.append((f"slide id {slide}, after", work.pictures[slide]))
    return slide_sheet(slides)


def _first_prompt(ask: Asker, work: Work, edits: Sequence[Edit]) -> str:
    slides = _slides_of(edits)
    facts = {slide: work.facts[slide] for slide in slides if slide in work.facts}
    parts = (
        prompts.todo(work, edits),
        prompts.deck(ask.outline(work.now)),
        prompts.facts_of(facts, "Read now"),
    )
    return "\n\n".join(filter(None, parts))
