"""``pptarena run``: run agents on tasks and store the episodes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pptarena.cli.agents import DOC, SCREEN, Agents, ModelOptions, build_agents, require_agents
from pptarena.cli.groups import HelpAll
from pptarena.cli.live import Port, serve_live
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
    See,
    Suite,
    TaskNames,
    Workers,
)
from pptarena.cli.output import new_progress, print_json, print_line, print_note, quoted, stdout
from pptarena.cli.select_tasks import require_demonstrations, select_tasks
from pptarena.errors import ConfigError
from pptarena.suggestions import not_found

if TYPE_CHECKING:
    import gymnasium as gym

    from pptarena.agents import Agent
    from pptarena.rollouts.episode import EpisodeMeta, StepRecord, StoredEpisode
    from pptarena.rollouts.manifest import Manifest
    from pptarena.rollouts.run import Job

    Attempts = tuple[StoredEpisode, ...]
    Result = tuple[Job, Attempts]

__all__ = ["FAKE_LIMITS", "RARE_OPTIONS", "episode_line", "explain_end", "require_continued", "run"]

FAKE_LIMITS = (
    "The machine 'fake' has no dialogs, side bars, table cells or notes, so it cannot play every "
    "demonstration; use --machine sandbox."
)

RARE_OPTIONS = {
    "Model": ("base_url", "see", "option", "best_of"),
    "Environment": ("tools", "elements", "env_option", "retries"),
    "People": ("port", "answer", "confirm"),
    "Ray cluster": ("executor", "address", "machine_cpus"),
}
"""The options that only ``--help-all`` shows, by the title of their panel."""

_EPISODE_KEYS = (
    *("agent", "task", "difficulty", "level", "feasible", "seed", "score", "steps", "end"),
    *("wording", "questions", "infra_error", "agent_error"),
)
_LOCAL, _RAY = "local", "ray"
_EXECUTORS = (_LOCAL, _RAY)


def run(
    agent: AgentNames,
    suite: Suite = "starter",
    task: TaskNames = None,
    sample: Sample = None,
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
    elements: Annotated[
        str,
        typer.Option(
            help="Source of the numbered elements: 'tree' (accessibility tree), 'pixels' "
            "(text recognition and shapes in the screenshot; extra \"pixels\"), or 'both'.",
            metavar="SOURCE",
        ),
    ] = "tree",
    workers: Workers = 1,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Folder for the episodes; may already have some.",
            metavar="FOLDER",
            show_default="runs/<date>-<time>",
        ),
    ] = None,
    repeats: EpisodeRepeats = 1,
    seed: EpisodeSeed = 0,
    max_steps: MaxSteps = None,
    retries: Retries = 2,
    live: Annotated[
        bool,
        typer.Option(
            "--live",
            help="Show the episodes in a web page, where you can help. Episodes with help are "
            "listed separately.",
        ),
    ] = False,
    port: Port = 0,
    answer: Annotated[
        str,
        typer.Option(
            help="Who answers questions of the agent: 'person' (in the page with --live, else on "
            "the terminal) or 'package.module:function'.",
            metavar="WHO",
            show_default="the task",
        ),
    ] = "",
    confirm: Annotated[
        str,
        typer.Option(
            help="Who confirms actions that delete slides, close the deck or overwrite a file: "
            "'person', 'model' (of PPTARENA_JUDGE_*) or 'package.module:function'.",
            metavar="WHO",
            show_default="no one is asked",
        ),
    ] = "",
    best_of: Annotated[
        int,
        typer.Option(
            "--best-of",
            min=1,
            help="At every step, try this many actions in forks of the machine and keep the one "
            "that scores best (on a 'sandbox' as root, 'qemu', 'fake').",
            metavar="N",
        ),
    ] = 1,
    executor: Annotated[
        str,
        typer.Option(
            help="'local': this computer; 'ray': the nodes of a Ray cluster (extra \"ray\"). "
            "Episodes are copied to this computer. If a node is lost, another one runs its "
            "episodes.",
            metavar="EXECUTOR",
        ),
    ] = _LOCAL,
    address: Annotated[
        str,
        typer.Option(
            help="Head of the Ray cluster: host:port, 'auto', or 'local' to start one.",
            metavar="ADDRESS",
        ),
    ] = "auto",
    machine_cpus: Annotated[
        float, typer.Option(min=0, help="CPU cores that Ray reserves per worker.", metavar="N")
    ] = 1.0,
    model: ModelName = "",
    base_url: BaseUrl = "",
    dialect: Dialect = "tools",
    see: See = "",
    option: ModelSettings = [],  # noqa: B006 - typer copies it
    env_option: EnvOptions = [],  # noqa: B006 - typer copies it
    json: AsJson = False,
    help_all: HelpAll = False,
) -> None:
    """Run agents on tasks and store the episodes.

    Writes one folder per episode and prints a table of scores. With the same --out, a stopped run
    continues; agents, tasks and episodes may be added. Other settings are rejected.

    With --env doc, agents are 'goal', 'random', 'model', 'pptpilot' and, on tasks of
    PPTC, 'pptc-*'.

    Exits with 1 if the machine failed in an episode and in all its retries, or if a recorded
    demonstration could not be continued.

    Examples:
      pptarena run --agent random --machine fake --max-steps 5
      pptarena run --agent demonstration --machine sandbox --out runs/demo
      pptarena run --agent model --model Qwen/Qwen3-VL-8B-Instruct --suite bench
      pptarena run --agent model --model gpt-5 --live --confirm person
      pptarena run --env doc --agent goal --task meridian-hide-backup
    """
    from pptarena.rollouts.run import plan_jobs

    if out is not None and out.exists() and not out.is_dir():
        raise ConfigError(f"--out: {out} is a file; choose a folder")
    root = out or _new_folder()
    _require_env(env, machine, tools)
    _require_executor(executor)
    _require_local_person(executor, answer, confirm)
    _require_live(live, port)
    require_agents(agent, env)
    settings = {"answer": answer, "confirm": confirm}
    settings |= {} if elements == "tree" else {"elements": elements}
    named_options = [f"{name}={value}" for name, value in settings.items() if value]
    env_settings = _env_settings(env, machine, tools, [*env_option, *named_options], max_steps)
    tasks = select_tasks(suite, task, sample or 0, seed, agents=agent)
    require_demonstrations(agent, tasks)
    options = ModelOptions(model, base_url, dialect, see, option)
    agents = build_agents(agent, env, tasks, options, tools)
    if best_of > 1:
        agents = _best_of(agents, best_of, env, machine)
    jobs = plan_jobs(agents.names, tasks, repeats, seed)
    cluster = (address, machine_cpus) if executor == _RAY else None
    make_env = env_settings.env_factory(agents, live)
    plan = _Plan(jobs, agents, env_settings, make_env, root, workers, retries, cluster)
    with serve_live(port) if live else nullcontext(), _resumable(root):
        results, new_count = _run(plan)
    last = [attempts[-1] for _, attempts in results]
    missing = sum(each.meta.infra_error is not None for each in last)
    _report(results, root, json, new_count - missing, missing, on_document=env == DOC)
    require_continued(last)
    if missing:
        raise typer.Exit(1)


@dataclass(frozen=True)
class _EnvSettings:
    """The environment of a run.

    Attributes:
        env: Value of ``--env``.
        machine: Value of ``--machine``.
        max_steps: Step budget of every episode; None for each task's own.
        tools: Tool families of ``--tools``; empty for the default.
        options: Values of ``--env-option`` by name, as JSON.
    """

    env: str
    machine: str
    max_steps: int | None
    tools: tuple[str, ...]
    options: Mapping[str, Any]

    @property
    def image(self) -> "Callable[[], str]":
        """The function that finds the hash of the machine image."""
        return _no_image if self.env == DOC or self.machine == "fake" else _image_hash

    def env_factory(self, agents: Agents, live: bool) -> "Callable[[], gym.Env[Any, Any]]":
        """Return the function with which workers create the environment.

        Args:
            agents: The agents that will play in it.
            live: Whether a person answers questions in the live page instead of the terminal.
        """
        from pptarena.rollouts.confirmers import PERSON
        from pptarena.rollouts.env import make_document_env, make_env
        from pptarena.rollouts.env_options import env_arguments
        from pptarena.rollouts.live.env import PAGE, make_live_env

        arguments: dict[str, Any] = {**env_arguments(self.options), **agents.env_options}
        arguments["max_steps"] = self.max_steps
        if live:
            arguments |= {
                name: PAGE for name in ("answer", "confirm") if arguments.get(name) == PERSON
            }
        if self.env == DOC:
            return partial(make_live_env, make_document_env, **arguments)
        arguments |= {"machine": self.machine, "start_attempts": 1}
        return partial(make_live_env, make_env, **arguments)

    def manifest(self, jobs: "Sequence[Job]") -> "Manifest":
        """Return the manifest of jobs in this environment."""
        from pptarena.rollouts.episode import DOCUMENT
        from pptarena.rollouts.manifest import plan_manifest

        machine = DOCUMENT if self.env == DOC else self.machine
        options = {**self.options, **({"tools": list(self.tools)} if self.tools else {})}
        return plan_manifest(jobs, machine, self.max_steps, self.image(), **options)


@dataclass(frozen=True)
class _Plan:
    """The jobs of a run, its environment, its store and its number of workers."""

    jobs: "Sequence[Job]"
    agents: Agents
    env_settings: _EnvSettings
    make_env: "Callable[[], gym.Env[Any, Any]]"
    root: Path
    workers: int
    retries: int
    cluster: tuple[str, float] | None


@contextmanager
def _resumable(root: Path) -> Iterator[None]:
    """Print how to continue when a run is interrupted."""
    try:
        yield
    except KeyboardInterrupt:
        print_note(
            f"Interrupted. The same command continues with --out {root}; see the complete "
            f"episodes with: pptarena report {quoted(root)}"
        )
        raise


def _new_folder() -> Path:
    """Return a folder that does not exist, named for the current time."""
    stem = Path("runs") / datetime.now().strftime("%Y%m%d-%H%M%S")
    numbered = (stem.with_name(f"{stem.name}-{number}") for number in count(2))
    return next(each for each in chain((stem,), numbered) if not each.exists())


def _require_env(env: str, machine: str, tools: str) -> None:
    if env not in (SCREEN, DOC):
        raise ConfigError(f"--env: {not_found('environment', env, (SCREEN, DOC))}")
    if env == SCREEN and tools:
        raise ConfigError("--tools needs --env doc: agents on a screen have no tools")
    if env == DOC and machine != "auto":
        raise ConfigError("--env doc has no machine: leave out --machine")


def _require_live(live: bool, port: int) -> None:
    if port and not live:
        raise ConfigError("--port is the port of the live page: add --live")


def _require_executor(executor: str) -> None:
    if executor not in _EXECUTORS:
        raise ConfigError(f"--executor: {not_found('executor', executor, _EXECUTORS)}")


def _require_local_person(executor: str, *helpers: str) -> None:
    if executor == _RAY and "person" in helpers:
        raise ConfigError(
            "a worker on another node would wait for a person forever: leave out --executor ray"
        )


def _env_settings(
    env: str, machine: str, tools: str, options: Sequence[str], max_steps: int | None
) -> _EnvSettings:
    from pptarena.rollouts.env_options import read_env_options

    families = tuple(name.strip() for name in tools.split(",") if name.strip())
    parsed = read_env_options(options, machine, on_document=env == DOC)
    return _EnvSettings(env, machine, max_steps, families, parsed)


def _best_of(agents: Agents, count: int, env: str, machine: str) -> Agents:
    from pptarena.envs.machines.registry import make_machine
    from pptarena.rollouts.best_of import BestOf

    if env != SCREEN:
        raise ConfigError("--best-of tries actions in forks of a machine; --env doc has none")
    with make_machine(machine) as probe:
        try:
            probe.require_checkpoints()
        except ConfigError as error:
            raise ConfigError(
                f"--best-of tries actions in forks of the machine: {error}"
            ) from error

    inner_names = {f"{name}-best-of-{count}": name for name in agents.names}
    return Agents(tuple(inner_names), lambda name: BestOf(agents.make(inner_names[name]), count))


def _run(plan: _Plan) -> "tuple[list[Result], int]":
    """Run the jobs; return them in order with their attempts, and the number of new ones."""
    from pptarena.rollouts.collect import finished_jobs, lock_store
    from pptarena.rollouts.manifest import claim_manifest

    # Report wrong settings before writing files and starting machines.
    first = {name: plan.agents.make(name) for name in plan.agents.names}
    plan.make_env().close()
    manifest = plan.env_settings.manifest(plan.jobs)
    results: list[Result] = []
    with lock_store(plan.root), new_progress() as progress:
        claim_manifest(plan.root, manifest)
        finished_count = len(finished_jobs(plan.jobs, plan.root))
        bar = progress.add_task("episodes", total=len(plan.jobs), note="starting")
        finished = _episodes(plan, first, _notes(partial(progress.update, bar), plan.workers))
        with explain_end(results, f"the same command with --out {plan.root} continues"):
            for number, (job, attempts) in enumerate(finished):
                results.append((job, attempts))
                if number >= finished_count:
                    line = episode_line(attempts[-1].meta)
                    progress.console.print(line, markup=False, highlight=False, soft_wrap=True)
                progress.update(bar, advance=1, note="")
    positions = {id(job): position for position, job in enumerate(plan.jobs)}
    return sorted(results, key=lambda each: positions[id(each[0])]), len(plan.jobs) - finished_count


def _episodes(
    plan: _Plan,
    first: "dict[str, Agent]",
    on_step: "Callable[[int, Job, StepRecord], None]",
) -> "Iterator[Result]":
    from pptarena.rollouts.collect import collect

    if plan.cluster is not None:
        yield from _on_ray(plan, plan.cluster)
        return

    def make_agent(name: str) -> "Agent":
        agent: Agent | None = first.pop(name, None)
        return plan.agents.make(name) if agent is None else agent

    yield from collect(
        plan.jobs, plan.make_env, make_agent, plan.root, plan.workers, plan.retries, on_step
    )


def _on_ray(plan: _Plan, cluster: tuple[str, float]) -> "Iterator[Result]":
    from pptarena.rollouts.ray import RayCluster, collect_on_ray, connected

    ray_cluster = RayCluster(address=cluster[0], cpus=cluster[1])
    with connected(ray_cluster):
        yield from collect_on_ray(
            plan.jobs,
            plan.make_env,
            plan.agents.make,
            plan.root,
            plan.workers,
            plan.retries,
            ray_cluster,
            plan.env_settings.image,
        )


def _notes(update: "Callable[..., None]", workers: int) -> "Callable[[int, Job, StepRecord], None]":
    def on_step(worker: int, job: "Job", step: "StepRecord") -> None:
        prefix = f"worker {worker + 1}: " if workers > 1 else ""
        update(note=f"{prefix}{job.agent} {job.task.id} step {step.step + 1}")

    return on_step


def _no_image() -> str:
    return ""


def _image_hash() -> str:
    from pptarena.vm_images.image import find_image

    image = find_image()
    return image.hash if image else ""


def episode_line(meta: "EpisodeMeta") -> str:
    """Return a one-line summary of an episode."""
    score = "no score" if meta.score is None else f"score {meta.score:.2f}"
    name = f"{meta.agent} {meta.task} seed {meta.seed}"
    problem = meta.infra_error or meta.overload or meta.agent_error
    line = f"{name}: {score}, {meta.steps} steps, {meta.reset_sec + meta.run_sec:.1f} s"
    return f"{line}; {problem}" if problem else line


def _report(
    results: "Sequence[Result]",
    root: Path,
    as_json: bool,
    new: int,
    missing: int,
    *,
    on_document: bool,
) -> None:
    from pptarena.rollouts.help_summary import help_rows, help_table
    from pptarena.rollouts.model_costs import cost_table, model_costs
    from pptarena.rollouts.summary import summarise, summary_table

    costs = model_costs(episode for _, attempts in results for episode in attempts)
    rows = summarise(episode.meta for _, attempts in results for episode in attempts)
    last = [attempts[-1] for _, attempts in results]
    complete = len(last) - missing
    if as_json:
        episodes = [
            {name: getattr(episode.meta, name) for name in _EPISODE_KEYS}
            | {"path": str(episode.folder)}
            for episode in last
        ]
        summary = [row.to_json() for row in rows if row.level == "all"]
        levels = [row.to_json() for row in rows if row.level != "all"]
        models = {"models": [row.to_json() for row in costs]} if costs else {}
        counts = {"complete": complete, "new": new, "missing": missing}
        results_json = {"summary": summary, "levels": levels, "episodes": episodes}
        print_json({"out": str(root), **counts, **results_json, **models})
        return
    stdout().print(summary_table(rows))
    if costs:
        stdout().print(cost_table(costs))
    if helped := help_rows(episode.meta for _, attempts in results for episode in attempts):
        stdout().print(help_table(helped))
    inspect_hint = _inspect_hint(last, on_document=on_document)
    status = f"{complete} of {len(last)} episodes are complete, {new} of them new: {root}"
    print_line(status, inspect_hint, f"Next: pptarena report {quoted(root)}")


@contextmanager
def explain_end(results: "Sequence[tuple[Any, Attempts]]", how_to_continue: str) -> Iterator[None]:
    """Add the number of scored episodes to the error that ends a run.

    Args:
        results: Jobs and their attempts so far.
        how_to_continue: How the user can continue the run.

    Raises:
        EndpointClosedError: If the block raises one.
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
        AgentError: If a demonstration stopped because the screen differs from the recording.
    """
    from pptarena.errors import AgentError

    played = [each.meta for each in episodes if each.meta.agent == "demonstration"]
    stopped = [meta for meta in played if meta.agent_error is not None]
    if stopped:
        count = f"{len(stopped)} of {len(played)} demonstrations could not be continued"
        hint = FAKE_LIMITS if stopped[0].machine == "fake" else f"First: {stopped[0].agent_error}"
        raise AgentError(f"{count}. {hint}")


def _inspect_hint(episodes: "Sequence[StoredEpisode]", *, on_document: bool) -> str:
    """Return a hint about the first scored episode, or why no episode was scored."""
    scored = next((each.folder for each in episodes if each.meta.score is not None), None)
    if scored is None:
        failed = (each.meta.infra_error for each in episodes)
        return f"No episode was scored: {next(filter(None, failed), 'all are unscored')}"
    if on_document:
        return f"Look at {scored}/traj.jsonl and final.pptx"
    replay = f"pptarena runs replay {quoted(scored)}"
    return f"Look at {scored}/step_000.png and final.pptx, then try: {replay}"
