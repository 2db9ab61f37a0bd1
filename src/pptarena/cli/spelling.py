"""Old spellings of commands and options, which keep working for one release."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

__all__ = ["OLD_COMMANDS", "OLD_FLAGS", "OLD_OPTIONS", "current_spelling"]

OLD_COMMANDS: Final[Mapping[str, str]] = {
    "grow": "generate",
    "collect": "run",
    "replay": "runs replay",
    "export": "runs export",
    "compare": "runs compare",
    "leaderboard": "runs leaderboard",
    "rescore": "runs rescore",
    "import-results": "runs import",
    "pptc": "runs rescore --as pptc",
    "osworld": "runs rescore --as osworld",
    "edition": "tasks edition",
    "gallery": "tasks gallery",
    "import": "tasks import",
    "judge": "decks judge",
    "diff": "decks diff",
    "validate": "decks validate",
    "serve": "image serve",
    "bench": "dev bench",
}
"""Current commands by old spelling."""

_TASKS, _EPISODES = {"--tasks": "--task"}, {"--episodes": "--repeats"}
_TIMES, _PROCESSES = {"--times": "--repeats"}, {"--processes": "--workers"}
OLD_OPTIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "run": _TASKS | _EPISODES | {"--machines": "--workers"},
    "generate": _PROCESSES,
    "tasks generate": _PROCESSES,
    "tasks check": _TIMES,
    "runs replay": _TIMES,
    "dev bench": {"--rounds": "--repeats"},
}
"""The current option by the old one, by command."""
OLD_FLAGS: Final[Mapping[str, Mapping[str, str]]] = {
    "run": {"--resume": "'--resume' is no longer needed: 'run' continues in its --out folder"},
}
"""Notices about options that no longer have an effect, by command."""

_CHECK_LABELS = "--check-labels"


def current_spelling(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the arguments in the current spelling, and a notice for each old spelling.

    Args:
        arguments: The arguments of ``pptarena``, starting with the command.

    Example:
        >>> current_spelling(["grow", "--processes", "2"])
        (['generate', '--workers', '2'], ["'grow' is now 'generate'", "'--processes' is now ..."])
    """
    name, *rest = arguments
    notices = []
    if name == "pptc" and any(each.partition("=")[0] == _CHECK_LABELS for each in rest):
        current = ["dev", "pptc-labels", *_without_name(rest, _CHECK_LABELS)]
        notices.append(f"'pptc {_CHECK_LABELS}' is now 'dev pptc-labels'")
    elif name in OLD_COMMANDS:
        current = [*OLD_COMMANDS[name].split(), *rest]
        notices.append(f"'{name}' is now '{OLD_COMMANDS[name]}'")
    else:
        current = list(arguments)
    options = OLD_OPTIONS.get(current[0]) or OLD_OPTIONS.get(" ".join(current[:2]), {})
    option_names = list(dict.fromkeys(each.partition("=")[0] for each in _before_dashes(current)))
    notices += [f"'{old}' is now '{options[old]}'" for old in option_names if old in options]
    flags = OLD_FLAGS.get(current[0], {})
    notices += [flags[old] for old in option_names if old in flags]
    retained = [each for each in _before_dashes(current) if each not in flags]
    return list(
        _rename_options([*retained, *current[len(_before_dashes(current)) :]], options)
    ), notices


def _before_dashes(arguments: Sequence[str]) -> Sequence[str]:
    return arguments[: arguments.index("--")] if "--" in arguments else arguments


def _without_name(arguments: Sequence[str], option: str) -> list[str]:
    """Return the arguments with an option and its value replaced by the value alone."""
    return [each.removeprefix(f"{option}=") for each in arguments if each != option]


def _rename_options(arguments: Sequence[str], options: Mapping[str, str]) -> Iterator[str]:
    pending = iter(arguments)
    for argument in pending:
        if argument == "--":
            yield argument
            yield from pending
            return
        name, equals, value = argument.partition("=")
        if name not in options:
            yield argument
            continue
        values = (
            [value] if equals else [each for each in (next(pending, None),) if each is not None]
        )
        if name == "--tasks":  # accepts several names in one value
            values = [each.strip() for text in values for each in text.split(",")]
        if not values:
            yield options[name]
        for each in values:
            yield from (options[name], each)
