"""Comparisons as tables for the terminal."""

from collections.abc import Iterator

from rich.table import Table

from pptarena.rollouts.compare.comparison import Comparison, Standing
from pptarena.rollouts.report.intervals import Estimate

__all__ = ["comparison_tables"]


def comparison_tables(comparison: Comparison) -> Iterator[Table]:
    """Yield a table of the contenders, and one of the differences if there are two of them."""
    yield _standings(comparison)
    if comparison.differences:
        yield _differences(comparison)


def _standings(comparison: Comparison) -> Table:
    count = len(comparison.tasks)
    title = f"{count} task{'' if count == 1 else 's'}, 95 % intervals over tasks"
    table = Table(title=title, title_justify="left")
    table.add_column("agent")
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
            str(row.episodes),
            _estimate(row.score, 3),
            _estimate(row.success, 2),
            _estimate(row.steps, 1),
            _estimate(row.seconds, 1),
            *(_costs(each) if with_models else ()),
            *(str(getattr(each, name)) for _, name in troubles),
        )
    return table


def _costs(standing: Standing) -> tuple[str, str]:
    """Return tokens and money an episode."""
    costs = standing.costs
    if costs is None:
        return "-", "-"
    tokens = (costs.usage.input_tokens + costs.usage.output_tokens) / costs.episodes
    money = f"{costs.cost_usd / costs.episodes:.4f} USD" if costs.cost_usd else "-"
    return f"{tokens:.0f}", money


def _differences(comparison: Comparison) -> Table:
    baseline = comparison.differences[0].baseline
    table = Table(title=f"Differences from {baseline}, paired by task", title_justify="left")
    for heading in ("agent", "tasks of"):
        table.add_column(heading)
    for heading in ("tasks", "score", "solved", "better", "worse"):
        table.add_column(heading, justify="right")
    for row in comparison.differences:
        total = row.kind == "all"
        table.add_row(
            row.name if total else "",
            "all" if total else f"{row.kind} {row.value}",
            str(row.tasks),
            _estimate(row.score, 3, "+"),
            _estimate(row.success, 2, "+"),
            str(row.better),
            str(row.worse),
            style="bold" if total else None,
        )
    return table


def _estimate(found: Estimate, digits: int, sign: str = "") -> str:
    if found.mean is None:
        return "-"
    mean = f"{found.mean:{sign}.{digits}f}"
    if found.low is None or found.high is None:
        return mean
    return f"{mean} [{found.low:{sign}.{digits}f}, {found.high:{sign}.{digits}f}]"
