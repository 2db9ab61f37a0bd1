"""Comparisons as tables for the terminal."""

from collections.abc import Iterator, Sequence

from rich.table import Table

from pptarena.rollouts.compare.comparison import Comparison, Difference, Standing
from pptarena.rollouts.endings import endings_table
from pptarena.rollouts.help_summary import help_table
from pptarena.rollouts.report.intervals import Estimate

__all__ = ["comparison_tables", "estimate_text"]

_GROUPS = ("difficulty", "level", "feasibility")


def comparison_tables(comparison: Comparison) -> Iterator[Table]:
    """Yield tables: contenders, success by group, endings, differences from the first, and help.

    The groups are difficulties, levels, and feasible and infeasible tasks.
    """
    yield _standings(comparison)
    yield _groups(comparison)
    endings = [each.endings for each in comparison.standings if each.endings is not None]
    if endings:
        yield endings_table(endings)
    for name in dict.fromkeys(row.name for row in comparison.differences):
        yield _differences([row for row in comparison.differences if row.name == name])
    if comparison.help:
        yield help_table(comparison.help)


def _standings(comparison: Comparison) -> Table:
    count = len(comparison.tasks)
    title = f"{count} task{'' if count == 1 else 's'}, 95 % intervals over tasks"
    table = Table(title=title, title_justify="left")
    table.add_column("agent", overflow="fold")
    both = len({each.played_on for each in comparison.standings}) > 1
    if both:
        table.add_column("played on")
    with_models = any(each.costs for each in comparison.standings)
    troubles = [
        (heading, name)
        for heading, name in (("unscored", "unscored"), ("infra failed", "infra_failed"))
        if any(getattr(each, name) for each in comparison.standings)
    ]
    for heading in (
        *("episodes", "score", "solved", "steps", "seconds"),
        *(("tokens", "cost") if with_models else ()),
        *(heading for heading, _ in troubles),
    ):
        table.add_column(heading, justify="right")
    for each in comparison.standings:
        row = each.total
        table.add_row(
            each.name,
            *((each.played_on,) if both else ()),
            str(row.episodes),
            estimate_text(row.score, 3, between="\n"),
            estimate_text(row.success, 2, between="\n"),
            estimate_text(row.steps, 1, between="\n"),
            estimate_text(row.seconds, 1, between="\n"),
            *(_costs(each) if with_models else ()),
            *(str(getattr(each, name)) for _, name in troubles),
        )
    return table


def _groups(comparison: Comparison) -> Table:
    table = Table(title="Share of solved tasks", title_justify="left")
    table.add_column("agent", overflow="fold")
    # All contenders have the same tasks and so the same groups.
    for row in comparison.standings[0].rows:
        if row.kind in _GROUPS:
            table.add_column(row.value, justify="right")
    for each in comparison.standings:
        shares = (row.success.mean for row in each.rows if row.kind in _GROUPS)
        table.add_row(each.name, *("-" if share is None else f"{share:.2f}" for share in shares))
    return table


def _costs(standing: Standing) -> tuple[str, str]:
    """Return tokens and cost per episode."""
    costs = standing.costs
    if costs is None:
        return "-", "-"
    tokens = (costs.usage.input_tokens + costs.usage.output_tokens) / costs.episodes
    money = f"{costs.cost_usd / costs.episodes:.4f} USD" if costs.cost_usd else "-"
    return f"{tokens:.0f}", money


def _differences(rows: Sequence[Difference]) -> Table:
    title = f"{rows[0].name} less {rows[0].baseline}, paired by task"
    table = Table(title=title, title_justify="left")
    table.add_column("tasks of", overflow="fold")
    for heading in ("tasks", "score", "solved", "better", "worse"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row, after in zip(rows, [*rows[1:], None], strict=True):
        table.add_row(
            row.value or row.kind,
            str(row.tasks),
            estimate_text(row.score, 3, "+"),
            estimate_text(row.success, 2, "+"),
            str(row.better),
            str(row.worse),
            style="bold" if row.kind == "all" else None,
            end_section=after is not None and after.kind != row.kind,
        )
    return table


def estimate_text(found: Estimate, digits: int, sign: str = "", between: str = " ") -> str:
    """Return a mean with its interval.

    Args:
        found: The mean.
        digits: Digits after the decimal point.
        sign: ``"+"`` also shows the sign of positive numbers.
        between: Text between the mean and the interval.
    """
    if found.mean is None:
        return "-"
    mean = f"{found.mean:{sign}.{digits}f}"
    if found.low is None or found.high is None:
        return mean
    return f"{mean}{between}[{found.low:{sign}.{digits}f}, {found.high:{sign}.{digits}f}]"
