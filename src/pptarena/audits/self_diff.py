"""Check that saving alone changes nothing.

Each deck is compared with itself and with its copy saved by python-pptx. The first save by the
office application is compared with another first save and with a second save. All diffs must be
empty.
"""

import io
from collections.abc import Iterator, Sequence

from pptarena.audits.decks import audit_decks
from pptarena.audits.report import Row
from pptarena.audits.settings import AuditSettings
from pptarena.decks.presentation import open_presentation, save_presentation
from pptarena.errors import DeckError
from pptarena.rewards import diff_decks, read_deck
from pptarena.vm_images.office import Office

__all__ = ["figures", "rows"]

_AT_ONCE = 8


def rows(settings: AuditSettings) -> Iterator[Row]:
    """Yield the rows of all decks."""
    decks = list(audit_decks(settings.decks))[: settings.count]
    for name, data in decks:
        yield _compared(f"{name}: itself", data, data)
        yield _compared(f"{name}: python-pptx", data, _resaved(data))
    for start in range(0, len(decks), _AT_ONCE):
        yield from _by_office(decks[start : start + _AT_ONCE])


def figures(found: tuple[Row, ...]) -> dict[str, float | int | str]:
    """Return the number of comparisons and of empty diffs by type of comparison."""
    totals: dict[str, float | int | str] = {}
    for row in found:
        sort = row.name.rpartition(": ")[2]
        totals[f"{sort} compared"] = int(totals.get(f"{sort} compared", 0)) + 1
        totals[f"{sort} empty"] = int(totals.get(f"{sort} empty", 0)) + row.held
    return totals


def _by_office(decks: Sequence[tuple[str, bytes]]) -> Iterator[Row]:
    saver = Office()
    firsts = saver.save_all([data for _, data in decks])
    good = [
        (name, first)
        for (name, _), first in zip(decks, firsts, strict=True)
        if isinstance(first, bytes)
    ]
    # A deck that differs by a byte is not in the cache of saved decks, so it is saved again.
    others = saver.save_all([_with_comment(data) for _, data in decks])
    for (name, _), first, other in zip(decks, firsts, others, strict=True):
        if isinstance(first, bytes) and isinstance(other, bytes):
            yield _compared(f"{name}: LO1 again", first, other)
    for (name, first), second in zip(good, saver.save_all([f for _, f in good]), strict=True):
        if isinstance(second, bytes):
            yield _compared(f"{name}: LO1 and LO2", first, second)


def _compared(name: str, before: bytes, after: bytes) -> Row:
    try:
        changes = diff_decks(read_deck(before), read_deck(after))
    except DeckError as error:
        return Row(name, "no change", f"refused: {error}", False)
    said = "; ".join(change.text for change in changes[:3])
    return Row(name, "no change", f"{len(changes)} changes: {said}" if said else "", not changes)


def _resaved(data: bytes) -> bytes:
    return save_presentation(open_presentation(data))


def _with_comment(data: bytes) -> bytes:
    """Return a deck with a different zip comment, which readers ignore."""
    import zipfile

    file = io.BytesIO(data)
    with zipfile.ZipFile(file, "a") as package:
        package.comment = b"once more"
    return file.getvalue()
