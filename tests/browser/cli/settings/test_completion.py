# SPDX-License-Identifier: MIT
"""``focal completion``: the scripts complete in the shells that read them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from focal_photos.browser.cli.commands import COMMANDS
from focal_photos.browser.cli.commands.settings.completion import SHELLS
from tests.browser.cli.command_line import Focal


@pytest.fixture
def script(here: Focal, tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Return the file with the script of a shell."""
    shell = request.param
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    path = tmp_path / f"focal.{shell}"
    path.write_text(here("completion", shell), encoding="utf-8")
    return path


def complete_in_bash(script: Path, *words: str) -> set[str]:
    """Return the completions that bash offers for the last word."""
    lines = f"""
        source {script}
        COMP_WORDS=("$@")
        COMP_CWORD=$(($# - 1))
        _shtab_focal
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(
        ["bash", "-c", lines, "-", *words], capture_output=True, text=True, check=True, cwd=script.parent, timeout=60
    )
    return set(done.stdout.split())


@pytest.mark.parametrize("script", ["bash"], indirect=True)
def test_bash_completes_commands_options_choices_and_files(script: Path) -> None:
    (script.parent / "photo.jpg").touch()
    (script.parent / "photos").mkdir()
    assert complete_in_bash(script, "focal", "") >= set(COMMANDS)
    assert complete_in_bash(script, "focal", "rec") == {"recognise"}
    assert complete_in_bash(script, "focal", "index", "--w") == {"--wait", "--workers"}
    assert "jsonl" in complete_in_bash(script, "focal", "export", "--format", "")
    assert complete_in_bash(script, "focal", "rank", "photo") == {"photo.jpg", "photos"}
    assert complete_in_bash(script, "focal", "index", "photo") == {"photos"}


@pytest.mark.parametrize("script", SHELLS, indirect=True)
def test_a_shell_accepts_the_script(script: Path) -> None:
    shell = script.suffix[1:]
    done = subprocess.run([shell, "-n", str(script)], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("script", ["fish"], indirect=True)
def test_fish_completes_commands(script: Path) -> None:
    asked = f"source {script}; complete -C 'focal rec'"
    done = subprocess.run(["fish", "-c", asked], capture_output=True, text=True, check=True, timeout=60)
    assert [line.partition("\t")[0] for line in done.stdout.splitlines()] == ["recognise"]
