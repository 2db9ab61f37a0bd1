"""Whether programs can be confined on this computer."""

import subprocess
from functools import cache

import pytest


@cache
def has_namespaces() -> bool:
    """Return whether bubblewrap can create namespaces."""
    command = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"]
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


needs_sandbox = pytest.mark.skipif(
    not has_namespaces(), reason="bubblewrap cannot create namespaces"
)
