"""What a measurement under emulation says about a computer with hardware virtualisation."""

from typing import Any

import numpy as np

from pptarena.rollouts.measure import Measurement

__all__ = ["project_kvm"]

_BASIS = (
    "not measured: medians of the sandbox on this computer, where the same programs run at native "
    "speed, plus what the host was measured to do for each restore"
)


def project_kvm(vm: Measurement, native: Measurement) -> dict[str, Any]:
    """Project medians for KVM from a virtual machine under emulation and a sandbox.

    Under KVM the guest's programs run at nearly native speed, and so take what they take in the
    sandbox; starting QEMU and mapping the snapshot is work of the host, emulation or not. Pausing
    and going on (about a millisecond a step) and the slower start of a fork whose pages are still
    to be mapped are left out, so the figures are what to hope for, not what to promise.

    Args:
        vm: Measured on the virtual machine.
        native: Measured on the sandbox of the same computer, in the same run.

    Returns:
        ``{"measured": False, "basis", "restore_sec", "reset_sec", "step_sec", "score_sec"}``,
        medians in seconds, None where there were no samples. ``step_sec`` has no scoring in it.
    """
    restore, look = _median(vm.restore), _look_sec(native)
    reset = None if restore is None or look is None else round(restore + look, 4)
    return {
        "measured": False,
        "basis": _BASIS,
        "restore_sec": restore,
        "reset_sec": reset,
        "step_sec": _median(native.step_without_score),
        "score_sec": _median(native.score),
    }


def _look_sec(native: Measurement) -> float | None:
    """Return what the first observation takes: a step without acting and settling."""
    parts = [_median(part) for part in (native.step_without_score, native.action, native.settle)]
    step, action, settle = parts
    if step is None or action is None or settle is None:
        return None
    return max(0.0, step - action - settle)


def _median(values: list[float]) -> float | None:
    return round(float(np.median(values)), 4) if values else None
