"""All blind policies, and their combinations."""

from pptarena.audits.blind.data import DATA
from pptarena.audits.blind.policy import Policy
from pptarena.audits.blind.shapes import SHAPES
from pptarena.audits.blind.slides import SLIDES
from pptarena.audits.blind.text import TEXT

__all__ = ["ALL_TOGETHER", "POLICIES", "together"]

POLICIES: tuple[Policy, ...] = (*SLIDES, *TEXT, *SHAPES, *DATA)
"""The individual policies, in report order."""


def together(name: str, policies: tuple[Policy, ...]) -> Policy:
    """Return a policy that applies several policies one after the other."""
    edits = tuple(edit for each in policies for edit in each.edits)
    return Policy(name, edits, all(each.is_safe for each in policies))


ALL_TOGETHER: tuple[Policy, ...] = (
    together("does all of it that removes nothing", tuple(p for p in POLICIES if p.is_safe)),
    together("does all of it", POLICIES),
)
"""The combinations of all policies."""
