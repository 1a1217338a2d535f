# SPDX-License-Identifier: MIT
"""The examples of the Python guide run as printed and give the printed output."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import focal_photos
from focal_photos.features.table import CODE_DESCRIPTORS
from focal_photos.learners import LEARNERS
from tests.browser.cli.command_line import ENVIRONMENT, Focal
from tests.browser.operations.album import Album
from tests.guide import GUIDE

TEXT = (GUIDE / "python.md").read_text(encoding="utf-8")
SECTIONS = {part.partition("\n")[0]: part for part in re.split(r"^## ", TEXT, flags=re.MULTILINE)[1:]}
OF_OTHERS = {"y", "X", "pairs", "clone", "cross_val_score", "S", "D", "extract", "ValueError"}
"""Names in the guide that are parameters, keys of the window, or belong to scikit-learn, Python or a reader."""
WITH_OUTPUT = [title for title, part in SECTIONS.items() if "```text\n" in part]


def blocks(title: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", SECTIONS[title], re.MULTILINE | re.DOTALL)


def run(script: str, folder: Path) -> str:
    """Run a script like a user, from its own file in a folder."""
    (folder / "example.py").write_text(script, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "error", "example.py"],
        cwd=folder,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_there_are_five_examples() -> None:
    assert len(WITH_OUTPUT) == 5
    assert sum(len(blocks(title, "python")) for title in SECTIONS) == 7, "the album and the library have blocks too"


def test_the_names_of_the_table_are_public() -> None:
    table = re.findall(r"^\| (`.*?) \|", TEXT, re.MULTILINE)
    names = {name for cell in table for name in re.findall(r"`(\w+)", cell)}
    assert len(names) >= 12
    assert [name for name in names if not hasattr(focal_photos, name)] == []


def test_names_called_in_the_text_exist() -> None:
    """Methods and functions named in code in the text, outside the examples."""
    text = re.sub(r"^```.*?^```$", "", TEXT, flags=re.MULTILINE | re.DOTALL)
    named = set(re.findall(r"`(\w+)(?:\(.*?\))?`", text)) - OF_OTHERS - LEARNERS.keys() - CODE_DESCRIPTORS.keys()
    owners = (
        focal_photos,
        focal_photos.Rca,
        focal_photos.TagClassifier,
        focal_photos.LibraryView,
        focal_photos.Described,
    )
    assert [name for name in named if not any(hasattr(owner, name) for owner in owners)] == []
    assert {"transform", "pair_score", "get_metric", "score", "rank"} <= named


@pytest.mark.parametrize("path", sorted(GUIDE.glob("*/python.md")), ids=lambda path: path.parent.name)
def test_a_translation_has_the_same_examples(path: Path) -> None:
    """Including comments, as only those of the English chapter are run."""
    fenced = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
    assert fenced.findall(path.read_text(encoding="utf-8")) == fenced.findall(TEXT) != []


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Photos for all examples. Tests must not change them."""
    folder = tmp_path_factory.mktemp("drawn")
    (script,) = blocks("The photos of the examples", "python")
    run(script, folder)
    return folder


@pytest.fixture
def folder(drawn: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(drawn, tmp_path / "examples"))


@pytest.mark.slow
@pytest.mark.parametrize("title", WITH_OUTPUT)
def test_an_example_prints_the_output_in_the_guide(title: str, folder: Path) -> None:
    (script,), (output,) = blocks(title, "python"), blocks(title, "text")
    assert run(script, folder) == output


@pytest.mark.slow
def test_the_example_of_a_library_runs(here: Focal, tmp_path: Path) -> None:
    album = Album(tmp_path / "photos")
    for number in range(3):
        album.draw(f"{number}.jpg", seed=number)
    here("index", album.folder, "--descriptors", "color_moments,lbp")
    here("tag", album.path("0.jpg"), "+sea")
    here("rate", album.path("0.jpg"), "--rating", "4")
    assert here.library == tmp_path / "library"
    (script,) = blocks("A library", "python")
    assert run(script, tmp_path).count("PosixPath" if sys.platform != "win32" else "WindowsPath") == 2
