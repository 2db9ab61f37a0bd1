"""Read legacy and modern comments."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from lxml.etree import _Element

from pptarena.decks.facts.deck import Comment
from pptarena.decks.package.names import A, P, children, local_name
from pptarena.decks.package.package import Package
from pptarena.errors import DeckError

__all__ = ["CommentReader"]

_MAX_COMMENTS = 5_000
_DONE = frozenset(("resolved", "closed"))


@dataclass(slots=True)
class _Thread:
    author: str
    text: str
    resolved: bool = False
    answers: list[str] = field(default_factory=list)

    def comment(self) -> Comment:
        answers = tuple(self.answers)
        return Comment(self.author, self.text, len(answers), self.resolved, answers)


class CommentReader:
    """Reads the comments of a deck's slides.

    Args:
        package: The file.
        main: Name of the presentation part.
    """

    def __init__(self, package: Package, main: str) -> None:
        self._package = package
        self._main = main

    def read(self, part: str) -> tuple[Comment, ...]:
        """Return the comments on a slide.

        Args:
            part: Name of the slide part.
        """
        threads: list[_Thread] = []
        for rel in self._package.rels(part).values():
            if rel.kind == "comments" and not rel.external:
                root = self._root(rel.target)
                entries = list(children(root))[:_MAX_COMMENTS]
                modern = root is not None and not str(root.tag).startswith(P)
                threads += self._modern(entries) if modern else self._old(entries)
        return tuple(thread.comment() for thread in threads)

    def _old(self, entries: list[_Element]) -> Iterator[_Thread]:
        authors = self._authors("commentAuthors", "cmAuthor")
        threads: dict[tuple[str, str], _Thread] = {}
        for entry in entries:
            own = entry.get("authorId") or "", entry.get("idx") or ""
            text = entry.findtext(f"{P}text") or ""
            done = any(local_name(e) == "done" or e.get("done") == "1" for e in entry.iter())
            parent = threads.get(_parent(entry))
            if parent is not None:
                parent.answers.append(text)
                # Replies to a reply belong to the same thread.
                threads[own] = parent
                continue
            threads[own] = _Thread(authors.get(own[0], ""), text, done)
        yield from {id(thread): thread for thread in threads.values()}.values()

    def _modern(self, entries: list[_Element]) -> Iterator[_Thread]:
        authors = self._authors("authors", "author")
        for entry in entries:
            if local_name(entry) != "cm":
                continue
            thread = _Thread(
                authors.get(entry.get("authorId") or "", ""),
                _body_text(entry),
                entry.get("status") in _DONE,
            )
            for child in entry:
                if local_name(child) == "replyLst":
                    thread.answers += [_body_text(reply) for reply in child]
            yield thread

    def _authors(self, kind: str, name: str) -> Mapping[str, str]:
        part = self._package.related(self._main, kind)
        entries = children(self._root(part)) if part else ()
        return {
            each.get("id") or "": each.get("name") or ""
            for each in entries
            if local_name(each) == name
        }

    def _root(self, part: str) -> _Element | None:
        try:
            return self._package.xml(part)
        except DeckError:
            # Applications do not show unreadable comments either.
            return None


def _parent(entry: _Element) -> tuple[str, str]:
    for each in entry.iter():
        if local_name(each) == "parentCm":
            return each.get("authorId") or "", each.get("idx") or ""
    return "", "none"


def _body_text(entry: _Element) -> str:
    body = next((child for child in entry if local_name(child) == "txBody"), None)
    lines = []
    for paragraph in children(body):
        if paragraph.tag == f"{A}p":
            lines.append("".join(piece.text or "" for piece in paragraph.iter(f"{A}t")))
    return "\n".join(lines).strip()
