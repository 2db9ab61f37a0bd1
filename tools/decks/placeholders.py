"""Placeholders of masters and layouts as XML."""

from pptx.oxml.ns import nsdecls

__all__ = ["Box", "placeholder_xml"]

Box = tuple[float, float, float, float]
"""Left, top, width, height in centimeters."""

_EMU_PER_CM = 360000
_NS = nsdecls("a", "p", "r")
_NUMBER = (
    "\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}#\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"
)


def placeholder_xml(
    kind: str,
    more: str,
    name: str,
    box: Box | None,
    *,
    size: int = 0,
    color: str = "",
    anchor: str = "",
    bullet: bool = True,
    more_text: str = "",
    align: str = "",
) -> str:
    """Return the XML of a placeholder.

    Args:
        kind: Its type; empty for any content.
        more: Other attributes, such as ``idx="1"``.
        name: Its name.
        box: Its position and size; None to inherit those of the master.
        size: Font size in points; 0 to inherit that of the master.
        color: Text color, as a theme color name; empty to inherit that of the master.
        anchor: Vertical anchor of the text: ``t``, ``ctr`` or ``b``; empty for the default.
        bullet: Whether the text has the master's bullets.
        more_text: Attributes of the text, such as ``i="1"``.
        align: Alignment of the text, such as ``ctr``; empty to inherit that of the master.
    """
    anchor = anchor or ("ctr" if kind == "title" else "t")
    fill = f'<a:solidFill><a:schemeClr val="{color}"/></a:solidFill>' if color else ""
    font = '<a:latin typeface="+mn-lt"/>'
    no_bullet = "" if bullet else "<a:buNone/>"
    indent = "" if bullet else ' marL="0" indent="0"'
    indent += f' algn="{align}"' if align else ""
    more_text = f" {more_text}" if more_text else ""
    run_properties = f'<a:defRPr sz="{size * 100}"{more_text}>{fill}{font}</a:defRPr>'
    style = f"<a:lvl1pPr{indent}>{no_bullet}{run_properties}</a:lvl1pPr>"
    styled = style if size else ""
    field = (
        '<a:fld id="{0C6B1B4E-5D0B-4C1B-9E0A-3B1C6E0F7A11}" type="slidenum"><a:rPr lang="en-GB"/>'
        f"<a:t>{_NUMBER}</a:t></a:fld>"
    )
    content = field if kind == "sldNum" else f'<a:r><a:rPr lang="en-GB"/><a:t>{name}</a:t></a:r>'
    type_attribute = f'type="{kind}" ' if kind else ""
    margins = 'lIns="0" tIns="0" rIns="0" bIns="0"'
    body_properties = f'<a:bodyPr {margins} anchor="{anchor}"><a:normAutofit/></a:bodyPr>'
    return (
        f'<p:sp {_NS}><p:nvSpPr><p:cNvPr id="2" name="{name}"/><p:cNvSpPr><a:spLocks noGrp="1"/>'
        f"</p:cNvSpPr><p:nvPr><p:ph {type_attribute}{more}/></p:nvPr></p:nvSpPr>"
        f"<p:spPr>{_xfrm(box)}</p:spPr>"
        f"<p:txBody>{body_properties if box else '<a:bodyPr/>'}<a:lstStyle>{styled}</a:lstStyle>"
        f"<a:p>{content}</a:p></p:txBody></p:sp>"
    )


def _xfrm(box: Box | None) -> str:
    if box is None:
        return ""
    left, top, width, height = (round(value * _EMU_PER_CM) for value in box)
    return (
        f'<a:xfrm><a:off x="{left}" y="{top}"/><a:ext cx="{width}" cy="{height}"/></a:xfrm>'
        '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>'
    )
