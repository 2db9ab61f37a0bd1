"""Proof of generated tasks: every leaf is 0 on the original and 1 on the saved target deck.

Most of the time is spent opening and saving decks, so edits of different slides are saved in one
file. Each task's target deck is then the original with only its own slides taken from that file.
This is sound if the file differs from the original on the slides of its tasks alone; otherwise each
task is saved separately.

Agents that edit files start from the deck as received. Drafts that are proven in the application
are therefore proven again on that file, without the application.
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
from pptarena.rewards.scored_tree import ALMOST_ONE
from pptarena.tasks.generator.deck_context import DeckContext
from pptarena.tasks.generator.draft import Draft
from pptarena.tasks.never_saved import never_saved

__all__ = ["ProofResult", "SaveDecks", "prove"]

SaveDecks = Callable[[Sequence[bytes]], Sequence[bytes | DeckError | MachineError]]
"""Saves .pptx files like the application that tasks are played in."""

_MAX_CASES_PER_FILE = 24


@dataclass(frozen=True, slots=True)
class ProofResult:
    """Result of proving drafts.

    Attributes:
        proven: Drafts that are proven.
        rejected: Number of rejected drafts by operator and reason.
    """

    proven: tuple[Draft, ...]
    rejected: Counter[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class _Case:
    """A draft with its parsed rubric and scope."""

    draft: Draft
    rubric: Rubric
    scope: Scope


def prove(context: DeckContext, drafts: Sequence[Draft], save: SaveDecks | None) -> ProofResult:
    """Return the result of proving drafts on one deck; it keeps their order.

    Args:
        context: The deck context of all drafts.
        drafts: The drafts to prove.
        save: The application; None to prove only on files written by python-pptx.
    """
    result = _prove_on(context, drafts, save)
    return result if save is None else _prove_on_input(result, context.input_context or context)


def _prove_on_input(result: ProofResult, input_context: DeckContext) -> ProofResult:
    """Return the drafts that are also proven on the file as received."""
    rejected = Counter(result.rejected)
    moved = [replace(draft, context=input_context) for draft in result.proven]
    input_result = _prove_on(input_context, moved, None)
    for (name, reason), count in input_result.rejected.items():
        rejected[name, f"on the input file: {reason}"] += count
    proven_ids = {id(draft) for draft in input_result.proven}
    pairs = zip(result.proven, moved, strict=True)
    proven = tuple(draft for draft, copy in pairs if id(copy) in proven_ids)
    return ProofResult(proven, rejected)


def _prove_on(context: DeckContext, drafts: Sequence[Draft], save: SaveDecks | None) -> ProofResult:
    rejected: Counter[tuple[str, str]] = Counter()
    cases = []
    for draft in drafts:
        case = _make_case(draft)
        if isinstance(case, _Case):
            cases.append(case)
        else:
            rejected[_report_name(draft), case] += 1
    verdicts: dict[int, str] = {}
    pending = list(_packs(cases))
    while pending:
        retries: list[list[_Case]] = []
        for pack, verdict in zip(pending, _verdicts(context, pending, save), strict=True):
            if verdict is None:
                retries += [[case] for case in pack]
            else:
                verdicts |= {id(c.draft): v for c, v in zip(pack, verdict, strict=True)}
        pending = retries
    for case in cases:
        if reason := verdicts[id(case.draft)]:
            rejected[_report_name(case.draft), reason] += 1
    proven = tuple(c.draft for c in cases if not verdicts[id(c.draft)])
    return ProofResult(proven, rejected)


def _report_name(draft: Draft) -> str:
    return draft.operators[0] if draft.kind == "one" else draft.kind


def _make_case(draft: Draft) -> _Case | str:
    """Return a draft whose leaves are all scored and 0 on the original, or a rejection reason."""
    try:
        rubric, scope = load_rubric(draft.rubric()), load_scope(draft.scope())
    except PPTArenaError as error:
        return f"rubric: {str(error)[:80]}"
    if unsaved := never_saved(rubric):
        return f"never saved: {next(iter(unsaved.values()))}"
    original_result = score(rubric, draft.context.deck, draft.context.deck, scope)
    if any(leaf.score is None for leaf in _leaves(original_result)):
        return "a leaf is unscored on the original"
    if original_result.score or any(
        leaf.critical and leaf.score for leaf in _leaves(original_result)
    ):
        return "the original already meets the rubric"
    return _Case(draft, rubric, scope)


def _packs(cases: Sequence[_Case]) -> Iterator[list[_Case]]:
    """Yield groups of cases that can be saved in one file because their slides differ."""
    packs: list[tuple[list[_Case], set[int]]] = []
    for case in cases:
        if case.draft.is_deck_wide:
            yield [case]
            continue
        for pack, slides in packs:
            if not slides & case.draft.slides and len(pack) < _MAX_CASES_PER_FILE:
                pack.append(case)
                slides |= case.draft.slides
                break
        else:
            packs.append(([case], set(case.draft.slides)))
    yield from (pack for pack, _ in packs)


def _verdicts(
    context: DeckContext, packs: Sequence[Sequence[_Case]], save: SaveDecks | None
) -> list[list[str] | None]:
    """Return, for each pack, the rejection reason of each draft, "" for a proven draft.

    None stands for a pack whose drafts must be proven individually.
    """
    files = [_edit_file(context, pack) for pack in packs]
    edited_files = [file for file in files if isinstance(file, bytes)]
    saved_files = iter(edited_files if save is None else save(edited_files))
    verdicts: list[list[str] | None] = []
    for pack, file in zip(packs, files, strict=True):
        if isinstance(file, bytes):
            saved_file = next(saved_files)
            verdict = _file_verdicts(context, pack, saved_file)
        else:
            verdict = [file] if len(pack) == 1 else None
        verdicts.append(verdict)
    return verdicts


def _edit_file(context: DeckContext, pack: Sequence[_Case]) -> bytes | str:
    try:
        presentation = open_presentation(context.file)
        for case in pack:
            edit_presentation(presentation, case.draft.solution())
        return save_presentation(presentation)
    except EditError as error:
        return f"cannot be edited: {str(error)[:80]}"


def _file_verdicts(
    context: DeckContext, pack: Sequence[_Case], saved_file: bytes | DeckError | MachineError
) -> list[str] | None:
    is_single = len(pack) == 1
    if not isinstance(saved_file, bytes):
        return ["the application rejects the file"] if is_single else None
    try:
        target_deck = read_deck(saved_file)
    except DeckError:
        return ["the saved deck cannot be read"] if is_single else None
    if is_single:
        return [_verdict(pack[0], target_deck)]
    slides = frozenset[int]().union(*(case.draft.slides for case in pack))
    changes = _changes_within(context.deck, target_deck, slides)
    if changes is None:
        return None
    transition_slides = frozenset(
        c.slide - 1 for c in changes if c.aspect == "transition" and c.slide
    )
    return [
        _verdict(
            case, _with_slides_of(context.deck, target_deck, case.draft.slides, transition_slides)
        )
        for case in pack
    ]


def _changes_within(
    original: Deck, target_deck: Deck, slides: frozenset[int]
) -> tuple[Change, ...] | None:
    """Return the changes of a deck, or None if it changes more than the given slides."""
    match = match_decks(original, target_deck)
    if any(before != after for before, after in match.pairs) or match.removed or match.added:
        return None
    changes = diff_matched(match)
    is_within = all(
        change.slide is not None and change.slide - 1 in slides and change.aspect != "layout"
        for change in changes
    )
    return changes if is_within else None


def _with_slides_of(
    original: Deck, target_deck: Deck, slides: frozenset[int], transition_slides: frozenset[int]
) -> Deck:
    """Return the original with some slides replaced by those of a target deck.

    The application renumbers masters and layouts at every save, and reverses some transitions on
    all slides. Both are taken from the original, except changed transitions. This is safe, because
    the target deck differs from the original only in the given slides.
    """

    def merged(before: Slide, after: Slide) -> Slide:
        if before.index not in slides:
            return before
        return replace(
            after,
            master=before.master,
            layout_index=before.layout_index,
            layout=before.layout,
            transition=after.transition if before.index in transition_slides else before.transition,
        )

    return replace(original, slides=tuple(map(merged, original.slides, target_deck.slides)))


def _verdict(case: _Case, target_deck: Deck) -> str:
    tree = score(
        case.rubric, case.draft.context.deck, target_deck, case.scope, targets=(target_deck,)
    )
    for leaf in _leaves(tree):
        if leaf.score is None:
            return f"a leaf is unscored on the target deck: {leaf.check}"
        if leaf.score < ALMOST_ONE:
            details = f" ({leaf.reason[:70]})" if leaf.check == "nothing_else_changed" else ""
            return f"{leaf.check} does not score 1 on the target deck{details}"
    if tree.score is None or tree.score < ALMOST_ONE:
        return "the target deck does not score 1"
    return ""


def _leaves(tree: ScoredNode) -> list[Any]:
    return [node for _, node in tree.walk() if node.check]
