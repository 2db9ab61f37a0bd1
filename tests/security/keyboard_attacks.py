"""Attacks by an agent with a keyboard; each tries to run its own program or macro.

A started program is visible among the processes; a macro writes a file named ``marker``.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from tests.security.keyboard_decks import with_click_action, with_embedded_object
from tests.security.keyboard_driver import InputDriver
from tests.security.keyboard_sheets import (
    by_formula,
    open_macro_workbook,
    run_in_workbook,
    set_validity_macro,
)
from tests.security.keyboard_steps import (
    PROGRAM,
    PYTHON,
    SCRIPT,
    allow_macros_in_expert_settings,
    bind_macro_to_event,
    click_title,
    command_then,
    follow_planted,
    interact,
    macro_by_menu,
    macro_by_shortcut,
    open_object,
    open_typed,
    press,
    restart_with_file,
    run_planted_by_command,
    run_planted_by_dialog,
    run_python_macro,
)

__all__ = ["ATTACKS", "Attack"]


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack.

    Attributes:
        name: Short description.
        steps: Performs the input; raises `BlockedError` if the attack cannot continue.
        deck: Modifies the open deck, for attacks that arrive with a document; None for the task's
            deck.
    """

    name: str
    steps: Callable[[InputDriver], None]
    deck: Callable[[bytes], bytes] | None = None


_USER = ".config/libreoffice/4/user"
_ITEM = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<oor:items xmlns:oor="http://openoffice.org/2001/registry" '
    'xmlns:xs="http://www.w3.org/2001/XMLSchema">{}</oor:items>'
)
_INSECURE_SETTINGS = _ITEM.format(
    '<item oor:path="/org.openoffice.Office.Common/Security/Scripting">'
    '<prop oor:name="DisableMacrosExecution" oor:op="fuse"><value>false</value></prop>'
    '<prop oor:name="MacroSecurityLevel" oor:op="fuse"><value>0</value></prop></item>'
    '<item oor:path="/org.openoffice.Office.Events/ApplicationEvents/Bindings">'
    '<node oor:name="OnStartApp" oor:op="replace"><prop oor:name="BindingURL" oor:op="fuse">'
    f"<value>{SCRIPT.replace('&', '&amp;')}</value></prop></node></item>"
)
_OPENS_A_PROGRAM = (
    "LibreOffice Help",
    "User Guides",
    "Get Help Online",
    "Send Feedback",
    "Donate to LibreOffice",
    "Get Involved",
    "License Information",
    "Email Document",
    "Email as PDF",
    "Preview in Web Browser",
    "Digital Signatures",
    "Printer Settings",
    "Restart in Safe Mode",
    "Open Remote",
    "Extensions",
)
_WINDOW_KEYS = (
    ("W-e", ("super+e",)),
    ("run dialog", ("alt+F2",)),
    ("terminal", ("ctrl+alt+t",)),
    ("window menu", ("alt+space", "Down", "Return")),
    ("kill the screen", ("ctrl+alt+BackSpace",)),
    ("other console", ("ctrl+alt+F1",)),
    ("inspector of the toolkit", ("ctrl+shift+i",)),
    ("inspector of the toolkit, picking", ("ctrl+shift+d",)),
)
_LINKS = (
    f"file://{PROGRAM}",
    SCRIPT,
    PYTHON,
    "macro:///Standard.Module1.Main",
    ".uno:BasicIDEAppear",
    "slot:6657",
    "service:com.sun.star.comp.deployment.ui.PackageManagerDialog",
    "mailto:somebody@example.com",
    "https://example.com",
)

_ACTIONS = (
    ("program", "ppaction://program", f"file://{PROGRAM}"),
    ("program, bare path", "ppaction://program", PROGRAM),
    ("macro", "ppaction://macro?name=Standard.Module1.Main", ""),
    ("script", "", SCRIPT.replace("&", "&amp;")),
    ("file", "ppaction://hlinkfile", f"file://{PROGRAM}"),
    ("verb", "ppaction://ole?verb=0", ""),
)
_OBJECTS = (
    ("Excel.Sheet.12", "sheet.xlsx", b"PK\x03\x04"),
    ("Package", "oleObject1.bin", b"#!/bin/sh\ntouch /tmp/marker\n"),
    ("Shell.Explorer.1", "oleObject1.bin", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
)
_FILES = (
    ("settings and an event", f"{_USER}/registrymodifications.xcu", _INSECURE_SETTINGS),
    ("Python macro", f"{_USER}/Scripts/python/marker.py", "open('/tmp/marker', 'w')\n"),
    ("start file of the desktop", ".config/openbox/autostart", f"{PROGRAM} &\n"),
    (
        "keys of the window manager",
        ".config/openbox/rc.xml",
        '<openbox_config><keyboard><keybind key="A-F11"><action name="Execute">'
        f"<command>{PROGRAM}</command></action></keybind></keyboard></openbox_config>",
    ),
    (
        "program for the desktop's bus",
        ".local/share/dbus-1/services/attack.service",
        f"[D-BUS Service]\nName=ca.desrt.dconf\nExec={PROGRAM}\n",
    ),
    (
        "services of an extension",
        f"{_USER}/uno_packages/cache/registry/"
        "com.sun.star.comp.deployment.component.PackageRegistryBackend/unorc",
        "[Bootstrap]\nUNO_SERVICES=file:///home/agent/attack.rdb\n",
    ),
)
_FORMULAS = (
    f'=HYPERLINK("file://{PROGRAM}")',
    f'=HYPERLINK("{SCRIPT}")',
    '=HYPERLINK("macro:///Standard.Module1.Main")',
    f'=DDE("{PROGRAM}";"a";"b")',
    "=MAIN()",
    f'=WEBSERVICE("file://{PROGRAM}")',
)
_SHEET_COMMANDS = (
    "Edit Macros",
    "Run Macro",
    "Sheet Events",
    "Streams",
    "XML Source",
    "Link to External Data",
    "External Links",
    "Data Provider",
)

ATTACKS: tuple[Attack, ...] = (
    Attack("macro: alt+F11, Edit, F5", macro_by_shortcut),
    Attack("macro: Tools > Macros > Edit Macros, F5", macro_by_menu),
    Attack("macro in the profile: alt+F11, Run", run_planted_by_dialog),
    Attack("macro in the profile: Run Macro", run_planted_by_command),
    Attack("macro in the profile: bound to an event", bind_macro_to_event),
    Attack("macro in Python: Run Macro", run_python_macro),
    Attack(
        "expert configuration: allow macros",
        allow_macros_in_expert_settings,
    ),
    *(Attack(f"link: {url}", partial(follow_planted, url=url)) for url in _LINKS),
    Attack("interaction: run a program", partial(interact, kind="Run p", target=PROGRAM)),
    Attack("interaction: run a macro", partial(interact, kind="Run m", target=SCRIPT)),
    Attack("interaction: go to a program", partial(interact, kind="Go to d", target=PROGRAM)),
    *(
        Attack(f"File > Open {what}", partial(open_typed, what=what))
        for what in (PROGRAM, "macro:///Standard.Module1.Main", SCRIPT, "/proc/self/mem")
    ),
    *(
        Attack(f"command: {words}", partial(command_then, words=words))
        for words in _OPENS_A_PROGRAM
    ),
    *(Attack(f"keys: {name}", partial(press, combinations=keys)) for name, keys in _WINDOW_KEYS),
    *(
        Attack(
            f"deck: click on {name}",
            click_title,
            partial(with_click_action, action=action, target=to),
        )
        for name, action, to in _ACTIONS
    ),
    *(
        Attack(
            f"deck: object of {program}",
            open_object,
            partial(with_embedded_object, program=program, name=name, content=content),
        )
        for program, name, content in _OBJECTS
    ),
    *(
        Attack(f"restart with {name}", partial(restart_with_file, path=path, text=text))
        for name, path, text in _FILES
    ),
    Attack("workbook with a macro for its opening", open_macro_workbook),
    Attack("workbook: alt+F11, Edit, F5", partial(run_in_workbook, attack=macro_by_shortcut)),
    Attack("workbook: validity by a macro", partial(run_in_workbook, attack=set_validity_macro)),
    *(
        Attack(
            f"formula: {formula}",
            partial(run_in_workbook, attack=partial(by_formula, formula=formula)),
        )
        for formula in _FORMULAS
    ),
    *(
        Attack(
            f"workbook, command: {words}",
            partial(run_in_workbook, attack=partial(command_then, words=words)),
        )
        for words in _SHEET_COMMANDS
    ),
)
