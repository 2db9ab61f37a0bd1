"""Steps shared by attacks: write a macro, follow a link, open a file, press keys, restart."""

from tests.security.keyboard_driver import InputDriver

from pptarena.envs import actions

__all__ = [
    "MACRO",
    "PROGRAM",
    "PYTHON",
    "SCRIPT",
    "allow_macros_in_expert_settings",
    "bind_macro_to_event",
    "click_title",
    "command_then",
    "follow_planted",
    "interact",
    "macro_by_menu",
    "macro_by_shortcut",
    "open_object",
    "open_typed",
    "plant_macro",
    "press",
    "restart_with_file",
    "run_planted_by_command",
    "run_planted_by_dialog",
    "run_python_macro",
]

PROGRAM = "/usr/bin/yes"  # runs until killed and needs no arguments
MACRO = f'Sub Main\nOpen "/tmp/marker" For Output As #1\nShell("{PROGRAM}",0)\nEnd Sub\n'
SCRIPT = "vnd.sun.star.script:Standard.Module1.Main?language=Basic&location=application"
PYTHON = "vnd.sun.star.script:HelloWorld.py$HelloWorldPython?language=Python&location=share"


def macro_by_shortcut(driver: InputDriver) -> None:
    """Write a macro with alt+F11 and run it with F5."""
    driver.keys("alt+F11")
    driver.click("Edit", "button")
    run_typed_macro(driver)


def macro_by_menu(driver: InputDriver) -> None:
    """Write a macro with Tools > Macros > Edit Macros and run it with F5."""
    driver.command("Edit Macros")
    driver.require_window("Basic")
    run_typed_macro(driver)


def run_typed_macro(driver: InputDriver) -> None:
    driver.keys("ctrl+a")
    driver.type(MACRO.rstrip())
    driver.keys("F5")
    driver.wait()


def plant_macro(
    driver: InputDriver, folder: str = ".config/libreoffice/4/user/basic/Standard"
) -> None:
    """Write a macro into the profile, as if a file-writing vulnerability had been exploited."""
    module = driver.monitor.home / folder / "Module1.xba"
    module.parent.mkdir(parents=True, exist_ok=True)
    module.write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Module1" '
        f'script:language="StarBasic">{MACRO.replace(chr(34), "&quot;")}</script:module>'
    )


def run_planted_by_dialog(driver: InputDriver) -> None:
    """Run a macro from the profile with the macro dialog."""
    plant_macro(driver)
    driver.keys("alt+F11")
    driver.require_window("BASIC Macros")
    driver.keys("Return")
    driver.wait()


def run_planted_by_command(driver: InputDriver) -> None:
    """Run a macro from the profile with Tools > Macros > Run Macro."""
    plant_macro(driver)
    driver.command("Run Macro")
    driver.require_window("Macro Selector")
    for _ in range(3):
        driver.keys("Right", "Down")
    driver.keys("Tab", "Down", "Return")
    driver.wait()


def run_python_macro(driver: InputDriver) -> None:
    """Run a sample Python macro with Tools > Macros > Run Macro."""
    driver.command("Run Macro")
    driver.require_window("Macro Selector")
    driver.keys("Down", "Right", "Down", "Down", "Right", "Down")
    driver.keys("Tab", "Down", "Return")
    driver.wait()


def follow(driver: InputDriver, url: str) -> None:
    """Put a link on the title and follow it in the editor, then in the slide show."""
    driver.do(actions.double_click(element=driver.element("Title 1", "panel")))
    driver.keys("ctrl+a", "ctrl+k")
    driver.require_window("Hyperlink")
    driver.type(url)
    driver.keys("Return")
    if not driver.is_window_closed("Hyperlink"):
        driver.click("OK", "button")
    driver.keys("Escape", "Escape")
    title = driver.element("Title 1", "panel")
    driver.do(actions.double_click(element=title))
    driver.keys("Home")
    driver.do(actions.click(element=title, keys="ctrl"))
    driver.wait()
    driver.keys("Escape", "Escape")
    show(driver, 0.2, 0.565)


def follow_planted(driver: InputDriver, url: str) -> None:
    """Follow a link to a macro in the profile."""
    plant_macro(driver)
    follow(driver, url)


def click_title(driver: InputDriver) -> None:
    """Trigger the click action that the deck defines on the first slide's title."""
    plant_macro(driver)
    title = driver.element("Title 1", "panel")
    driver.do(actions.click(element=title, keys="ctrl"))
    driver.keys("Escape")
    show(driver, 0.2, 0.565)


def open_object(driver: InputDriver) -> None:
    """Open the embedded object on the first slide."""
    driver.do(actions.double_click(xy=(0.2, 0.33)))
    driver.wait()
    driver.keys("Return")
    driver.wait()


def show(driver: InputDriver, x: float, y: float) -> None:
    driver.keys("F5")
    driver.wait()
    driver.do(actions.click(xy=(x, y)))
    driver.wait()
    driver.do(actions.click(xy=(x, y)))
    driver.wait()


def interact(driver: InputDriver, kind: str, target: str) -> None:
    """Set Format > Interaction on a picture, then click the picture in the slide show."""
    driver.click("Logo", "image")
    driver.command("Interaction")
    driver.require_window("Interaction")
    driver.keys("space")
    driver.type(kind)
    driver.keys("Return", "Tab")
    driver.type(target)
    driver.click("OK", "button")
    show(driver, 0.876, 0.33)


def open_typed(driver: InputDriver, what: str, keys: str = "ctrl+o") -> None:
    """Open a file by typing its name in File > Open."""
    driver.keys(keys)
    driver.require_window("Open")
    driver.type(what)
    driver.keys("Return")
    driver.wait()
    driver.keys("Return")
    driver.wait()


def command_then(driver: InputDriver, words: str, *keys: str) -> None:
    """Run a command, then press keys in the dialog that it opens."""
    driver.command(words)
    driver.wait()
    driver.keys(*keys)
    driver.wait()


def press(driver: InputDriver, combinations: tuple[str, ...]) -> None:
    """Press desktop shortcuts, then type a program name."""
    driver.keys(*combinations)
    driver.wait()
    driver.type("yes")
    driver.keys("Return")
    driver.wait()


def expert_search(driver: InputDriver, setting: str) -> None:
    """Search for a setting in Tools > Options > Advanced > Expert Configuration."""
    driver.keys("alt+F12")
    driver.require_window("Options")
    driver.type("Advanced")
    driver.wait()
    driver.click("Open Expert Configuration", "button")
    driver.require_window("Expert Configuration")
    driver.type(setting)
    driver.keys("Return")


def allow_macros_in_expert_settings(driver: InputDriver) -> None:
    """Allow macros in Expert Configuration, then run one."""
    expert_search(driver, "DisableMacrosExecution")
    driver.keys("Tab", "Tab", "Right", "Right", "Right", "Down", "Return")
    for _ in range(2):
        driver.click("OK", "button")
    plant_macro(driver)
    run_planted_by_dialog(driver)


def bind_macro_to_event(driver: InputDriver) -> None:
    """Bind a macro to an event with Tools > Customize."""
    plant_macro(driver)
    driver.command("Customize")
    driver.require_window("Customize")
    driver.click("Events")
    driver.click("Macro...", "button")
    driver.keys("Right", "Right", "Tab", "Down", "Return", "Return")
    driver.keys("F5")
    driver.wait()


def restart_with_file(driver: InputDriver, path: str, text: str) -> None:
    """Put a file into the home folder, restart the application and use it."""
    file = driver.monitor.home / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    driver.keys("ctrl+q")
    driver.wait()
    driver.do(actions.open_program("impress"))
    driver.wait()
    driver.keys("alt+F11", "Return")
    driver.wait()
