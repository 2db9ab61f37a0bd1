"""Groups and commands of ``pptarena``: suggestions for misspelled names, and help texts."""

import inspect
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from pptarena.cli.output import print_note
from pptarena.cli.spelling import current_spelling
from pptarena.suggestions import similar_names

__all__ = ["CONTEXT", "Command", "Group", "HelpAll", "MainGroup", "with_panels"]

CONTEXT = {"help_option_names": ["-h", "--help"]}
"""The context settings of every group."""
_FORMATS_HELP, _SHOW_ALL = "pptarena.formats_help", "pptarena.show_all"  # keys of ctx.meta


class Command(TyperCommand):
    """A command that suggests options for a misspelled one."""

    def __init__(self, name: str | None, **settings: Any) -> None:
        """Create the command and reflow its help for every width."""
        super().__init__(name, **settings)
        self.help = _reflow(self.help)
        for param in self.params:
            _hide_type(param)

    def get_help_option(self, ctx: Any) -> Any:
        """Return the option ``--help``."""
        return _hide_type(super().get_help_option(ctx))

    def _example(self) -> str:
        """Return the first example of the help; empty if there is none."""
        lines = (self.help or "").splitlines()
        return next((line.strip() for line in lines if line.startswith("  pptarena ")), "")

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments.

        Raises:
            UsageError: If they are invalid.
        """
        try:
            return super().parse_args(ctx, args)
        except Exception as error:
            # Depending on its version, Typer uses Click's exceptions or a vendored copy.
            if type(error).__name__ == "MissingParameter" and (example := self._example()):
                ctx.fail(f"{error.format_message()} Example: {example}")  # type: ignore[attr-defined]
            if type(error).__name__ != "NoSuchOption":
                raise
            options = {
                name for param in self.params for name in (*param.opts, *param.secondary_opts)
            }
            ctx.fail(
                _not_found_message(
                    "option", getattr(error, "option_name", ""), {n: n for n in options}
                )
            )
            raise


def with_panels(panels: Mapping[str, Sequence[str]]) -> type[Command]:
    """Return a class of commands that show some options only with ``--help-all``.

    The command's function needs a parameter of the type `HelpAll`.

    Args:
        panels: Names of the parameters to hide from ``--help``, by the title of their panel.
    """
    panel_by_param = {param: title for title, params in panels.items() for param in params}
    order = {param: number for number, param in enumerate(panel_by_param)}

    class WithPanels(Command):
        def __init__(self, name: str | None, **settings: Any) -> None:
            super().__init__(name, **settings)
            params: list[Any] = self.params
            for param in params:
                param.rich_help_panel = panel_by_param.get(param.name)
            params.sort(key=lambda param: order.get(param.name, -1))  # stable

        def get_params(self, ctx: Any) -> list[Any]:
            """Return the parameters; only the visible ones while ``--help`` is formatted."""
            all_params = super().get_params(ctx)
            if ctx.meta.get(_FORMATS_HELP) and not ctx.meta.get(_SHOW_ALL):
                return [param for param in all_params if param.name not in panel_by_param]
            return all_params

        def format_help(self, ctx: Any, formatter: Any) -> None:
            """Print the help."""
            ctx.meta[_FORMATS_HELP] = True
            super().format_help(ctx, formatter)
            ctx.meta[_FORMATS_HELP] = False

    return WithPanels


def _show_all(ctx: typer.Context, is_requested: bool) -> None:
    if is_requested and not ctx.resilient_parsing:
        ctx.meta[_SHOW_ALL] = True
        typer.echo(ctx.get_help())
        raise typer.Exit


HelpAll = Annotated[
    bool,
    typer.Option(
        "--help-all",
        help="Show all options and exit.",
        is_eager=True,
        expose_value=False,
        callback=_show_all,
    ),
]
"""The option of commands with options that ``--help`` does not show."""


class Group(TyperGroup):
    """A group that suggests commands for a misspelled one."""

    def __init__(self, **settings: Any) -> None:
        """Create the group."""
        super().__init__(**settings)
        for param in self.params:
            _hide_type(param)

    def get_help_option(self, ctx: Any) -> Any:
        """Return the option ``--help``."""
        return _hide_type(super().get_help_option(ctx))

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Find the command that the arguments name.

        Raises:
            UsageError: If there is no such command.
        """
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            ctx.fail(_not_found_message("command", name, self.command_names(ctx)))
        return super().resolve_command(ctx, args)

    def command_names(self, ctx: Any) -> dict[str, str]:
        """Return the suggestions for a misspelled command, by the name to compare with."""
        return {name: name for name in self.list_commands(ctx)}


class MainGroup(Group):
    """The top-level group, which also accepts old spellings."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Find the named command, also by an old spelling."""
        args, notices = current_spelling(args)
        print_note(*notices)
        return super().resolve_command(ctx, args)

    def command_names(self, ctx: Any) -> dict[str, str]:
        """Return the suggestions, including the commands of subgroups by their own names."""
        suggestions: dict[str, str] = {}
        for name in self.list_commands(ctx):
            subcommands = getattr(self.get_command(ctx, name), "commands", {})
            suggestions |= {subcommand: f"{name} {subcommand}" for subcommand in subcommands}
        return suggestions | super().command_names(ctx)


def _not_found_message(noun: str, name: str, suggestions: dict[str, str]) -> str:
    similar = [repr(suggestions[each]) for each in similar_names(name, suggestions)]
    hint = f" Did you mean {' or '.join(similar)}?" if similar else ""
    return f"No such {noun}: {name!r}.{hint}"


def _reflow(text: str | None) -> str | None:
    """Return a help text with one line per paragraph; indented lines are kept."""
    if text is None:
        return None
    paragraphs = []
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        lines: list[str] = []
        for line in paragraph.split("\n"):
            if lines and not line.startswith(" ") and not lines[-1].startswith(" "):
                lines[-1] += f" {line}"
            else:
                lines.append(line)
        paragraphs.append("\n".join(lines))
    return "\n\n".join(paragraphs)


def _hide_type(param: Any) -> Any:
    """Hide the Python type of a flag or an argument in help texts."""
    if getattr(param, "is_flag", False) and param.metavar is None:
        param.metavar = ""
    if param.param_type_name == "argument":
        param.display_type_rich = lambda ctx: None
    return param
