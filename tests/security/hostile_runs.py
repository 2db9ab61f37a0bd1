"""Hostile run folders derived from an honest one: fields, files and links are replaced in turn."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image
from PIL.PngImagePlugin import PngInfo
from tests.security.canaries import COLOUR, SIZE, TOKEN, Facts, snapshot

__all__ = ["Case", "CaseFolders", "cases"]

_HUGE_BYTES = 2**36  # sparse: takes no space
_POSTSCRIPT = "%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\nshowpage\n"
_NUMBERS = (
    "1",
    "7",
    "NaN",
    "Infinity",
    "-1",
    "1e999",
    "9" * 400,
    "true",
    "null",
    '"3"',
    "[]",
    "{}",
    "0.5",
)


@dataclass(frozen=True, slots=True)
class CaseFolders:
    """The folders of one case.

    Attributes:
        root: Parent of all other folders.
    """

    root: Path

    @property
    def run(self) -> Path:
        """The hostile run."""
        return self.root / "run"

    @property
    def episode(self) -> Path:
        """The only episode of the run."""
        return next(self.run.glob("*/*/seed-0"))

    @property
    def outside(self) -> Path:
        """Files that must not be read or changed."""
        return self.root / "outside"

    @property
    def out(self) -> Path:
        """Output folder of exports and reports."""
        return self.root / "out"

    def prepare(self, honest: Path) -> None:
        """Create a copy of an honest run, and the files outside it."""
        self.root.mkdir(parents=True)
        shutil.copytree(honest, self.run)
        self.out.mkdir()
        self.outside.mkdir()
        (self.outside / "secret.txt").write_text(TOKEN)
        (self.outside / "secret.jsonl").write_text(
            (self.episode / "traj.jsonl").read_text().replace('"name": "', f'"name": "{TOKEN}')
        )
        node = {"index": 0, "parent": -1, "element": 0, "role": TOKEN, "name": TOKEN, "text": ""}
        node |= {"description": "", "box": [0, 0, 1, 1], "states": []}
        (self.outside / "secret.json").write_text(json.dumps({"nodes": [node], "reason": TOKEN}))
        notes = PngInfo()
        notes.add_text("Comment", TOKEN)
        Image.new("RGB", SIZE, COLOUR).save(self.outside / "secret.png", pnginfo=notes)
        shutil.copytree(self.episode, self.outside / "store/task/seed-0")
        meta = json.loads((self.outside / "store/task/seed-0/meta.json").read_text()) | {
            "agent": TOKEN
        }
        (self.outside / "store/task/seed-0/meta.json").write_text(json.dumps(meta))
        (self.outside / "store/task/seed-0/notes.txt").write_text(TOKEN)
        (self.outside / "victim.txt").write_text("precious")

    def watched(self) -> Facts:
        """Return the state of all files that must not change."""
        user_folders = (file.parent for file in self.run.rglob("thesis.txt"))
        return snapshot(self.outside) | {str(f): (0, 0, 0, str(snapshot(f))) for f in user_folders}

    def remove(self) -> None:
        """Remove all folders of the case."""
        shutil.rmtree(self.root)


@dataclass(frozen=True, slots=True)
class Case:
    """One hostile run.

    Attributes:
        name: What is hostile.
        make: Turns the honest run of a `CaseFolders` into the hostile one.
    """

    name: str
    make: Callable[[CaseFolders], None]


def cases(honest: Path) -> Iterator[Case]:
    """Yield all cases for an honest run.

    Args:
        honest: Root of a store with one episode.
    """
    (episode,) = honest.glob("*/*/seed-0")
    for name in ("meta.json", "traj.jsonl", "rubrics.jsonl", "step_000.json"):
        yield from _field_cases(episode / name)
    for file in sorted(episode.iterdir()):
        yield from _file_cases(file.name)
    yield from _place_cases(episode.relative_to(honest).parent)


def _field_cases(file: Path) -> Iterator[Case]:
    """Yield a case for every field of the first record and every hostile value for its type."""
    first = json.loads(
        file.read_text("utf-8").split("\n")[0]
        if file.suffix == ".jsonl"
        else file.read_text("utf-8")
    )
    for path, value in _leaves(first):
        field_name = f"{file.name} {'.'.join(map(str, path))}"
        values = _texts() if isinstance(value, str) else {text[:9]: text for text in _NUMBERS}
        for description, text in values.items():
            yield Case(f"{field_name} = {description}", _replacing(file.name, path, text))


def _leaves(
    value: Any, path: tuple[str | int, ...] = ()
) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value[:2]):
            yield from _leaves(item, (*path, index))
    else:
        yield path, value


def _texts() -> dict[str, str]:
    """Return hostile JSON values by name; ``OUTSIDE`` stands for the path of the folder outside."""
    texts = {
        "absolute": "OUTSIDE/secret.png",
        "absolute text": "OUTSIDE/secret.txt",
        "new file": "OUTSIDE/made",
        "upwards": "../../../../outside/secret.png",
        "upwards tree": "../../../../outside/secret.json",
        "dots": "..",
        "nothing": "",
        "NUL": "a\0b",
        "escape": "\x1b]0;x\x07\x1b[31m",
        "half letter": "\ud800",
        "long": "a" * 300_000,
    }
    return {name: json.dumps(text) for name, text in texts.items()} | {
        "a number": "7", "a list": "[[1]]", "nested": '{"a":' * 50_000 + "1" + "}" * 50_000,
    }  # fmt: skip


def _replacing(name: str, path: tuple[str | int, ...], text: str) -> Callable[[CaseFolders], None]:
    def make(folders: CaseFolders) -> None:
        file = folders.episode / name
        lines = file.read_text("utf-8").split("\n") if name.endswith("l") else [file.read_text()]
        value = json.loads(lines[0])
        inner = value
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = "PLACEHOLDER"
        replacement = text.replace("OUTSIDE", str(folders.outside))
        lines[0] = json.dumps(value).replace('"PLACEHOLDER"', replacement)
        file.write_text("\n".join(lines), "utf-8")

    return make


def _file_cases(name: str) -> Iterator[Case]:
    """Yield cases that replace a file by something else."""
    suffix = Path(name).suffix if Path(name).suffix in (".png", ".json", ".jsonl") else ".txt"
    target = f"outside/secret{suffix}"
    links = {
        "link": lambda folders: folders.root / target,
        "relative link": lambda _: f"../../../../{target}",
        "link to the same outside": lambda folders: folders.outside / "store/task/seed-0" / name,
        "link to /dev/zero": lambda _: "/dev/zero",
    }
    replacements: dict[str, Callable[[Path], object]] = {
        "pipe": os.mkfifo,
        "folder": Path.mkdir,
        "64 GB": _make_huge,
        "nested": lambda file: file.write_text("[" * 200_000),
        "not UTF-8": lambda file: file.write_bytes(b"{\xff\xfe"),
        "a list": lambda file: file.write_text("[1, [2]]\n"),
        "PostScript": lambda file: file.write_text(_POSTSCRIPT),
        "huge picture": lambda file: Image.new("1", (12_000, 12_000)).save(file, "PNG"),
    }
    for description, link_target in links.items():
        yield Case(f"{name}: {description}", _linked_instead(name, link_target))
    for description, write in replacements.items():
        yield Case(f"{name}: {description}", _instead(name, write))


def _instead(name: str, put: Callable[[Path], object]) -> Callable[[CaseFolders], None]:
    def make(folders: CaseFolders) -> None:
        file = folders.episode / name
        file.unlink()
        put(file)

    return make


def _linked_instead(
    name: str, aim: Callable[[CaseFolders], Path | str]
) -> Callable[[CaseFolders], None]:
    return lambda folders: _instead(name, lambda file: file.symlink_to(aim(folders)))(folders)


def _make_huge(file: Path) -> None:
    with file.open("wb") as out:
        out.truncate(_HUGE_BYTES)


def _place_cases(task: Path) -> Iterator[Case]:
    """Yield cases with links in place of folders and of files that exports and reports write."""

    def linked(place: str, target: str) -> Callable[[CaseFolders], None]:
        def make(folders: CaseFolders) -> None:
            there = folders.root / place
            if there.is_dir():
                shutil.rmtree(there)
            there.unlink(missing_ok=True)
            there.parent.mkdir(parents=True, exist_ok=True)
            there.symlink_to(folders.outside / target)

        return make

    yield Case("seed folder is a link", linked(f"run/{task}/seed-0", "store/task/seed-0"))
    yield Case("another seed is a link", linked(f"run/{task}/seed-1", "store/task/seed-0"))
    yield Case(
        "half-made episode is a link", linked(f"run/{task}/.partial-seed-1", "store/task/seed-0")
    )
    yield Case("folder of the task is a link", linked(f"run/{task}", "store/task"))
    yield Case("folder of the agent is a link", linked(f"run/{task.parent}", "store"))
    yield Case("half-made episode of somebody else", _foreign(f"{task}/.partial-seed-1"))
    yield Case("half-made download", _foreign("other/.partial-download"))
    yield Case("half-made episode elsewhere", _foreign("a/b/c/.partial-seed-1"))
    for place in (
        "out/agentnet.jsonl", "out/sharegpt.jsonl", "out/meta.json", "out/chat.parquet",
        f"out/{'__'.join(task.parts)}__seed-0.json", "out/report.html", "out/.report.html.partial",
        "run/report.html", "run/.report.html.partial", "run/.lock", "run/.manifest.json",
    ):  # fmt: skip
        yield Case(f"{place} is a link", linked(place, "victim.txt"))
        yield Case(f"{place} is a dangling link", linked(place, "made"))
    for place in ("out/images", "out/pptarena"):
        yield Case(f"{place} is a link", linked(place, "store/task/seed-0"))
    yield Case("manifest.json is a link", linked("run/manifest.json", "secret.json"))
    yield Case("folders 200 deep", _deep)


def _foreign(place: str) -> Callable[[CaseFolders], None]:
    """Put a folder of the user into the run; it counts as outside."""

    def make(folders: CaseFolders) -> None:
        mine = folders.run / place
        mine.mkdir(parents=True)
        (mine / "thesis.txt").write_text("precious")

    return make


def _deep(folders: CaseFolders) -> None:
    (folders.run / "/".join("d" * 200)).mkdir(parents=True)
