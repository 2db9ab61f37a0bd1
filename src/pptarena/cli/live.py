"""``pptarena live`` and ``pptarena play``: the live page."""

import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pptarena.cli.agents import DOC, SCREEN
from pptarena.cli.options import AsJson, EnvOptions, Machine
from pptarena.cli.output import print_json, print_line, print_note, quoted
from pptarena.errors import ConfigError
from pptarena.suggestions import not_found

if TYPE_CHECKING:
    from pptarena.rollouts.episode import StoredEpisode
    from pptarena.rollouts.live import LiveEnv
    from pptarena.rollouts.live.web import LiveServer
    from pptarena.tasks import Task

__all__ = ["Port", "live", "play", "serve_live"]

Port = Annotated[
    int,
    typer.Option(help="Port of the page.", metavar="N", show_default="a free one"),
]
_HUMAN = "human"
_HUMAN_STEPS = 500
_SLIDES = 8


@contextmanager
def serve_live(port: int, *, follow: bool = False) -> Iterator[None]:
    """Serve the live page and print its address.

    Args:
        port: Port; 0 for a free one.
        follow: Whether the page opens the first environment.

    Raises:
        ConfigError: If the port is invalid, or the package ``websockets`` is missing.
        HostError: If the port is not available.
    """
    if not 0 <= port < 2**16:
        raise ConfigError(f"--port: expected 0 to 65535, got {port}")
    from pptarena.rollouts.live.web import LiveServer

    with LiveServer(port, follow=follow) as server:
        _print_address(server)
        yield


def live(port: Port = 0) -> None:
    """Watch running episodes in a web page, and help agents.

    Shows the episodes of every `pptarena run` of this user on this computer, and of every
    environment in a LiveEnv. In the page, a person can pause an episode, take over mouse and
    keyboard, send a hint, or stop it. Only this computer can open the page. Ctrl+C ends the page,
    not the episodes.

    Needs the extra "live".

    Example:
      pptarena live
    """
    with serve_live(port):
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            print_note("The page is closed. Episodes continue.")


def play(
    task: Annotated[str, typer.Argument(help="Id or path of the task.", metavar="TASK")],
    env: Annotated[
        str,
        typer.Option(
            help="'screen': mouse and keyboard; 'doc': tool calls on the file.", metavar="ENV"
        ),
    ] = SCREEN,
    machine: Machine = "auto",
    slides: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=64,
            help="Slides to render with --env doc.",
            metavar="N",
            show_default=f"{_SLIDES}; 0 without the machine image",
        ),
    ] = None,
    out: Annotated[
        Path, typer.Option(help="Folder for the episodes; may already have some.", metavar="FOLDER")
    ] = Path("runs/human"),
    seed: Annotated[int, typer.Option(min=0, help="Lowest seed of the episode.", metavar="N")] = 0,
    max_steps: Annotated[
        int, typer.Option(min=1, help="Step limit of the episode.", metavar="N")
    ] = _HUMAN_STEPS,
    who: Annotated[
        str,
        typer.Option(
            help="Name or pseudonym to store with the episode.",
            metavar="NAME",
            show_default="none",
        ),
    ] = "",
    save_solution: Annotated[
        Path | None,
        typer.Option(
            help="If you reach score 1.00, write a copy of the task with your actions as its "
            "demonstration to this new folder.",
            metavar="FOLDER",
        ),
    ] = None,
    port: Port = 0,
    env_option: EnvOptions = [],  # noqa: B006 - typer copies it
    json: AsJson = False,
) -> None:
    """Solve a task yourself in a web page, and store the episode.

    Mouse and keyboard in the page become actions of the environment, on elements where possible.
    With --env doc, the page shows the deck and a form for tool calls instead. The score is updated
    after every action. The episode is stored like those of other agents, as agent 'human', with the
    time of every step and your rating of the difficulty. If the task was played before, the next
    free seed is used.

    With --save-solution, the folder contains the task, its decks and your actions, with controls
    by role and name. `pptarena tasks check FOLDER` verifies it.

    Needs the extra "live".

    Examples:
      pptarena play meridian-hide-backup --machine sandbox
      pptarena play meridian-hide-backup --env doc
      pptarena play my-task --machine sandbox --save-solution my-task-solved
    """
    from pptarena.rollouts.episode_files import read_json
    from pptarena.rollouts.solutions import require_solution_folder, write_solution
    from pptarena.tasks import pick_tasks

    _require_env(env, machine, slides, save_solution)
    (loaded_task,) = pick_tasks([task])
    if save_solution is not None:
        require_solution_folder(loaded_task, save_solution)
    make_env = _env_factory(env, machine, slides, max_steps, env_option)
    episode = _play_episode(loaded_task, make_env, out, seed, who, port)
    meta = episode.meta
    rating = read_json(episode.folder, "person.json")
    if json:
        facts = {name: getattr(meta, name) for name in ("task", "seed", "score", "steps", "end")}
        seconds, difficulty = rating["seconds"], rating["difficulty"]
        print_json({"path": str(episode.folder), **facts,
                    "seconds": seconds, "difficulty": difficulty})  # fmt: skip
    else:
        score = "no score" if meta.score is None else f"score {meta.score:.2f}"
        print_line(f"{meta.task}: {score}, {meta.steps} actions, {rating['seconds']:.0f} s")
        print_line(
            f"Episode: {episode.folder}", f"Next: pptarena runs replay {quoted(episode.folder)}"
        )
    if meta.infra_error is not None:
        raise typer.Exit(1)
    if save_solution is not None:
        write_solution(loaded_task, episode.folder, save_solution)
        print_note(f"Solution: {save_solution}. Next: pptarena tasks check {quoted(save_solution)} "
                   f"--machine {machine}")  # fmt: skip


def _require_env(env: str, machine: str, slides: int | None, save_solution: Path | None) -> None:
    if env not in (SCREEN, DOC):
        raise ConfigError(f"--env: {not_found('environment', env, (SCREEN, DOC))}")
    if env == SCREEN and slides is not None:
        raise ConfigError("--slides needs --env doc: the screen shows the slides")
    if env == DOC and machine != "auto":
        raise ConfigError("--env doc has no machine: leave out --machine")
    if env == DOC and save_solution is not None:
        raise ConfigError(
            "--save-solution needs --env screen: a demonstration has mouse and keyboard actions"
        )


def _env_factory(
    env: str, machine: str, slides: int | None, max_steps: int, options: list[str]
) -> "Callable[[], LiveEnv]":
    from pptarena.rollouts.env import make_document_env
    from pptarena.rollouts.env_options import env_arguments, read_env_options
    from pptarena.rollouts.live.env import make_live_env
    from pptarena.vm_images.image import find_image

    on_document = env == DOC
    env_options = read_env_options(options, machine, on_document=on_document)
    arguments = {**env_arguments(env_options), "max_steps": max_steps}
    if not on_document:
        return partial(make_live_env, machine=machine, **arguments)
    slide_count = (_SLIDES if find_image() else 0) if slides is None else slides
    return partial(make_live_env, make_document_env, slides=slide_count, **arguments)


def _play_episode(
    task: "Task", make_env: "Callable[[], LiveEnv]", out: Path, seed: int, who: str, port: int
) -> "StoredEpisode":
    from pptarena.rollouts.collect import lock_store
    from pptarena.rollouts.live import Person
    from pptarena.rollouts.run import Job, run_job
    from pptarena.rollouts.store import episode_path

    with lock_store(out), closing(make_env()) as env, serve_live(port, follow=True):
        free_seed = next(
            s for s in count(seed) if not episode_path(out, _HUMAN, task.id, s).exists()
        )
        return run_job(Job(_HUMAN, task, free_seed), env, Person(who), out, infra_retries=0)[-1]


def _print_address(server: "LiveServer") -> None:
    print_note(f"Live page: {server.url}")
