"""Exceptions of the package.

The hierarchy::

    PPTArenaError
    ├── ConfigError            invalid argument, option or combination (also a ValueError)
    │   └── TextShapeError     a text space has no shape (also an AttributeError)
    ├── HostError              this computer lacks a requirement; the message includes a fix
    ├── ImageError             the machine image is missing, broken or could not be built
    ├── TaskError              a task file is malformed
    │   └── UnknownTaskError   no task has that id (also a KeyError)
    ├── ActionError            an action cannot be decoded; nothing was executed
    │   ├── DialectError       a model's reply cannot be parsed as an action, or vice versa
    │   └── EditError          an edit does not fit the deck; the deck did not change
    ├── DeckError              a .pptx file cannot be read
    ├── RubricError            a rubric does not fit its schema; the message names the location
    ├── UnscoredError          a check could not be scored: neither pass nor fail
    │   ├── JudgeError         the judge model returned no valid answer or was unreachable
    │   │   └── JudgeBudgetError  the judge's budget is spent
    │   └── LeafError          a Python leaf raised, exceeded a limit or could not be run
    ├── AgentError             an agent cannot continue; the current state is scored
    │   └── MacroError         the screen does not meet a macro's pre- or postcondition
    ├── EndpointError          a model endpoint failed; the model is not to blame
    │   ├── EndpointClosedError  it fails for the rest of the run: key, model, budget, connection
    │   └── EndpointUnreachableError  it cannot be reached
    ├── StoreError             a stored episode is missing, incomplete or malformed
    └── MachineError           the machine failed, not the agent
        ├── MachineStartError    it did not start
        ├── MachineLostError     it failed during an episode
        │   └── MachineOverloadedError  its programs exceeded a resource limit or crashed
        └── MachineTimeoutError  it did not respond within the deadline

A `MachineError` is never a score: `step` returns ``truncated=True``, reward 0 and
``info["infra_error"]``. A `MachineOverloadedError` during an episode is caused by the agent. It
ends the episode (``terminated=True``, ``info["overload"]``), and the remaining state is scored.
"""

__all__ = [
    "ActionError",
    "AgentError",
    "ConfigError",
    "DeckError",
    "DialectError",
    "EditError",
    "EndpointClosedError",
    "EndpointError",
    "EndpointUnreachableError",
    "HostError",
    "ImageError",
    "JudgeBudgetError",
    "JudgeError",
    "LeafError",
    "MachineError",
    "MachineLostError",
    "MachineOverloadedError",
    "MachineStartError",
    "MachineTimeoutError",
    "MacroError",
    "PPTArenaError",
    "RubricError",
    "StoreError",
    "TaskError",
    "TextShapeError",
    "UnknownTaskError",
    "UnscoredError",
    "missing_package",
]

_MAX_PROBLEMS = 20
"""Maximum number of problems of one file that a message lists."""


class PPTArenaError(Exception):
    """Base class of all exceptions of this package."""


class ConfigError(PPTArenaError, ValueError):
    """An argument or option has an invalid value."""


def missing_package(purpose: str, package: str, extra: str) -> ConfigError:
    """Return the error for an optional package that is not installed.

    Args:
        purpose: The feature that needs it, such as ``a judge``.
        package: Name on the package index.
        extra: The extra of pyproject.toml that installs it.
    """
    return ConfigError(
        f"{purpose} needs the package {package!r}, which is not installed. "
        f"In a checkout of pptarena: pip install -e '.[{extra}]'"
    )


class TextShapeError(ConfigError, AttributeError):
    """A library that supports only arrays asked a text space for its shape."""


class HostError(PPTArenaError):
    """The host lacks a program, a permission or disk space; the message includes a fix."""


class ImageError(PPTArenaError):
    """The machine image is missing, broken, or could not be built."""


class _FileProblemsError(PPTArenaError):
    """A file has one or more problems; each argument is one, beginning with its location."""

    @property
    def problems(self) -> tuple[str, ...]:
        """The problems, in file order where one exists."""
        return tuple(map(str, self.args))

    def __str__(self) -> str:
        """Return the only problem, or a list with one problem per line."""
        if len(self.args) < 2:
            return Exception.__str__(self)
        lines = [f"  {problem}" for problem in self.problems[:_MAX_PROBLEMS]]
        if remaining := len(self.args) - len(lines):
            lines.append(f"  and {remaining} more")
        return "\n".join([f"{len(self.args)} problems:", *lines])


class TaskError(_FileProblemsError):
    """A task file is malformed or a task cannot be used; `problems` lists every problem found."""


class UnknownTaskError(TaskError, KeyError):
    """No task has that id."""

    def __str__(self) -> str:
        """Return the plain message; `KeyError` would return its repr."""
        return Exception.__str__(self)


class ActionError(PPTArenaError):
    """An action cannot be executed as given; nothing was executed."""


class DialectError(ActionError):
    """A model's reply is not an action of its dialect, or an action has no form in it."""


class EditError(ActionError):
    """An edit does not fit the deck or has invalid arguments; the deck did not change."""


class DeckError(PPTArenaError):
    """A deck cannot be read as a .pptx file."""


class RubricError(_FileProblemsError):
    """A rubric does not fit its schema; each of the `problems` begins with its location."""


class UnscoredError(PPTArenaError):
    """A check could not be scored; its node becomes `unscored`, never a number."""


class JudgeError(UnscoredError):
    """A judge returned no valid answer or was unreachable; this is never a score."""


class JudgeBudgetError(JudgeError):
    """A judge's budget of calls or tokens is spent."""


class LeafError(UnscoredError):
    """A Python leaf of an imported rubric raised, exceeded a limit or could not be run."""


class AgentError(PPTArenaError):
    """An agent cannot continue, for example because a required control is not on the screen."""


class MacroError(AgentError):
    """The screen does not meet a macro's precondition or postcondition."""


class EndpointError(PPTArenaError):
    """A model endpoint refused a request or was unreachable; this is never a score."""


class EndpointClosedError(EndpointError):
    """A run cannot continue with its model.

    The key or model name is rejected, the budget is spent, or the endpoint is unreachable.
    """


class EndpointUnreachableError(EndpointError):
    """A model endpoint is unreachable; the message contains its address."""


class StoreError(PPTArenaError):
    """A stored episode is missing, incomplete or malformed; the message names the file."""


class MachineError(PPTArenaError):
    """The machine failed; the agent is not to blame."""


class MachineStartError(MachineError):
    """The machine did not start."""


class MachineLostError(MachineError):
    """The machine failed during an episode."""


class MachineOverloadedError(MachineLostError):
    """Programs in the machine exceeded a resource limit, or the application exited or crashed.

    The limits are memory and number of processes. The cause is the agent's actions, not the host.
    """


class MachineTimeoutError(MachineError):
    """The machine did not respond within its deadline."""
