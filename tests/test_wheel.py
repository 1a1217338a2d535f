# SPDX-License-Identifier: MIT
"""The installed package has one top-level name and coexists with packages named like its folders."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

import pytest

from focal_photos.resources.demo_album import draw_demo_album
from tests.guide import ROOT

FOLDERS = ("browser", "features", "learners", "resources")
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Wheel of the project."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


def stranger(folder: Path) -> Path:
    """Build the wheel of another program whose packages are named like the folders of this one."""
    wheel = folder / "stranger-1-py3-none-any.whl"
    information = "stranger-1.dist-info"
    with zipfile.ZipFile(wheel, "w") as made:
        for name in FOLDERS:
            made.writestr(f"{name}/__init__.py", f"whose = 'the stranger, {name}'\n")
        made.writestr(f"{information}/METADATA", "Metadata-Version: 2.1\nName: stranger\nVersion: 1\n")
        made.writestr(f"{information}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        record = "".join(f"{name},,\n" for name in [*made.namelist(), f"{information}/RECORD"])
        made.writestr(f"{information}/RECORD", record)
    return wheel


class Installation:
    """Python environment that sees the packages that Focal needs but no checkout."""

    def __init__(self, folder: Path) -> None:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
        self.python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
        (self.packages,) = folder.rglob("site-packages")
        (self.packages / "needed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
        self.elsewhere = folder

    def pip(self, *words: str | Path) -> None:
        command = [sys.executable, "-m", "pip", "--python", self.python, *words, "--disable-pip-version-check"]
        subprocess.run(list(map(str, command)), check=True, capture_output=True, cwd=self.elsewhere)

    def names(self) -> set[str]:
        """Return the entries of site-packages without bytecode and the file that this test adds."""
        return {entry.name for entry in self.packages.iterdir()} - {"needed.pth", "__pycache__"}

    def run(self, *words: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        return subprocess.run(
            [str(self.python), *map(str, words)],
            cwd=self.elsewhere,
            env=kept | environment,
            capture_output=True,
            text=True,
            check=False,
        )


USE = "import browser, features, learners, resources; print(browser.whose, features.whose)"


@pytest.mark.slow
def test_focal_runs_beside_packages_of_the_same_names(wheel: Path, tmp_path: Path) -> None:
    here = Installation(tmp_path / "python")
    here.pip("install", "--no-deps", "--no-index", wheel)
    assert here.names() == {"focal_photos", f"focal_photos-{VERSION}.dist-info"}
    here.pip("install", "--no-deps", "--no-index", stranger(tmp_path))
    album, library = tmp_path / "album", tmp_path / "library"
    draw_demo_album(album, count=4)

    # A folder named features is on the path, and worker processes read photos: one process uses both.
    on_the_path = tmp_path / "path"
    (on_the_path / "features").mkdir(parents=True)
    (on_the_path / "features" / "__init__.py").write_text("raise SystemExit('not this one')\n", encoding="utf-8")
    focal = here.python.with_name("focal")
    indexed = subprocess.run(
        [str(focal), "index", str(album), "--library", str(library), "--json"],
        env=os.environ | {"PYTHONPATH": str(on_the_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert indexed.returncode == 0, indexed.stderr
    assert '"new": 4' in indexed.stdout
    both = here.run(
        "-c", f"{USE}; from focal_photos.learners import create; create('rca'); import learners; print(learners.whose)"
    )
    assert both.stdout.split("\n")[1] == "the stranger, learners", both.stderr

    here.pip("uninstall", "--yes", "stranger")
    assert here.run("-m", "focal_photos.browser", "list", "--library", library).stdout.count("\n") == 4
    here.pip("install", "--no-deps", "--no-index", stranger(tmp_path))
    here.pip("uninstall", "--yes", "focal-photos")
    assert here.names() == {*FOLDERS, "stranger-1.dist-info"}
    assert here.run("-c", USE).returncode == 0
    assert not focal.exists()


def test_the_wheel_has_the_derivations_and_errata_that_docstrings_cite(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as built:
        names = set(built.namelist())
    assert {f"focal_photos/learners/{file.name}" for file in (ROOT / "learners").glob("*.md")} <= names
    assert "focal_photos/learners/ERRATA.md" in names


def test_the_description_for_a_package_index_has_no_links_into_the_checkout(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as built:
        (name,) = (name for name in built.namelist() if name.endswith(".dist-info/METADATA"))
        description = built.read(name).decode().split("\n\n", 1)[1]
    assert description.startswith("# Focal\n")
    assert "learners/PAPERS.md" in description
    links = re.findall(r"\]\(([^)]*)\)", description)
    assert [link for link in links if not link.startswith("https:")] == []
    assert "![" not in description


def test_the_wheel_has_the_files_for_desktops(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as built:
        names = set(built.namelist())
    data = f"focal_photos-{VERSION}.data/data/share"
    application = "org.focal_photos.Focal"
    assert f"{data}/applications/{application}.desktop" in names
    assert f"{data}/man/man1/focal.1" in names
    assert f"{data}/metainfo/{application}.metainfo.xml" in names
    assert {
        f"{data}/icons/hicolor/{n}x{n}/apps/{application}.png" for n in (16, 24, 32, 48, 64, 128, 256, 512)
    } <= names
    assert not {name for name in names if re.search(r"/(tests|packaging|docs)/|\.pyc$", name)}


@pytest.mark.slow
def test_a_source_archive_builds_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-d", str(tmp_path)]
    subprocess.run([*build, "-t", "sdist"], cwd=ROOT, check=True, capture_output=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    subprocess.run(["tar", "xzf", str(archive)], cwd=tmp_path, check=True)
    subprocess.run(
        [*build, "-t", "wheel"], cwd=tmp_path / archive.name.removesuffix(".tar.gz"), check=True, capture_output=True
    )
    (again,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as one, zipfile.ZipFile(again) as other:
        assert set(one.namelist()) == set(other.namelist())
        assert all(
            one.read(name) == other.read(name) for name in one.namelist() if not name.endswith(("RECORD", "METADATA"))
        )
