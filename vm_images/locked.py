"""Locked settings of the image's office application, as a separate layer of its registry.

A later layer of the registry may override an earlier one, and the user's profile comes last;
settings marked final cannot be overridden.
"""

from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape

__all__ = ["locked_layer"]

_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<oor:data xmlns:oor="http://openoffice.org/2001/registry" '
    'xmlns:xs="http://www.w3.org/2001/XMLSchema">\n'
    '<dependency file="main"/>\n<dependency file="impress"/>\n'
)
# These open addresses of the schemes macro:, vnd.sun.star.script:, service:, vnd.sun.star.job: and
# mailto:.
_HANDLERS = (
    "com.sun.star.comp.sfx2.SfxMacroLoader",
    "com.sun.star.comp.ScriptProtocolHandler",
    "com.sun.star.comp.framework.ServiceHandler",
    "com.sun.star.comp.framework.jobs.JobDispatch",
    "com.sun.star.comp.framework.MailToDispatcher",
)


def locked_layer(settings: Iterable[str], commands: Iterable[str]) -> str:
    """Return the layer as the text of an .xcd file.

    Args:
        settings: ``path property value`` each; without a value it is empty.
        commands: Names of the commands to disable, without ``.uno:``.

    Raises:
        ValueError: If a setting has another form.
    """
    parts = [_setting(line.split(maxsplit=2)) for line in settings]
    disabled = "".join(
        f'<node oor:name="{name}" oor:op="replace"><prop oor:name="Command">'
        f"<value>{name}</value></prop></node>\n"
        for name in map(escape, commands)
    )
    parts.append(
        _component(
            "org.openoffice.Office.Commands",
            f'<node oor:name="Execute"><node oor:name="Disabled" oor:finalized="true">\n'
            f"{disabled}</node></node>",
        )
    )
    removed = "".join(f'<node oor:name="{name}" oor:op="remove"/>\n' for name in _HANDLERS)
    parts.append(
        _component(
            "org.openoffice.Office.ProtocolHandler",
            f'<node oor:name="HandlerSet" oor:finalized="true">\n{removed}</node>',
        )
    )
    return _HEAD + "\n".join(parts) + "\n</oor:data>\n"


def _setting(words: Sequence[str]) -> str:
    if len(words) not in (2, 3) or not words[0].startswith("/"):
        raise ValueError(f"expected '/path property value', got {' '.join(words)!r}")
    component, *groups = words[0].strip("/").split("/")
    value = f"<value>{escape(words[2])}</value>" if len(words) == 3 else "<value/>"
    inner = f'<prop oor:name="{words[1]}" oor:finalized="true">{value}</prop>'
    for group in reversed(groups):
        inner = f'<node oor:name="{group}">{inner}</node>'
    return _component(component, inner)


def _component(name: str, inner: str) -> str:
    package, _, short = name.rpartition(".")
    return (
        f'<oor:component-data oor:name="{short}" oor:package="{package}">{inner}'
        "</oor:component-data>"
    )
