"""``pptarena run``: agents on tasks, into an episode store."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pptarena.cli.choosing import chosen_tasks, require_demonstrations
from pptarena.cli.document_agents import (
    document_agents,
    document_options,
    require_callers,
    require_known,
    require_screens,
)
from pptarena.cli.env_options import EnvOptions
from pptarena.cli.model_options import (
    AgentNames,
    BaseUrl,
    DialectName,
    ModelName,
    Options,
    agents_of,
    settings_of,
)
from pptarena.cli.output import new_progress, print_json, stdout
from pptarena.cli.pilot_options import pilot_settings
from pptarena.cli.pptc_agents import tools_in_setting
from pptarena.cli.run_outcome import explained, next_look, require_continued
from pptarena.errors import ConfigError

if TYPE_CHECKING:
    from pptarena.agents import Agent
    from pptarena.rollouts.episode import EpisodeMeta, StoredEpisode
    from pptarena.rollouts.run import Job

__all__ = ["episode_line", "run"]

_EPISODE_KEYS = (
    *("agent", "task", "difficulty", "seed", "score", "steps", "end"),
    *("infra_error", "agent_error"),
)


def run(
    agent: AgentNames,
    suite: Annotated[
        str, typer.Option(help="Suite of tasks: a name, a folder or a .jsonl file.")
    ] = "starter",
    tasks: Annotated[
        str,
        typer.Option(
            help="Only these tasks: ids or paths, separated by commas.", metavar="TASK,TASK"
        ),
    ] = "",
    sample: Annotated[
        int,
        typer.Option(
            min=0,
            help="Only so many tasks of the suite, drawn by --seed; for --agent macro, of those "
            "that have macros.",
        ),
    ] = 0,
    env: Annotated[
        str, typer.Option(help="'screen', or 'doc': the deck as a file, edited by calls of tools.")
    ] = "screen",
    tools: Annotated[
        str,
        typer.Option(
            help="For 'doc': 'edit', 'program', 'xml', 'pptc', separated by commas; 'pptc' has the "
            "APIs of the tasks' setting.",
            show_default="the first three",
        ),
    ] = "",
    machine: Annotated[str, typer.Option(help="'auto', 'qemu', 'sandbox' ... or 'fake'.")] = "auto",
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for the episodes.", show_default="runs/<date>-<time>"),
    ] = None,
    episodes: Annotated[int, typer.Option(min=1, help="Episodes per agent and task.")] = 1,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first; then one more each.")] = 0,
    max_steps: Annotated[
        int | None, typer.Option(min=1, help="Step budget.", show_default="that of the task")
    ] = None,
    retries: Annotated[
        int, typer.Option(min=0, help="How often to repeat an episode when the machine fails.")
    ] = 2,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on in a folder that has episodes already.")
    ] = False,
    watch: Annotated[
        bool,
        typer.Option("--watch", help="Let a VNC viewer look on ('qemu'); standard error says how."),
    ] = False,
    best_of: Annotated[
        int,
        typer.Option(
            "--best-of",
            min=1,
            help="Try so many proposals of the agent in forks at every step, and take the one that"
            " scores best ('qemu', 'fake').",
        ),
    ] = 1,
    model: ModelName = "",
    base_url: BaseUrl = "",
    dialect: DialectName = "tools",
    option: Options = [],  # noqa: B006 - typer copies it
    env_option: EnvOptions = [],  # noqa: B006 - typer copies it
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Run agents on tasks, write one folder per episode, print a table.

    With --env doc an agent is 'goal', which applies the file edit that reaches the goal, 'goal-
    calls', which makes the edits of generated tasks by typed calls, 'random', which makes random
    calls of typed edits, 'model' or 'pptpilot' with the dialect 'tools' or 'json', or a
    'package.module:Class' whose `act` returns calls; on tasks of PPTC also 'pptc-label', and with
    --model 'pptc-zero-shot', 'pptc-cot', 'pptc-tot', 'pptc-content', 'pptc-api' and 'pptc-self-
    consistency'.

    Exits with 1 when the machine failed in an episode and in all its repetitions, or when a
    recorded demonstration could not be continued.

    Example: pptarena run --agent demonstration --agent random --machine sandbox --out runs/demo

    A model: pptarena run --agent model --model Qwen/Qwen3-VL-8B-Instruct --dialect qwen3-vl
    --base-url http://localhost:8000/v1 --out runs/qwen
    """
    from pptarena.rollouts.run import plan_jobs

    root = out or Path("runs") / datetime.now().strftime("%Y%m%d-%H%M%S")
    _require_env(env, agent, machine, watch, tools)
    _require_fresh(root, resume)
    place = _place(env, machine, env_option, watch)
    chosen = chosen_tasks(suite, tasks, sample, seed, agents=agent)
    require_demonstrations(agent, chosen)
    pilot, options = pilot_settings(agent, option)
    settings = settings_of(agent, model, base_url, dialect, options)
    if env == "doc":
        tools = tools_in_setting(agent, tools, chosen)
    agents, make_agent = (
        document_agents(agent, settings, pilot, chosen, tools)
        if env == "doc"
        else agents_of(agent, settings, chosen)
    )
    if best_of > 1:
        agents, make_agent = _best_of(agents, make_agent, best_of, env, machine)
    jobs = plan_jobs(agents, chosen, episodes, seed)
    made = {name: make_agent(name) for name in agents}
    if env == "doc":
        place = {**place, **document_options(agent, settings, tools)}
    results = _run(jobs, made, root, place, max_steps, retries)
    _report(results, root, json, on_document=env == "doc")
    require_continued([attempts[-1] for _, attempts in results])
    if any(attempts[-1].meta.infra_error for _, attempts in results):
        raise typer.Exit(1)


def _require_env(env: str, agents: Sequence[str], machine: str, watch: bool, tools: str) -> None:
    if env not in ("screen", "doc"):
        raise ConfigError(f"--env: expected 'screen' or 'doc', got {env!r}")
    require_known(agents)
    if env == "screen":
        require_screens(agents, tools)
        return
    if machine != "auto" or watch:
        raise ConfigError("--env doc has no machine: leave out --machine and --watch")
    require_callers(agents)


def _place(env: str, machine: str, options: Sequence[str], watch: bool) -> dict[str, Any]:
    """Return the arguments of the environment; without a machine, of the one for documents."""
    from pptarena.rollouts.env_options import env_arguments, read_env_options

    found = env_arguments(read_env_options(options, machine, on_document=env == "doc"))
    if env == "doc":
        return found
    watched = {"watch": True, "render_mode": "human"} if watch else {}
    return {**found, **watched, "machine": machine, "start_attempts": 1}


def _best_of(
    names: "tuple[str, ...]",
    make: "Callable[[str], Any]",
    count: int,
    env: str,
    machine: str,
) -> "tuple[tuple[str, ...], Callable[[str], Any]]":
    if env != "screen" or machine not in ("qemu", "fake"):
        raise ConfigError(
            "--best-of tries actions in forks of the machine: expected --machine qemu or fake, "
            f"got {'--env doc' if env != 'screen' else machine}"
        )
    from pptarena.rollouts.best_of import BestOf

    inner = {f"{name}-best-of-{count}": name for name in names}
    return tuple(inner), lambda name: BestOf(make(inner[name]), count)


def _require_fresh(root: Path, resume: bool) -> None:
    from pptarena.rollouts.store import find_episodes

    if not resume and root.exists() and next(find_episodes(root), None) is not None:
        raise ConfigError(f"{root} has episodes already; use --resume to go on, or another --out")


def _run(
    jobs: "Sequence[Job]",
    made: "Mapping[str, Agent]",
    root: Path,
    place: dict[str, Any],
    max_steps: int | None,
    retries: int,
) -> "list[tuple[Job, tuple[StoredEpisode, ...]]]":
    from contextlib import closing

    from pptarena.rollouts.env import make_document_env, make_env
    from pptarena.rollouts.run import require_same_options, run_jobs

    results: list[tuple[Job, tuple[StoredEpisode, ...]]] = []
    make = make_env if "machine" in place else make_document_env
    with closing(make(max_steps=max_steps, **place)) as env, new_progress() as progress:
        require_same_options(jobs, env, root)
        bar = progress.add_task("episodes", total=len(jobs), note="starting")
        episodes = run_jobs(
            jobs,
            env,
            made,
            root,
            retries,
            on_step=lambda job, step: progress.update(
                bar, note=f"{job.agent} {job.task.id} step {step.step + 1}"
            ),
        )
        with explained(results, "run the same command with --resume to continue"):
            for job, attempts in episodes:
                results.append((job, attempts))
                line = episode_line(attempts[-1].meta)
                progress.console.print(line, markup=False, highlight=False, soft_wrap=True)
                progress.update(bar, advance=1, note="")
    return results


def episode_line(meta: "EpisodeMeta") -> str:
    """Return an episode as one line for a person."""
    score = "no score" if meta.score is None else f"score {meta.score:.2f}"
    name = f"{meta.agent} {meta.task} seed {meta.seed}"
    trouble = meta.infra_error or meta.overload or meta.agent_error
    words = f"{name}: {score}, {meta.steps} steps, {meta.reset_sec + meta.run_sec:.1f} s"
    return f"{words}; {trouble}" if trouble else words


def _report(
    results: "Sequence[tuple[Job, tuple[StoredEpisode, ...]]]",
    root: Path,
    as_json: bool,
    *,
    on_document: bool,
) -> None:
    from pptarena.rollouts.model_costs import cost_table, model_costs
    from pptarena.rollouts.summary import summarise, summary_table

    costs = model_costs(episode for _, attempts in results for episode in attempts)
    rows = summarise(episode.meta for _, attempts in results for episode in attempts)
    last = [attempts[-1] for _, attempts in results]
    if as_json:
        episodes = [
            {name: getattr(episode.meta, name) for name in _EPISODE_KEYS}
            | {"path": str(episode.folder)}
            for episode in last
        ]
        summary = [row.to_json() for row in rows]
        models = {"models": [row.to_json() for row in costs]} if costs else {}
        print_json({"out": str(root), "summary": summary, "episodes": episodes, **models})
        return
    stdout().print(summary_table(rows))
    if costs:
        stdout().print(cost_table(costs))
    look = next_look(last, on_document=on_document)
    for line in (f"Episodes: {root}", look, f"next: pptarena report {root}"):
        stdout().print(line, markup=False, highlight=False, soft_wrap=True)
