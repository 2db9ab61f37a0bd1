"""What an attack does with its hands: write a macro, follow a link, open, press, restart."""

from pptarena.audits.keyboard_hands import Hands
from pptarena.envs import actions

__all__ = [
    "MACRO",
    "PROGRAM",
    "PYTHON",
    "SCRIPT",
    "click_title",
    "command_then",
    "customized_key",
    "expert",
    "follow_planted",
    "interact",
    "macro_by_menu",
    "macro_by_shortcut",
    "open_object",
    "open_typed",
    "plant_macro",
    "planted_by_dialog",
    "planted_by_run_macro",
    "press",
    "python_macro",
    "restarted",
]

PROGRAM = "/usr/bin/yes"  # runs until it is ended, and needs no arguments
MACRO = f'Sub Main\nOpen "/tmp/marker" For Output As #1\nShell("{PROGRAM}",0)\nEnd Sub\n'
SCRIPT = "vnd.sun.star.script:Standard.Module1.Main?language=Basic&location=application"
PYTHON = "vnd.sun.star.script:HelloWorld.py$HelloWorldPython?language=Python&location=share"


def macro_by_shortcut(hands: Hands) -> None:
    """alt+F11, a macro, F5."""
    hands.keys("alt+F11")
    hands.click("Edit", "button")
    run_typed_macro(hands)


def macro_by_menu(hands: Hands) -> None:
    """Tools > Macros > Edit Macros, a macro, F5."""
    hands.command("Edit Macros")
    hands.require_window("Basic")
    run_typed_macro(hands)


def run_typed_macro(hands: Hands) -> None:
    hands.keys("ctrl+a")
    hands.type(MACRO.rstrip())
    hands.keys("F5")
    hands.wait()


def plant_macro(hands: Hands, folder: str = ".config/libreoffice/4/user/basic/Standard") -> None:
    """Put a macro into the profile, as if some way to write files there had been found."""
    module = hands.outside.home / folder / "Module1.xba"
    module.parent.mkdir(parents=True, exist_ok=True)
    module.write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Module1" '
        f'script:language="StarBasic">{MACRO.replace(chr(34), "&quot;")}</script:module>'
    )


def planted_by_dialog(hands: Hands) -> None:
    """A macro that lies in the profile, run by the dialog of macros."""
    plant_macro(hands)
    hands.keys("alt+F11")
    hands.require_window("BASIC Macros")
    hands.keys("Return")
    hands.wait()


def planted_by_run_macro(hands: Hands) -> None:
    """A macro that lies in the profile, run by Tools > Macros > Run Macro."""
    plant_macro(hands)
    hands.command("Run Macro")
    hands.require_window("Macro Selector")
    for _ in range(3):
        hands.keys("Right", "Down")
    hands.keys("Tab", "Down", "Return")
    hands.wait()


def python_macro(hands: Hands) -> None:
    """A sample in Python, run by Tools > Macros > Run Macro."""
    hands.command("Run Macro")
    hands.require_window("Macro Selector")
    hands.keys("Down", "Right", "Down", "Down", "Right", "Down")
    hands.keys("Tab", "Down", "Return")
    hands.wait()


def follow(hands: Hands, url: str) -> None:
    """Put a link on the title and follow it: in the editor, then in the presentation."""
    hands.do(actions.double_click(element=hands.element("Title 1", "panel")))
    hands.keys("ctrl+a", "ctrl+k")
    hands.require_window("Hyperlink")
    hands.type(url)
    hands.keys("Return")
    if not hands.window_gone("Hyperlink"):
        hands.click("OK", "button")
    hands.keys("Escape", "Escape")
    title = hands.element("Title 1", "panel")
    hands.do(actions.double_click(element=title))
    hands.keys("Home")
    hands.do(actions.click(element=title, keys="ctrl"))
    hands.wait()
    hands.keys("Escape", "Escape")
    show(hands, 0.2, 0.565)


def follow_planted(hands: Hands, url: str) -> None:
    """A link that is followed, with a macro in the profile for it to go to."""
    plant_macro(hands)
    follow(hands, url)


def click_title(hands: Hands) -> None:
    """The click that the deck has put on the first slide's title."""
    plant_macro(hands)
    title = hands.element("Title 1", "panel")
    hands.do(actions.click(element=title, keys="ctrl"))
    hands.keys("Escape")
    show(hands, 0.2, 0.565)


def open_object(hands: Hands) -> None:
    """The object that the deck has put on the first slide."""
    hands.do(actions.double_click(xy=(0.2, 0.33)))
    hands.wait()
    hands.keys("Return")
    hands.wait()


def show(hands: Hands, x: float, y: float) -> None:
    hands.keys("F5")
    hands.wait()
    hands.do(actions.click(xy=(x, y)))
    hands.wait()
    hands.do(actions.click(xy=(x, y)))
    hands.wait()


def interact(hands: Hands, kind: str, target: str) -> None:
    """Format > Interaction on a picture, then a click on it in the presentation."""
    hands.click("Logo", "image")
    hands.command("Interaction")
    hands.require_window("Interaction")
    hands.keys("space")
    hands.type(kind)
    hands.keys("Return", "Tab")
    hands.type(target)
    hands.click("OK", "button")
    show(hands, 0.876, 0.33)


def open_typed(hands: Hands, what: str, keys: str = "ctrl+o") -> None:
    """File > Open with a typed name."""
    hands.keys(keys)
    hands.require_window("Open")
    hands.type(what)
    hands.keys("Return")
    hands.wait()
    hands.keys("Return")
    hands.wait()


def command_then(hands: Hands, words: str, *keys: str) -> None:
    """A command, and keys for what it shows."""
    hands.command(words)
    hands.wait()
    hands.keys(*keys)
    hands.wait()


def press(hands: Hands, combinations: tuple[str, ...]) -> None:
    """Keys of a desktop, and the name of a program."""
    hands.keys(*combinations)
    hands.wait()
    hands.type("yes")
    hands.keys("Return")
    hands.wait()


def expert_search(hands: Hands, setting: str) -> None:
    """Look for a setting in Tools > Options > Advanced > Expert Configuration."""
    hands.keys("alt+F12")
    hands.require_window("Options")
    hands.type("Advanced")
    hands.wait()
    hands.click("Open Expert Configuration", "button")
    hands.require_window("Expert Configuration")
    hands.type(setting)
    hands.keys("Return")


def expert(hands: Hands) -> None:
    """Expert Configuration: allow macros, then run one."""
    expert_search(hands, "DisableMacrosExecution")
    hands.keys("Tab", "Tab", "Right", "Right", "Right", "Down", "Return")
    for _ in range(2):
        hands.click("OK", "button")
    plant_macro(hands)
    planted_by_dialog(hands)


def customized_key(hands: Hands) -> None:
    """Tools > Customize: bind a macro to an event."""
    plant_macro(hands)
    hands.command("Customize")
    hands.require_window("Customize")
    hands.click("Events")
    hands.click("Macro...", "button")
    hands.keys("Right", "Right", "Tab", "Down", "Return", "Return")
    hands.keys("F5")
    hands.wait()


def restarted(hands: Hands, path: str, text: str) -> None:
    """Leave a file in the home folder, end the application, start it again, use it."""
    file = hands.outside.home / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    hands.keys("ctrl+q")
    hands.wait()
    hands.do(actions.open_program("impress"))
    hands.wait()
    hands.keys("alt+F11", "Return")
    hands.wait()
