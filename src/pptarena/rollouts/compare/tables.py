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
    mixed = len({each.played_on for each in comparison.standings}) > 1
    if mixed:
        table.add_column("played on")
    with_models = any(each.costs for each in comparison.standings)
    failure_columns = [
        (heading, name)
        for heading, name in (("unscored", "unscored"), ("infra failed", "infra_failed"))
        if any(getattr(each, name) for each in comparison.standings)
    ]
    for heading in (
        *("episodes", "score", "solved", "steps", "seconds"),
        *(("tokens", "cost") if with_models else ()),
        *(heading for heading, _ in failure_columns),
    ):
        table.add_column(heading, justify="right")
    for each in comparison.standings:
        row = each.total
        table.add_row(
            each.name,
            *((each.played_on,) if mixed else ()),
            str(row.episodes),
            estimate_text(row.score, 3, separator="\n"),
            estimate_text(row.success, 2, separator="\n"),
            estimate_text(row.steps, 1, separator="\n"),
            estimate_text(row.seconds, 1, separator="\n"),
            *(_costs(each) if with_models else ()),
            *(str(getattr(each, name)) for _, name in failure_columns),
        )
    return table


def _groups(comparison: Comparison) -> Table:
    table = Table(title="Share of solved tasks", title_justify="left")
    table.add_column("agent", overflow="fold")
    # All contenders have the same groups, because they share the tasks.
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
    for row, next_row in zip(rows, [*rows[1:], None], strict=True):
        table.add_row(
            row.value or row.kind,
            str(row.tasks),
            estimate_text(row.score, 3, "+"),
            estimate_text(row.success, 2, "+"),
            str(row.better),
            str(row.worse),
            style="bold" if row.kind == "all" else None,
            end_section=next_row is not None and next_row.kind != row.kind,
        )
    return table


def estimate_text(estimate: Estimate, digits: int, sign: str = "", separator: str = " ") -> str:
    """Return a mean with its interval.

    Args:
        estimate: The mean and its interval.
        digits: Digits after the decimal point.
        sign: ``"+"`` also shows the sign of positive numbers.
        separator: Text between the mean and the interval.
    """
    if estimate.mean is None:
        return "-"
    mean = f"{estimate.mean:{sign}.{digits}f}"
    if estimate.low is None or estimate.high is None:
        return mean
    return f"{mean}{separator}[{estimate.low:{sign}.{digits}f}, {estimate.high:{sign}.{digits}f}]"
