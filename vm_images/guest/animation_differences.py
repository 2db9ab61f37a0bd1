"""Apply the animation effects of one slide to another."""

from collections.abc import Sequence
from typing import Any

from pptarena.vm_images.guest.property_differences import listed

__all__ = ["apply_animations"]

_TOLD = ("Type", "Begin", "Duration", "RepeatCount", "AutoReverse", "Accelerate", "Decelerate")


def apply_animations(mine: Any, theirs: Any, pairs: Sequence[tuple[Any, Any]]) -> None:
    """Replace the effects of a page with copies of another page's effects."""
    root, wanted = mine.AnimationNode, theirs.AnimationNode
    if _sign(root, [one for one, _ in pairs]) == _sign(wanted, [other for _, other in pairs]):
        return
    for child in list(listed(root)):
        root.removeChild(child)
    for child in listed(wanted):
        if _has_children(child) and not list(listed(child)):
            continue  # an empty sequence, as the application makes it; saving a copy crashes it
        copy = child.createClone()
        _aim(copy, child, pairs)
        root.appendChild(copy)


def _sign(node: Any, shapes: Sequence[Any]) -> Any:
    told = [str(getattr(node, name, None)) for name in _TOLD]
    data = [(each.Name, str(each.Value)) for each in node.UserData]
    target = getattr(node, "Target", None) or getattr(node, "Source", None)
    aim = shapes.index(target) if target in shapes else -1
    below = [_sign(child, shapes) for child in listed(node)] if _has_children(node) else []
    return told, data, aim, below


def _has_children(node: Any) -> bool:
    return hasattr(node, "createEnumeration")


def _aim(copy: Any, model: Any, pairs: Sequence[tuple[Any, Any]]) -> None:
    """Retarget a copied effect to the counterpart of the original's shape."""
    for key in ("Target", "Source"):  # a sound or film has its shape as the source
        target = getattr(model, key, None)
        for partner, wanted in pairs:
            if target is None:
                break
            if target == wanted:
                setattr(copy, key, partner)
            elif getattr(target, "Shape", None) == wanted:
                target.Shape = partner
                setattr(copy, key, target)
    if _has_children(model):
        for one, other in zip(listed(copy), listed(model), strict=True):
            _aim(one, other, pairs)
