"""``pptarena collect``: collect many episodes on several machines, resumable at any time."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pptarena.cli.agents import SCREEN, ModelOptions, build_agents, require_agents
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
    Workers,
)
from pptarena.cli.output import new_progress, print_json, print_line, stdout
from pptarena.cli.run import episode_line, explain_end, require_continued
from pptarena.cli.select_tasks import require_demonstrations, select_tasks
from pptarena.errors import ConfigError
from pptarena.suggestions import not_found

if TYPE_CHECKING:
    from collections.abc import Callable

    import gymnasium as gym

    from pptarena.agents import Agent
    from pptarena.rollouts.episode import StepRecord, StoredEpisode
    from pptarena.rollouts.run import Job

    Attempts = tuple[StoredEpisode, ...]

__all__ = ["collect"]

_EXECUTORS = ("local", "ray")


def collect(
    agent: AgentNames,
    out: Annotated[
        Path,
        typer.Option(help="Folder of the episodes; may already have some.", metavar="FOLDER"),
    ],
    suite: Suite = "starter",
    task: TaskNames = None,
    sample: Sample = 0,
    machine: Machine = "auto",
    workers: Workers = 1,
    repeats: EpisodeRepeats = 1,
    seed: EpisodeSeed = 0,
    max_steps: MaxSteps = None,
    retries: Retries = 2,
    executor: Annotated[
        str,
        typer.Option(help="'local': this computer; 'ray': a Ray cluster.", metavar="EXECUTOR"),
    ] = "local",
    address: Annotated[
        str,
        typer.Option(
            help="Head of the Ray cluster: host:port, 'auto', or 'local' to start one.",
            metavar="ADDRESS",
        ),
    ] = "auto",
    machine_cpus: Annotated[
        float, typer.Option(min=0, help="CPU cores that Ray reserves per machine.", metavar="N")
    ] = 1.0,
    model: ModelName = "",
    base_url: BaseUrl = "",
    dialect: Dialect = "tools",
    option: ModelSettings = [],  # noqa: B006 - typer copies it
    env_option: EnvOptions = [],  # noqa: B006 - typer copies it
    json: AsJson = False,
) -> None:
    """Collect many episodes on several machines.

    Runs every agent on every task and seed, on a screen. The command can be stopped at any time:
    the same command continues where it stopped. Settings are stored in the folder's manifest. Other
    settings are rejected; more agents, tasks or episodes extend the collection.

    Exits with 1 if episodes are missing because machines failed, or if a recorded demonstration
    could not be continued.

    With --executor ray, machines run on the nodes of a Ray cluster and episodes are copied to this
    computer. This needs the extra "ray". If a node is lost, another node runs its episodes.

    Example:
      pptarena collect --agent random --workers 2 --out data/random
    """
    from pptarena.rollouts.env_options import read_env_options
    from pptarena.rollouts.run import plan_jobs

    if executor not in _EXECUTORS:
        raise ConfigError(f"--executor: {not_found('executor', executor, _EXECUTORS)}")
    require_agents(agent, SCREEN, "collect")
    cluster = (address, machine_cpus) if executor == "ray" else None
    options = read_env_options(env_option, machine)
    chosen = select_tasks(suite, task, sample, seed, agents=agent)
    require_demonstrations(agent, chosen)
    agents = build_agents(agent, SCREEN, chosen, ModelOptions(model, base_url, dialect, option))
    jobs = plan_jobs(agents.names, chosen, repeats, seed)
    place = {"machine": machine, "max_steps": max_steps, **options}
    found, made = _collect(jobs, agents.make, out, place, workers, retries, cluster)
    metas = [attempts[-1].meta for attempts in found]
    missing = sum(meta.infra_error is not None for meta in metas)
    if json:
        counts = {"episodes": len(jobs), "made": made, "missing": missing}
        print_json({"out": str(out), **counts, "scores": [meta.score for meta in metas]})
    else:
        _print(found, out, made, missing)
    require_continued([attempts[-1] for attempts in found])
    if missing:
        raise typer.Exit(1)


def _collect(
    jobs: "Sequence[Job]",
    make_agent: "Callable[[str], Agent]",
    root: Path,
    place: dict[str, Any],
    workers: int,
    retries: int,
    cluster: tuple[str, float] | None,
) -> "tuple[list[Attempts], int]":
    from pptarena.rollouts.collect import collect, finished_jobs, lock_store
    from pptarena.rollouts.env import make_env
    from pptarena.rollouts.env_options import env_arguments
    from pptarena.rollouts.manifest import claim_manifest, plan_manifest

    for name in {job.agent for job in jobs}:
        make_agent(name)  # report a wrong name before machines start
    with lock_store(root), new_progress() as progress:
        claim_manifest(root, plan_manifest(jobs, image=_image_hash(), **place))
        before = len(finished_jobs(jobs, root))
        bar = progress.add_task("episodes", total=len(jobs), note="starting the machines")
        note = partial(progress.update, bar)
        make = partial(make_env, start_attempts=1, **env_arguments(place))
        found = (
            collect(jobs, make, make_agent, root, workers, retries, _notes(note))
            if cluster is None
            else _on_ray(jobs, make, make_agent, root, workers, retries, cluster, place["machine"])
        )
        done: list[tuple[Job, Attempts]] = []
        with explain_end(done, "run the same command again to continue"):
            for number, (job, attempts) in enumerate(found):
                done.append((job, attempts))
                if number >= before:
                    line = episode_line(attempts[-1].meta)
                    progress.console.print(line, markup=False, highlight=False, soft_wrap=True)
                progress.update(bar, advance=1)
        progress.update(bar, note="")
    return [attempts for _, attempts in done], len(jobs) - before


def _notes(note: "Callable[..., None]") -> "Callable[[int, Job, StepRecord], None]":
    def on_step(number: int, job: "Job", step: "StepRecord") -> None:
        note(note=f"machine {number + 1}: {job.task.id} step {step.step + 1}")

    return on_step


def _on_ray(
    jobs: "Sequence[Job]",
    make: "Callable[[], gym.Env[Any, Any]]",
    make_agent: "Callable[[str], Agent]",
    root: Path,
    workers: int,
    retries: int,
    cluster: tuple[str, float],
    machine: str,
) -> "Iterator[tuple[Job, Attempts]]":
    from pptarena.rollouts.ray import RayCluster, collect_on_ray, connected

    found = RayCluster(address=cluster[0], cpus=cluster[1])
    find = _no_image if machine == "fake" else _image_hash
    with connected(found):
        yield from collect_on_ray(jobs, make, make_agent, root, workers, retries, found, find)


def _no_image() -> str:
    return ""


def _image_hash() -> str:
    from pptarena.vm_images.image import find_image

    image = find_image()
    return image.hash if image else ""


def _print(results: "Sequence[Attempts]", root: Path, made: int, missing: int) -> None:
    from pptarena.rollouts.model_costs import cost_table, model_costs
    from pptarena.rollouts.summary import summarise, summary_table

    metas = [attempts[-1].meta for attempts in results]
    stdout().print(summary_table(summarise(metas)))
    if costs := model_costs(episode for attempts in results for episode in attempts):
        stdout().print(cost_table(costs))
    complete = len(metas) - missing
    print_line(
        f"{complete} of {len(metas)} episodes are complete, {made} of them new: {root}",
        f"Next: pptarena report {root}",
    )
