# SPDX-License-Identifier: MIT
"""Opening the library by commands: beside a writing program, of an earlier version, on a read-only medium."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.cli import main
from tests.browser.catalog.processes import can_bind_by_permissions, run_bound_by_permissions
from tests.browser.cli.command_line import Focal, run
from tests.browser.operations.album import Album

FIXTURES = Path(__file__).parents[2] / "fixtures"


def test_read_only_commands_work_while_another_process_writes(indexed: Focal, album: Album) -> None:
    photo = album.path("warm/0.jpg")
    indexed("tag", photo, "+sun")
    with Library.open(indexed.library) as library:
        for words in (["rank", photo], ["list"], ["tags"], ["metrics"], ["descriptors"], ["settings"], ["check"]):
            assert indexed(*words)
        assert "sun" in indexed("suggest", album.path("warm/1.jpg"))
        assert "the suggestions are shown, not kept" in indexed.err
        assert not any(library.suggestions.of(library.photos.ids().tolist()).values())


@pytest.mark.parametrize(
    "words",
    [
        ["tag", "+x"],
        ["metrics", "--use", "euclidean"],
        ["settings", "decode.seconds", "5"],
        ["settings", "decode.seconds", "--default"],
        ["descriptors", "--standard"],
        ["descriptors", "--remove-network", "net"],
        ["undo"],
        ["index"],
    ],
)
def test_changes_are_refused_while_another_process_writes(indexed: Focal, album: Album, words: list[str]) -> None:
    with Library.open(indexed.library):
        indexed(*words, "--wait", "0", *([album.path("warm/0.jpg")] if words[0] == "tag" else []), code=1)
    assert "in use" in indexed.err


def test_a_change_waits_for_another_command_to_end(indexed: Focal, album: Album) -> None:
    other = Library.open(indexed.library)
    closing = threading.Timer(0.5, other.close)
    closing.start()
    try:
        indexed("tag", album.path("warm/0.jpg"), "+x")
    finally:
        closing.join()
        other.close()
    assert indexed.lines("list", "tag:x")


def test_a_library_of_an_earlier_version_is_updated_first(here: Focal) -> None:
    here.library.mkdir()
    shutil.copy(FIXTURES / "library_v1.sqlite", here.library / "catalog.sqlite")
    assert here("tags")


def test_without_a_library_none_is_created(here: Focal) -> None:
    for words in (["list"], ["undo"], ["check"], ["suggest"]):
        here(*words, code=1)
        assert "run focal index on a folder with photos first" in here.err
    assert not here.library.exists()
    here("index", code=2)
    assert "the library has no photo folder yet: name a folder" in here.err


def test_a_word_that_is_no_command_or_folder_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["no-such-thing"]) == 2
    assert "is no command, folder or image" in capsys.readouterr().err


def test_a_window_names_a_missing_system_library(tmp_path: Path) -> None:
    (tmp_path / "PySide6").mkdir()
    fault = 'raise ImportError("libGL.so.1: cannot open shared object file: No such file or directory")'
    (tmp_path / "PySide6" / "__init__.py").write_text(fault, encoding="utf-8")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
    code += "from focal_photos.browser.cli import main; sys.exit(main([]))"
    done = run(sys.executable, "-c", code)
    assert done.returncode == 1
    (line,) = done.stderr.decode().splitlines()
    assert "The window needs libGL.so.1, which this system lacks" in line
    assert "libgl1" in line


@pytest.fixture
def sealed(indexed: Focal, album: Album) -> Iterator[Path]:
    """Yield a write-protected library."""
    indexed("tag", album.path("warm/0.jpg"), "+sun")
    places = [indexed.library, *indexed.library.rglob("*")]
    for place in places:
        place.chmod(0o500 if place.is_dir() else 0o400)
    yield indexed.library
    for place in places:
        if place.exists():
            place.chmod(0o700)


@pytest.mark.slow
@pytest.mark.skipif(not can_bind_by_permissions(), reason="permissions do not bind root without setpriv")
def test_a_write_protected_library_is_ranked_and_listed(sealed: Path, album: Album) -> None:
    code = "import sys; from focal_photos.browser.cli import main; sys.exit(main(sys.argv[1:]))"
    before = sorted(os.walk(sealed))
    for words in (["rank", str(album.path("warm/0.jpg"))], ["list"], ["suggest"]):
        run_bound_by_permissions(code, *words, "--library", str(sealed))
    assert sorted(os.walk(sealed)) == before
