"""Set the scene of a task: what is open on the screen when an episode begins."""

from pptarena.envs.decoding import decode
from pptarena.envs.elements import a11y_json, find_elements
from pptarena.envs.machines.base import Machine, MachineObservation
from pptarena.envs.tree_targets import action_for_step
from pptarena.errors import ActionError, AgentError, TaskError
from pptarena.tasks import DemoStep, Task
from pptarena.vm_images.guest.protocol import Command

__all__ = ["set_scene"]

# A control that is missing after these waits will not appear.
_WAITS_SEC = (0, 1)


def set_scene(machine: Machine, task: Task, observed: MachineObservation) -> MachineObservation:
    """Carry out the actions of a task's scene, and return the last observation.

    Targets are controls of the machine's accessibility tree, whichever elements an agent observes.

    Args:
        machine: The machine, which has just opened the deck.
        task: The task.
        observed: The machine's observation after opening the deck.

    Raises:
        TaskError: If a target is not on the screen, an action is refused, or the scene has changed
            the document. The message names the step.
        MachineError: If the machine failed.
    """
    before = observed.document.revision
    for number, step in enumerate(task.scene):
        try:
            observed = _perform(machine, step, observed)
        except (ActionError, AgentError) as error:
            raise TaskError(f"{task.id}: scene/{number}: {error}") from error
        if observed.document.revision != before:
            raise TaskError(
                f"{task.id}: scene/{number}: the action changes the document; a scene only changes "
                "what is shown. Put the change into the task's deck"
            )
    return observed


def _perform(machine: Machine, step: DemoStep, observed: MachineObservation) -> MachineObservation:
    for wait_sec in _WAITS_SEC:
        try:
            return machine.perform(_command(step, observed))
        except AgentError:
            observed = machine.perform(Command("wait", amount=wait_sec))
    return machine.perform(_command(step, observed))


def _command(step: DemoStep, observed: MachineObservation) -> Command:
    height, width = observed.screenshot.shape[:2]
    elements = find_elements(observed.tree, width, height)
    nodes = a11y_json(observed.tree, elements)["nodes"]
    return decode(action_for_step(step, nodes, (width, height)), elements, width, height)
