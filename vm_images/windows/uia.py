"""Elements of UI Automation, with cached requests, by comtypes.

UNTESTED: this module has never been run; it needs Windows.
"""

from collections.abc import Mapping
from typing import Any

import comtypes
import comtypes.client

from pptarena.vm_images.windows.control_types import PROPERTIES

__all__ = ["FAILURES", "UiaElements"]

FAILURES: tuple[type[Exception], ...] = (comtypes.COMError, OSError, ValueError)
"""The exceptions for an element that no longer exists; a null pointer is a `ValueError`."""

_CHILDREN = 2  # TreeScope_Children
_TRANSACTION_MS = 2000  # timeout for one answer of one application
_DESKTOP_CLASS = "Progman"


class UiaElements:
    """The elements on the desktop; use it in the thread that created it."""

    def __init__(self) -> None:
        comtypes.client.GetModule("UIAutomationCore.dll")
        from comtypes.gen import UIAutomationClient as client

        automation = comtypes.client.CreateObject(
            client.CUIAutomation8, interface=client.IUIAutomation2
        )
        automation.ConnectionTimeout = _TRANSACTION_MS
        automation.TransactionTimeout = _TRANSACTION_MS
        self._automation = automation
        self._all = automation.ControlViewCondition
        self._request = automation.CreateCacheRequest()
        for identifier in PROPERTIES.values():
            self._request.AddProperty(identifier)

    def windows(self) -> list[Any]:
        """Return the elements of the top-level windows, including menus and tooltips."""
        windows = self.children(self._automation.GetRootElement())
        return [
            window
            for window in windows
            if self.properties(window).get("class_name") != _DESKTOP_CLASS
        ]

    def children(self, element: Any) -> list[Any]:
        """Return the children of an element, with their properties."""
        elements = element.FindAllBuildCache(_CHILDREN, self._all, self._request)
        return [elements.GetElement(index) for index in range(elements.Length)] if elements else []

    def properties(self, element: Any) -> Mapping[str, Any]:
        """Return the fetched properties, by the names of `control_types.PROPERTIES`."""
        return {
            name: element.GetCachedPropertyValue(identifier)
            for name, identifier in PROPERTIES.items()
        }
