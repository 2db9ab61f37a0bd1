"""Key names of the dialects; `pptarena.envs.keys` reads all of them."""

from collections.abc import Sequence

from pptarena.envs.keys import parse_keys
from pptarena.errors import DialectError

__all__ = ["combination", "pyautogui_names"]

_MODIFIERS = {"Control_L": "ctrl", "Alt_L": "alt", "Shift_L": "shift", "Super_L": "super"}
# A combination lists its modifiers first and in this order.
_MODIFIER_ORDER = {name: index for index, name in enumerate(_MODIFIERS)}
_PYAUTOGUI_NAMES = {
    "super": "win",
    "Control_R": "ctrlright",
    "Shift_R": "shiftright",
    "Alt_R": "altright",
    "Super_R": "winright",
    "Return": "enter",
    "Escape": "esc",
    "Menu": "apps",
    "Print": "printscreen",
    "KP_Add": "add",
    "KP_Subtract": "subtract",
    "KP_Multiply": "multiply",
    "KP_Divide": "divide",
    "KP_Decimal": "decimal",
    **{f"KP_{digit}": f"num{digit}" for digit in range(10)},
}


def combination(names: Sequence[str]) -> str:
    """Return keys pressed together as one text, such as ``"ctrl+shift+Page_Down"``.

    The names are X keysyms, except for the short names of modifiers, as in xdotool.

    Args:
        names: Names of any convention; one may be a combination (``"ctrl+c"``).

    Raises:
        ActionError: If a name is unknown, or there are none or too many.
    """
    if len(names) > 10:
        raise DialectError(f"expected at most 5 keys at once, got {len(names)}")
    if len(names) > 1:  # case is ignored in a combination
        names = [name.lower() if len(name) == 1 else name for name in names]
    keysyms = "+".join(keysym for name in names for keysym in parse_keys(name))
    ordered = sorted(
        parse_keys(keysyms), key=lambda name: _MODIFIER_ORDER.get(name, len(_MODIFIER_ORDER))
    )
    return "+".join(_MODIFIERS.get(name, name) for name in ordered)


def pyautogui_names(keys: str) -> list[str]:
    """Return the keys of a combination by their pyautogui names."""
    names = (_MODIFIERS.get(name, name) for name in parse_keys(keys))
    return [_PYAUTOGUI_NAMES.get(name, name.replace("_", "").lower()) for name in names]
