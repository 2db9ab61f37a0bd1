"""Measure how well scores agree with human grades: ``python -m tools.meta_eval --help``."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pptarena.cli.deck_files import required_renderer
from pptarena.cli.options import AsJson, JudgeIfConfigured
from pptarena.cli.output import new_progress, print_json, print_line, stdout

if TYPE_CHECKING:
    from rich.table import Table

    from tools.meta_eval import Outcome, Report, Submission

__all__ = ["meta_eval"]

_BARS = " ▁▂▃▄▅▆▇█"
_BINS = 10


def meta_eval(
    folder: Annotated[
        Path | None,
        typer.Argument(
            help="Folder of decks with a manifest.json that grades them.",
            metavar="FOLDER",
            show_default="the stored submissions",
        ),
    ] = None,
    task: Annotated[
        list[str] | None,
        typer.Option(
            help="Only submissions to this task: an id or a path. Repeatable.",
            metavar="TASK",
            show_default="all",
        ),
    ] = None,
    suite: Annotated[
        str,
        typer.Option(
            help="Stored submissions: 'starter', 'office', 'office-second' or 'bench'.",
            metavar="SUITE",
        ),
    ] = "starter",
    repeats: Annotated[
        int, typer.Option(min=1, help="Times that each submission is scored.", metavar="N")
    ] = 1,
    office: Annotated[
        bool,
        typer.Option(
            "--office",
            help="First save originals and submissions with the machine image, and render them, as "
            "in episodes.",
        ),
    ] = False,
    judge: JudgeIfConfigured = True,
    json: AsJson = False,
) -> None:
    """Measure how well scores agree with human grades.

    The stored submissions are scripted edits graded by one reviewer. Grades are none, some,
    significant and perfect. Each has a bin of scores: 0, (0, 0.5), [0.5, 1) and 1.

    The report lists, for every grade, the number of submissions, the mean score, the share of
    scores in its bin, the bins of the others and a histogram. It ends with Kendall's tau-b and
    Spearman's rho of grades and scores, the variance over --repeats, and every disagreement with
    its reason. Unscored submissions are counted separately.

    FOLDER/manifest.json is {"attempts": [{"task": ID, "deck": FILE, "grade": GRADE, "why": TEXT,
    "id": NAME}, ...], "originals": {ID: FILE}}; "why", "id" and "originals" are optional.

    Example:
      python -m tools.meta_eval --suite office --repeats 3
    """
    from tools.meta_eval import Report, stored_submissions, submissions_in

    submissions = stored_submissions(suite) if folder is None else submissions_in(folder)
    report = Report(
        tuple(_outcomes(_submissions_to(submissions, task or []), repeats, office, judge))
    )
    if json:
        print_json(report.to_json() | {"repeats": repeats, "office": office})
    else:
        _print(report, repeats)


def _submissions_to(
    submissions: "tuple[Submission, ...]", tasks: list[str]
) -> "tuple[Submission, ...]":
    from pptarena.errors import ConfigError
    from pptarena.tasks import get_task

    ids = {get_task(task).id for task in tasks}
    selected = tuple(submission for submission in submissions if not ids or submission.task in ids)
    if not selected:
        raise ConfigError(f"--task: no submissions to {', '.join(sorted(ids))}")
    return selected


def _outcomes(
    submissions: "tuple[Submission, ...]", repeats: int, office: bool, judged: bool
) -> "Iterator[Outcome]":
    from pptarena.envs.judging import configured_judging
    from pptarena.tasks.scorer import Services
    from tools.meta_eval import evaluate

    saver = renderer = None
    if office:
        from pptarena.vm_images.office import Office

        saver, renderer = Office(), required_renderer()
    with configured_judging(judged) as judging, new_progress() as progress:
        judge = None if judging is None else judging.judge
        services = Services(renderer=renderer, judge=judge)
        bar = progress.add_task("scoring", total=len(submissions), note="")
        for outcome in evaluate(submissions, repeats=repeats, saver=saver, services=services):
            progress.update(bar, advance=1, note=outcome.submission.task)
            yield outcome


def _print(report: "Report", repeats: int) -> None:
    out = stdout()
    out.print(_grade_table(report))
    out.print(_task_table(report))
    print_line(
        f"Kendall tau-b {_number(report.tau_b)}, Spearman rho {_number(report.rho)}, "
        f"accuracy {_share(report.accuracy)}, {len(report.outcomes)} submissions, "
        f"{len(report.unscored)} unscored"
    )
    if repeats > 1:
        print_line(
            f"variance over {repeats} repeats: mean {report.variance_mean:.2g}, "
            f"largest {report.variance_max:.2g}"
        )
    for title, outcomes in (
        ("scores that disagree with the grade", report.disagreements),
        ("unscored", report.unscored),
    ):
        if outcomes:
            out.print(f"\n{title}:", style="bold")
        for outcome in outcomes:
            _print_outcome(outcome)


def _print_outcome(outcome: "Outcome") -> None:
    submission, score = outcome.submission, outcome.score
    value = "no score" if score is None else f"{score:.2f}"
    line = f"{submission.task} {submission.id}: {submission.grade.label}, {value}"
    print_line(line, f"  grade: {submission.why}", f"  score: {outcome.reason}")


def _grade_table(report: "Report") -> "Table":
    from rich.table import Table

    from tools.meta_eval import Grade

    table = Table("grade", box=None, header_style="bold", title_justify="left")
    for name in ("submissions", "mean score", "accuracy", *(f"as {g.label}" for g in Grade)):
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
    for name in ("submissions", "unscored", "accuracy", "tau-b", "rho"):
        table.add_column(name, justify="right")
    for id, part in report.by_task().items():
        counts = str(len(part.outcomes)), str(len(part.unscored))
        table.add_row(id, *counts, _share(part.accuracy), _number(part.tau_b), _number(part.rho))
    return table


def _histogram(report: "Report") -> str:
    """Return one bar for 0, ten for the scores in between and one for 1."""
    counts = [0] * (_BINS + 2)
    for outcome in report.scored:
        score = outcome.score or 0.0
        middle_bin = 1 + min(_BINS - 1, int(score * _BINS))
        counts[0 if score <= 0 else _BINS + 1 if score >= 1 else middle_bin] += 1
    largest = max(max(counts), 1)
    return "".join(_BARS[-(-count * (len(_BARS) - 1) // largest)] for count in counts)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.0%}"


if __name__ == "__main__":
    typer.run(meta_eval)
