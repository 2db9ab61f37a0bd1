"""Mouse and keyboard of the fake machine: translates commands to edits of its document."""

from collections.abc import Callable
from typing import Self

from pptx.enum.text import PP_ALIGN

from pptarena.envs.machines.fake.document import FakeDocument
from pptarena.envs.machines.fake.layout import Widget, widget_at
from pptarena.envs.machines.fake.menus import is_entry_enabled
from pptarena.errors import ActionError
from pptarena.vm_images.guest.protocol import POINTER_OPS, Command

__all__ = ["FakeInput"]

_LEFT_MODIFIERS = {f"{name}_R": f"{name}_L" for name in ("Control", "Shift", "Alt", "Super")}
_TYPING_MODIFIERS = {"Shift_L"}


class FakeInput:
    """The input state of a user who edits one document.

    Attributes:
        clipboard: Text on the clipboard.
    """

    def __init__(self, document: FakeDocument) -> None:
        self._document = document
        self._drag_start: tuple[int, int] | None = None
        self._buttons: dict[str, Callable[[], None]] = {
            "Undo": document.undo,
            "Redo": document.redo,
            "Bold": lambda: document.toggle("bold"),
            "Italic": lambda: document.toggle("italic"),
            "Underline": lambda: document.toggle("underline"),
            "Increase": lambda: document.resize_text(2),
            "Decrease": lambda: document.resize_text(-2),
            "New Slide": document.new_slide,
            "Duplicate Slide": document.duplicate_slide,
            "Delete Slide": document.delete_slide,
        }
        self._entries: dict[str, Callable[[], None]] = {
            "New Slide": document.new_slide,
            "Duplicate Slide": document.duplicate_slide,
            "Delete Slide": document.delete_slide,
            "Show Slide": lambda: document.hide_slide(hidden=False),
            "Hide Slide": lambda: document.hide_slide(hidden=True),
            "Slide to Start": lambda: document.move_slide(0),
            "Slide Up": lambda: document.move_slide(document.current - 1),
            "Slide Down": lambda: document.move_slide(document.current + 1),
            "Slide to End": lambda: document.move_slide(document.slide_count - 1),
        }
        self._keys: dict[tuple[str, ...], Callable[[], None]] = {
            ("Control_L", "z"): document.undo,
            ("Control_L", "y"): document.redo,
            ("Control_L", "b"): lambda: document.toggle("bold"),
            ("Control_L", "i"): lambda: document.toggle("italic"),
            ("Control_L", "u"): lambda: document.toggle("underline"),
            ("Control_L", "l"): lambda: document.align(PP_ALIGN.LEFT),
            ("Control_L", "e"): lambda: document.align(PP_ALIGN.CENTER),
            ("Control_L", "r"): lambda: document.align(PP_ALIGN.RIGHT),
            ("Control_L", "j"): lambda: document.align(PP_ALIGN.JUSTIFY),
            ("Control_L", "m"): document.new_slide,
            ("Control_L", "s"): document.store,
            ("Control_L", "w"): document.close,
            ("Control_L", "Shift_L", "r"): document.reload,
            ("Control_L", "a"): self._select_all,
            ("Control_L", "c"): self._copy,
            ("Control_L", "x"): self._cut,
            ("Control_L", "v"): self._paste,
            ("Home",): lambda: self._change_slide_by(-document.slide_count),
            ("End",): lambda: self._change_slide_by(document.slide_count),
            ("Page_Down",): lambda: document.go_to(document.current + 1),
            ("Page_Up",): lambda: document.go_to(document.current - 1),
            ("Down",): lambda: self._change_slide_by(1),
            ("Up",): lambda: self._change_slide_by(-1),
            ("Delete",): self._delete,
            ("BackSpace",): self._erase,
            ("Escape",): self._escape,
            ("F2",): lambda: document.begin_edit(document.selected),
            ("Return",): lambda: document.type_text("\n"),
            ("space",): lambda: document.type_text(" "),
        }
        self.clipboard = ""

    def copy(self, document: FakeDocument) -> Self:
        """Return an input in the same state for another document."""
        input_ = type(self)(document)
        input_.clipboard, input_._drag_start = self.clipboard, self._drag_start
        return input_

    def perform(self, command: Command, widgets: list[Widget], title: str) -> None:
        """Execute a command on the screen described by `widgets`.

        Raises:
            ActionError: If the program or window does not exist.
        """
        if command.op in ("open_program", "switch_window"):
            self._require_window(command.text, title)
            if command.op == "open_program" and not self._document.open:
                self._document.reload()
        elif not self._document.open:
            return  # a closed deck accepts no mouse or keyboard input
        elif command.op in POINTER_OPS:
            self._perform_pointer(command, widgets)
        elif self._document.open_menu and command.keys != ("Escape",):
            return  # an open menu captures the keyboard
        elif command.op == "key":
            for _ in range(max(command.amount, 1)):
                self._press_keys(command.keys)
        elif command.op == "type":
            self._document.type_text(command.text)
        elif command.op in ("copy_text", "copy_image"):
            self.clipboard = command.text  # a picture leaves no text
        elif command.op == "paste":
            self._paste()

    def _perform_pointer(self, command: Command, widgets: list[Widget]) -> None:
        key = widget_at(widgets, command.x, command.y)
        match command.op:
            case "click" | "right_click":
                self._click(key)
            case "double_click" | "triple_click":
                self._open(key, select_line=command.op == "triple_click")
            case "mouse_down":
                self._click(key)
                self._drag_start = (command.x, command.y)
            case "mouse_up":
                self._release((command.x, command.y), widgets)
            case "drag":
                self._click(key)
                self._drag_start = (command.x, command.y)
                self._release((command.end_x, command.end_y), widgets)
            case "scroll":
                self._document.go_to(self._document.current + command.amount)

    def _click(self, key: str) -> None:
        kind, _, name = key.partition(":")
        document = self._document
        menu, document.open_menu = document.open_menu, ()
        if kind == "menu":
            path = tuple(name.split("/"))
            document.open_menu = () if path == menu else path
        elif kind == "entry":
            if is_entry_enabled(document, name):
                self._entries[name]()
        elif menu:
            return  # a click outside an open menu only closes it
        elif kind == "button":
            self._buttons[name]()
        elif kind == "slide":
            document.go_to(int(name))
            document.panel_focused = True
        elif kind == "shape":
            shape, line = _parse_shape_key(name)
            document.select(shape)
            if document.edit is not None and line is not None:
                document.edit.move_to(line)
        elif kind == "page":
            document.end_edit()
            document.select(0)

    def _open(self, key: str, *, select_line: bool) -> None:
        kind, _, name = key.partition(":")
        if kind != "shape" or self._document.open_menu:
            self._click(key)
            return
        shape, line = _parse_shape_key(name)
        self._document.begin_edit(shape)
        edit = self._document.edit
        if select_line and edit is not None and line is not None:
            edit.select_line(line)

    def _release(self, end: tuple[int, int], widgets: list[Widget]) -> None:
        start, self._drag_start = self._drag_start, None
        if start is None or not self._document.selected or self._document.edit:
            return
        page = next(widget.box for widget in widgets if widget.key == "page")
        scale = self._document.slide_size[0] / page[2]
        self._document.move_shape(
            round((end[0] - start[0]) * scale), round((end[1] - start[1]) * scale)
        )

    def _press_keys(self, keys: tuple[str, ...]) -> None:
        keys = tuple(_LEFT_MODIFIERS.get(name, name) for name in keys)
        if action := self._keys.get(keys):
            action()
        elif len(keys[-1]) == 1 and set(keys[:-1]) <= _TYPING_MODIFIERS:
            self._document.type_text(keys[-1].upper() if len(keys) > 1 else keys[-1])

    def _change_slide_by(self, slides: int) -> None:
        if self._document.panel_focused and not self._document.edit:
            self._document.go_to(self._document.current + slides)

    def _select_all(self) -> None:
        document = self._document
        if document.edit is None and document.selected and not document.panel_focused:
            document.begin_edit(document.selected)
        if document.edit:
            document.edit.select_all()

    def _copy(self) -> None:
        if self._document.panel_focused:
            self._document.copy_slide()
        elif shape := self._document.selected_shape():
            self.clipboard = self._document.shape_text(shape)

    def _cut(self) -> None:
        if self._document.panel_focused:
            self._document.cut_slide()

    def _paste(self) -> None:
        if self._document.panel_focused:
            self._document.paste_slide()
        else:
            self._document.type_text(self.clipboard)

    def _delete(self) -> None:
        if self._document.edit:
            if self._document.edit.all_selected or self._document.edit.line_selected:
                self._document.edit.erase()
        elif self._document.panel_focused:
            self._document.delete_slide()
        else:
            self._document.delete_shape()

    def _erase(self) -> None:
        if self._document.edit:
            self._document.edit.erase()
        else:
            self._delete()

    def _escape(self) -> None:
        if self._document.open_menu:
            self._document.open_menu = self._document.open_menu[:-1]
        elif self._document.edit:
            self._document.end_edit()
        else:
            self._document.select(0)

    def _require_window(self, name: str, title: str) -> None:
        if name.casefold() not in title.casefold():
            raise ActionError(
                f"no program or window {name!r} on the fake machine; there is: {title}"
            )


def _parse_shape_key(name: str) -> tuple[int, int | None]:
    """Return the shape id and 0-based paragraph of a widget key; the paragraph may be None."""
    shape, _, line = name.partition(":")
    return int(shape), int(line) if line else None
