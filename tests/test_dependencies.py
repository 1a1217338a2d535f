# SPDX-License-Identifier: MIT
"""Every requirement has an upper bound; lock files contain only names, versions and hashes."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
RUN, DEVELOPMENT = "requirements.lock", "requirements-dev.lock"
RELEASE, DOCS = "requirements-release.lock", "requirements-docs.lock"
RUN_EXTRAS = ("medical", "networks")

PINNED = re.compile(r"(?P<name>[a-z0-9-]+)==(?P<version>[A-Za-z0-9.+!]+)(?P<marker> ; [^\\]+)? \\")
HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}( \\)?")


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def requirements() -> list[tuple[str, Requirement]]:
    """Return every requirement of the project with the table it is in."""
    content = project()
    tables = {
        "build-system": content["build-system"]["requires"],
        "dependencies": content["project"]["dependencies"],
        **content["project"]["optional-dependencies"],
        **content["dependency-groups"],
    }
    return [(table, Requirement(text)) for table, lines in tables.items() for text in lines if isinstance(text, str)]


def locked(name: str) -> dict[tuple[str, str, str], frozenset[str]]:
    """Return the hashes of each package of a lock file by name, version and marker; refuse other lines."""
    packages: dict[tuple[str, str, str], set[str]] = {}
    last: set[str] = set()
    for line in (ROOT / name).read_text(encoding="utf-8").splitlines():
        if HASH.fullmatch(line):
            last.add(line.strip().removesuffix(" \\"))
            continue
        package = PINNED.fullmatch(line)
        assert package is not None, f"{name}: {line!r} is neither a pinned package nor a hash"
        last = packages.setdefault((package["name"], package["version"], package["marker"] or ""), set())
    return {package: frozenset(hashes) for package, hashes in packages.items()}


def test_every_requirement_has_an_upper_bound() -> None:
    found = requirements()
    assert {"build-system", "dependencies", "cluster", "dev", "build"} <= {table for table, _ in found}
    unbounded = [
        f"{table}: {one}"
        for table, one in found
        if not any(bound.operator in ("<", "<=", "==") for bound in one.specifier)
    ]
    assert unbounded == []


@pytest.mark.parametrize("name", [RUN, DEVELOPMENT, RELEASE, DOCS])
def test_a_lock_file_holds_names_versions_and_hashes_only(name: str) -> None:
    packages = locked(name)
    assert len(packages) > 40
    assert [package for package, hashes in packages.items() if not hashes] == []


def test_the_lock_files_agree() -> None:
    development = locked(DEVELOPMENT)
    here = {(name, version): hashes for (name, version, _), hashes in development.items()}
    run = {(name, version): hashes for (name, version, _), hashes in locked(RUN).items()}
    assert {package: hashes for package, hashes in run.items() if here.get(package) != hashes} == {}
    names = {name for name, _ in here}
    for lock in (RELEASE, DOCS):
        there = {(name, version): hashes for (name, version, _), hashes in locked(lock).items() if name in names}
        assert {package for package, hashes in there.items() if here.get(package) != hashes} == set(), lock


def test_the_lock_files_satisfy_the_requirements_of_the_project() -> None:
    content = requirements()
    extras = set(project()["project"]["optional-dependencies"])
    for name, tables in (
        (RUN, {"dependencies", "build", "build-system", *RUN_EXTRAS}),
        (DEVELOPMENT, {"dependencies", "build", "build-system", "dev", *extras}),
        (RELEASE, {"build", "build-system", "release"}),
        (DOCS, {"dependencies", "build", "build-system", "plot", "docs"}),
    ):
        versions: dict[str, set[str]] = {}
        for package, version, _ in locked(name):
            versions.setdefault(package, set()).add(version)
        for table, one in content:
            if table in tables:
                pinned = versions.get(canonicalize_name(one.name), set())
                assert pinned, f"{name} lacks {one.name}: make lock"
                assert all(one.specifier.contains(version) for version in pinned), (
                    f"{name}: {one.name} {pinned}: make lock"
                )


def test_running_focal_needs_no_development_tools() -> None:
    names = {name for name, _, _ in locked(RUN)}
    assert not names & {
        "pytest",
        "mypy",
        "ruff",
        "hypothesis",
        "pyinstaller",
        "uv",
        "pandas",
        "faiss-cpu",
        "distributed",
    }
    assert {"pip", "hatchling", "editables"} <= names


def test_recipes_name_existing_lock_files() -> None:
    for recipe in ("Makefile", ".ci/prepare", ".github/workflows/release.yml", "CONTRIBUTING.md"):
        text = (ROOT / recipe).read_text(encoding="utf-8")
        for name in re.findall(r"requirements[\w-]*\.\w+", text):
            assert (ROOT / name).is_file(), f"{recipe} names {name}"
        installs = [line for line in text.splitlines() if "pip install" in line]
        assert [line for line in installs if "--require-hashes" not in line and "--no-deps" not in line] == []


def test_every_requirement_of_the_installed_packages_is_installed() -> None:
    # .ci/prepare installs the lock file without resolving it, so a package missing there would be missing here.
    check = subprocess.run([sys.executable, "-m", "pip", "check"], check=False, capture_output=True, text=True)
    assert check.returncode == 0, check.stdout + check.stderr
