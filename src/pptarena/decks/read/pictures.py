"""Read pictures, videos and sounds."""

import io
import struct
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, Literal

from lxml.etree import _Element
from PIL import Image

from pptarena.decks.facts.content import THUMBNAIL_PX, Picture, PictureFile, Thumbnail
from pptarena.decks.package.names import A, P, R, children, find_path, local_name
from pptarena.decks.package.package import Package
from pptarena.decks.read.caches import LruCache
from pptarena.decks.read.color import first_color, resolve_color
from pptarena.decks.read.numbers import int_attribute
from pptarena.decks.saving.libreoffice import PLACEHOLDER_ICONS
from pptarena.errors import DeckError

__all__ = ["describe_recoloring", "find_media", "has_transparency", "picture_file", "read_picture"]

_MEDIA: Mapping[str, Literal["video", "audio"]] = {
    "videoFile": "video", "quickTimeFile": "video", "audioFile": "audio",
    "wavAudioFile": "audio", "audioCd": "audio",
}  # fmt: skip
_CROP = ("l", "t", "r", "b")
_ADJUSTMENTS = frozenset((
    "hsl", "tint", "fillOverlay", "blur",
    "alphaInv", "alphaBiLevel", "alphaCeiling", "alphaFloor", "alphaMod", "alphaRepl",
))  # fmt: skip

_MAX_PIXELS: Final = 16_000_000
_CACHE_BYTES: Final = 2**26
_FORMATS: Final = ("PNG", "JPEG", "GIF", "BMP", "TIFF", "WEBP")
_WHITE: Final = (255, 255, 255, 255)

_picture_files: LruCache[str, PictureFile] = LruCache(_CACHE_BYTES)


def find_media(element: _Element) -> _Element | None:
    """Return the media element of a ``p:pic`` with video or sound; None for pictures."""
    properties = find_path(element, f"{P}nvPicPr", f"{P}nvPr")
    return next((mark for mark in children(properties) if local_name(mark) in _MEDIA), None)


def read_picture(
    element: _Element, package: Package, part: str, colors: Mapping[str, str]
) -> Picture:
    """Return the picture of a ``p:pic``."""
    fill = element.find(f"{P}blipFill")
    if fill is None:
        # Inside mc:AlternateContent, or with another namespace prefix.
        fill = next((each for each in element if local_name(each) == "blipFill"), None)
    source = find_path(fill, f"{A}srcRect")
    crop = [0.0 if source is None else (int_attribute(source, s) or 0) / 1000 for s in _CROP]
    blip = find_path(fill, f"{A}blip")
    embedded, linked = _source(blip, package, part)
    media = find_media(element)
    media_rel_id = "" if media is None else media.get(f"{R}link") or media.get(f"{R}embed") or ""
    media_digest = _digest(package, part, media_rel_id)
    brightness, contrast = _brightness_contrast(blip)
    return Picture(
        sha256="" if embedded in PLACEHOLDER_ICONS else embedded,
        crop_pct=(crop[0], crop[1], crop[2], crop[3]),
        media_sha256=media_digest,
        media_kind="" if media is None else _MEDIA[local_name(media)],
        linked=media_digest[5:] if media_digest.startswith("link:") else linked,
        brightness_pct=brightness,
        contrast_pct=contrast,
        recolor=describe_recoloring(blip, colors),
        opacity_pct=_opacity(blip),
        see_through=(
            bool(embedded) and not linked and _is_transparent(blip, package, part, embedded)
        ),
        file=_file(blip, package, part, embedded),
    )


def _file(blip: _Element | None, package: Package, part: str, sha256: str) -> PictureFile | None:
    file = None if blip is None else package.target(part, blip.get(f"{R}embed"))
    if file is None:
        return None
    return picture_file(sha256, lambda: package.reader(file), package.size(file))


def _source(blip: _Element | None, package: Package, part: str) -> tuple[str, str]:
    """Return the digest of a picture's file, and its address if the file is external."""
    if blip is None:
        return "", ""
    digest = ""
    for name in ("embed", "link"):
        digest = digest or _digest(package, part, blip.get(f"{R}{name}") or "")
    return digest, digest[5:] if digest.startswith("link:") else ""


def _digest(package: Package, part: str, rel_id: str) -> str:
    rel = package.rels(part).get(rel_id)
    if rel is None or not rel.target:
        return ""
    if rel.external or rel.target not in package:
        return f"link:{rel.target}"
    return package.digest(rel.target)


def _is_transparent(blip: _Element | None, package: Package, part: str, sha256: str) -> bool:
    file = None if blip is None else package.target(part, blip.get(f"{R}embed"))
    if blip is None or file is None:
        return False
    has_clear_color = blip.find(f"{A}clrChange") is not None
    return has_clear_color or has_transparency(sha256, lambda: package.read(file))


def _brightness_contrast(blip: _Element | None) -> tuple[int, int]:
    """Return the brightness and contrast adjustment, both in percent."""
    adjustment = find_path(blip, f"{A}lum")
    if adjustment is None and blip is not None:
        elements = (each for each in blip.iter() if local_name(each) == "brightnessContrast")
        adjustment = next(elements, None)
    values = [
        round((int_attribute(adjustment, name) or 0) / 1000) for name in ("bright", "contrast")
    ]
    return values[0], values[1]


def _opacity(blip: _Element | None) -> int:
    alpha = find_path(blip, f"{A}alphaModFix")
    amount = int_attribute(alpha, "amt")
    return 100 if amount is None else round(amount / 1000)


def describe_recoloring(blip: _Element | None, colors: Mapping[str, str]) -> str:
    """Return a description of the recoloring of an ``a:blip``; empty for none."""
    parts = []
    for child in children(blip):
        name = local_name(child)
        if name == "grayscl":
            parts.append("grayscale")
        elif name == "biLevel":
            parts.append(f"black_white {round((int_attribute(child, 'thresh') or 0) / 1000)}")
        elif name in ("duotone", "clrChange", "clrRepl"):
            hex_colors = [resolve_color(each, colors)[0] or "" for each in _colors(child)]
            parts.append(" ".join([name, *hex_colors]))
        elif name in _ADJUSTMENTS:
            values = (f"{key}={value}" for key, value in sorted(child.items()))
            parts.append(" ".join([name, *map(str, values)]))
        elif name == "extLst":
            parts += _layer_effects(child)
    return "; ".join(parts)


def _colors(element: _Element) -> list[_Element]:
    direct_color = first_color(element)
    if direct_color is not None:
        return list(element)
    colors = (first_color(child) for child in element)
    return [each for each in colors if each is not None]


def _layer_effects(extensions: _Element) -> list[str]:
    """Return artistic effects and color effects stored as picture extensions."""
    descriptions = []
    for effect in extensions.iter():
        if local_name(effect) != "imgEffect":
            continue
        for child in effect:
            if local_name(child) != "brightnessContrast":
                values = [f"{key}={value}" for key, value in sorted(child.items())]
                descriptions.append(" ".join([local_name(child), *values]))
    return descriptions


def picture_file(
    sha256: str, make_reader: Callable[[], Callable[[], bytes]], size_bytes: int
) -> PictureFile:
    """Return the decoded content of a picture file; cached by digest."""
    file = _picture_files.get(sha256)
    if file is None:
        file = PictureFile(partial(_thumbnail, make_reader()))
        _picture_files.put(sha256, file, max(1, size_bytes))
    return file


def _thumbnail(read: Callable[[], bytes]) -> Thumbnail | None:
    try:
        with Image.open(io.BytesIO(read()), formats=_FORMATS) as image:
            width, height = image.size
            if not 0 < width * height <= _MAX_PIXELS:
                return None
            image.draft("RGB", (2 * THUMBNAIL_PX, 2 * THUMBNAIL_PX))
            opaque = Image.alpha_composite(
                Image.new("RGBA", image.size, _WHITE), image.convert("RGBA")
            ).convert("RGB")
        thumbnail = opaque.resize((THUMBNAIL_PX, THUMBNAIL_PX), Image.Resampling.BOX)
    except (OSError, ValueError, SyntaxError, struct.error, EOFError, DeckError):
        return None
    return Thumbnail(width, height, thumbnail.tobytes())


_MAX_DECODED_PIXELS = 4_000_000
_CACHE_SIZE = 2_000
_PNG = b"\x89PNG\r\n\x1a\n"
# JPEG, BMP and TIFF: opaque as used in decks.
_OPAQUE = (b"\xff\xd8", b"BM", b"II*\0", b"MM\0*")
# Windows metafiles paint only what they draw.
_METAFILES = (b"\x01\0\0\0", b"\xd7\xcd\xc6\x9a", b"\x01\0\x09\0")

_transparency: LruCache[str, bool] = LruCache(_CACHE_SIZE)


def has_transparency(sha256: str, read: Callable[[], bytes]) -> bool:
    """Return whether a picture has transparent pixels; results are cached by digest.

    Pictures that may be transparent count as transparent if they have more than four megapixels or
    cannot be decoded.
    """
    is_transparent = _transparency.get(sha256)
    if is_transparent is None:
        is_transparent = _may_be_transparent(read())
        _transparency.put(sha256, is_transparent)
    return is_transparent


def _may_be_transparent(data: bytes) -> bool:
    if data.startswith(_OPAQUE):
        return False
    if data.startswith(_PNG):
        return _png(data)
    if data[:4] == b"GIF8" and len(data) >= 10:
        width, height = struct.unpack("<HH", data[6:10])
        return _has_transparent_pixels(data, int(width) * int(height))
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return data[12:16] != b"VP8 "
    return data.startswith(_METAFILES) or b"<svg" in data[:4096]


def _png(data: bytes) -> bool:
    if len(data) < 33:
        return False
    width, height, _, color_type = struct.unpack(">IIBB", data[16:26])
    head = data[: max(data.find(b"IDAT"), 33)]
    if color_type not in (4, 6) and b"tRNS" not in head:
        return False
    return _has_transparent_pixels(data, width * height)


def _has_transparent_pixels(data: bytes, pixels: int) -> bool:
    """Return whether a picture with an alpha channel has transparent pixels."""
    if not 0 < pixels <= _MAX_DECODED_PIXELS:
        return True
    try:
        with Image.open(io.BytesIO(data)) as image:
            if image.width * image.height > _MAX_DECODED_PIXELS:
                return True
            lowest, _ = image.convert("RGBA").getchannel("A").getextrema()
    except (OSError, ValueError, SyntaxError, struct.error, EOFError):
        return True
    return isinstance(lowest, (int, float)) and lowest < 250
