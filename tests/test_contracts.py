"""The floors of the house: the rooms of the ground floor are independent, and Qt stays out of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_import_contracts_of_pyproject_hold() -> None:
    lint_imports = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([lint_imports, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_top_level_holds_only_what_it_should() -> None:
    allowed = {
        "features", "learners", "resources", "tests",
        "pyproject.toml", "README.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "requirements.lock",
    }  # fmt: skip
    derived = {"focal-run", "build", "dist"}
    found = {p.name for p in ROOT.iterdir() if not p.name.startswith(".")}
    assert found - derived == allowed
