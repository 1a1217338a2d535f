# SPDX-License-Identifier: MIT
"""Short versions of the campaigns in ``tests/benchmarks/faults``; each prints its seed if it fails."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.benchmarks.common.shim import REPOSITORY, can_compile
from tests.benchmarks.faults.bit_flips import flip
from tests.benchmarks.faults.campaign import kept_rows, outcome
from tests.benchmarks.faults.undo_and_redo import walk


def run(name: str, *arguments: str) -> None:
    command = [sys.executable, "-m", f"tests.benchmarks.faults.{name}", *arguments]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        command, cwd=REPOSITORY, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_library_matches_a_model_after_undo_and_redo(tmp_path: Path) -> None:
    assert walk(tmp_path / "library", 400, seed=1) == []


def test_a_campaign_counts_what_was_done_and_keeps_the_rows_of_other_schemas() -> None:
    assert outcome("a: 5 kills (5 of tag), 4 before the end: 0 problems; 9 s\n") == ("5 kills", "0")
    said = "no space: 44 sessions, 42 actions failed, 0 with a problem\nI/O error: 6 sessions, 2 with a problem"
    assert outcome(said) == ("50 sessions", "2")
    assert outcome("9 steps of seed 1: the library and the model agree.") == ("9 steps", "0")
    assert outcome("Traceback")[1] == "ended without a word"
    report = "| what | schema | command | count | problems |\n|---|---|---|---|---|\n| kill | 8 | `k` | 3 kills | 0 |\n"
    assert kept_rows(report, {("kill", "16")}) == [["kill", "8", "`k`", "3 kills", "0"]]
    assert kept_rows(report, {("kill", "8")}) == []


@pytest.mark.slow
@pytest.mark.skipif(not can_compile(), reason="there is no C compiler here")
def test_a_failing_write_sync_or_rename_loses_no_confirmed_change() -> None:
    run("failing_calls", "--actions", "15", "--stride", "7", "--seed", "3")


@pytest.mark.slow
@pytest.mark.skipif(not can_compile(), reason="there is no C compiler here")
def test_a_command_with_a_failing_call_reports_it_and_leaves_nothing_half_done() -> None:
    run("failing_commands", "--count", "1", "--seed", "2", "--only", "frames,networks --rename,export everything")


@pytest.mark.slow
@pytest.mark.skipif(not can_compile(), reason="there is no C compiler here")
def test_a_power_failure_loses_no_confirmed_change() -> None:
    run("power_failures", "--count", "250", "--recordings", "2", "--actions", "30", "--seed", "11")


@pytest.mark.slow
def test_no_flipped_bit_goes_unnoticed(tmp_path: Path) -> None:
    flips = flip(60, 5, tmp_path)
    assert flips.silent == []
    assert sum(flips.outcomes.values()) == 60


@pytest.mark.slow
def test_a_kill_loses_no_confirmed_change() -> None:
    counts = {"commands": 11, "workers": 3, "window": 3, "review": 1, "audit": 2, "boxes": 2, "sidecars": 3, "seed": 4}
    run("kills", *(word for name, count in counts.items() for word in (f"--{name}", str(count))))


def test_no_event_around_an_open_library_loses_a_confirmed_change() -> None:
    run("surroundings", "--count", "39", "--seed", "2")


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="commands are killed by signals")
def test_concurrent_writers_and_a_window_lose_nothing_when_some_are_killed() -> None:
    run("concurrent_writers", "--writers", "4", "--commands", "5", "--seed", "3")


@pytest.mark.slow
def test_photos_with_odd_names_work_in_all_commands() -> None:
    run("odd_names", "--count", "300")


@pytest.mark.slow
def test_commands_alone_restore_a_damaged_library() -> None:
    run("restoring", "--count", "12", "--seed", "5")


@pytest.mark.slow
def test_no_change_is_refused_while_others_read() -> None:
    run("endurance", "--minutes", "0", "--commits", "200", "--photos", "60", "--seed", "0")
