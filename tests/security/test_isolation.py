"""Code that runs as the desktop's user in a real sandbox is refused what is outside its limits.

Where sandboxes are restored from snapshots, the attacks run in a restored one and in a started one.
"""

import dataclasses
from collections.abc import Iterator

import pytest
from tests.security.isolation_attacks import ATTACKS, FLOODS, Attack
from tests.security.isolation_entry import run_inside
from tests.security.isolation_users import HIDDEN, USER_ATTACKS

from pptarena.envs.machines.sandbox import SandboxConfig, SandboxMachine
from pptarena.envs.machines.sandbox.criu import separate_users
from pptarena.errors import MachineOverloadedError
from pptarena.tasks.deck_files import read_deck_file
from pptarena.vm_images.guest.protocol import Command

pytestmark = [pytest.mark.image, pytest.mark.nightly]

CONFIG = SandboxConfig(step_timeout_sec=60.0)
ATTACK_SEC = 60.0


@pytest.fixture(scope="module", params=["restored", "started"])
def machine(request: pytest.FixtureRequest) -> Iterator[SandboxMachine]:
    restored = request.param == "restored"
    config = CONFIG if restored else dataclasses.replace(CONFIG, snapshots=False)
    with SandboxMachine(config) as sandbox:
        if restored and not sandbox.can_checkpoint:
            pytest.skip("sandboxes are not restored from snapshots here")
        sandbox.load(read_deck_file("meridian"), "plan.pptx")
        yield sandbox
        sandbox.perform(Command("observe"))


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_attack_is_refused(machine: SandboxMachine, attack: Attack) -> None:
    outcome = run_inside(machine.pid or 0, attack.code, ATTACK_SEC)
    assert outcome.startswith("refused"), outcome


@pytest.mark.parametrize("attack", USER_ATTACKS, ids=lambda attack: attack.name)
def test_attack_on_other_users_is_refused(machine: SandboxMachine, attack: Attack) -> None:
    if not separate_users():
        pytest.skip("sandboxes have no users of their own here")
    outcome = run_inside(machine.pid or 0, HIDDEN + attack.code, ATTACK_SEC)
    assert outcome.startswith("refused"), outcome


@pytest.mark.parametrize("attack", FLOODS, ids=lambda attack: attack.name)
def test_flood_is_refused_or_ends_only_its_machine(attack: Attack) -> None:
    with SandboxMachine(CONFIG) as flooded:
        flooded.load(read_deck_file("meridian"), "plan.pptx")
        outcome = run_inside(flooded.pid or 0, attack.code, ATTACK_SEC)
        try:
            flooded.perform(Command("observe"))
        except MachineOverloadedError:
            return  # the message has the reason
    assert outcome.startswith("refused"), outcome
