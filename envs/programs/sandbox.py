"""The bubblewrap command line of the sandbox of Python leaves."""

import importlib.util
import os
import shutil
import sys
import sysconfig
from functools import cache
from pathlib import Path
from types import ModuleType

from pptarena.decks import part_names
from pptarena.envs.programs.pptdiff import model
from pptarena.errors import HostError

__all__ = ["DECKS_INSIDE", "sandbox_command"]

DECKS_INSIDE = "/decks"
"""The folder of the two decks and their slide images inside the sandbox."""

_PACKAGES = ("pptx", "lxml", "PIL", "numpy", "xlsxwriter", "typing_extensions")
_CODE_INSIDE = "/opt/leaf"
_SITE_PACKAGES_INSIDE = "/opt/site"
_PYTHON_INSIDE = "/opt/python"
_INSIDE_SOURCE = Path(__file__).resolve().parent / "inside"
_WORKER = "pptarena.envs.programs.inside.worker"


def sandbox_command(decks: Path, file_bytes: int) -> list[str]:
    """Return the command that runs the worker in its sandbox.

    The sandbox has its own namespaces, no network, no capabilities, no environment, no /proc, and
    only /tmp is writable.

    Args:
        decks: Folder on the host with the two decks; mounted read-only.
        file_bytes: Size of /tmp in bytes.

    Raises:
        HostError: If bubblewrap is missing.
    """
    program = shutil.which("bwrap")
    if program is None:
        raise HostError("bubblewrap is missing; install it with: sudo apt-get install bubblewrap")
    return [
        *(program, "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"),
        *("--uid", "1000", "--gid", "1000", "--hostname", "pptarena"),
        *_libraries(),
        *_interpreter(),
        *_site_packages(),
        *_own_code(),
        *("--dev-bind", "/dev/null", "/dev/null"),
        *("--dev-bind", "/dev/urandom", "/dev/urandom"),
        *("--size", str(file_bytes), "--tmpfs", "/tmp"),
        *("--ro-bind", str(decks), DECKS_INSIDE),
        *("--remount-ro", "/", "--chdir", "/tmp", "--clearenv"),
        *("--setenv", "LANG", "C.UTF-8", "--setenv", "HOME", "/tmp"),
        *("--setenv", "LD_LIBRARY_PATH", f"{_PYTHON_INSIDE}/lib"),
        # One thread, because the worker forks. A fixed hash seed, so that scores are deterministic.
        *("--setenv", "OPENBLAS_NUM_THREADS", "1", "--setenv", "OMP_NUM_THREADS", "1"),
        *("--setenv", "PYTHONHASHSEED", "0"),
        *("--setenv", "PYTHONPATH", f"{_CODE_INSIDE}:{_SITE_PACKAGES_INSIDE}"),
        *(f"{_PYTHON_INSIDE}/bin/python3", "-s", "-S", "-B", "-P", "-m", _WORKER),
    ]


@cache
def _libraries() -> tuple[str, ...]:
    """Return the binds of the system's shared libraries, without other system files."""
    triplet = sysconfig.get_config_var("MULTIARCH") or f"{os.uname().machine}-linux-gnu"
    paths = ["/lib64", "/usr/lib64", f"/lib/{triplet}", f"/usr/lib/{triplet}"]
    paths += ["/lib/ld-linux-aarch64.so.1", "/etc/ld.so.cache", "/etc/alternatives"]
    return tuple(word for path in paths for word in ("--ro-bind-try", path, path))


@cache
def _interpreter() -> tuple[str, ...]:
    """Return the binds of this Python and its standard library, under a neutral prefix."""
    base = Path(sys.base_prefix)
    binary = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    binds = ["--ro-bind", str(binary), f"{_PYTHON_INSIDE}/bin/python3"]
    for name in ("stdlib", "platstdlib"):
        folder = Path(sysconfig.get_path(name, vars={"base": str(base), "platbase": str(base)}))
        target = f"{_PYTHON_INSIDE}/{folder.relative_to(base)}"
        if target in binds:
            continue
        binds += ["--ro-bind", str(folder), target]
        for hidden in ("site-packages", "dist-packages"):
            if (folder / hidden).is_dir():
                binds += ["--tmpfs", f"{target}/{hidden}", "--remount-ro", f"{target}/{hidden}"]
    if base != Path("/usr"):
        for library in sorted((base / "lib").glob("lib*.so*")):
            binds += ["--ro-bind", str(library.resolve()), f"{_PYTHON_INSIDE}/lib/{library.name}"]
    return tuple(binds)


@cache
def _site_packages() -> tuple[str, ...]:
    """Return the binds of the packages that leaves may import, with their bundled libraries."""
    binds: list[str] = []
    for name in _PACKAGES:
        spec = importlib.util.find_spec(name)
        if spec is None or spec.origin is None:
            continue
        origin = Path(spec.origin)
        source = origin.parent if origin.name == "__init__.py" else origin
        binds += ["--ro-bind", str(source), f"{_SITE_PACKAGES_INSIDE}/{source.name}"]
        for libs in (f"{name.lower()}.libs", "pillow.libs"):
            folder = source.parent / libs
            if folder.is_dir() and f"{_SITE_PACKAGES_INSIDE}/{libs}" not in binds:
                binds += ["--ro-bind", str(folder), f"{_SITE_PACKAGES_INSIDE}/{libs}"]
    return tuple(binds)


def _own_code() -> list[str]:
    ppteval = f"{_CODE_INSIDE}/ppteval/verify/ppt"
    return [
        *("--ro-bind", str(_INSIDE_SOURCE), f"{_CODE_INSIDE}/pptarena/envs/programs/inside"),
        *("--ro-bind", str(_INSIDE_SOURCE / "verifier.py"), f"{ppteval}/verifier.py"),
        *(
            "--ro-bind",
            str(_INSIDE_SOURCE / "llm_tools.py"),
            f"{_CODE_INSIDE}/rubric/utils/llm_tools.py",
        ),
        *("--ro-bind", str(_INSIDE_SOURCE / "dotenv.py"), f"{_CODE_INSIDE}/dotenv.py"),
        *("--ro-bind", _path_of(model), f"{ppteval}/diff.py"),
        *("--ro-bind", _path_of(part_names), f"{_CODE_INSIDE}/pptarena/decks/part_names.py"),
    ]


def _path_of(module: ModuleType) -> str:
    assert module.__file__ is not None
    return str(Path(module.__file__).resolve())
