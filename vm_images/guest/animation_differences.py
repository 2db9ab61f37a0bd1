"""Apply the animation effects of one slide to another."""

from collections.abc import Sequence
from typing import Any

from pptarena.vm_images.guest.property_differences import elements_of

__all__ = ["apply_animations"]

_COMPARED = ("Type", "Begin", "Duration", "RepeatCount", "AutoReverse", "Accelerate", "Decelerate")


def apply_animations(mine: Any, theirs: Any, pairs: Sequence[tuple[Any, Any]]) -> None:
    """Replace the effects of a page with copies of another page's effects."""
    root, target_root = mine.AnimationNode, theirs.AnimationNode
    if _signature(root, [shape for shape, _ in pairs]) == _signature(
        target_root, [target_shape for _, target_shape in pairs]
    ):
        return
    for child in list(elements_of(root)):
        root.removeChild(child)
    for child in elements_of(target_root):
        if _has_children(child) and not list(elements_of(child)):
            continue  # an empty sequence, as the application makes it; saving a copy crashes it
        copy = child.createClone()
        _retarget(copy, child, pairs)
        root.appendChild(copy)


def _signature(node: Any, shapes: Sequence[Any]) -> Any:
    values = [str(getattr(node, name, None)) for name in _COMPARED]
    data = [(pair.Name, str(pair.Value)) for pair in node.UserData]
    target = getattr(node, "Target", None) or getattr(node, "Source", None)
    target_index = shapes.index(target) if target in shapes else -1
    children = (
        [_signature(child, shapes) for child in elements_of(node)] if _has_children(node) else []
    )
    return values, data, target_index, children


def _has_children(node: Any) -> bool:
    return hasattr(node, "createEnumeration")


def _retarget(copy: Any, original: Any, pairs: Sequence[tuple[Any, Any]]) -> None:
    """Retarget a copied effect to the counterpart of the original's shape."""
    for key in ("Target", "Source"):  # a sound or film has its shape as the source
        target = getattr(original, key, None)
        for partner, shape in pairs:
            if target is None:
                break
            if target == shape:
                setattr(copy, key, partner)
            elif getattr(target, "Shape", None) == shape:
                target.Shape = partner
                setattr(copy, key, target)
    if _has_children(original):
        for child, original_child in zip(elements_of(copy), elements_of(original), strict=True):
            _retarget(child, original_child, pairs)
