"""``pptarena collect``: episodes by the hundred, on several machines, never twice."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pptarena.cli.choosing import chosen_tasks, require_demonstrations
from pptarena.cli.document_agents import require_known, require_screens
from pptarena.cli.env_options import EnvOptions
from pptarena.cli.model_options import (
    BaseUrl,
    DialectName,
    ModelName,
    Options,
    ScreenAgentNames,
    agents_of,
    settings_of,
)
from pptarena.cli.output import new_progress, print_json, stdout
from pptarena.cli.run import episode_line
from pptarena.cli.run_outcome import explained, require_continued
from pptarena.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable

    import gymnasium as gym

    from pptarena.agents import Agent
    from pptarena.rollouts.episode import StepRecord, StoredEpisode
    from pptarena.rollouts.run import Job

    Attempts = tuple[StoredEpisode, ...]

__all__ = ["collect"]


def collect(
    agent: ScreenAgentNames,
    out: Annotated[Path, typer.Option(help="Folder of the store; may have episodes already.")],
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
        int, typer.Option(min=0, help="Only so many tasks of the suite, drawn by --seed.")
    ] = 0,
    machine: Annotated[str, typer.Option(help="'auto', 'qemu', 'sandbox' ... or 'fake'.")] = "auto",
    machines: Annotated[int, typer.Option(min=1, help="How many work at once.")] = 1,
    episodes: Annotated[int, typer.Option(min=1, help="Episodes per agent and task.")] = 1,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first; then one more each.")] = 0,
    max_steps: Annotated[
        int | None, typer.Option(min=1, help="Step budget.", show_default="that of the task")
    ] = None,
    retries: Annotated[
        int, typer.Option(min=0, help="How often to repeat an episode when the machine fails.")
    ] = 2,
    executor: Annotated[
        str, typer.Option(help="'local': machines of this computer, or 'ray': of a cluster.")
    ] = "local",
    address: Annotated[
        str,
        typer.Option(help="Head of the Ray cluster: host:port, 'auto', or 'local' to start one."),
    ] = "auto",
    machine_cpus: Annotated[
        float, typer.Option(min=0, help="Cores that Ray sets aside for each machine.")
    ] = 1.0,
    model: ModelName = "",
    base_url: BaseUrl = "",
    dialect: DialectName = "tools",
    option: Options = [],  # noqa: B006 - typer copies it
    env_option: EnvOptions = [],  # noqa: B006 - typer copies it
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Collect episodes of agents x tasks x seeds on several machines at once.

    It may be stopped or killed at any time; the same command goes on where it stopped. The
    manifest in the folder says what the episodes are made of: other settings are refused,
    more agents, tasks or episodes make the collection grow.
    Exits with 1 when some episodes are missing because machines failed, or when a recorded
    demonstration could not be continued.

    With --executor ray, machines run on the nodes of a Ray cluster, and episodes are copied to this
    computer; the package's extra "ray" is needed. If a node is lost, another one runs its episodes.

    Example: pptarena collect --agent random --suite first-steps --machines 2 --out data/random
    """
    from pptarena.rollouts.env_options import read_env_options
    from pptarena.rollouts.run import plan_jobs

    if executor not in ("local", "ray"):
        raise ConfigError(f"--executor: expected local or ray, got {executor!r}")
    require_known(agent)
    require_screens(agent, command="collect")
    cluster = (address, machine_cpus) if executor == "ray" else None
    options = read_env_options(env_option, machine)
    chosen = chosen_tasks(suite, tasks, sample, seed, agents=agent)
    require_demonstrations(agent, chosen)
    settings = settings_of(agent, model, base_url, dialect, option)
    agents, make_agent = agents_of(agent, settings, chosen)
    jobs = plan_jobs(agents, chosen, episodes, seed)
    place = {"machine": machine, "max_steps": max_steps, **options}
    found, made = _collect(jobs, make_agent, out, place, machines, retries, cluster)
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
    machines: int,
    retries: int,
    cluster: tuple[str, float] | None,
) -> "tuple[list[Attempts], int]":
    from pptarena.rollouts.collect import collect, finished_jobs, lock_store
    from pptarena.rollouts.env import make_env
    from pptarena.rollouts.env_options import env_arguments
    from pptarena.rollouts.manifest import claim_manifest, plan_manifest

    for name in {job.agent for job in jobs}:
        make_agent(name)  # a wrong name is found before anything starts
    with lock_store(root), new_progress() as progress:
        claim_manifest(root, plan_manifest(jobs, image=_image_hash(), **place))
        before = len(finished_jobs(jobs, root))
        bar = progress.add_task("episodes", total=len(jobs), note="starting the machines")
        note = partial(progress.update, bar)
        make = partial(make_env, start_attempts=1, **env_arguments(place))
        found = (
            collect(jobs, make, make_agent, root, machines, retries, _notes(note))
            if cluster is None
            else _on_ray(jobs, make, make_agent, root, machines, retries, cluster, place["machine"])
        )
        done: list[tuple[Job, Attempts]] = []
        with explained(done, "run the same command again to continue"):
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
    machines: int,
    retries: int,
    cluster: tuple[str, float],
    machine: str,
) -> "Iterator[tuple[Job, Attempts]]":
    from pptarena.rollouts.ray import RayCluster, collect_on_ray, connected

    found = RayCluster(address=cluster[0], cpus=cluster[1])
    find = _no_image if machine == "fake" else _image_hash
    with connected(found):
        yield from collect_on_ray(jobs, make, make_agent, root, machines, retries, found, find)


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
    whole = len(metas) - missing
    for line in (
        f"{whole} of {len(metas)} episodes are complete, {made} of them made just now: {root}",
        f"Look at them with: pptarena report {root}",
    ):
        stdout().print(line, markup=False, highlight=False, soft_wrap=True)
