"""Every exception the package raises on purpose.

The tree::

    PPTArenaError
    ├── ConfigError            wrong argument, option or combination of them (also a ValueError)
    │   └── TextShapeError     a space of texts has no shape (also an AttributeError)
    ├── HostError              this computer lacks something; the message says what mends it
    ├── ImageError             the machine image is missing, broken or could not be built
    ├── TaskError              a task file is malformed
    │   └── UnknownTaskError   no task of that id (also a KeyError)
    ├── ActionError            an action that cannot be decoded; nothing was done
    │   ├── DialectError       what a model said is no action, or cannot be said to it
    │   └── EditError          an edit that does not fit the deck; the deck did not change
    ├── DeckError              a .pptx that cannot be read
    ├── RubricError            a rubric that does not fit its schema; the message names the place
    ├── UnscoredError          a check that could not be judged: neither pass nor fail
    │   ├── JudgeError         the model that judges gave no valid answer, or could not be asked
    │   │   └── JudgeBudgetError  it may not be asked any more
    │   └── LeafError          a Python leaf raised, broke a limit, or could not be run
    ├── AgentError             an agent cannot go on; the episode is scored as it stands
    │   └── MacroError         the screen is not as a macro needs it, before or after
    ├── EndpointError          the service of a model could not be asked; the model is not to blame
    │   ├── EndpointClosedError  nor can it be in this run: key, model, budget or no connection
    │   └── EndpointUnreachableError  the service cannot be reached
    ├── StoreError             a stored episode is missing, incomplete or malformed
    └── MachineError           the machine failed, not the agent
        ├── MachineStartError    it did not come up
        ├── MachineLostError     it went away in mid-episode
        │   └── MachineOverloadedError  what ran in it used more than its share, or broke
        └── MachineTimeoutError  it did not answer within its deadline

A `MachineError` is never a score: `step` answers it with ``truncated=True``, reward 0 and
``info["infra_error"]``. But what the agent did to the machine is its own doing: a
`MachineOverloadedError` in mid-episode ends it (``terminated=True``, ``info["overload"]``) with the
score of what is left.
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

_MOST_PROBLEMS = 20
"""Most problems of one file that a message lists."""


class PPTArenaError(Exception):
    """Base of all errors of this package."""


class ConfigError(PPTArenaError, ValueError):
    """An argument or option has a value that is not allowed."""


def missing_package(purpose: str, package: str, extra: str) -> ConfigError:
    """Return the error for an optional package that is not installed.

    Args:
        purpose: What needs it, such as ``a judge``.
        package: Its name on the package index.
        extra: The extra of pyproject.toml that installs it.
    """
    return ConfigError(
        f"{purpose} needs the package {package!r}, which is not installed. "
        f"In a checkout of pptarena: pip install -e '.[{extra}]'"
    )


class TextShapeError(ConfigError, AttributeError):
    """A space of texts was asked for its shape by a library that takes only arrays."""


class HostError(PPTArenaError):
    """The host lacks a program, a permission or space; the message says how to mend it."""


class ImageError(PPTArenaError):
    """The machine image is missing, broken, or could not be built."""


class _FileProblemsError(PPTArenaError):
    """A file has one or more problems; each argument is one, beginning with its place."""

    @property
    def problems(self) -> tuple[str, ...]:
        """The problems, in the order of the file where it has one."""
        return tuple(map(str, self.args))

    def __str__(self) -> str:
        """Return the only problem, or a list of them with one a line."""
        if len(self.args) < 2:
            return Exception.__str__(self)
        lines = [f"  {each}" for each in self.problems[:_MOST_PROBLEMS]]
        if more := len(self.args) - len(lines):
            lines.append(f"  and {more} more")
        return "\n".join([f"{len(self.args)} problems:", *lines])


class TaskError(_FileProblemsError):
    """A task file is malformed, or a task cannot be used; `problems` lists all that was found."""


class UnknownTaskError(TaskError, KeyError):
    """There is no task of that id."""

    def __str__(self) -> str:
        """Show the message itself; `KeyError` would show its repr."""
        return Exception.__str__(self)


class ActionError(PPTArenaError):
    """An action cannot be carried out as given; nothing was done."""


class DialectError(ActionError):
    """What a model said is no action in its dialect, or an action cannot be said in it."""


class EditError(ActionError):
    """An edit does not fit the deck, or its arguments are wrong; the deck did not change."""


class DeckError(PPTArenaError):
    """A deck cannot be read as a .pptx file."""


class RubricError(_FileProblemsError):
    """A rubric does not fit its schema; each of the `problems` begins with its place."""


class UnscoredError(PPTArenaError):
    """A check could not be judged; its node becomes `unscored`, never a number."""


class JudgeError(UnscoredError):
    """A judge gave no valid answer, or could not be asked; that is never a score."""


class JudgeBudgetError(JudgeError):
    """A judge may not be asked any more: its budget of calls or tokens is spent."""


class LeafError(UnscoredError):
    """A Python leaf of an imported rubric raised, broke a limit, or could not be run."""


class AgentError(PPTArenaError):
    """An agent cannot go on, such as when the control it needs is not on the screen."""


class MacroError(AgentError):
    """The screen is not as a macro needs it before it begins, or not as it should be after."""


class EndpointError(PPTArenaError):
    """The service of a model refused or could not be asked; that is never a score."""


class EndpointClosedError(EndpointError):
    """A run cannot continue with its model.

    The key or the name is refused, the budget is spent, or the service cannot be reached.
    """


class EndpointUnreachableError(EndpointError):
    """The service of a model cannot be reached; the message names its address."""


class StoreError(PPTArenaError):
    """A stored episode is missing, incomplete or malformed; the message names the file."""


class MachineError(PPTArenaError):
    """The machine failed; the agent is not to blame."""


class MachineStartError(MachineError):
    """The machine did not come up."""


class MachineLostError(MachineError):
    """The machine went away in mid-episode."""


class MachineOverloadedError(MachineLostError):
    """What ran in the machine used more than its share, or was closed, overloaded or broken.

    Its share is memory and processes; the application was closed, overloaded or broke under what
    it was told to do. The host is not to blame.
    """


class MachineTimeoutError(MachineError):
    """The machine did not answer within its deadline."""
