"""Who works on an operation: a process that lives keeps it, one that is gone does not."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from perdure.compose import is_owner_alive, owner_name


def test_this_process_is_alive() -> None:
    assert is_owner_alive(owner_name())


def test_a_process_of_the_same_number_that_began_later_is_another() -> None:
    assert not is_owner_alive(owner_name().rsplit(":", 1)[0] + ":1")


def test_an_owner_on_another_machine_is_left_to_its_lease() -> None:
    assert is_owner_alive("elsewhere.example:1:1")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_a_dead_process_that_nobody_has_reaped_is_gone() -> None:
    code = "from perdure.compose import owner_name; print(owner_name(), flush=True)"
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    owner = child.stdout.read().strip()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert not is_owner_alive(owner)
    child.stdout.close()
    child.wait()
