"""Sample new figures such that sums still add up and the order by size is preserved."""

import random
from collections.abc import Mapping
from decimal import Decimal
from itertools import combinations

from pptarena.errors import TaskError
from pptarena.tasks.edition.deck_names import Figures

__all__ = ["draw_figures", "number_of", "numbers_of"]

_TRIES = 200
_CONSTANT_MARK = "#"


def draw_figures(group: Figures, rng: random.Random) -> dict[str, str]:
    """Return the new figures of a group by the old ones, as written.

    Raises:
        TaskError: If no sample preserves the order, or a sum contains an unknown figure.
    """
    for _ in range(_TRIES):
        new = {figure: _sample_figure(figure, group, rng) for figure in group.free}
        for figure, formula in group.derived.items():
            new[figure] = _sum(formula, new)
        if _in_order(new):
            return {figure: _format_like(value, figure) for figure, value in new.items()}
    raise TaskError(f"no figures found that keep the order of {', '.join(group.free)}")


def numbers_of(figures: Mapping[str, str]) -> dict[Decimal, str]:
    """Return new numbers by old ones, in the form stored in workbooks and charts."""
    return {number_of(old): str(number_of(new)) for old, new in figures.items()}


def number_of(figure: str) -> Decimal:
    """Return the value of a figure: ``1,180`` and ``1.180`` (German) are 1180, ``18.0`` is 18.

    Raises:
        TaskError: If the text is not a figure.
    """
    plain = figure.replace(",", "")
    if "." in plain and _is_german(figure):
        plain = plain.replace(".", "")
    try:
        return Decimal(plain)
    except ArithmeticError as error:
        raise TaskError(f"expected a figure such as 1,180 or 18.0, got {figure!r}") from error


def _is_german(figure: str) -> bool:
    head, _, tail = figure.rpartition(".")
    return len(tail) == 3 and head.isdigit() and not head.startswith("0")


def _sample_figure(figure: str, group: Figures, rng: random.Random) -> Decimal:
    value = number_of(figure)
    step = Decimal(1).scaleb(int(value.as_tuple().exponent))
    if group.step is not None:
        step = Decimal(str(group.step))
    max_steps = max(int(value * Decimal(str(group.share)) / step), 1)
    steps: int = rng.choice([*range(-max_steps, 0), *range(1, max_steps + 1)])
    return value + step * steps


def _sum(formula: str, values: Mapping[str, Decimal]) -> Decimal:
    total, sign = Decimal(0), 1
    for word in formula.split():
        if word in "+-":
            sign = -1 if word == "-" else 1
            continue
        if word.startswith(_CONSTANT_MARK):
            total += sign * number_of(word[1:])
        elif word in values:
            total += sign * values[word]
        else:
            raise TaskError(
                f"{formula!r}: {word!r} is not among the free figures; write #{word} for a constant"
            )
    return total


def _in_order(new: Mapping[str, Decimal]) -> bool:
    old = {figure: number_of(figure) for figure in new}
    return all(
        (old[first] < old[second]) == (new[first] < new[second])
        and (old[first] == old[second]) == (new[first] == new[second])
        for first, second in combinations(new, 2)
    )


def _format_like(value: Decimal, reference: str) -> str:
    """Return a number formatted like another figure."""
    if _is_german(reference):
        return f"{value:,}".replace(",", ".")
    decimals = max(0, -int(number_of(reference).as_tuple().exponent))
    return f"{value:,.{decimals}f}" if "," in reference else f"{value:.{decimals}f}"
