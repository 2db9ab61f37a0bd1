"""Proof of generated tasks: every leaf is 0 on the original and 1 on the saved target deck.

Most of the time is spent opening and saving decks, so edits of different slides are saved in one
file. Each task's target is then the original with only its own slides taken from that file. This is
sound if the file differs from the original on the slides of its tasks alone; otherwise each task is
saved separately.

Agents that edit files start from the deck as received. Drafts that hold in the application are
therefore proven again on that file, without the application.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pptarena.decks import Deck, Slide, read_deck
from pptarena.decks.diff.change import Change
from pptarena.decks.diff.compare import diff_matched
from pptarena.decks.match.decks import match_decks
from pptarena.decks.presentation import open_presentation, save_presentation
from pptarena.edits import edit_presentation
from pptarena.errors import DeckError, EditError, MachineError, PPTArenaError
from pptarena.rewards import Rubric, Scope, ScoredNode, load_rubric, load_scope, score
from pptarena.rewards.scored import ALMOST_ONE
from pptarena.tasks.grow.draft import Draft
from pptarena.tasks.grow.ground import Ground
from pptarena.tasks.never_saved import never_saved

__all__ = ["Proven", "SaveDecks", "prove"]

SaveDecks = Callable[[Sequence[bytes]], Sequence[bytes | DeckError | MachineError]]
"""Saves .pptx files like the application that tasks are played in."""

_MOST_IN_FILE = 24


@dataclass(frozen=True, slots=True)
class Proven:
    """Result of proving drafts.

    Attributes:
        kept: Drafts that hold.
        rejected: Number of rejected drafts by operator and reason.
    """

    kept: tuple[Draft, ...]
    rejected: Counter[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class _Case:
    """A draft with its parsed rubric and scope."""

    draft: Draft
    rubric: Rubric
    scope: Scope


def prove(ground: Ground, drafts: Sequence[Draft], save: SaveDecks | None) -> Proven:
    """Return the drafts that hold, in order.

    Args:
        ground: The deck context of all drafts.
        drafts: The drafts to prove.
        save: The application; None to prove only on files written by python-pptx.
    """
    found = _proven(ground, drafts, save)
    return found if save is None else _proven_as_came(found, ground.came or ground)


def _proven_as_came(found: Proven, came: Ground) -> Proven:
    """Return the drafts that also hold on the file as received."""
    rejected = Counter(found.rejected)
    there = [replace(draft, ground=came) for draft in found.kept]
    again = _proven(came, there, None)
    for (name, why), count in again.rejected.items():
        rejected[name, f"on the file as it came: {why}"] += count
    holding = {id(draft) for draft in again.kept}
    pairs = zip(found.kept, there, strict=True)
    return Proven(tuple(draft for draft, moved in pairs if id(moved) in holding), rejected)


def _proven(ground: Ground, drafts: Sequence[Draft], save: SaveDecks | None) -> Proven:
    rejected: Counter[tuple[str, str]] = Counter()
    cases = []
    for draft in drafts:
        found = _case(draft)
        if isinstance(found, _Case):
            cases.append(found)
        else:
            rejected[_name(draft), found] += 1
    verdicts: dict[int, str] = {}
    left = [pack for pack in _packs(cases)]
    while left:
        again: list[list[_Case]] = []
        for pack, verdict in zip(left, _judged(ground, left, save), strict=True):
            if verdict is None:
                again += [[case] for case in pack]
            else:
                verdicts |= {id(c.draft): v for c, v in zip(pack, verdict, strict=True)}
        left = again
    for case in cases:
        if why := verdicts[id(case.draft)]:
            rejected[_name(case.draft), why] += 1
    kept = tuple(c.draft for c in cases if not verdicts[id(c.draft)])
    return Proven(kept, rejected)


def _name(draft: Draft) -> str:
    return draft.operators[0] if draft.kind == "one" else draft.kind


def _case(draft: Draft) -> _Case | str:
    """Return a draft whose leaves are all scored and 0 on the original, or a rejection reason."""
    try:
        rubric, scope = load_rubric(draft.rubric()), load_scope(draft.scope())
    except PPTArenaError as error:
        return f"rubric: {str(error)[:80]}"
    if lost := never_saved(rubric):
        return f"never saved: {next(iter(lost.values()))}"
    idle = score(rubric, draft.ground.deck, draft.ground.deck, scope)
    if any(leaf.score is None for leaf in _leaves(idle)):
        return "a leaf is not judged on the original"
    if idle.score or any(leaf.critical and leaf.score for leaf in _leaves(idle)):
        return "the original has it already"
    return _Case(draft, rubric, scope)


def _packs(cases: Sequence[_Case]) -> Iterator[list[_Case]]:
    """Yield groups of cases that can be saved in one file because their slides differ."""
    packs: list[tuple[list[_Case], set[int]]] = []
    for case in cases:
        if case.draft.is_whole:
            yield [case]
            continue
        for pack, slides in packs:
            if not slides & case.draft.slides and len(pack) < _MOST_IN_FILE:
                pack.append(case)
                slides |= case.draft.slides
                break
        else:
            packs.append(([case], set(case.draft.slides)))
    yield from (pack for pack, _ in packs)


def _judged(
    ground: Ground, packs: Sequence[Sequence[_Case]], save: SaveDecks | None
) -> list[list[str] | None]:
    """Return, for each pack, the rejection reason of each draft, "" if it holds.

    None stands for a pack whose drafts must be tried individually.
    """
    files = [_edited(ground, pack) for pack in packs]
    good = [file for file in files if isinstance(file, bytes)]
    answers = iter(good if save is None else save(good))
    found: list[list[str] | None] = []
    for pack, file in zip(packs, files, strict=True):
        if isinstance(file, bytes):
            answer = next(answers)
            verdict = _of_file(ground, pack, answer)
        else:
            verdict = [file] if len(pack) == 1 else None
        found.append(verdict)
    return found


def _edited(ground: Ground, pack: Sequence[_Case]) -> bytes | str:
    try:
        presentation = open_presentation(ground.file)
        for case in pack:
            edit_presentation(presentation, case.draft.solution())
        return save_presentation(presentation)
    except EditError as error:
        return f"cannot be edited: {str(error)[:80]}"


def _of_file(
    ground: Ground, pack: Sequence[_Case], answer: bytes | DeckError | MachineError
) -> list[str] | None:
    alone = len(pack) == 1
    if not isinstance(answer, bytes):
        return ["the application refuses it"] if alone else None
    try:
        goal = read_deck(answer)
    except DeckError:
        return ["the saved deck cannot be read"] if alone else None
    if alone:
        return [_of_goal(pack[0], goal)]
    slides = frozenset[int]().union(*(case.draft.slides for case in pack))
    changes = _changes_apart(ground.deck, goal, slides)
    if changes is None:
        return None
    moved = frozenset(c.slide - 1 for c in changes if c.aspect == "transition" and c.slide)
    return [_of_goal(case, _only(ground.deck, goal, case.draft.slides, moved)) for case in pack]


def _changes_apart(original: Deck, goal: Deck, slides: frozenset[int]) -> tuple[Change, ...] | None:
    """Return the changes of a deck, or None if it changes more than the given slides."""
    match = match_decks(original, goal)
    if any(before != now for before, now in match.pairs) or match.removed or match.added:
        return None
    changes = diff_matched(match)
    apart = all(
        change.slide is not None and change.slide - 1 in slides and change.aspect != "layout"
        for change in changes
    )
    return changes if apart else None


def _only(original: Deck, goal: Deck, slides: frozenset[int], moved: frozenset[int]) -> Deck:
    """Return the original with some slides replaced by those of a goal.

    The application renumbers masters and layouts at every save, and reverses some transitions on
    all slides. Both are taken from the original, except changed transitions. This is safe, because
    the goal was found to differ only in the given slides.
    """

    def of(before: Slide, now: Slide) -> Slide:
        if before.index not in slides:
            return before
        return replace(
            now,
            master=before.master,
            layout_index=before.layout_index,
            layout=before.layout,
            transition=now.transition if before.index in moved else before.transition,
        )

    return replace(original, slides=tuple(map(of, original.slides, goal.slides)))


def _of_goal(case: _Case, goal: Deck) -> str:
    tree = score(case.rubric, case.draft.ground.deck, goal, case.scope, targets=(goal,))
    for leaf in _leaves(tree):
        if leaf.score is None:
            return f"a leaf is not judged on the goal: {leaf.check}"
        if leaf.score < ALMOST_ONE:
            more = f" ({leaf.reason[:70]})" if leaf.check == "nothing_else_changed" else ""
            return f"{leaf.check} does not score 1 on the target{more}"
    if tree.score is None or tree.score < ALMOST_ONE:
        return "the target does not score 1"
    return ""


def _leaves(tree: ScoredNode) -> list[Any]:
    return [node for _, node in tree.walk() if node.check]
