"""Score many candidate leaves on an original and a gold deck together."""

from collections.abc import Iterable, Mapping

from pptarena.decks import Deck
from pptarena.errors import RubricError
from pptarena.rewards import Scope, load_rubric, score
from pptarena.rewards.scored import ALMOST_ONE
from pptarena.tasks.draft.leaf import Leaf

__all__ = ["holding"]


def holding(leaves: Iterable[Leaf], original: Deck, gold: Deck, scope: Scope) -> set[str]:
    """Return the keys of the leaves that score 0 on the original and 1 on the gold.

    Leaves with arguments that their check rejects are left out.
    """
    known = {leaf.key: leaf for leaf in leaves}
    nodes = [
        {"name": key, "check": leaf.check, "args": dict(leaf.args)} for key, leaf in known.items()
    ]
    nodes = [node for node in nodes if _is_valid(node)]
    if not nodes:
        return set()
    rubric = load_rubric({"version": 1, "root": {"name": "leaves", "children": nodes}})
    start, end = (
        score(rubric, original, deck, scope, gold=gold, targets=(gold,))
        for deck in (original, gold)
    )
    return {
        before.name
        for before, after in zip(start.children, end.children, strict=True)
        if before.score == 0.0 and (after.score or 0.0) >= ALMOST_ONE
    }


def _is_valid(node: Mapping[str, object]) -> bool:
    try:
        load_rubric({"version": 1, "root": node})
    except RubricError:
        return False
    return True
