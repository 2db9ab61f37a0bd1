"""Parts of the documentation that are generated from the code.

A page has a line such as ``<!-- generated: cli -->``, the generated part, and the line
``<!-- end of generated -->``. The parts are committed, so that pages can be read without building
the site: ``python -m tools.site_pages`` updates them. Building the site generates them again.
``<!-- generated: file CHANGELOG.md -->`` inserts a file of the repository on the site only, with
its links made relative to the page.
"""

import importlib
import inspect
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

__all__ = ["GENERATORS", "fill", "fill_page", "main", "update_page"]

ROOT = Path(__file__).parents[1]
_END = "<!-- end of generated -->"
_MARKER = re.compile(
    r"^<!-- generated: (?P<name>\w+)(?: (?P<file>\S+))? -->$"
    rf"(?:\n(?P<part>(?:(?!^<!-- generated).)*?)^{_END}$)?",
    re.MULTILINE | re.DOTALL,
)
_DIRECTIVE = re.compile(r"^\.\. auto(?P<type>function|class|module):: (?P<name>\S+)$", re.MULTILINE)
_EXAMPLES = re.compile(r"^Examples?:(?P<lines>(?:\s+pptarena .*)+)", re.MULTILINE)
_NAMES = "names"
_LINK = re.compile(r"\]\((?![a-z]+:|#)([^)\s]+)\)")


def fill(app: Any, docname: str, source: list[str]) -> None:
    """Replace the markers of a page; called by Sphinx for each page."""
    source[0] = fill_page(source[0], ROOT / "docs" / f"{docname}.md")


def fill_page(text: str, page: Path) -> str:
    """Return the text of a page with its markers replaced.

    Raises:
        KeyError: If a marker names an unknown generator.
    """

    def replacement(match: re.Match[str]) -> str:
        if match["name"] == "file":
            return _include(ROOT / match["file"], page)
        if match["name"] == _NAMES:
            return ""  # the site documents each of them
        return GENERATORS[match["name"]]()

    return _MARKER.sub(replacement, text)


def update_page(text: str) -> str:
    """Return the text of a page with its generated parts updated."""

    def replacement(match: re.Match[str]) -> str:
        if match["file"]:
            return match[0]
        name = match["name"]
        part = _names(text) if name == _NAMES else GENERATORS[name]()
        return f"<!-- generated: {name} -->\n{part.strip()}\n{_END}"

    return _MARKER.sub(replacement, text)


def main() -> None:
    """Write the generated parts of all pages."""
    for page in sorted((ROOT / "docs").rglob("*.md")):
        text = page.read_text("utf-8")
        if (new := update_page(text)) != text:
            page.write_text(new, "utf-8")
            sys.stdout.write(f"wrote {page.relative_to(ROOT)}\n")


def _include(path: Path, page: Path) -> str:
    def relative(match: re.Match[str]) -> str:
        target, _, anchor = match[1].partition("#")
        relative_path = os.path.relpath(path.parent / target, page.parent)
        path_in_repository = path.parent / target
        is_page = path_in_repository.suffix == ".md" and path_in_repository.is_relative_to(
            ROOT / "docs"
        )
        if not path_in_repository.is_file() or (path_in_repository.suffix == ".md" and not is_page):
            return "]()"
        return f"]({relative_path}{'#' if anchor else ''}{anchor})"

    text = _LINK.sub(relative, path.read_text("utf-8"))
    return re.sub(r"\[([^\]]*)\]\(\)", r"\1", text)  # not on the site


def _commands() -> str:
    """Return a section for every command in the overview."""
    import typer.main

    from pptarena.cli.app import app

    return "\n".join(_command(typer.main.get_command(app), "pptarena"))


def _command(command: Any, path: str) -> Iterator[str]:
    commands = getattr(command, "commands", None)
    if commands is not None:
        if path != "pptarena":
            yield f"## {path}\n\n{_plain(command.help or '')}\n"
        simple = [each for each in commands.values() if not hasattr(each, "commands")]
        groups = [each for each in commands.values() if hasattr(each, "commands")]
        for each in (*simple, *groups):
            if not each.hidden:
                yield from _command(each, f"{path} {each.name}")
        return
    yield f"{'#' * (1 + path.count(' '))} {path}\n\n{_plain(command.help or '')}\n"
    rows = [_option(each) for each in command.params if not getattr(each, "hidden", False)]
    if rows:
        yield "| argument or option | default | description |\n|---|---|---|"
        yield "\n".join(rows) + "\n"


def _option(param: Any) -> str:
    is_option = param.param_type_name == "option"
    names = (
        [*param.opts, *param.secondary_opts]
        if is_option
        else [(param.metavar or param.name).upper()]
    )
    show_default = getattr(param, "show_default", None)
    default = param.default if not callable(param.default) else None
    if param.required:
        text = "required"
    elif isinstance(show_default, str):
        text = show_default
    elif default in (None, False, "", (), []) or repr(default).startswith("Sentinel"):
        text = ""
    else:
        text = f"`{default}`"
    listed = ", ".join(f"`{name}`" for name in names)
    return f"| {listed} | {_cell(text)} | {_cell(getattr(param, 'help', '') or '')} |"


def _cell(text: str) -> str:
    return " ".join(_plain(text).split()).replace("|", "\\|")


def _plain(text: str) -> str:
    """Return a help text as Markdown: options and examples as code."""
    text = _EXAMPLES.sub(_example_block, text)
    parts = re.split(r"(```.*?```)", text.replace("<", "\\<"), flags=re.DOTALL)
    parts[::2] = [re.sub(r"(?<![`\w])(--[a-z][a-z-]*)", r"`\1`", part) for part in parts[::2]]
    return "".join(parts)


def _example_block(match: re.Match[str]) -> str:
    lines = inspect.cleandoc(match["lines"])
    return f"```text\n{lines}\n```"


def _names(page: str) -> str:
    """Return a table of the objects that the directives of a page document."""
    rows = ["| name | description |", "|---|---|"]
    for match in _DIRECTIVE.finditer(page):
        if match["type"] == "module":
            module = importlib.import_module(match["name"])
            objects = [
                (f"{match['name']}.{name}", getattr(module, name)) for name in module.__all__
            ]
        else:
            module_name, _, name = match["name"].rpartition(".")
            objects = [(match["name"], getattr(importlib.import_module(module_name), name))]
        for path, each in objects:
            if callable(each):
                first = (inspect.getdoc(each) or "").split("\n\n")[0]
                rows.append(f"| `{path}` | {_cell(first)} |")
    return "\n".join(rows)


def _macros() -> str:
    from pptarena.agents.macros import MACRO_FUNCTIONS
    from pptarena.edits.signature import Signature

    rows = ["| macro | arguments | effect |", "|---|---|---|"]
    for name, function in MACRO_FUNCTIONS.items():
        macro = Signature(function)
        arguments = (
            f"`{each.name}{'' if each.default is each.empty else '?'}`" for each in macro.parameters
        )
        rows.append(f"| `{name}` | {', '.join(arguments)} | {_cell(macro.description)} |")
    return "\n".join(rows)


def _tools() -> str:
    import pptarena

    with pptarena.make("meridian-hide-backup", env="doc") as env:
        tools: list[dict[str, Any]] = env.unwrapped.tools()  # type: ignore[attr-defined]
    rows = ["| tool | arguments | description |", "|---|---|---|"]
    for tool in tools:
        schema = tool.get("function", tool)
        parameters = schema.get("parameters") or schema.get("input_schema") or {}
        required = parameters.get("required", [])
        names = (
            f"`{key}{'' if key in required else '?'}`" for key in parameters.get("properties", {})
        )
        rows.append(f"| `{schema['name']}` | {', '.join(names)} | {_cell(schema['description'])} |")
    return "\n".join(rows)


def _operators() -> str:
    from pptarena.tasks.generator import OPERATORS

    rows = ["| edit type | operators |", "|---|---|"]
    types = sorted({each.edit_type for each in OPERATORS.values()})
    for edit_type in types:
        names = (name for name, each in OPERATORS.items() if each.edit_type == edit_type)
        rows.append(f"| {edit_type} | {', '.join(f'`{name}`' for name in sorted(names))} |")
    return "\n".join(rows)


GENERATORS: dict[str, Callable[[], str]] = {
    "cli": _commands,
    "macros": _macros,
    "operators": _operators,
    "tools": _tools,
}
"""The generators that a marker may name, in addition to ``file`` and ``names``."""

if __name__ == "__main__":
    main()
