"""Run the programs of a build, alone or in a pipe, and explain their failures."""

import os
import re
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import IO

from pptarena.errors import ImageError
from pptarena.vm_images.children import ChildGroup

__all__ = ["TAIL_LINES", "Job", "Progress", "Stage", "build_failure", "run_pipeline"]

TAIL_LINES = 15
_DRAIN_SEC = 5.0
_PROGRESS = re.compile(r"^I: (.+)$")
_CAUSES = (  # known causes in messages of mmdebstrap, apt, tar, mksquashfs and pip
    (r"[Nn]o space left|enough free space|Disk quota", "the disk is full"),
    (
        r"Could not resolve|failure in name resolution|Temporary failure resolving|Name or service"
        r"|[Uu]nable to connect|[Cc]ould not connect|unreachable|NewConnectionError",
        "no network: the build fetches Debian packages and Python packages; a proxy is taken "
        "from http_proxy and https_proxy",
    ),
    (
        r"NO_PUBKEY|is not signed|Missing key",
        "Debian's keys are missing; install them with: sudo apt-get install debian-archive-keyring",
    ),
    (
        r"subuid|subgid|newuidmap|newgidmap",
        "this user has no range of user ids; give it one with: "
        "sudo usermod --add-subuids 100000-165535 --add-subgids 100000-165535 $USER",
    ),
    (
        r"unshare\(|unshare.*(fail|not permitted)",
        "this host does not allow user namespaces; see: pptarena doctor",
    ),
    (r"No module named pip", "install pip into this Python with: python -m ensurepip"),
)

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Job:
    """The context of one build.

    Attributes:
        product: The product of the build, for messages.
        group: The process group of its programs.
        lock: Descriptor of the lock that is held until the last writing program has ended.
        progress: Called with one line for each stage.
    """

    product: str
    group: ChildGroup
    lock: int
    progress: Progress


@dataclass(frozen=True, slots=True)
class Stage:
    """One program of a pipe.

    Attributes:
        name: For messages.
        command: The program and its arguments.
    """

    name: str
    command: Sequence[str]


def run_pipeline(stages: Sequence[Stage], job: Job, variables: Mapping[str, str]) -> None:
    """Run programs, each reading the output of the one before; the last output is dropped.

    Args:
        stages: The programs in the order of the pipe.
        job: The build they are part of.
        variables: Additional environment variables.

    Raises:
        ImageError: If one fails; the message contains the end of all outputs.
    """
    children = _start(stages, job, {**os.environ, **variables, "LC_ALL": "C.UTF-8"})
    tails, readers = [], []
    for child in children:
        assert child.stderr is not None
        tails.append(deque[str](maxlen=TAIL_LINES))
        arguments = (child.stderr, tails[-1], job.progress)
        readers.append(threading.Thread(target=_follow, args=arguments, daemon=True))
        readers[-1].start()
    codes = [child.wait() for child in children]
    for reader in readers:
        reader.join(_DRAIN_SEC)
    if any(codes):
        results = zip(stages, codes, strict=True)
        failure = ", ".join(f"{stage.name} ended with code {code}" for stage, code in results)
        raise build_failure(job.product, failure, [line for tail in tails for line in list(tail)])


def _start(
    stages: Sequence[Stage], job: Job, environment: Mapping[str, str]
) -> list["subprocess.Popen[bytes]"]:
    children: list[subprocess.Popen[bytes]] = []
    source: IO[bytes] | None = None
    for stage in stages:
        is_last = stage is stages[-1]
        child = job.group.start(
            list(stage.command),
            stdin=source or subprocess.DEVNULL,
            stdout=subprocess.DEVNULL if is_last else subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            pass_fds=(job.lock,) if is_last else (),
        )
        if source is not None:
            source.close()  # the writer gets a broken pipe only if the next program alone reads it
        source = child.stdout
        children.append(child)
    return children


def _follow(stream: IO[bytes], tail: deque[str], progress: Progress) -> None:
    with stream:
        for raw in stream:
            line = raw.decode("utf-8", "replace").rstrip()
            tail.append(line)
            stage = _PROGRESS.match(line)
            if stage:
                progress(stage[1])


def build_failure(product: str, failure: str, tail: Sequence[str]) -> ImageError:
    """Return the error for a failed program, preceded by the cause if it is a known one."""
    output = "\n".join(tail)
    cause = next((cause for pattern, cause in _CAUSES if re.search(pattern, output)), "")
    prefix = f"{cause}\n" if cause else ""
    return ImageError(
        f"{prefix}the {product} was not built: {failure}; the end of the output:\n{output}"
    )
