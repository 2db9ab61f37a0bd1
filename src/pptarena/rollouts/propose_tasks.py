"""Propose tasks on a deck: by a model that explores it, or by the operators of the generator.

Each proposal needs a gold deck, from which its rubric is drafted. A model creates the gold deck
with the tools of the document environment; an operator has a solution. Proven proposals become
task folders. For other proposals, only the record is stored.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import Field

from pptarena.agents.model import ModelSettings, RunBudget
from pptarena.agents.model.document_agent import DocumentModelAgent
from pptarena.decks import read_deck
from pptarena.edits import apply_solution
from pptarena.envs.document.document import Document
from pptarena.errors import ActionError, PPTArenaError, TaskError
from pptarena.rewards import load_scope
from pptarena.rollouts.env import make_document_env
from pptarena.rollouts.episode import StoredEpisode
from pptarena.rollouts.run import Job, run_job
from pptarena.rollouts.store import read_steps
from pptarena.tasks import Task
from pptarena.tasks.draft import Draft, draft_task, write_draft
from pptarena.tasks.draft.folder import slug_of
from pptarena.tasks.draft.proposals import FILE, UNPROVEN, Proposal
from pptarena.tasks.generator import DeckFile, generate_tasks
from pptarena.tasks.quality.proofs import prove_draft
from pptarena.tasks.task import DIFFICULTIES, INTACT_RUBRIC

__all__ = [
    "PROPOSAL_TOOLS",
    "Exploration",
    "ProposalOutcome",
    "propose_by_model",
    "propose_by_operators",
]

Save = Callable[[bytes], bytes]
"""Saves a deck like the application that tasks are played in."""

_TOOLS = "pptarena.rollouts.propose_tasks:PROPOSAL_TOOLS"
_ADD_TASKS = "add_tasks_to_dataset"
_TASK_PATTERN = re.compile(
    r"\s*\[(?P<difficulty>\w+)\]\s*\[SLIDE:\s*(?P<slide>\d{1,4})\]\s*(?P<text>.*\S)\s*",
    re.DOTALL | re.IGNORECASE,
)
_MAX_TASKS = 200
_EDIT_STEPS = 30

_EXPLORE = """\
Explore this presentation and propose tasks for a dataset: edits that real users would ask for.
Read the slides first. Log tasks with add_tasks_to_dataset whenever you have found some; each is a
text of the form [DIFFICULTY] [SLIDE:N] <task>, with a difficulty of easy, medium or hard and the
number of the slide. Each task must be clear to a person who sees nothing but the presentation,
must need no personal information, no sound and no video, and must have a result that a program can
check. Vary the kind of edit, and do not edit the presentation. Call done when you have finished."""


def add_tasks_to_dataset(  # noqa: D417 - the document is not an argument of the tool
    document: Document,
    tasks: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=2_000)]],
        Field(min_length=1, max_length=_MAX_TASKS),
    ],
) -> str:
    """Add proposed tasks to the dataset.

    Args:
        tasks: Texts such as "[easy] [SLIDE:3] Make the title bold."
    """
    count = len(document.presentation.slides)
    for text in tasks:
        if not 1 <= _parse_task(text).slide <= count:
            raise ActionError(f"the deck has {count} slides: {text[:80]!r}")
    return f"added {len(tasks)} tasks"


@dataclass(frozen=True, slots=True)
class _Family:
    """The tools of a model that proposes tasks; they read slides without changing them."""

    reading: tuple[Callable[..., str], ...] = (add_tasks_to_dataset,)
    changing: tuple[Callable[..., str], ...] = ()

    def view(self, document: Document) -> str:
        raise ActionError("these tools have no view of their own")


PROPOSAL_TOOLS: Final = _Family()
"""The family of tools with ``add_tasks_to_dataset``."""


@dataclass(frozen=True, slots=True)
class _Suggestion:
    difficulty: str
    slide: int
    text: str


@dataclass(frozen=True, slots=True)
class ProposalOutcome:
    """Outcome of one proposal.

    Attributes:
        proposal: The proposal, with the problem if it was not proven.
        folder: The folder of the task; None if it was not proven.
    """

    proposal: Proposal
    folder: Path | None


@dataclass(frozen=True, slots=True)
class Exploration:
    """The deck to explore, and the destination of the proposed tasks.

    Attributes:
        deck: The .pptx file.
        name: Name of the deck, for ids.
        out: Folder of the task folders.
        count: Maximum number of proposals.
        save: The application; None to draft from files as python-pptx writes them.
    """

    deck: bytes
    name: str
    out: Path
    count: int
    save: Save | None = None

    def save_deck(self, deck: bytes) -> bytes:
        """Return a deck as the application saves it; unchanged without an application."""
        return deck if self.save is None else self.save(deck)

    def ids(self) -> Iterator[str]:
        """Yield ids that are not used in the folder."""
        stem, number = slug_of(self.name), 0
        while True:
            number += 1
            id = f"{stem}-proposal-{number}"
            if not (self.out / id).exists() and not (self.out / UNPROVEN / f"{id}.json").exists():
                yield id


def propose_by_operators(exploration: Exploration, seed: int = 0) -> Iterator[ProposalOutcome]:
    """Propose tasks with the edits, wordings and rubrics of the generator.

    Args:
        exploration: Deck, folder and number.
        seed: Random seed; equal seeds give equal proposals.

    Raises:
        OSError: If a task cannot be written.
    """
    exploration, ids = _with_saved_deck(exploration), exploration.ids()
    file = DeckFile("deck.pptx", exploration.deck)
    for row in generate_tasks([file], exploration.count, seed):
        provenance = row.pop("grown")
        proposal = Proposal(
            id=next(ids),
            instruction=row["instruction"],
            difficulty=row["difficulty"],
            slide=_slide_of(row["solution"]),
            by="operators",
            reason=", ".join(provenance["operators"]),
        )
        gold = exploration.save_deck(apply_solution(exploration.deck, row["solution"]))
        task = {**row, "id": proposal.id, "gold": "gold.pptx"}
        yield _write_if_proven(exploration, proposal, Draft(task, load_scope(row["scope"])), gold)


def propose_by_model(
    exploration: Exploration, settings: ModelSettings, max_steps: int = 35
) -> Iterator[ProposalOutcome]:
    """Let a model explore a deck, propose tasks and create their gold decks.

    The episodes are stored in the subfolder ``runs`` of the folder of tasks.

    Args:
        exploration: Deck, folder and number.
        settings: The model; see `DocumentModelAgent`.
        max_steps: Step limit of the exploration.

    Raises:
        ConfigError: If the settings are not supported on documents.
        TaskError: If the service fails during the exploration.
        OSError: If a task cannot be written.
    """
    budget, runs, ids = RunBudget(settings), exploration.out / "runs", exploration.ids()
    exploration = _with_saved_deck(exploration)
    exploration_task = _task(
        exploration, f"{slug_of(exploration.name)}-explore", _EXPLORE, max_steps
    )
    suggestions = list(
        _read_suggestions(_run_episode(exploration_task, settings, budget, runs, tools=(_TOOLS,)))
    )
    for suggestion in dict.fromkeys(suggestions[: exploration.count]):
        proposal = Proposal(
            id=next(ids),
            instruction=suggestion.text,
            difficulty=suggestion.difficulty,
            slide=suggestion.slide,
            by=settings.model,
        )
        task = _task(exploration, proposal.id, suggestion.text, _EDIT_STEPS)
        try:
            episode = _run_episode(task, settings, budget, runs)
            gold = exploration.save_deck((episode.folder / "final.pptx").read_bytes())
            original = read_deck(exploration.deck)
            draft = draft_task(
                original, read_deck(gold), id=proposal.id, instruction=suggestion.text
            )
        except PPTArenaError as error:
            yield _write_unproven(exploration, replace(proposal, problem=str(error)))
            continue
        draft = replace(draft, task={**draft.task, "difficulty": suggestion.difficulty})
        yield _write_if_proven(exploration, proposal, draft, gold)


def _with_saved_deck(exploration: Exploration) -> Exploration:
    return replace(exploration, deck=exploration.save_deck(exploration.deck))


def _task(exploration: Exploration, id: str, instruction: str, max_steps: int) -> Task:
    return Task(
        id=id,
        suite="proposals",
        difficulty="medium",
        level="L1",
        edit_types=(),
        deck=exploration.deck,
        instruction=instruction,
        max_steps=max_steps,
        rubric=INTACT_RUBRIC,
    )


def _run_episode(
    task: Task, settings: ModelSettings, budget: RunBudget, runs: Path, **families: Any
) -> StoredEpisode:
    """Run an episode on a document; the deck is not scored.

    Raises:
        TaskError: If the service or the environment fails, or the model sends no valid calls.
    """
    slides = settings.slides or 0
    env = make_document_env(score_when="end", judge=None, slides=slides, **families)
    with closing(env), closing(DocumentModelAgent(settings, budget, **families)) as agent:
        episode = run_job(Job(settings.label, task, 0), env, agent, runs)[-1]
    if problem := episode.meta.infra_error or episode.meta.agent_error:
        raise TaskError(f"the episode failed: {problem}")
    if episode.meta.end == "fail":
        raise TaskError("the model found that the task cannot be done")
    return episode


def _read_suggestions(episode: StoredEpisode) -> Iterator[_Suggestion]:
    for step in read_steps(episode.folder):
        if (
            step.call is not None
            and step.call.get("tool") == _ADD_TASKS
            and step.action_error is None
        ):
            yield from map(_parse_task, step.call["arguments"]["tasks"])


def _parse_task(text: str) -> _Suggestion:
    match = _TASK_PATTERN.fullmatch(text)
    if match is None or match["difficulty"].lower() not in DIFFICULTIES:
        difficulties = ", ".join(DIFFICULTIES)
        raise ActionError(
            f"expected [DIFFICULTY] [SLIDE:N] <task> with difficulty {difficulties}: {text[:80]!r}"
        )
    return _Suggestion(match["difficulty"].lower(), int(match["slide"]), match["text"])


def _slide_of(solution: Any) -> int | None:
    numbers = [each["slide"] for each in solution if isinstance(each.get("slide"), int)]
    return numbers[0] if numbers else None


def _write_if_proven(
    exploration: Exploration, proposal: Proposal, draft: Draft, gold: bytes
) -> ProposalOutcome:
    """Write a task folder if the task is proven, otherwise only the record."""
    proof = prove_draft(
        draft.task["rubric"], draft.scope, read_deck(exploration.deck), read_deck(gold)
    )
    if proof.problem:
        return _write_unproven(exploration, replace(proposal, problem=proof.problem))
    folder = exploration.out / proposal.id
    write_draft(folder, draft, exploration.deck, gold)
    proposal.write(folder / FILE)
    return ProposalOutcome(proposal, folder)


def _write_unproven(exploration: Exploration, proposal: Proposal) -> ProposalOutcome:
    folder = exploration.out / UNPROVEN
    folder.mkdir(parents=True, exist_ok=True)
    proposal.write(folder / f"{proposal.id}.json")
    return ProposalOutcome(proposal, None)
