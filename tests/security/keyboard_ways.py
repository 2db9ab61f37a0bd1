"""Steps shared by attacks: write a macro, follow a link, open a file, press keys, restart."""

from tests.security.keyboard_hands import Hands

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

PROGRAM = "/usr/bin/yes"  # runs until killed and needs no arguments
MACRO = f'Sub Main\nOpen "/tmp/marker" For Output As #1\nShell("{PROGRAM}",0)\nEnd Sub\n'
SCRIPT = "vnd.sun.star.script:Standard.Module1.Main?language=Basic&location=application"
PYTHON = "vnd.sun.star.script:HelloWorld.py$HelloWorldPython?language=Python&location=share"


def macro_by_shortcut(hands: Hands) -> None:
    """Write a macro with alt+F11 and run it with F5."""
    hands.keys("alt+F11")
    hands.click("Edit", "button")
    run_typed_macro(hands)


def macro_by_menu(hands: Hands) -> None:
    """Write a macro with Tools > Macros > Edit Macros and run it with F5."""
    hands.command("Edit Macros")
    hands.require_window("Basic")
    run_typed_macro(hands)


def run_typed_macro(hands: Hands) -> None:
    hands.keys("ctrl+a")
    hands.type(MACRO.rstrip())
    hands.keys("F5")
    hands.wait()


def plant_macro(hands: Hands, folder: str = ".config/libreoffice/4/user/basic/Standard") -> None:
    """Write a macro into the profile, as if a file-writing vulnerability had been exploited."""
    module = hands.outside.home / folder / "Module1.xba"
    module.parent.mkdir(parents=True, exist_ok=True)
    module.write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Module1" '
        f'script:language="StarBasic">{MACRO.replace(chr(34), "&quot;")}</script:module>'
    )


def planted_by_dialog(hands: Hands) -> None:
    """Run a macro from the profile with the macro dialog."""
    plant_macro(hands)
    hands.keys("alt+F11")
    hands.require_window("BASIC Macros")
    hands.keys("Return")
    hands.wait()


def planted_by_run_macro(hands: Hands) -> None:
    """Run a macro from the profile with Tools > Macros > Run Macro."""
    plant_macro(hands)
    hands.command("Run Macro")
    hands.require_window("Macro Selector")
    for _ in range(3):
        hands.keys("Right", "Down")
    hands.keys("Tab", "Down", "Return")
    hands.wait()


def python_macro(hands: Hands) -> None:
    """Run a sample Python macro with Tools > Macros > Run Macro."""
    hands.command("Run Macro")
    hands.require_window("Macro Selector")
    hands.keys("Down", "Right", "Down", "Down", "Right", "Down")
    hands.keys("Tab", "Down", "Return")
    hands.wait()


def follow(hands: Hands, url: str) -> None:
    """Put a link on the title and follow it in the editor, then in the slide show."""
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
    """Follow a link to a macro in the profile."""
    plant_macro(hands)
    follow(hands, url)


def click_title(hands: Hands) -> None:
    """Trigger the click action that the deck defines on the first slide's title."""
    plant_macro(hands)
    title = hands.element("Title 1", "panel")
    hands.do(actions.click(element=title, keys="ctrl"))
    hands.keys("Escape")
    show(hands, 0.2, 0.565)


def open_object(hands: Hands) -> None:
    """Open the embedded object on the first slide."""
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
    """Set Format > Interaction on a picture, then click the picture in the slide show."""
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
    """Open a file by typing its name in File > Open."""
    hands.keys(keys)
    hands.require_window("Open")
    hands.type(what)
    hands.keys("Return")
    hands.wait()
    hands.keys("Return")
    hands.wait()


def command_then(hands: Hands, words: str, *keys: str) -> None:
    """Run a command, then press keys in the dialog that it opens."""
    hands.command(words)
    hands.wait()
    hands.keys(*keys)
    hands.wait()


def press(hands: Hands, combinations: tuple[str, ...]) -> None:
    """Press desktop shortcuts, then type a program name."""
    hands.keys(*combinations)
    hands.wait()
    hands.type("yes")
    hands.keys("Return")
    hands.wait()


def expert_search(hands: Hands, setting: str) -> None:
    """Search for a setting in Tools > Options > Advanced > Expert Configuration."""
    hands.keys("alt+F12")
    hands.require_window("Options")
    hands.type("Advanced")
    hands.wait()
    hands.click("Open Expert Configuration", "button")
    hands.require_window("Expert Configuration")
    hands.type(setting)
    hands.keys("Return")


def expert(hands: Hands) -> None:
    """Allow macros in Expert Configuration, then run one."""
    expert_search(hands, "DisableMacrosExecution")
    hands.keys("Tab", "Tab", "Right", "Right", "Right", "Down", "Return")
    for _ in range(2):
        hands.click("OK", "button")
    plant_macro(hands)
    planted_by_dialog(hands)


def customized_key(hands: Hands) -> None:
    """Bind a macro to an event with Tools > Customize."""
    plant_macro(hands)
    hands.command("Customize")
    hands.require_window("Customize")
    hands.click("Events")
    hands.click("Macro...", "button")
    hands.keys("Right", "Right", "Tab", "Down", "Return", "Return")
    hands.keys("F5")
    hands.wait()


def restarted(hands: Hands, path: str, text: str) -> None:
    """Put a file into the home folder, restart the application and use it."""
    file = hands.outside.home / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    hands.keys("ctrl+q")
    hands.wait()
    hands.do(actions.open_program("impress"))
    hands.wait()
    hands.keys("alt+F11", "Return")
    hands.wait()
