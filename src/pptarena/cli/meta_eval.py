"""``pptarena meta-eval``: agreement of scores with the grades of a reviewer."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pptarena.cli.looking import office_looker
from pptarena.cli.output import new_progress, print_json, stdout

if TYPE_CHECKING:
    from rich.table import Table

    from pptarena.audits.meta_eval import Attempt, Outcome, Report
    from pptarena.audits.meta_eval.evaluation import Judges

__all__ = ["meta_eval"]

_BARS = " ▁▂▃▄▅▆▇█"
_BINS = 10


def meta_eval(
    folder: Annotated[
        Path | None,
        typer.Argument(
            help="Decks with a manifest.json that grades them.",
            show_default="the package's attempts",
        ),
    ] = None,
    task: Annotated[
        list[str] | None, typer.Option(help="Only attempts at this task; may be repeated.")
    ] = None,
    suite: Annotated[
        str,
        typer.Option(
            help="Which of the package's attempts: starter, office, office-second, or bench: those "
            "of all three at its tasks."
        ),
    ] = "starter",
    repeats: Annotated[int, typer.Option(min=1, help="How often each attempt is scored.")] = 1,
    office: Annotated[
        bool,
        typer.Option(
            help="Save originals and attempts in the image's office application first and look at "
            "pictures of them, as in episodes."
        ),
    ] = False,
    judge: Annotated[
        bool,
        typer.Option(
            "--judge/--no-judge",
            help="Ask the judge that PPTARENA_JUDGE_MODEL names, if it names one.",
        ),
    ] = True,
    json: Annotated[bool, typer.Option("--json", help="Print JSON on standard output.")] = False,
) -> None:
    """Score graded attempts, and show how far scores and grades agree.

    The package's attempts are scripted edits that one reviewer graded; none was made by hand.
    Grades are none, some, significant and perfect; a score belongs to the grade whose bin holds
    it: 0, (0, 0.5), [0.5, 1) and 1. Shown are, for every grade, its number of attempts, their mean
    score, the share that is in its bin, what the others were scored as, and the spread of scores;
    then Kendall's tau-b and Spearman's rho of grades and scores, the variance over repeats, and
    every disagreement with its reason. Attempts that could not be scored are counted apart.

    FOLDER/manifest.json is {"attempts": [{"task": ID, "deck": FILE, "grade": GRADE, "why": TEXT,
    "id": NAME}, ...], "originals": {ID: FILE}}; "why", "id" and "originals" may be left out.

    Example: pptarena meta-eval --suite office --repeats 3
    """
    from pptarena.audits.meta_eval import Report, attempts_in, built_in_attempts

    found = built_in_attempts(suite) if folder is None else attempts_in(folder)
    report = Report(tuple(_outcomes(_of_tasks(found, task or []), repeats, office, judge)))
    if json:
        print_json(report.to_json() | {"repeats": repeats, "office": office})
    else:
        _print(report, repeats)


def _of_tasks(attempts: "tuple[Attempt, ...]", tasks: list[str]) -> "tuple[Attempt, ...]":
    from pptarena.errors import ConfigError
    from pptarena.tasks import get_task

    ids = {get_task(task).id for task in tasks}
    found = tuple(attempt for attempt in attempts if not ids or attempt.task in ids)
    if not found:
        raise ConfigError(f"--task: there are no attempts at {', '.join(sorted(ids))}")
    return found


def _outcomes(
    attempts: "tuple[Attempt, ...]", repeats: int, office: bool, judged: bool
) -> "Iterator[Outcome]":
    from pptarena.audits.meta_eval import evaluate

    saver = looker = None
    if office:
        from pptarena.vm_images.office_saver import OfficeSaver

        saver, looker = OfficeSaver(), office_looker()
    with _judges(judged) as judges, new_progress() as progress:
        bar = progress.add_task("scoring", total=len(attempts), note="")
        for outcome in evaluate(
            attempts, repeats=repeats, saver=saver, judges=judges, looker=looker
        ):
            progress.update(bar, advance=1, note=outcome.attempt.task)
            yield outcome


@contextmanager
def _judges(wanted: bool) -> "Iterator[Judges | None]":
    from pptarena.rewards.judges import JudgeConfig

    config = JudgeConfig.from_environment() if wanted else None
    if config is None:
        yield None
        return
    from pptarena.envs.judging import Judging

    with Judging(config) as judging:
        yield judging.judge


def _print(report: "Report", repeats: int) -> None:
    out = stdout()
    out.print(_grade_table(report))
    out.print(_task_table(report))
    out.print(
        f"Kendall tau-b {_number(report.tau_b)}, Spearman rho {_number(report.rho)}, "
        f"accuracy {_share(report.accuracy)}, {len(report.outcomes)} attempts, "
        f"{len(report.unscored)} unscored",
        highlight=False,
    )
    if repeats > 1:
        out.print(
            f"variance over {repeats} repeats: mean {report.variance_mean:.2g}, "
            f"largest {report.variance_max:.2g}",
            highlight=False,
        )
    for title, outcomes in (
        ("graded and scored differently", report.disagreements),
        ("unscored", report.unscored),
    ):
        if outcomes:
            out.print(f"\n{title}:", style="bold")
        for outcome in outcomes:
            _print_outcome(outcome)


def _print_outcome(outcome: "Outcome") -> None:
    attempt, score = outcome.attempt, outcome.score
    value = "no score" if score is None else f"{score:.2f}"
    line = f"{attempt.task} {attempt.id}: {attempt.grade.label}, {value}"
    out = stdout()
    out.print(line, markup=False, highlight=False, soft_wrap=True)
    for name, text in (("grade", attempt.why), ("score", outcome.reason)):
        out.print(f"  {name}: {text}", style="dim", markup=False, highlight=False, soft_wrap=True)


def _grade_table(report: "Report") -> "Table":
    from rich.table import Table

    from pptarena.audits.meta_eval import Grade

    table = Table("grade", box=None, header_style="bold", title_justify="left")
    for name in ("attempts", "mean score", "accuracy", *(f"as {g.label}" for g in Grade)):
        table.add_column(name, justify="right")
    table.add_column("scores 0 to 1")
    confusion = report.confusion()
    for grade in Grade:
        part = report.of_grade(grade)
        table.add_row(
            grade.label,
            str(len(part.outcomes)),
            _number(part.mean_score()),
            _share(part.accuracy),
            *(str(confusion[grade][scored]) for scored in Grade),
            f"|{_histogram(part)}|",
        )
    return table


def _task_table(report: "Report") -> "Table":
    from rich.table import Table

    table = Table("task", box=None, header_style="bold")
    for name in ("attempts", "unscored", "accuracy", "tau-b", "rho"):
        table.add_column(name, justify="right")
    for id, part in report.by_task().items():
        counts = str(len(part.outcomes)), str(len(part.unscored))
        table.add_row(id, *counts, _share(part.accuracy), _number(part.tau_b), _number(part.rho))
    return table


def _histogram(report: "Report") -> str:
    """Return one bar for 0, ten for what is between, one for 1; the highest fills its line."""
    counts = [0] * (_BINS + 2)
    for outcome in report.scored:
        score = outcome.score or 0.0
        inside = 1 + min(_BINS - 1, int(score * _BINS))
        counts[0 if score <= 0 else _BINS + 1 if score >= 1 else inside] += 1
    top = max(max(counts), 1)
    return "".join(_BARS[-(-count * (len(_BARS) - 1) // top)] for count in counts)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.0%}"
