"""Options shared by several commands, each with one name, placeholder and help text.

The names of options mean the same in every command:

- ``--suite`` and ``--task`` (repeatable) select tasks. Commands about tasks take them as arguments.
- ``--repeats``: number of repetitions. ``--count``: number of items to create.
- ``--workers``: number of concurrent machines or processes.
- ``--seed``: seed of random choices.
- ``--out``: the file or folder to write; its placeholder is FILE or FOLDER.
- ``--json``: print the result as JSON, alone on standard output.
"""

from pathlib import Path
from typing import Annotated

import typer

from pptarena.cli.agents import AGENTS
from pptarena.sources import PRESETS, SOURCES

__all__ = [
    "SUITE_HELP",
    "AgentNames",
    "AsJson",
    "BaseUrl",
    "Dialect",
    "EnvOptions",
    "EpisodeFolder",
    "EpisodeRepeats",
    "EpisodeSeed",
    "Instruction",
    "JudgeIfConfigured",
    "Machine",
    "MaxSteps",
    "ModelName",
    "ModelSettings",
    "Retries",
    "RunFolders",
    "Sample",
    "See",
    "Seed",
    "Suite",
    "TaskArguments",
    "TaskNames",
    "Workers",
    "Yes",
]

_MAIN_AGENTS = ", ".join(f"'{name}'" for name in AGENTS if not name.startswith("pptc-"))

AgentNames = Annotated[
    list[str],
    typer.Option(help=f"{_MAIN_AGENTS}, or 'package.module:Class'. Repeatable.", metavar="AGENT"),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
BaseUrl = Annotated[
    str,
    typer.Option(
        help="Address of the model's service, up to /v1.",
        metavar="URL",
        show_default="the provider of the dialect",
    ),
]
Dialect = Annotated[
    str,
    typer.Option(
        help="Action format of the model, such as 'qwen3-vl'. "
        "`python -m pptarena.agents.dialects.reference` describes all.",
        metavar="DIALECT",
    ),
]
EnvOptions = Annotated[
    list[str],
    typer.Option(
        "--env-option",
        help="Argument of the environment or setting of its machine, as JSON, such as "
        "width_px=1920, score_when=end, look=never or reward=sparse. Repeatable.",
        metavar="NAME=VALUE",
    ),
]
EpisodeFolder = Annotated[
    Path, typer.Argument(help="Episode, or folder of episodes.", metavar="FOLDER")
]
Instruction = Annotated[str, typer.Option(help="Instruction that the user gave.", metavar="TEXT")]
JudgeIfConfigured = Annotated[
    bool,
    typer.Option(
        "--judge/--no-judge",
        help="Ask the judge model that PPTARENA_JUDGE_MODEL names, if it is set.",
    ),
]
Machine = Annotated[
    str,
    typer.Option(help="'auto', 'qemu', 'sandbox', 'remote' or 'fake'.", metavar="MACHINE"),
]
MaxSteps = Annotated[
    int | None,
    typer.Option(
        min=1, help="Step limit of an episode.", metavar="N", show_default="the task's own"
    ),
]
ModelName = Annotated[
    str,
    typer.Option(help="Name of the model at its service, for --agent model.", metavar="NAME"),
]
ModelSettings = Annotated[
    list[str],
    typer.Option(
        help="Setting of the model, such as history=3 or max_cost_usd=5. Repeatable.",
        metavar="NAME=VALUE",
    ),
]
EpisodeRepeats = Annotated[
    int, typer.Option("--repeats", min=1, help="Episodes per agent and task.", metavar="N")
]
EpisodeSeed = Annotated[
    int, typer.Option("--seed", min=0, help="Base seed; repetition i uses seed + i.", metavar="N")
]
Retries = Annotated[
    int,
    typer.Option(min=0, help="Retries of an episode after a machine failure.", metavar="N"),
]
RunFolders = Annotated[list[Path], typer.Argument(help="Folders of episodes.", metavar="RUN...")]
Sample = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Run only this many tasks of the suite, drawn by --seed: with --agent macro or "
        "demonstration, tasks that they can solve.",
        metavar="N",
        show_default="all",
    ),
]
See = Annotated[
    str,
    typer.Option(
        help="What a model is shown of the screen, separated by commas: "
        f"{', '.join(SOURCES)}. Presets: {', '.join(PRESETS)}.",
        metavar="SOURCE,...",
        show_default="the sources of the dialect",
    ),
]
Seed = Annotated[int, typer.Option(min=0, help="Seed of all random choices.", metavar="N")]
SUITE_HELP = (
    "Suite: a name, a folder or a .jsonl file; 'bench#charts' selects the tasks with this tag."
)
"""Help text of ``--suite``."""
Suite = Annotated[str, typer.Option(help=SUITE_HELP, metavar="SUITE")]
TaskArguments = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="TASK...", help="Ids or paths of tasks.", show_default="all of the suite"
    ),
]
TaskNames = Annotated[
    list[str] | None,
    typer.Option(
        help="Run only this task: an id or a path. Repeatable.",
        metavar="TASK",
        show_default="all of the suite",
    ),
]
Workers = Annotated[
    int, typer.Option(min=1, help="Number of episodes that run concurrently.", metavar="N")
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")]
