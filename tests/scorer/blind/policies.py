"""All blind policies, and their combinations."""

from tests.scorer.blind.data import DATA
from tests.scorer.blind.policy import Policy
from tests.scorer.blind.shapes import SHAPES
from tests.scorer.blind.slides import SLIDES
from tests.scorer.blind.text import TEXT

__all__ = ["ALL_TOGETHER", "POLICIES", "together"]

POLICIES: tuple[Policy, ...] = (*SLIDES, *TEXT, *SHAPES, *DATA)
"""The individual policies, in report order."""


def together(name: str, policies: tuple[Policy, ...]) -> Policy:
    """Return a policy that applies several policies one after the other."""
    edits = tuple(edit for each in policies for edit in each.edits)
    return Policy(name, edits, all(each.is_safe for each in policies))


ALL_TOGETHER: tuple[Policy, ...] = (
    together("applies all policies that remove nothing", tuple(p for p in POLICIES if p.is_safe)),
    together("applies all policies", POLICIES),
)
"""The combinations of all policies."""
