from pptarena.rollouts.measure import Measurement
from pptarena.rollouts.projection import project_kvm


def measured(**parts: list[float]) -> Measurement:
    result = Measurement()
    for name, values in parts.items():
        setattr(result, name, values)
    return result


def test_it_adds_what_the_host_did_to_what_the_sandbox_took() -> None:
    vm = measured(restore=[0.04, 0.05, 0.06], step_without_score=[1.0], settle=[0.5])
    native = measured(
        step_without_score=[0.1, 0.2, 0.3],
        action=[0.0, 0.01, 0.02],
        settle=[0.05, 0.1, 0.15],
        score=[0.2, 0.4],
    )
    projected = project_kvm(vm, native)
    assert projected["measured"] is False
    assert "not measured" in projected["basis"]
    assert projected["restore_sec"] == 0.05
    assert projected["reset_sec"] == 0.14  # 0.05 + (0.2 - 0.01 - 0.1)
    assert projected["step_sec"] == 0.2
    assert projected["score_sec"] == 0.3


def test_without_samples_there_is_no_figure() -> None:
    projected = project_kvm(Measurement(), Measurement())
    assert [projected[key] for key in ("restore_sec", "reset_sec", "step_sec", "score_sec")] == (
        [None] * 4
    )
