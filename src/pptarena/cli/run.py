"""``pptarena run``: run agents on tasks and store the episodes."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pptarena.cli.agents import DOC, SCREEN, Agents, ModelOptions, build_agents, require_agents
from pptarena.cli.options import (
    AgentNames,
    AsJson,
    BaseUrl,
    Dialect,
    EnvOptions,
    EpisodeRepeats,
    EpisodeSeed,
    Machine,
    MaxSteps,
    ModelName,
    ModelSettings,
    Retries,
    Sample,
    Suite,
    TaskNames,
)
from pptarena.cli.output import new_progress, print_json, print_line, stdout
from pptarena.cli.select_tasks import require_demonstrations, select_tasks
from pptarena.errors import ConfigError
from pptarena.suggestions import not_found

if TYPE_CHECKING:
    from pptarena.agents import Agent
    from pptarena.rollouts.episode import EpisodeMeta, StoredEpisode
    from pptarena.rollouts.run import Job

__all__ = ["FAKE_LIMITS", "episode_line", "explain_end", "require_continued", "run"]

FAKE_LIMITS = (
    "The machine 'fake' has no dialogs, side bars, table cells or notes, so it cannot play every "
    "demonstration; use --machine sandbox."
)

_EPISODE_KEYS = (
    *("agent", "task", "difficulty", "seed", "score", "steps", "end"),
    *("infra_error", "agent_error"),
)


def run(
    agent: AgentNames,
    suite: Suite = "starter",
    task: TaskNames = None,
    sample: Sample = 0,
    env: Annotated[
        str,
        typer.Option(
            help="'screen': mouse, keyboard and screenshots; 'doc': tool calls on the file.",
            metavar="ENV",
        ),
    ] = SCREEN,
    tools: Annotated[
        str,
        typer.Option(
            help="Tool families for --env doc, separated by commas: 'edit', 'program', 'xml', "
            "'pptc'. 'pptc' has the APIs of the tasks' setting.",
            metavar="FAMILY,...",
            show_default="the first three",
        ),
    ] = "",
    machine: Machine = "auto",
    out: Annotated[
        Path | None,
        typer.Option(
            help="Folder for the episodes.", metavar="FOLDER", show_default="runs/<date>-<time>"
        ),
    ] = None,
    repeats: EpisodeRepeats = 1,
    seed: EpisodeSeed = 0,
    max_steps: MaxSteps = None,
    retries: Retries = 2,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue a run in a folder that has episodes.")
    ] = False,
    watch: Annotated[
        bool,
        typer.Option("--watch", help="Let a VNC viewer watch ('qemu'); prints the address."),
    ] = False,
    best_of: Annotated[
        int,
        typer.Option(
            "--best-of",
            min=1,
            help="At every step, try this many actions in forks of the machine and keep the one "
            "that scores best ('qemu', 'fake').",
            metavar="N",
        ),
    ] = 1,
    model: ModelName = "",
    base_url: BaseUrl = "",
    dialect: Dialect = "tools",
    option: ModelSettings = [],  # noqa: B006 - typer copies it
    env_option: EnvOptions = [],  # noqa: B006 - typer copies it
    json: AsJson = False,
) -> None:
    """Run agents on tasks and store the episodes.

    Writes one folder per episode and prints a table of scores.

    Agents on the screen are 'demonstration', 'macro', 'random' and 'model'. Agents for --env doc
    are 'goal' (applies the target edit), 'goal-calls' (makes the edits of generated tasks by tool
    calls), 'random', 'model' and 'pptpilot'. On tasks of PPTC, --env doc also has 'pptc-label',
    'pptc-zero-shot', 'pptc-cot', 'pptc-tot', 'pptc-content', 'pptc-api' and
    'pptc-self-consistency'.

    Exits with 1 if the machine failed in an episode and in all its retries, or if a recorded
    demonstration could not be continued.

    Examples:
      pptarena run --agent demonstration --machine sandbox --out runs/demo
      pptarena run --agent model --model Qwen/Qwen3-VL-8B-Instruct
      pptarena run --env doc --agent goal --task meridian-hide-backup
    """
    from pptarena.rollouts.run import plan_jobs

    root = out or Path("runs") / datetime.now().strftime("%Y%m%d-%H%M%S")
    _require_env(env, machine, watch, tools)
    require_agents(agent, env)
    _require_fresh(root, resume)
    place = _place(env, machine, env_option, watch)
    chosen = select_tasks(suite, task, sample, seed, agents=agent)
    require_demonstrations(agent, chosen)
    options = ModelOptions(model, base_url, dialect, option)
    agents = build_agents(agent, env, chosen, options, tools)
    if best_of > 1:
        agents = _best_of(agents, best_of, env, machine)
    jobs = plan_jobs(agents.names, chosen, repeats, seed)
    made = {name: agents.make(name) for name in agents.names}
    results = _run(jobs, made, root, {**place, **agents.env_options}, max_steps, retries)
    _report(results, root, json, on_document=env == DOC)
    require_continued([attempts[-1] for _, attempts in results])
    if any(attempts[-1].meta.infra_error for _, attempts in results):
        raise typer.Exit(1)


def _require_env(env: str, machine: str, watch: bool, tools: str) -> None:
    if env not in (SCREEN, DOC):
        raise ConfigError(f"--env: {not_found('environment', env, (SCREEN, DOC))}")
    if env == SCREEN and tools:
        raise ConfigError("--tools needs --env doc: agents on a screen have no tools")
    if env == DOC and (machine != "auto" or watch):
        raise ConfigError("--env doc has no machine: leave out --machine and --watch")


def _place(env: str, machine: str, options: Sequence[str], watch: bool) -> dict[str, Any]:
    """Return the arguments of the environment."""
    from pptarena.rollouts.env_options import env_arguments, read_env_options

    found = env_arguments(read_env_options(options, machine, on_document=env == DOC))
    if env == DOC:
        return found
    watched = {"watch": True, "render_mode": "human"} if watch else {}
    return {**found, **watched, "machine": machine, "start_attempts": 1}


def _best_of(agents: Agents, count: int, env: str, machine: str) -> Agents:
    if env != SCREEN or machine not in ("qemu", "fake"):
        given = "--env doc" if env != SCREEN else f"--machine {machine}"
        raise ConfigError(
            "--best-of tries actions in forks of the machine: use --machine qemu or fake "
            f"instead of {given}"
        )
    from pptarena.rollouts.best_of import BestOf

    inner = {f"{name}-best-of-{count}": name for name in agents.names}
    return Agents(tuple(inner), lambda name: BestOf(agents.make(inner[name]), count))


def _require_fresh(root: Path, resume: bool) -> None:
    from pptarena.rollouts.store import find_episodes

    if not resume and root.exists() and next(find_episodes(root), None) is not None:
        raise ConfigError(
            f"{root} already has episodes: add --resume to continue, or choose another --out"
        )


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
        with explain_end(results, "run the same command with --resume to continue"):
            for job, attempts in episodes:
                results.append((job, attempts))
                line = episode_line(attempts[-1].meta)
                progress.console.print(line, markup=False, highlight=False, soft_wrap=True)
                progress.update(bar, advance=1, note="")
    return results


def episode_line(meta: "EpisodeMeta") -> str:
    """Return a one-line summary of an episode."""
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
    look = _next_look(last, on_document=on_document)
    print_line(f"Episodes: {root}", look, f"Next: pptarena report {root}")


@contextmanager
def explain_end(
    results: "Sequence[tuple[Any, tuple[StoredEpisode, ...]]]", how_to_continue: str
) -> Iterator[None]:
    """Add the number of scored episodes to the error that ends a run.

    Args:
        results: Jobs and their attempts so far.
        how_to_continue: What the user does to continue the run.

    Raises:
        EndpointClosedError: If one was raised.
    """
    from pptarena.errors import EndpointClosedError

    try:
        yield
    except EndpointClosedError as error:
        scored = sum(attempts[-1].meta.score is not None for _, attempts in results)
        outcome = (
            f"Episodes scored: {scored}; {how_to_continue}" if scored else "No episode was scored"
        )
        raise EndpointClosedError(f"{error}. {outcome}.") from error


def require_continued(episodes: "Sequence[StoredEpisode]") -> None:
    """Check that every recorded demonstration could be played to its end.

    Raises:
        AgentError: If one gave up because the screen differs from the recorded one.
    """
    from pptarena.errors import AgentError

    played = [each.meta for each in episodes if each.meta.agent == "demonstration"]
    stopped = [meta for meta in played if meta.agent_error is not None]
    if stopped:
        count = f"{len(stopped)} of {len(played)} demonstrations could not be continued"
        hint = FAKE_LIMITS if stopped[0].machine == "fake" else f"First: {stopped[0].agent_error}"
        raise AgentError(f"{count}. {hint}")


def _next_look(episodes: "Sequence[StoredEpisode]", *, on_document: bool) -> str:
    """Return a hint that names the first scored episode, or the reason why none was scored."""
    scored = next((each.folder for each in episodes if each.meta.score is not None), None)
    if scored is None:
        failed = (each.meta.infra_error for each in episodes)
        return f"No episode was scored: {next(filter(None, failed), 'nothing could be judged')}"
    if on_document:
        return f"Look at {scored}/traj.jsonl and final.pptx"
    return f"Look at {scored}/step_000.png and final.pptx, then try: pptarena runs replay {scored}"
