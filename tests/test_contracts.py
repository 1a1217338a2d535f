# SPDX-License-Identifier: MIT
"""Contracts beside those of imports in `pyproject.toml`: only the views import widgets, and folders stay small."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def imported_modules(file: Path) -> set[str]:
    modules = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            modules |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return modules


@pytest.mark.parametrize("floor", ["tasks", "models"])
def test_widgets_stay_in_the_views(floor: str) -> None:
    files = sorted((ROOT / "browser" / floor).rglob("*.py"))
    assert files
    offenders = [f.name for f in files if any(m.startswith("PySide6.QtWidgets") for m in imported_modules(f))]
    assert offenders == []


def test_learners_use_only_linear_algebra_that_releases_the_interpreter_lock() -> None:
    # scipy.linalg holds the interpreter lock during a decomposition; numpy.linalg does not.
    files = sorted((ROOT / "learners").rglob("*.py"))
    assert files
    assert [f.name for f in files if any(m.startswith("scipy.linalg") for m in imported_modules(f))] == []


def test_a_folder_holds_at_most_16_files() -> None:
    folders = {
        file.parent
        for top in ("browser", "features", "learners", "resources", "tests")
        for file in (ROOT / top).rglob("*.py")
    }
    assert len(folders) > 50
    assert [str(folder) for folder in sorted(folders) if len(list(folder.glob("*.py"))) > 16] == []


def test_top_level_holds_only_the_expected_files() -> None:
    allowed = {
        "browser", "features", "learners", "resources", "tests", "focal_photos",
        "pyproject.toml", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "Makefile", "requirements.lock",
        "requirements-dev.lock", "requirements-docs.lock", "requirements-release.lock", "CITATION.cff", "LICENSES",
        "REUSE.toml",
    }  # fmt: skip
    derived = {"focal-run", "build", "dist"}
    found = {p.name for p in ROOT.iterdir() if not p.name.startswith(".")}
    assert found - derived == allowed
