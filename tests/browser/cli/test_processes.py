# SPDX-License-Identifier: MIT
"""The command line in separate processes: documents, exit codes, interruptions, pipes and locks."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.cli.interruption import Interruption
from focal_photos.browser.cli.terminal import Terminal
from focal_photos.browser.operations.jobs.progress import Job, Progress
from tests.browser.cli.command_line import ENVIRONMENT, FOCAL, Focal, focal, run
from tests.browser.operations.album import Album
from tests.browser.operations.jobs.waiting import stands_in, until
from tests.browser.operations.workers.processes import wait_for


def group_lives(number: int) -> bool:
    try:
        os.killpg(number, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.slow
def test_every_step_works_in_separate_processes_with_json(album: Album, tmp_path: Path) -> None:
    album.path("broken.jpg").write_bytes(b"\xff\xd8\xff broken")
    library = tmp_path / "lib"

    def run(*arguments: str | Path) -> str:
        done = focal("--library", library, *arguments, "--json")
        assert done.returncode == 0, done.stderr
        return done.stdout

    indexed = json.loads(run("index", album.folder))
    parts = {"photos", "files", "new", "failed", "misnamed", "without_pydicom", "passed_over", "taken_over", "seconds"}
    assert set(indexed) == parts
    assert (indexed["photos"], indexed["files"], indexed["new"]) == (11, 11, 11)
    assert [set(one) for one in indexed["failed"]] == [{"path", "reason"}]
    assert indexed["failed"][0]["path"] == str(album.path("broken.jpg"))

    warm = [str(album.path(f"warm/{i}.jpg")) for i in range(5)]
    tagged = json.loads(run("tag", *warm[:4], "+sun", "+sand"))
    assert tagged == {"photos": warm[:4], "add": ["sun", "sand"], "remove": [], "changed": 4}
    judged = json.loads(run("judge", warm[0], warm[1], album.path("cold/0.jpg"), "--similar"))
    assert judged["focal"] == warm[0]
    assert judged["verdict"] == "similar"
    trained = json.loads(run("train", "--learner", "kernel"))
    assert (trained["metric"], trained["judgements"], trained["tagged"]) == ("kernel-1", 2, 4)

    ranked = json.loads(run("rank", warm[0]))
    assert set(ranked) == {"focal", "metric", "judgements", "results"}
    assert (ranked["focal"], ranked["metric"]) == (warm[0], "kernel-1")
    assert len(ranked["results"]) == 9
    assert all(set(one) == {"path", "distance"} and Path(one["path"]).is_absolute() for one in ranked["results"])
    assert warm[0] not in {one["path"] for one in ranked["results"]}
    assert [one["distance"] for one in ranked["results"]] == sorted(one["distance"] for one in ranked["results"])

    (line,) = run("suggest", warm[4]).splitlines()
    suggested = json.loads(line)
    assert set(suggested) == {"path", "suggestions"}
    assert suggested["path"] == warm[4]
    assert {one["tag"] for one in suggested["suggestions"]} == {"sun", "sand"}
    for one in suggested["suggestions"]:
        assert set(one) == {"tag", "confidence", "witnesses"}
        assert set(one["witnesses"]) <= set(warm[:4])

    exported = [json.loads(line) for line in run("export", "--format", "jsonl").splitlines()]
    assert len(exported) == 11
    assert json.loads(run("check")) == {"problems": [], "repaired": [], "networks": {}}


@pytest.mark.slow
def test_errors_are_one_line_with_an_exit_code(album: Album, tmp_path: Path) -> None:
    library = tmp_path / "lib"
    for code, arguments in (
        (0, ["--help"]),
        (0, ["index", "--help"]),
        (0, ["--version"]),
        (2, ["--smell"]),
        (2, ["rank"]),
        (2, ["no-such-command"]),
        (2, ["index", "--library", library]),
        (1, ["rank", album.path("warm/0.jpg"), "--library", library]),
        (1, ["index", tmp_path / "nowhere", "--library", library]),
    ):
        done = focal(*arguments)
        assert done.returncode == code, (arguments, done.stderr)
        if code:
            assert done.stdout == ""
            assert len(done.stderr.splitlines()) == 1, done.stderr
            assert done.stderr.startswith("focal")


@pytest.mark.slow
def test_commands_load_no_qt_and_help_loads_no_numpy(album: Album, tmp_path: Path) -> None:
    script = (
        "import json, sys\n"
        "before = set(sys.modules)  # of what measures the coverage, where that is measured\n"
        "from focal_photos.browser.cli import main\n"
        "from focal_photos.browser.lazy_imports import is_executed\n"
        "for one in json.loads(sys.argv[2]):\n"
        "    assert main(one) == 0, one\n"
        "    new = [name for name in set(sys.modules) - before if is_executed(sys.modules[name])]\n"
        "    found = [name for name in new if name.split('.')[0] in sys.argv[1].split(',')]\n"
        "    assert not found, (one, found)\n"
    )
    library, photo = ["--library", str(tmp_path / "lib")], str(album.path("warm/0.jpg"))
    for barred, commands in (
        ("PySide6,numpy,sqlite3", [["--help"], ["rank", "--help"]]),
        ("PySide6", [["index", str(album.folder), *library], ["rank", photo, *library], ["check", *library]]),
        ("PySide6,scipy,sklearn,cv2", [["tag", photo, "+x", *library], ["list", *library]]),
    ):
        done = run(sys.executable, "-c", script, barred, json.dumps(commands))
        assert done.returncode == 0, done.stderr


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except FileNotFoundError:  # renamed after it was listed
        return 0


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interruption_ends_the_command_and_its_workers(
    album: Album, tmp_path: Path, number: signal.Signals, code: int
) -> None:
    for i in range(90):  # a batch, and more photos that are not yet described when it is written
        album.draw(f"many/{i}.jpg", seed=i)
    library = tmp_path / "lib"
    # If the tests run in the background of a script, SIGINT is ignored, and child processes would inherit that.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        process = subprocess.Popen(
            [*FOCAL, "index", str(album.folder), "--library", str(library)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=ENVIRONMENT,
            start_new_session=True,
        )
    finally:
        signal.signal(signal.SIGINT, before)
    try:
        derived = library / "derived" / "vectors"
        deadline = time.monotonic() + 120
        while not any(_size(file) > 200_000 for file in derived.glob("*")) and time.monotonic() < deadline:
            time.sleep(0.01)
        # A terminal sends Ctrl+C to the whole process group.
        os.killpg(process.pid, number) if number is signal.SIGINT else process.send_signal(number)
        out, err = process.communicate(timeout=120)
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()
    assert process.returncode == code, err
    assert out == ""
    assert "Traceback" not in err
    wait_for(lambda: not group_lives(process.pid), "the end of the workers")
    assert json.loads(focal("index", album.folder, "--library", library, "--json").stdout)["files"] == 100


@pytest.mark.parametrize(
    ("number", "raised"), [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, SystemExit)], ids=["ctrl-c", "sigterm"]
)
def test_an_interruption_during_a_statement_is_handled(
    tmp_path: Path, number: signal.Signals, raised: type[BaseException]
) -> None:
    # Python raises the interruption inside the SQL function, and SQLite replaces it by its own error.
    numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000000000)"
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    interruption, main = Interruption(), threading.current_thread()

    def send() -> None:
        until(lambda: stands_in(main, "heard_in", "rows"))
        os.kill(os.getpid(), number)

    def heard_in(library: Library) -> None:
        library.database.rows(f"{numbers} SELECT max(row_digest(i)) FROM n")

    sender = threading.Thread(target=send)
    try:
        with Library.open(tmp_path / "lib") as library, interruption.heard():
            sender.start()
            with pytest.raises(raised), interruption.kept():
                heard_in(library)
            with pytest.raises(OSError, match="gone"), Interruption().kept():
                raise OSError("gone")
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        sender.join()
        signal.signal(signal.SIGINT, before)


def test_an_interruption_that_a_module_ignores_ends_the_job() -> None:
    interruption = Interruption()

    def job() -> Job[None]:
        yield Progress("Reading", 1)
        with suppress(BaseException):  # as in lxml's import
            os.kill(os.getpid(), signal.SIGTERM)
        yield Progress("Reading", 2)
        raise AssertionError("the job continues")

    with interruption.heard(), pytest.raises(SystemExit) as stop:
        Terminal(as_json=False, check=interruption.check).run(job())
    assert stop.value.code == 143


def test_an_ignored_ctrl_c_stays_ignored() -> None:
    """For example, in the background of a script."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with Interruption().heard():
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
            os.kill(os.getpid(), signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_closed_pipe_is_not_an_error(here: Focal, album: Album) -> None:
    for i in range(400):
        album.draw(f"many/{i}.jpg", seed=i, size=(32, 32))
    here("index", album.folder, "--descriptors", "color_moments")
    command = f"{sys.executable} -m focal_photos.browser export --library {here.library} | head -n 1"
    done = run("bash", "-c", command)
    assert done.stdout.startswith(b"path,file_name,tags")
    assert done.stderr == b""


@pytest.mark.slow
def test_reading_works_while_another_process_locks_the_library(indexed: Focal, album: Album) -> None:
    photo = str(album.path("warm/0.jpg"))
    script = (
        "import json, sys; from focal_photos.browser.cli import main\n"
        "assert not any(map(main, json.loads(sys.argv[1])))"
    )
    reads = (["rank", photo], ["list"], ["export"], ["metrics"], ["check"])
    with Library.open(indexed.library):
        commands = json.dumps([[*one, "--library", str(indexed.library)] for one in reads])
        done = run(sys.executable, "-c", script, commands)
        assert done.returncode == 0, done.stderr
        assert done.stdout.count(photo.encode()) == 2  # in the list and the export, but not in its own ranking
        refused = focal("tag", photo, "+x", "--library", indexed.library)
        assert refused.returncode == 1
        assert "in use" in refused.stderr


@pytest.mark.slow
def test_undecodable_file_names_are_supported(tmp_path: Path) -> None:
    album = Album(tmp_path / "photos")
    odd = album.folder / os.fsdecode(b"caf\xe9.jpg")
    album.draw("x.jpg").rename(odd)
    album.draw("y.jpg")
    library = tmp_path / "lib"
    assert focal("index", album.folder, "--library", library).returncode == 0
    done = run(*FOCAL, "list", "--library", library)
    assert os.fsencode(odd) in done.stdout.splitlines()
    records = [json.loads(line) for line in focal("list", "--library", library, "--json").stdout.splitlines()]
    assert str(odd) in {record["path"] for record in records}
    exported = run(*FOCAL, "export", "--library", library)
    assert rb"caf\udce9.jpg" in exported.stdout
    exported.stdout.decode()  # valid UTF-8


def test_a_second_command_waits_for_the_first_to_end(indexed: Focal, album: Album) -> None:
    patient = (
        "import sys; from focal_photos.browser.cli import main, opening\n"
        "opening._PATIENCE = 60.0  # seconds; each of them takes some where much else is done\n"
        "sys.exit(main(sys.argv[1:]))"
    )
    commands = [
        subprocess.Popen(
            [
                sys.executable,
                "-c",
                patient,
                "tag",
                str(album.path("warm/0.jpg")),
                f"+t{i}",
                "--library",
                str(indexed.library),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=ENVIRONMENT,
        )
        for i in range(3)
    ]
    for command in commands:
        _, err = command.communicate(timeout=120)
        assert command.returncode == 0, err
    assert indexed.lines("list", "tagged")[0]["tags"] == ["t0", "t1", "t2"]
