"""The reason of a parent, from those of its children, in plain words and without a model."""

from collections.abc import Sequence

from pptarena.rewards.scored import ALMOST_ONE, ScoredNode

__all__ = ["summary"]

_NAMED = 3


def summary(children: Sequence[ScoredNode]) -> str:
    """Return why a parent has its score.

    What falls short is named with its own reason, critical parts first and the worst of them
    first, since they cost most; of a chain of single children only the last one speaks.

    Args:
        children: The scored children, at least one.
    """
    judged = [child for child in children if child.score is not None]
    if not judged:
        return f"none of its {len(children)} parts could be judged: {children[0].reason}"
    parts = [*_judged_part(children, judged)]
    short = sorted((child for child in judged if _value(child) < ALMOST_ONE), key=_weight)
    if not short:
        parts.append("all parts are fulfilled" if len(judged) > 1 else judged[0].reason)
        return "; ".join(parts)
    parts.append(_counted(judged, short))
    parts += [_named(child) for child in short[:_NAMED]]
    if len(short) > _NAMED:
        parts.append(f"and {len(short) - _NAMED} more fall short")
    return "; ".join(parts)


def _judged_part(children: Sequence[ScoredNode], judged: Sequence[ScoredNode]) -> list[str]:
    if len(judged) < len(children):
        return [f"{len(judged)} of {len(children)} parts were judged"]
    share = sum(child.judged_share for child in children) / len(children)
    return [f"{share:.0%} of what is beneath was judged"] if share < ALMOST_ONE else []


def _counted(judged: Sequence[ScoredNode], short: Sequence[ScoredNode]) -> str:
    begun = sum(_value(child) > 0 for child in short)
    counted = f"{len(judged) - len(short)} of {len(judged)} parts are fulfilled"
    return f"{counted}, {begun} in part" if begun else counted


def _named(child: ScoredNode) -> str:
    what = child.name if child.critical else f"{child.name}, not critical"
    if child.weight != 1:
        what += f", weight {child.weight:g}"
    return f"{what} ({_value(child):.2f}): {child.reason}"


def _value(child: ScoredNode) -> float:
    return 0.0 if child.score is None else child.score


def _weight(child: ScoredNode) -> tuple[bool, float]:
    return not child.critical, _value(child)
