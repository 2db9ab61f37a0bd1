"""Components of PPTPilot that use the model: planner, editor, judges."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from pptarena.agents.model.observing import Picture
from pptarena.agents.model.slide_sheet import Slide, slide_sheet
from pptarena.agents.pptpilot import prompts
from pptarena.agents.pptpilot.work import Asker, Edit, Plan, Playing, Route, Seen, Verdict, Work
from pptarena.envs.document.toolbox import toolbox
from pptarena.errors import ActionError
from pptarena.models import Turn
from pptarena.suggestions import not_found
from pptarena.tasks.task import EDIT_TYPES

__all__ = ["DualChecker", "ModelEditor", "ModelPlanner", "NoPlanner"]

_MOST_EDITS = 20
_SHOWN_PAIRS = 4
_ROLES: Final = {"program": prompts.PROGRAM, "xml": prompts.XML}


def _known_kind(kind: str) -> str:
    return kind if kind in EDIT_TYPES else ""


class _Edit(BaseModel):
    model_config = ConfigDict(extra="ignore")

    what: Annotated[str, Field(min_length=1, max_length=4000)]
    kind: Annotated[str, AfterValidator(_known_kind)] = ""
    slides: Annotated[list[int], Field(max_length=500)] = []


class _Plan(BaseModel):
    model_config = ConfigDict(extra="ignore")

    edits: Annotated[list[_Edit], Field(max_length=_MOST_EDITS)]
    impossible: Annotated[str, Field(max_length=4000)] = ""


class _Judged(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    score: Annotated[int, Field(ge=0, le=5)]
    problems: Annotated[list[_Edit], Field(max_length=_MOST_EDITS)]


class NoPlanner:
    """Uses the instruction as the plan."""

    def plan(self, ask: Asker, work: Work) -> Plan:
        """Return a plan with one edit."""
        return Plan((Edit(work.instruction),))


class ModelPlanner:
    """Asks the model for the edits that carry out the instruction."""

    def plan(self, ask: Asker, work: Work) -> Plan:
        """Return the model's plan; the instruction itself if the plan is empty."""
        words = f"Task: {work.instruction}\n\n{prompts.deck(ask.outline(work.now))}"
        sheet = slide_sheet(_named(work.pictures, work.pictures))
        found = ask.fill("plan", prompts.PLAN, words, _Plan, sheet)
        if found.impossible.strip():
            return Plan((), found.impossible.strip())
        return Plan(_edits(found.edits)) if found.edits else NoPlanner().plan(ask, work)


class ModelEditor:
    """Edits with the model and the tools of a route.

    A program ends the edit once it has run. XML takes several calls and ends with the model's call
    of done.

    Args:
        questions: Maximum number of requests per edit.
    """

    def __init__(self, questions: int = 6) -> None:
        self._questions = questions

    def edit(self, ask: Asker, work: Work, edits: Sequence[Edit], route: Route) -> Playing[str]:
        """Change the deck; see `Editor`."""
        tools = [tool.to_json() for tool in toolbox((route,)).values()]
        words = _beginning(ask, work, edits)
        picture = slide_sheet(_named(work.pictures, _slides_of(edits)))
        earlier: list[Turn] = []
        work.said = []
        for _ in range(self._questions):
            said = ask.call("edit", _ROLES[route], earlier, words, tools, picture)
            if isinstance(said, ActionError):
                work.see((yield said))
                words = f"refused: {said}"
                continue
            earlier.append(said.turn)
            begun = work.now.revision
            end = yield from self._carry_out(work, said.calls, frozenset(t["name"] for t in tools))
            if end or (route == "program" and work.now.revision != begun and not work.now.problem):
                return end
            words, picture = "\n".join(work.said[-len(said.calls) :]), None
        return ""

    def _carry_out(self, work: Work, calls: Sequence[Any], known: frozenset[str]) -> Playing[str]:
        for number, call in enumerate(calls, start=1):
            if call.tool in ("done", "fail"):
                return str(call.tool)
            seen: Seen = (
                yield call
                if call.tool in known
                else ActionError(not_found("tool", call.tool[:80], sorted(known)))
            )
            work.see(seen)
            if not seen.problem:
                work.said.append(f"{call.tool}: {seen.result}")
                continue
            left = len(calls) - number
            more = f"; nor were the {left} calls after it carried out" if left else ""
            work.said.append(f"{call.tool}: refused: {seen.problem}{more}")
            break
        return ""


class DualChecker:
    """Two judges with separate evidence: one receives facts, the other pictures.

    The second one is asked only if pictures of changed slides are available.
    """

    def check(self, ask: Asker, work: Work) -> Verdict:
        """Return the problems that both judges report."""
        task = f"Task: {work.instruction}"
        if work.now.revision == work.begun.revision:
            why = "nothing in the deck was changed"
            return Verdict((Edit(f"{work.instruction} ({why})"),), {"following": 0})
        words = (
            task,
            prompts.changes(work),
            prompts.facts_of(work.facts_before, "Before"),
            prompts.facts_of(work.facts, "After"),
        )
        following = ask.fill("judge", prompts.CHECK, "\n\n".join(filter(None, words)), _Judged)
        problems, scores = _edits(following.problems), {"following": following.score}
        if (sheet := _pairs(work)) is not None:
            looks = ask.fill("look", prompts.LOOK, task, _Judged, sheet)
            problems, scores = (*problems, *_edits(looks.problems)), scores | {"looks": looks.score}
        return Verdict(problems, scores)


def _edits(found: Iterable[_Edit]) -> tuple[Edit, ...]:
    return tuple(Edit(each.what, each.kind, tuple(each.slides)) for each in found)


def _slides_of(edits: Iterable[Edit]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(slide for edit in edits for slide in edit.slides))


def _named(pictures: dict[int, Any], slides: Iterable[int]) -> list[Slide]:
    return [(f"slide id {each}", pictures[each]) for each in slides if each in pictures]


def _pairs(work: Work) -> Picture | None:
    shown: list[Slide] = []
    for slide in [each for each in work.touched if each in work.pictures][:_SHOWN_PAIRS]:
        before = work.pictures_before.get(slide)
        if before is not None:
            shown.append((f"slide id {slide}, before", before))
        shown.append((f"slide id {slide}, after", work.pictures[slide]))
    return slide_sheet(shown)


def _beginning(ask: Asker, work: Work, edits: Sequence[Edit]) -> str:
    slides = _slides_of(edits)
    known = {each: work.facts[each] for each in slides if each in work.facts}
    parts = (
        prompts.todo(work, edits),
        prompts.deck(ask.outline(work.now)),
        prompts.facts_of(known, "Read now"),
    )
    return "\n\n".join(filter(None, parts))
