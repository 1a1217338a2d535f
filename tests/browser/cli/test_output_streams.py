# SPDX-License-Identifier: MIT
"""Closed, full and broken streams: a command does its work, and its exit code reports lost output.

Every command is tested with some kinds of stream; `tests.benchmarks.faults.output_streams` tests all kinds.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from focal_photos.browser.cli.commands import COMMANDS
from focal_photos.browser.cli.output import BROKEN_PIPE, OUTPUT_LOST
from tests.benchmarks.faults.kills import Place
from tests.benchmarks.faults.output_streams import PLAIN, SURROUNDINGS, prepare, samples, try_command
from tests.browser.cli.command_line import ENVIRONMENT, FOCAL, Focal, focal, run
from tests.browser.operations.album import Album

TRIED = ["all closed", "output full"]

Prepared = tuple[Place, Path, dict[str, list[str]]]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    folder = tmp_path_factory.mktemp("streams")
    place = prepare(folder)
    words = samples(place)
    return place, place.folder.rename(folder / "made"), words


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_works_with_any_output_streams(prepared: Prepared, name: str) -> None:
    place, made, known = prepared
    tried = [words for words in known.values() if words[0] == name]
    assert tried, "every command has a sample call"
    wrong = try_command(place, made, tried[0], TRIED)
    assert not [problem for problems in wrong.values() for problem in problems], wrong


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["tag Umlaut", "list", "export to standard output"])
def test_listing_and_changing_commands_work_with_any_other_streams(prepared: Prepared, kind: str) -> None:
    place, made, known = prepared
    wrong = try_command(place, made, known[kind], [one for one in SURROUNDINGS if one not in (PLAIN, *TRIED)])
    assert not [problem for problems in wrong.values() for problem in problems], wrong


@pytest.mark.parametrize("words", [["searches"], ["plugins"], ["list", "tag:none"]])
def test_nothing_is_lost_by_a_command_without_results(indexed: Focal, words: list[str]) -> None:
    command = ["sh", "-c", 'exec "$@" >/dev/full', "sh", *FOCAL, *words, "--library", str(indexed.library)]
    done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, check=False)
    assert done.returncode == 0, done.stderr
    assert "could not be written" not in done.stderr


@pytest.mark.parametrize("words", [["--help"], ["list", "--help"], ["--version"]])
@pytest.mark.parametrize("redirected", [">&-", ">/dev/full"])
def test_help_that_cannot_be_written_is_an_error(words: list[str], redirected: str) -> None:
    command = ["sh", "-c", f'exec "$@" {redirected}', "sh", *FOCAL, *words]
    for more in ({}, {"PYTHONUNBUFFERED": "1"}):
        done = subprocess.run(command, capture_output=True, text=True, env={**ENVIRONMENT, **more}, check=False)
        assert done.returncode == OUTPUT_LOST, done.stderr
        assert done.stderr.startswith("focal: The output could not be written completely: "), done.stderr
        assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("named", "redirected"),
    [("/dev/stdout", ">&-"), ("/dev/fd/1", ">&-"), ("/dev/stderr", "2>&-"), ("/proc/self/fd/2", ">&- 2>&-")],
)
def test_a_closed_stream_is_refused_as_output_file(indexed: Focal, named: str, redirected: str) -> None:
    words = [*FOCAL, "export", "--output", named, "--library", str(indexed.library)]
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {redirected}', "sh", *words],
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        check=False,
    )
    assert done.returncode == 1
    if "2>&-" not in redirected:
        assert done.stderr == f"focal: {named} is closed: name a file, or open the stream.\n"


def test_a_closed_stream_is_refused_as_input_file(indexed: Focal) -> None:
    words = [*FOCAL, "import", "/dev/stdin", "--format", "csv", "--library", str(indexed.library)]
    command = ["sh", "-c", 'exec "$@" <&-', "sh", *words]
    done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, check=False)
    assert (done.returncode, done.stderr) == (1, "focal: /dev/stdin is closed: name a file, or open the stream.\n")


@pytest.mark.slow
def test_open_streams_are_accepted_as_output_file(indexed: Focal) -> None:
    whole = indexed("export")
    for named, stream in (("/dev/stdout", "stdout"), ("/dev/stderr", "stderr")):
        done = focal("export", "--output", named, "--library", indexed.library)
        assert done.returncode == 0
        assert getattr(done, stream).replace("\r\n", "\n").startswith(whole.replace("\r\n", "\n"))


@pytest.mark.slow
def test_output_is_never_printed_into_a_file_of_the_library(here: Focal, album: Album) -> None:
    # With descriptors 1 and 2 closed, they would be reused for the catalogue, and the report would be written into it.
    words = ["index", album.folder, "--library", here.library]
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" >&- 2>&-', "sh", *FOCAL, *map(str, words)], env=ENVIRONMENT, check=False
    )
    assert done.returncode == OUTPUT_LOST
    assert here("check") == "Nothing is wrong.\n"
    assert len(here.lines("list")) == 10


def test_output_lost_on_closing_is_reported() -> None:
    script = (
        "import errno, os, sys\n"
        "from focal_photos.browser.cli import main\n"
        "def close(number):\n"
        "    raise OSError(errno.EDQUOT, 'Disk quota exceeded')\n"
        "os.close = close  # which alone tells it, of some network drives\n"
        "sys.argv[1:] = ['--version']\n"
        "sys.exit(main())"
    )
    done = run(sys.executable, "-c", script)
    assert done.returncode == OUTPUT_LOST, done.stderr
    assert done.stderr == b"focal: The output could not be written completely: Disk quota exceeded.\n"


def test_a_failure_keeps_its_exit_code_if_its_output_is_lost(tmp_path: Path) -> None:
    words = [*FOCAL, "list", "--library", str(tmp_path / "nowhere")]
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", *words], stderr=subprocess.PIPE, env=ENVIRONMENT, check=False
    )
    assert done.returncode == 1
    assert b"There is no library" in done.stderr


def test_a_change_is_made_although_its_report_is_not_read(indexed: Focal, album: Album) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    words = ["tag", str(album.path("warm/0.jpg")), "+unheard", "--library", str(indexed.library)]
    done = subprocess.run([*FOCAL, *words], stdout=writer, stderr=subprocess.PIPE, env=ENVIRONMENT, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (BROKEN_PIPE, b"")
    assert len(indexed.lines("list", "tag:unheard")) == 1


@pytest.mark.slow
def test_ascii_output_escapes_other_characters_and_tables_are_utf_8(tmp_path: Path) -> None:
    album = Album(tmp_path / "Fotos \u00e4")
    album.draw("x.jpg").rename(album.folder / os.fsdecode(b"caf\xe9.jpg"))
    library = tmp_path / "lib"
    assert focal("index", album.folder, "--library", library).returncode == 0
    environment = {**ENVIRONMENT, "PYTHONIOENCODING": "ascii"}

    def output(*words: str) -> bytes:
        command = [*FOCAL, *words, "--library", str(library)]
        return subprocess.run(command, capture_output=True, env=environment, check=True).stdout

    assert b"Fotos \\xe4/caf\xe9.jpg" in output("list")
    assert "Fotos \u00e4/".encode() in output("export")


def test_restarting_in_utf_8_keeps_the_arguments(tmp_path: Path) -> None:
    environment = {**ENVIRONMENT, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    folder = tmp_path / "K\u00fcche"
    command = [sys.executable, "-X", "dev", "-m", "focal_photos.browser", "list", "--library", str(folder)]
    done = subprocess.run(command, capture_output=True, env=environment, check=False)
    assert done.returncode == 1
    assert str(folder).encode() in done.stderr or b"K\\xfcche" in done.stderr, done.stderr
