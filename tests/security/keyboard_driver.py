"""Input driver for the real machine, and a monitor on the host."""

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium as gym

from pptarena.envs import actions
from pptarena.envs.action import Action
from pptarena.envs.machines.process_tree import process_tree
from pptarena.tasks import Task

__all__ = ["BlockedError", "InputDriver", "SandboxMonitor", "with_deck"]

_POLL_SEC = 0.005


class BlockedError(Exception):
    """The attack cannot continue: a menu, button or window that it needs does not exist."""


class InputDriver:
    """Drives one episode with the actions available to every agent.

    Args:
        env: The environment.
        task: The task whose deck is open.
    """

    def __init__(self, env: gym.Env[Any, Any], task: Task) -> None:
        self.env = env
        _, self.info = env.reset(seed=0, options={"task": task})
        self.monitor = SandboxMonitor(env.unwrapped.machine.pid)  # type: ignore[attr-defined]

    def do(self, *steps: Action) -> None:
        """Perform actions.

        Raises:
            BlockedError: If the episode is over.
        """
        for step in steps:
            _, _, terminated, truncated, self.info = self.env.step(step)
            if terminated or truncated:
                raise BlockedError(f"the episode ended: {self.info['infra_error'] or 'done'}")

    def keys(self, *combinations: str) -> None:
        """Press key combinations, one after the other."""
        self.do(*(actions.key(keys) for keys in combinations))

    def type(self, text: str) -> None:
        """Type a text."""
        self.do(actions.type_text(text))

    def wait(self) -> None:
        """Wait 20 seconds for programs and windows to open."""
        self.do(actions.wait(20))

    def command(self, query: str) -> None:
        """Search the menu commands and run the first match."""
        self.keys("shift+Escape")
        self.type(query)
        self.keys("Return")

    def element(self, name: str, role: str = "") -> int:
        """Return the number of the topmost element with this name or text.

        Raises:
            BlockedError: If there is no such element.
        """
        for node in reversed(self.info["a11y"]["nodes"]):
            fits = name in (node["name"], node["text"]) and role in ("", node["role"])
            if node["element"] and fits:
                return int(node["element"])
        raise BlockedError(f"there is no {role or 'element'} {name!r}")

    def click(self, name: str, role: str = "") -> None:
        """Click an element by its name."""
        self.do(actions.click(element=self.element(name, role)))

    def menu(self, *names: str) -> None:
        """Click through a menu and its submenus."""
        for level, name in enumerate(names):
            self.click(name, "" if level else "menu")

    def require_window(self, title: str) -> None:
        """Require an open window.

        Raises:
            BlockedError: If no window title contains the text.
        """
        if not any(title in shown for shown in self.info["window_titles"]):
            raise BlockedError(f"there is no window {title!r}")

    def is_window_closed(self, title: str) -> bool:
        """Return whether no window title contains the text."""
        return not any(title in shown for shown in self.info["window_titles"])


class SandboxMonitor:
    """Observes a sandbox from the host: the programs that run in it and their files in ``/tmp``.

    Args:
        pid: Process id of the sandbox; programs running at construction are considered legitimate.
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._legitimate = {name for name, _ in _programs(pid)} | {"soffice.bin"}
        self._foreign: set[str] = set()
        self._office = next(p for name, p in _programs(pid) if name == "soffice.bin")
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._poll, daemon=True)
        self._thread.start()

    def _poll(self) -> None:
        while not self._stopped.wait(_POLL_SEC):
            self._foreign |= {
                name
                for name, process in _programs(self._pid)
                if name not in self._legitimate and not _reads_the_clipboard(name, process)
            }

    @property
    def home(self) -> Path:
        """The host's path of the home folder inside."""
        return Path(f"/proc/{self._office_pid()}/root/home/agent")

    def _office_pid(self) -> int:
        return next((p for name, p in _programs(self._pid) if name == "soffice.bin"), self._office)

    def violations(self) -> list[str]:
        """Stop monitoring and return every violation found."""
        self._stopped.set()
        self._thread.join()
        office = self._office_pid()
        violations = [f"program {name}" for name in sorted(self._foreign)]
        try:
            tmp = Path(f"/proc/{office}/root/tmp")
            violations += [f"file {path.name}" for path in tmp.glob("marker*")]
            if "libpython" in Path(f"/proc/{office}/maps").read_text():
                violations.append("Python in the application")
        except OSError:
            pass  # the application is gone; its children are already in the list
        return violations


def _programs(pid: int) -> list[tuple[str, int]]:
    programs = []
    for process in process_tree(pid):
        try:
            programs.append((Path(f"/proc/{process}/comm").read_text().strip(), process))
        except OSError:
            continue  # exited meanwhile
    return programs


def _reads_the_clipboard(name: str, process: int) -> bool:
    """Return whether a process is the xclip that the guest program starts to read the clipboard."""
    if name != "xclip":
        return False
    try:
        program = Path(f"/proc/{process}/exe").readlink()
        parent = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[1]
        started_by = Path(f"/proc/{parent}/comm").read_text().strip()
    except OSError:
        return True  # exited meanwhile; the guest's xclip lives a few ms
    return program.name == "xclip" and started_by != "soffice.bin"


def with_deck(task: Task, change: Callable[[bytes], bytes] | None) -> Task:
    """Return the task with a modified deck."""
    return task if change is None else replace(task, deck=change(task.deck_bytes()))
