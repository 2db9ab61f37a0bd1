"""The leaderboard as a page: one HTML file without scripts or external resources."""

from collections.abc import Sequence

from pptarena.rollouts.episode import application_name
from pptarena.rollouts.leaderboard import LeaderboardRow
from pptarena.rollouts.report.intervals import Estimate
from pptarena.rollouts.report.static_page import column_meanings, static_page
from pptarena.untrusted import escape_html

__all__ = ["leaderboard_page"]

_STYLE = """
:root { --bad: light-dark(#a8261d, #ff9d93); --good: light-dark(#156c42, #7fdba8); }
p { color: var(--muted); max-width: 90ch; }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-weight: 400; color: var(--muted); }
td, th { padding: 8px 10px; border-bottom: 1px solid var(--line); vertical-align: top; }
.number { white-space: nowrap; font-variant-numeric: tabular-nums; }
.number b { font-size: 17px; }
small { color: var(--muted); display: block; }
.bad { color: var(--bad); } .good { color: var(--good); }
tr.bad-row td:nth-child(2) b, tr.bad-row td:nth-child(3) b { text-decoration: line-through; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 10px; margin: 6px 0;
  font-size: 13px; }
dt { color: var(--muted); } dd { margin: 0; }
@media (max-width: 800px) {
  thead { display: none; } tr { display: block; padding: 10px 0; border-bottom: 2px solid; }
  td { display: flex; gap: 8px; border: 0; padding: 2px 0; }
  td::before { content: attr(data-label); color: var(--muted); min-width: 90px; }
}
"""
_MEANINGS = {
    "Agent": "The agent and its run. Facts lists suite, versions and the digest of the tasks.",
    "Score": "Mean of the final scores, from 0 to 1, with its interval.",
    "Solved": "Share of the scored episodes whose score is 1, with its interval.",
    "Actions": "Mean number of actions in an episode, with its interval.",
    "Tokens": "Mean number of tokens that a model reads and writes in an episode.",
    "Cost": "Cost of all episodes in US dollars, if prices are configured.",
    "Check": "Whether the scores were recomputed from the stored decks (--verify).",
}
_HEADINGS = tuple(_MEANINGS)


def leaderboard_page(rows: Sequence[LeaderboardRow], title: str) -> str:
    """Return the page; all texts from runs are escaped.

    Args:
        rows: The rows in their order.
        title: Title of the page.
    """
    headings = "".join(
        f'<th scope="col" title="{escape_html(meaning)}">{head}</th>'
        for head, meaning in _MEANINGS.items()
    )
    notes = (
        "Mean scores with 95 % intervals over tasks (cluster bootstrap). Rows with the same digest "
        "of tasks are comparable. Scores that are struck through, at the end, could not be "
        "recomputed from the stored decks."
    )
    body = f"""<h1>{escape_html(title)}</h1>
<p>{notes}</p>
<table>
<thead><tr>{headings}</tr></thead>
<tbody>
{"".join(map(_row, rows))}</tbody>
</table>
{column_meanings(_MEANINGS.items())}"""
    return static_page(f"{title} · pptarena leaderboard", body, _STYLE)


def _row(row: LeaderboardRow) -> str:
    total, costs = row.total, row.costs
    tokens = cost = "-"
    if costs is not None:
        tokens_per_episode = (costs.usage.input_tokens + costs.usage.output_tokens) / costs.episodes
        tokens = f"{tokens_per_episode:.0f}<small>an episode</small>"
        if costs.cost_usd:
            cost = f"{costs.cost_usd:.2f} USD<small>in all</small>"
    cells = (
        f"<div><b>{escape_html(row.agent)}</b><small>{escape_html(row.run)}</small>{_facts(row)}</div>",
        _estimate(total.score, 3),
        _estimate(total.success, 1, 100, " %"),
        _estimate(total.steps, 1),
        tokens,
        cost,
        _check(row),
    )
    classes = ("", "number", "number", "number", "number", "number", "")
    cell_html = "".join(
        f'<td class="{css_class}" data-label="{head}">'
        f"{cell if cell.startswith('<div') else _div(cell)}</td>"
        for head, css_class, cell in zip(_HEADINGS, classes, cells, strict=True)
    )
    return f'<tr class="{"bad-row" if row.faults else ""}">{cell_html}</tr>\n'


def _div(content: str) -> str:
    return f"<div>{content}</div>"


def _facts(row: LeaderboardRow) -> str:
    low, high = row.max_steps
    seeds = ", ".join(map(str, row.seeds[:20])) + (" ..." if len(row.seeds) > 20 else "")
    total = row.total
    facts = (
        ("suite", ", ".join(row.suites)),
        ("episodes", f"{total.episodes} scored on {total.tasks} tasks"),
        ("unscored", str(total.unscored) if total.unscored else ""),
        ("infra failed", str(total.infra_failed) if total.infra_failed else ""),
        ("not readable", str(row.unreadable) if row.unreadable else ""),
        ("pptarena", ", ".join(row.versions)),
        ("machine", ", ".join(row.machines)),
        ("application", ", ".join(map(application_name, row.applications))),
        ("image", row.image),
        ("step budget", str(low) if low == high else f"{low} to {high}"),
        ("seeds", seeds),
        ("digest of tasks", row.tasks_digest or "not recorded"),
    )
    items = "".join(
        f"<dt>{name}</dt><dd>{escape_html(value)}</dd>" for name, value in facts if value
    )
    return f"<details><summary>Facts</summary><dl>{items}</dl></details>"


def _check(row: LeaderboardRow) -> str:
    if row.checked is None:
        return "<small>not recomputed</small>"
    if not row.faults:
        return f'<span class="good">all {row.checked} scores recomputed</span>'
    items = "".join(
        f"<dt>{escape_html(name)}</dt><dd>{escape_html(reason)}</dd>" for name, reason in row.faults
    )
    return (
        f'<span class="bad">{len(row.faults)} of {row.checked} scores not confirmed</span>'
        f"<details><summary>Show episodes</summary><dl>{items}</dl></details>"
    )


def _estimate(estimate: Estimate, digits: int, factor: float = 1, unit: str = "") -> str:
    if estimate.mean is None:
        return "-"
    mean = f"<b>{estimate.mean * factor:.{digits}f}{unit}</b>"
    if estimate.low is None or estimate.high is None:
        return f"{mean}<small>{escape_html(estimate.why_none)}</small>"
    low, high = (f"{value * factor:.{digits}f}" for value in (estimate.low, estimate.high))
    return f"{mean}<small>{low} to {high}</small>"
