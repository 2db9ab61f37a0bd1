"""Project a measurement under emulation to a computer with hardware virtualization."""

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

    Under KVM the guest's programs run at nearly native speed, so they take the time measured in the
    sandbox. Starting QEMU and mapping the snapshot is work of the host, with or without emulation.
    Not included: pausing and resuming (about a millisecond per step) and the slower start of a fork
    whose pages are not mapped yet. The figures are therefore a best case.

    Args:
        vm: Measured on the virtual machine.
        native: Measured on the sandbox of the same computer, in the same run.

    Returns:
        ``{"measured": False, "basis", "restore_sec", "reset_sec", "step_sec", "score_sec"}``,
        medians in seconds, None without samples. ``step_sec`` includes no scoring.
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
    """Return the duration of the first observation: a step without acting and settling."""
    parts = [_median(part) for part in (native.step_without_score, native.action, native.settle)]
    step, action, settle = parts
    if step is None or action is None or settle is None:
        return None
    return max(0.0, step - action - settle)


def _median(values: list[float]) -> float | None:
    return round(float(np.median(values)), 4) if values else None
