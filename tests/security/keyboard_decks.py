"""Decks with hostile content to click: PowerPoint actions, links, embedded objects."""

import io
import zipfile

__all__ = ["with_click_action", "with_embedded_object"]

_SLIDE = "ppt/slides/slide1.xml"
_RELS = "ppt/slides/_rels/slide1.xml.rels"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_OBJECT = (
    '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="990" name="Attached"/>'
    "<p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>"
    '<p:xfrm><a:off x="0" y="0"/><a:ext cx="3000000" cy="2000000"/></p:xfrm>'
    '<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/presentationml/2006/ole">'
    '<p:oleObj name="Attached" r:id="rIdAttack" imgW="3000000" imgH="2000000" progId="{program}">'
    "<p:embed/></p:oleObj></a:graphicData></a:graphic></p:graphicFrame>"
)


def with_click_action(deck: bytes, action: str, target: str) -> bytes:
    """Return the deck with a click action on the first shape of the first slide.

    Args:
        deck: The .pptx file.
        action: Action URI such as ``ppaction://program``; empty for a plain link.
        target: Target of the action; empty for actions whose URI contains it.
    """
    attribute = f' action="{action}"' if action else ""
    click = f'<a:hlinkClick r:id="{"rIdAttack" if target else ""}"{attribute}/>'
    parts = _parts(deck)
    slide = parts[_SLIDE].decode()
    start = slide.index("<p:cNvPr ", slide.index("<p:sp>"))
    end = slide.index(">", start)
    if slide[end - 1] == "/":
        slide = f"{slide[: end - 1]}>{click}</p:cNvPr>{slide[end + 1 :]}"
    else:
        slide = f"{slide[: end + 1]}{click}{slide[end + 1 :]}"
    parts[_SLIDE] = slide.encode()
    if target:
        _relate(parts, "hyperlink", target, external=True)
    return _deck(parts)


def with_embedded_object(deck: bytes, program: str, name: str, content: bytes) -> bytes:
    """Return the deck with an embedded object on the first slide.

    Args:
        deck: The .pptx file.
        program: The object's program id, such as ``Excel.Sheet.12``.
        name: File name of the object.
        content: Contents of the object.
    """
    parts = _parts(deck)
    slide = parts[_SLIDE].decode()
    parts[_SLIDE] = slide.replace(
        "</p:spTree>", _OBJECT.format(program=program) + "</p:spTree>"
    ).encode()
    parts[f"ppt/embeddings/{name}"] = content
    suffix = name.rpartition(".")[2]
    types = parts["[Content_Types].xml"].decode()
    if f'Extension="{suffix}"' not in types:
        default = f'<Default Extension="{suffix}" ContentType="application/octet-stream"/></Types>'
        parts["[Content_Types].xml"] = types.replace("</Types>", default).encode()
    _relate(parts, "package", f"../embeddings/{name}", external=False)
    return _deck(parts)


def _relate(parts: dict[str, bytes], kind: str, target: str, *, external: bool) -> None:
    mode = ' TargetMode="External"' if external else ""
    line = f'<Relationship Id="rIdAttack" Type="{_OFFICE}/{kind}" Target="{target}"{mode}/>'
    text = parts[_RELS].decode()
    parts[_RELS] = text.replace("</Relationships>", line + "</Relationships>").encode()


def _parts(deck: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(deck)) as package:
        return {name: package.read(name) for name in package.namelist()}


def _deck(parts: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in parts.items():
            package.writestr(name, content)
    return file.getvalue()
